"""Reserved runs: every slot is exactly one kind, and the policies waste what they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.engine.buddy import power_of_two
from pagedviz.engine.errors import ConfigError, OperationError
from pagedviz.engine.reservation import (
    POLICIES,
    Reservation,
    ReservationManager,
    Shortage,
    SlotCounts,
    SlotKind,
)


def counted(memory, waiting=None):
    kinds = np.bincount(memory.slot_kinds(waiting), minlength=len(SlotKind))
    return SlotCounts(*(int(n) for n in kinds))


def check(memory, waiting=None):
    counts = memory.counts(waiting)
    assert min(counts) >= 0
    assert sum(counts) == memory.num_slots
    assert counted(memory, waiting) == counts
    end = 0
    for run in memory.reservations():
        assert end <= run.start
        assert run.written <= run.will_use <= run.reserved <= run.run
        end = run.start + run.run
    assert end <= memory.num_slots


OPERATIONS = st.lists(
    st.tuples(st.sampled_from(["admit", "append", "free"]), st.integers(1, 30), st.integers(1, 30)),
    max_size=50,
)


@given(st.sampled_from(POLICIES), st.integers(1, 200), st.integers(2, 60), OPERATIONS)
def test_the_kinds_always_make_up_the_memory(policy, num_slots, max_model_len, operations):
    memory = ReservationManager(num_slots, policy, max_model_len)
    for number, (what, a, b) in enumerate(operations):
        held = memory.reservations()
        if what == "admit" and memory.why_never(a, b) is None:
            placed = memory.admit(str(number), a, b)
            if isinstance(placed, Shortage):
                assert memory.reservations() == held
                assert placed.longest < placed.run
                check(memory, placed)
                assert memory.counts(placed).free == 0
        elif what == "append" and held:
            run = held[a % len(held)]
            memory.append(run.request_id, min(b, run.will_use - run.written))
        elif what == "free" and held:
            memory.free(held[a % len(held)].request_id)
        check(memory)
        if policy == "oracle":
            assert memory.counts().never == 0
    for run in memory.reservations():
        memory.free(run.request_id)
    assert memory.counts() == SlotCounts(0, 0, 0, 0, num_slots)


def test_two_requests_of_the_papers_figure():
    """Section 3.1, figure 3: maximum length 2,048 and 512, prompts 7 and 4 tokens.

    The paper leaves the answers open; here they have 4 and 3 tokens, of which 3 and 2 are
    written. Each request has its own maximum there, so each has its own manager here.
    """
    one = ReservationManager(2048, "max", 2048)
    one.admit("A", 7, 4)
    one.append("A", 8)  # the prompt and the first token of the answer
    assert one.counts() == SlotCounts(token=8, later=2, never=2038, external=0, free=0)
    two = ReservationManager(512, "max", 512)
    two.admit("B", 4, 3)
    two.append("B", 4)
    assert two.counts() == SlotCounts(token=4, later=2, never=506, external=0, free=0)


def test_one_step_by_hand():
    """64 slots, three policies, the same three requests: 10 + 5, 20 + 9, 3 + 3 tokens."""
    expected = {
        # runs of 32: the third waits for the memory of both others
        "max": ([(0, 32, 32, 14), (32, 32, 32, 28)], SlotCounts(20, 22, 22, 0, 0)),
        # 10 + 8, 20 + 16 and 3 + 4 slots in runs of 32, 64 and 8: the second finds no run
        "pow2": ([(0, 32, 18, 14), (32, 8, 7, 5)], SlotCounts(13, 6, 6, 15, 24)),
        # 14, 28 and 5 slots in runs of 16, 32 and 8
        "oracle": ([(0, 16, 14, 14), (16, 8, 5, 5), (32, 32, 28, 28)], None),
    }
    for policy, (runs, counts) in expected.items():
        memory = ReservationManager(64, policy, 32 if policy == "max" else 40)
        outcomes = {}
        for name, prompt, output in (("A", 10, 5), ("B", 20, 9), ("C", 3, 3)):
            outcomes[name] = memory.admit(name, prompt, output)
            if isinstance(outcomes[name], Reservation):
                memory.append(name, 10 if name != "C" else 3)
        found = [(r.start, r.run, r.reserved, r.will_use) for r in memory.reservations()]
        assert found == runs
        if policy == "max":
            assert outcomes["C"] == Shortage(run=32, free=0, longest=0)
            assert not outcomes["C"].fragmented
        if policy == "pow2":
            assert outcomes["B"] == Shortage(run=64, free=32, longest=32)
        if counts is not None:
            assert memory.counts() == counts
        check(memory)


def test_enough_in_total_but_in_no_piece():
    memory = ReservationManager(64, "oracle", 64)
    for name in "ABCD":
        memory.admit(name, 16, 1)
    memory.free("A")
    memory.free("C")
    refused = memory.admit("E", 20, 1)
    assert refused == Shortage(run=32, free=32, longest=16)
    assert refused.fragmented
    assert memory.counts(refused) == SlotCounts(0, 32, 0, 32, 0)
    assert memory.counts() == SlotCounts(0, 32, 0, 0, 32)  # nobody waits: they are free
    memory.free("B")  # joined with its neighbour
    assert isinstance(memory.admit("E", 20, 1), Reservation)


@given(st.integers(1, 400), st.integers(1, 400))
def test_what_the_policies_reserve(prompt, output):
    most = 1000
    sizes = [ReservationManager(4096, p, most).slots_to_reserve(prompt, output) for p in POLICIES]
    maximum, pow2, oracle = sizes
    assert maximum == most
    assert oracle == prompt + output - 1
    assert oracle < pow2 <= most
    # "over-reserves the space for outputs by at most 2x"
    assert output <= pow2 - prompt < 2 * output
    assert pow2 - prompt == power_of_two(output)


def test_pow2_never_reserves_more_than_the_longest_request():
    assert ReservationManager(512, "pow2", 128).slots_to_reserve(60, 65) == 128


def test_who_can_never_be_placed_is_told_why():
    memory = ReservationManager(500, "pow2", 400)
    assert memory.why_never(300, 101) == "401 tokens are more than max_model_len 400"
    assert "needs a run of 512 slots; the longest in a memory of 500 is 256" in memory.why_never(
        250, 40
    )
    with pytest.raises(OperationError, match="'A' can never be placed: it needs a run of 512"):
        memory.admit("A", 250, 40)
    assert memory.counts() == SlotCounts(0, 0, 0, 0, 500)


def test_mistakes_change_nothing():
    memory = ReservationManager(64, "oracle", 64)
    memory.admit("A", 3, 2)
    before = memory.reservations(), memory.counts()
    for call, message in (
        (lambda: memory.admit("A", 3, 2), "holds a run already"),
        (lambda: memory.admit("", 3, 2), "request id"),
        (lambda: memory.admit("B", 0, 2), "num_prompt_tokens"),
        (lambda: memory.admit("B", 3, 0), "num_output_tokens"),
        (lambda: memory.append("A", 5), "4 slots to write"),
        (lambda: memory.append("A", -1), "num_tokens"),
        (lambda: memory.append("B", 1), "'B' holds no run"),
        (lambda: memory.free("B"), "'B' holds no run"),
    ):
        with pytest.raises(OperationError, match=message):
            call()
        assert (memory.reservations(), memory.counts()) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, "max", 8), "num_slots"),
        ((8, "first", 8), "policy must be one of max, pow2, oracle, not 'first'"),
        ((8, "max", 1), "max_model_len must be a whole number of at least 2"),
    ],
)
def test_memories_that_cannot_be(arguments, message):
    with pytest.raises(ConfigError, match=message):
        ReservationManager(*arguments)
