"""The simulation passes over steps; the engine's schedulers take each one. Same states, always."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.workload.batching import Batching
from pagedviz.workload.paged_memory import PagedMemory
from pagedviz.workload.reserved_memory import ReservedMemory
from pagedviz.workload.setup import SimulationSetup, StepCost
from tests.workload.plain_runs import (
    PlainPaged,
    PlainReserved,
    load,
    paged_state,
    reserved_state,
    totals,
)

COSTS = (StepCost.in_steps(0.001), StepCost(0.001, 0.0003, 0.0001))
ALONE = st.lists(
    st.tuples(st.sampled_from([0, 3, 20, 200, 3000]), st.integers(1, 40), st.integers(1, 40)),
    min_size=1,
    max_size=14,
)


@st.composite
def conversations(draw):
    """Prompts that begin alike: a common beginning, earlier prompts with their answers."""
    rows, said = [], []
    for at in range(draw(st.integers(1, 12))):
        segments = []
        if said and draw(st.booleans()):
            segments += draw(st.sampled_from(said))
        elif length := draw(st.integers(0, 12)):
            segments.append((draw(st.integers(0, 1)), length))
        own = draw(st.sampled_from([2, 3, 100 + at]))
        segments.append((own, draw(st.integers(1, 20))))
        arrival = draw(st.sampled_from([0, 0, 5, 40, 400]))
        output = draw(st.integers(1, 40))
        answer = 1000 + at
        said.append([*segments, (answer, output)])
        rows.append([arrival, sum(length for _, length in segments), output, segments, answer])
    quoted = {segment for row in rows for segment, _ in row[3]}
    return [tuple(row) if row[4] in quoted else tuple(row[:4]) for row in rows]


SETTINGS = settings(
    max_examples=250, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
LIMITS = {
    "block_size": st.sampled_from([1, 2, 3, 4, 8, 16]),
    "spare": st.integers(-2, 12),
    "seats": st.integers(1, 6),
    "budget": st.sampled_from([1, 2, 3, 5, 8, 30, 100]),
    "cost": st.sampled_from(COSTS),
}


def check(batching, plain, state, refused):
    """Run both; compare after every step that the simulation takes."""
    while batching.advance():
        while plain.step < batching.step:
            plain.take_step(refused)
        if batching.running or batching.waiting:
            assert state(batching) == plain.state()
    assert plain.step == batching.step
    done = {r.request_id: r.finished_ns for r in batching.requests if not r.refusal}
    assert done == plain.finished
    assert {r.request_id for r in batching.requests if r.refusal} == refused
    assert batching.account.busy == totals(plain.seen)


def check_paged(rows, block_size, spare, seats, budget, cost, caching):
    longest = max(cdiv(prompt + output - 1, block_size) for _, prompt, output, *_ in rows)
    blocks = max(1, longest + spare)
    setup = SimulationSetup(blocks * block_size, block_size, seats, budget, caching, cost=cost)
    requests = load(rows)
    memory = PagedMemory(blocks, block_size, caching=caching, max_model_len=1000)
    refused = {r.request_id for r in requests if memory.why_never(r)}
    plain = PlainPaged(requests, setup, 1000)
    check(Batching(requests, memory, setup), plain, paged_state, refused)
    hits = {r.request_id: r.hit_tokens for r in requests if r.request_id not in refused}
    assert hits == plain.hits


@SETTINGS
@given(rows=conversations(), caching=st.booleans(), **LIMITS)
def test_paged_with_prompts_that_begin_alike(rows, block_size, spare, seats, budget, cost, caching):
    check_paged(rows, block_size, spare, seats, budget, cost, caching)


@SETTINGS
@given(rows=ALONE, caching=st.booleans(), **LIMITS)
def test_paged_with_prompts_unlike_all_others(
    rows, block_size, spare, seats, budget, cost, caching
):
    check_paged(rows, block_size, spare, seats, budget, cost, caching)


@SETTINGS
@given(rows=ALONE, policy=st.sampled_from(["max", "pow2", "oracle"]), **LIMITS)
def test_reserved(rows, policy, block_size, spare, seats, budget, cost):
    slots = 64 + 8 * block_size + spare
    setup = SimulationSetup(slots, 1, seats, budget, cost=cost)
    requests = load(rows)
    memory = ReservedMemory(slots, policy, 64)
    refused = {r.request_id for r in requests if memory.why_never(r)}
    plain = PlainReserved(requests, setup, policy, 64)
    check(Batching(requests, memory, setup), plain, reserved_state, refused)


def test_one_load_in_which_everything_happens():
    """Preemption, chunks, hits, quoted answers and waiting, all in the same run."""
    system = [(0, 20)]
    rows = [
        (0, 30, 30, [*system, (2, 10)], 50),
        (0, 25, 40, [*system, (3, 5)]),
        (5, 33, 25, [*system, (4, 13)]),
        (90, 66, 20, [*system, (2, 10), (50, 30), (5, 6)]),
        (95, 40, 35),
    ]
    setup = SimulationSetup(27 * 4, 4, 3, 16, cost=COSTS[1])
    requests = load(rows)
    batching = Batching(requests, PagedMemory(27, 4, caching=True, max_model_len=500), setup)
    check(batching, PlainPaged(requests, setup, 500), paged_state, set())
    assert batching.num_preemptions > 0
    assert [r.hit_tokens > 0 for r in requests] == [False, True, True, True, False]
    assert batching.account.max_waiting > 0
    assert batching.account.pressed[0] > 0


def test_who_waits_is_asked_again_when_a_quoted_answer_fills_a_block():
    """Nothing is freed: the third fits in the step in which the first one's answer can be hit."""
    rows = [
        (0, 4, 20, [(10, 4)], 50),
        (0, 8, 20),
        (1, 13, 4, [(10, 4), (50, 8), (11, 1)]),
    ]
    setup = SimulationSetup(7 * 4, 4, 3, 100, cost=COSTS[0])
    requests = load(rows)
    batching = Batching(requests, PagedMemory(7, 4, caching=True, max_model_len=500), setup)
    check(batching, PlainPaged(requests, setup, 500), paged_state, set())
    assert requests[2].admitted_ns == 4 * 10**6  # steps of a millisecond; it came in the first
    assert requests[2].hit_tokens == 8
