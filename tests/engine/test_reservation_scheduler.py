"""The old memory under the same clock: order, budget and seats as in the real scheduler."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.engine.errors import ConfigError, OperationError
from pagedviz.engine.request_queue import SchedulingPolicy
from pagedviz.engine.reservation import POLICIES, ReservationManager, Shortage
from pagedviz.engine.reservation_scheduler import ReservationScheduler
from pagedviz.engine.scheduler import SchedulerConfig
from tests.engine.scheduling import add, scheduler, step


def old(num_slots=64, policy="max", max_model_len=32, **limits):
    manager = ReservationManager(num_slots, policy, max_model_len)
    return ReservationScheduler(manager, SchedulerConfig(**limits))


def test_a_long_prompt_is_computed_in_chunks():
    s = old(max_num_batched_tokens=8)
    s.add_request("A", 10, 2)
    assert s.schedule().num_scheduled_tokens == {"A": 8}
    assert s.update() == []
    assert s.schedule().num_scheduled_tokens == {"A": 2}
    assert s.update() == []
    assert s.schedule().num_scheduled_tokens == {"A": 1}
    assert s.update() == ["A"]


def test_the_first_in_line_holds_back_those_behind():
    s = old(num_slots=64, policy="oracle", max_model_len=64)
    s.add_request("A", 30, 2)  # 31 slots, a run of 32
    s.add_request("B", 40, 2)  # a run of 64: not now
    s.add_request("C", 3, 2)  # would fit, and waits
    found = s.schedule()
    assert found.new == ["A"]
    assert found.shortage == Shortage(run=64, free=32, longest=32)
    assert s.waiting == ["B", "C"]


def test_budget_and_seats_are_no_shortage_of_memory():
    s = old(num_slots=128, max_num_batched_tokens=5)
    s.add_request("A", 5, 3)
    s.add_request("B", 5, 3)
    assert s.schedule().shortage is None
    assert s.waiting == ["B"]
    s = old(num_slots=128, max_num_seqs=1)
    s.add_request("A", 5, 3)
    s.add_request("B", 5, 3)
    assert s.schedule().shortage is None
    assert s.waiting == ["B"]
    s = old(num_slots=128, max_num_batched_tokens=6, enable_chunked_prefill=False)
    s.add_request("A", 5, 3)
    s.add_request("B", 5, 3)
    assert s.schedule().new == ["A"]
    assert s.waiting == ["B"]


ARRIVALS = st.lists(st.tuples(st.integers(1, 20), st.integers(1, 12)), min_size=1, max_size=12)


@given(st.sampled_from(POLICIES), ARRIVALS, st.integers(1, 40), st.integers(1, 8))
def test_everybody_is_served_in_the_order_of_arrival(policy, arrivals, budget, seats):
    s = old(64, policy, 32, max_num_batched_tokens=max(budget, seats), max_num_seqs=seats)
    for number, (prompt, output) in enumerate(arrivals):
        s.add_request(str(number), prompt, output)
    came, gone = [], []
    while s.waiting or s.running:
        found = s.schedule()
        assert sum(found.num_scheduled_tokens.values()) + found.token_budget == max(budget, seats)
        assert found.token_budget >= 0
        assert len(s.running) <= seats
        counts = s.manager.counts(found.shortage)
        assert sum(counts) == 64
        came += found.new
        gone += s.update()
        assert len(came) + len(s.waiting) == len(arrivals)
    assert came == [str(n) for n in range(len(arrivals))]
    assert sorted(gone) == sorted(came)
    assert s.manager.counts().free == 64


@given(ARRIVALS, st.integers(1, 40), st.integers(1, 8))
def test_with_room_for_all_both_systems_compute_the_same(arrivals, budget, seats):
    """Same budget, same order: only the memory differs, and here there is plenty of it."""
    limits = {"max_num_batched_tokens": max(budget, seats), "max_num_seqs": seats}
    left = old(4096, "oracle", 64, **limits)
    right = scheduler(1000, 4, enable_caching=False, **limits)
    for number, (prompt, output) in enumerate(arrivals):
        left.add_request(str(number), prompt, output)
        add(right, str(number), range(prompt), max_tokens=output)
    while left.waiting or left.running:
        ours = left.schedule()
        left.update()
        theirs = step(right)
        assert ours.num_scheduled_tokens == theirs.num_scheduled_tokens
        assert ours.new == theirs.new
    assert not right.running


def test_mistakes_are_named():
    s = old()
    s.add_request("A", 5, 3)
    with pytest.raises(OperationError, match="'A' is already here"):
        s.add_request("A", 5, 3)
    with pytest.raises(OperationError, match="'B' can never be placed: 40 tokens are more"):
        s.add_request("B", 30, 10)
    assert s.waiting == ["A"]
    with pytest.raises(OperationError, match="call schedule first"):
        s.update()
    s.schedule()
    with pytest.raises(OperationError, match="call update"):
        s.schedule()
    with pytest.raises(ConfigError, match="FCFS"):
        ReservationScheduler(
            ReservationManager(8), SchedulerConfig(policy=SchedulingPolicy.PRIORITY)
        )
