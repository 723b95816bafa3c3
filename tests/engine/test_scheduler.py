"""The scheduler: worked cases, and what must hold in every run."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagedviz.conformance import schedule
from pagedviz.engine.block_hash import get_request_block_hasher
from pagedviz.engine.errors import ConfigError, OperationError
from pagedviz.engine.kv_cache_manager import KVCacheManager, cdiv
from pagedviz.engine.request import Request, RequestStatus
from pagedviz.engine.request_queue import SchedulingPolicy
from pagedviz.engine.scheduler import Scheduler, SchedulerConfig

PRIORITY = SchedulingPolicy.PRIORITY


def scheduler(num_blocks=9, block_size=4, *, enable_caching=True, watermark=0.0, **limits):
    manager = KVCacheManager(
        num_blocks, block_size, enable_caching=enable_caching, watermark=watermark
    )
    return Scheduler(manager, SchedulerConfig(**limits))


def add(s, name, tokens, **keys):
    hasher = get_request_block_hasher(s.manager.block_size)
    s.add_request(Request(name, tokens, block_hasher=hasher, **keys))


def step(s):
    """One step in which everyone who can sample writes the token 99."""
    output = s.schedule()
    ready = [
        req
        for req in output.num_scheduled_tokens
        if s.requests[req].num_computed_tokens == s.requests[req].num_tokens
    ]
    s.update_from_output({req: [99] for req in ready})
    return output


def names(requests):
    return [request.request_id for request in requests]


# ---- worked cases


def test_the_last_admitted_gives_way_and_waits_in_front():
    s = scheduler(num_blocks=5)  # four blocks
    for name in "ABC":
        add(s, name, [ord(name)] * 4, max_tokens=8)
    assert step(s).num_scheduled_tokens == {"A": 4, "B": 4, "C": 4}
    add(s, "D", [1] * 4)
    second = step(s)  # A takes the last block, B finds none: C gives way
    assert second.preempted == ["C"]
    assert second.num_scheduled_tokens == {"A": 1, "B": 1}
    assert second.new == second.resumed == []  # nobody comes in, though D would fit
    assert names(s.running) == ["A", "B"]
    assert names(s.waiting) == ["C", "D"]
    assert s.requests["C"].num_computed_tokens == 0


def test_a_request_alone_gives_way_to_itself():
    s = scheduler(num_blocks=3)
    add(s, "A", range(8), max_tokens=4)
    step(s)
    output = s.schedule()
    assert output.preempted == ["A"]
    assert output.num_scheduled_tokens == {}
    assert s.running == []


def test_a_resumed_request_hits_its_own_blocks():
    s = scheduler(num_blocks=5)
    add(s, "A", [1] * 8, max_tokens=2)
    add(s, "B", [2] * 6, max_tokens=4)
    step(s)
    assert step(s).preempted == ["B"]  # A needs a third block and then leaves
    third = step(s)
    assert third.resumed == ["B"]
    assert third.num_hit_tokens == {"B": 4}
    assert third.num_scheduled_tokens == {"B": 3}  # 6 prompt tokens and one written, 4 found


def test_the_worst_priority_gives_way_even_before_its_turn():
    s = scheduler(num_blocks=5, policy=PRIORITY)
    add(s, "A", [1] * 8, priority=5)
    add(s, "B", [2] * 8, priority=1)
    assert step(s).num_scheduled_tokens == {"B": 8, "A": 8}  # admitted by priority
    assert step(s).preempted == ["A"]
    assert names(s.running) == ["B"]


def test_a_victim_that_had_its_turn_gives_its_tokens_back():
    s = scheduler(num_blocks=6, max_num_batched_tokens=20, policy=PRIORITY)
    add(s, "low", [1] * 7, priority=9)
    step(s)
    add(s, "high", [2] * 12, priority=0)
    step(s)
    assert names(s.running) == ["low", "high"]
    output = s.schedule()  # low goes first (one token, no block); high needs a fourth block
    assert output.preempted == ["low"]
    assert output.num_scheduled_tokens == {"high": 1}
    assert output.token_budget == 19
    assert s.requests["low"].num_computed_tokens == 0


def test_nobody_loses_a_turn_when_someone_before_is_preempted():
    s = scheduler(num_blocks=7, policy=PRIORITY)
    add(s, "low", [1] * 6, priority=9)
    step(s)
    add(s, "high", [2] * 8, priority=0)
    add(s, "next", [3] * 6, priority=1)
    step(s)
    assert names(s.running) == ["low", "high", "next"]
    output = s.schedule()
    assert output.preempted == ["low"]
    assert output.num_scheduled_tokens == {"high": 1, "next": 1}


def test_priority_and_arrival_order_those_who_wait():
    s = scheduler(policy=PRIORITY, max_num_seqs=1)
    for name, priority, arrival in [("A", 1, 0.0), ("B", 0, 2.0), ("C", 0, 1.0), ("D", 1, 0.0)]:
        add(s, name, [1], priority=priority, arrival_time=arrival)
    assert names(s.waiting) == ["C", "B", "A", "D"]
    assert step(s).new == ["C"]


def test_a_long_prompt_is_computed_in_chunks():
    s = scheduler(num_blocks=20, max_num_batched_tokens=8)
    add(s, "A", range(20), max_tokens=2)
    add(s, "B", range(100, 104))
    assert [step(s).num_scheduled_tokens for _ in range(4)] == [
        {"A": 8},
        {"A": 8},
        {"A": 4, "B": 4},
        {"A": 1, "B": 1},
    ]


def test_without_chunks_a_long_prompt_waits_for_a_budget_of_its_own():
    s = scheduler(num_blocks=20, max_num_batched_tokens=8, enable_chunked_prefill=False)
    add(s, "A", range(6))
    add(s, "B", range(100, 104))
    add(s, "C", [1])
    assert step(s).num_scheduled_tokens == {"A": 6}  # B does not fit whole; C waits behind
    assert step(s).num_scheduled_tokens == {"A": 1, "B": 4, "C": 1}


def test_the_first_in_line_holds_up_those_behind():
    s = scheduler(num_blocks=9)
    add(s, "A", range(20))
    add(s, "B", range(100, 116))
    add(s, "C", [1])
    assert step(s).new == ["A"]
    assert names(s.waiting) == ["B", "C"]


def test_the_whole_prompt_must_fit_though_only_a_chunk_is_computed():
    s = scheduler(num_blocks=9, max_num_batched_tokens=4)
    add(s, "A", range(36))
    assert step(s).num_scheduled_tokens == {}
    assert not s.manager.can_ever_fit(36)


def test_seats_are_limited():
    s = scheduler(num_blocks=20, max_num_seqs=2)
    for name in "ABC":
        add(s, name, [ord(name)], max_tokens=2)
    assert step(s).new == ["A", "B"]
    assert step(s).new == []
    assert step(s).new == ["C"]


def test_the_watermark_keeps_headroom_while_others_run():
    s = scheduler(num_blocks=11, watermark=0.2)
    add(s, "A", [1] * 12)
    add(s, "B", [2] * 24)
    assert step(s).new == ["A"]  # 7 free, B needs 6, 2 must be left
    s = scheduler(num_blocks=11, watermark=0.2)
    add(s, "B", [2] * 40)
    assert step(s).new == ["B"]  # alone, B may take them all


def test_an_answer_ends_at_the_longest_sequence():
    manager = KVCacheManager(9, 4, max_model_len=6)
    s = Scheduler(manager)
    add(s, "A", [1] * 4, max_tokens=100)
    step(s)
    assert "A" in s.requests
    step(s)
    assert "A" not in s.requests


def test_a_request_that_sampled_nothing_has_nothing_to_compute():
    s = scheduler()
    add(s, "A", [1] * 4)
    add(s, "B", [2] * 4)
    s.schedule()
    s.update_from_output({"B": [7]})
    assert s.schedule().num_scheduled_tokens == {"B": 1}


# ---- mistakes


def test_steps_are_scheduled_and_updated_in_turn():
    s = scheduler()
    with pytest.raises(OperationError, match="call schedule first"):
        s.update_from_output({})
    s.schedule()
    with pytest.raises(OperationError, match="call update_from_output"):
        s.schedule()


def test_only_those_whose_prompt_is_computed_may_sample():
    s = scheduler(max_num_batched_tokens=4)
    add(s, "A", range(6))
    add(s, "B", [1])
    s.schedule()
    for sampled, said in [({"A": [1]}, "prompt left"), ({"B": [1]}, "not scheduled")]:
        with pytest.raises(OperationError, match=said):
            s.update_from_output(sampled)
    s.update_from_output({})  # the refusals left the step as it was
    assert s.schedule().num_scheduled_tokens == {"A": 2, "B": 1}


def test_requests_are_checked_when_they_join():
    s = Scheduler(KVCacheManager(9, 4, max_model_len=8))
    add(s, "A", [1])
    with pytest.raises(OperationError, match="already here"):
        add(s, "A", [1])
    with pytest.raises(OperationError, match="no room for an answer"):
        add(s, "B", range(8))
    done = Request("C", [1])
    done.status = RequestStatus.FINISHED
    with pytest.raises(OperationError, match="does not wait"):
        s.add_request(done)
    assert names(s.waiting) == ["A"]


@pytest.mark.parametrize(
    "limits",
    [{"max_num_seqs": 0}, {"max_num_batched_tokens": -1}, {"policy": "fcfs"}],
)
def test_limits_that_make_no_sense_are_refused(limits):
    (name,) = limits
    with pytest.raises(ConfigError, match=name):
        SchedulerConfig(**limits)


@pytest.mark.parametrize(
    ("config", "said"),
    [({"num_blocks": 4, "policy": "lifo"}, "policy"), ({"num_blocks": 4, "x": 1}, "x")],
)
def test_a_recorded_config_that_makes_no_sense_is_refused(config, said):
    with pytest.raises(ConfigError, match=said):
        schedule({"config": config, "requests": [], "steps": []})


# ---- what must hold in every run

REQUESTS = st.lists(
    st.tuples(
        st.integers(1, 30),  # tokens of the prompt
        st.integers(1, 12),  # tokens to write
        st.integers(0, 8),  # step of arrival
        st.integers(0, 2),  # priority
        st.booleans(),  # begins like the others
    ),
    min_size=1,
    max_size=8,
)


@settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
@given(
    requests=REQUESTS,
    block_size=st.sampled_from([1, 2, 4, 8, 16]),
    spare=st.integers(0, 10),
    budget=st.integers(1, 40),
    seats=st.integers(1, 5),
    policy=st.sampled_from(SchedulingPolicy),
    caching=st.booleans(),
    watermark=st.sampled_from([0.0, 0.1]),
)
def test_every_run_keeps_its_limits_and_ends(
    requests, block_size, spare, budget, seats, policy, caching, watermark
):
    # the pool holds the longest request, and little more
    longest = max(cdiv(tokens + answer, block_size) for tokens, answer, *_ in requests)

    def run():
        s = scheduler(
            1 + longest + spare,
            block_size,
            enable_caching=caching,
            watermark=watermark,
            max_num_seqs=seats,
            max_num_batched_tokens=budget,
            policy=policy,
        )
        outputs = []
        number = 0
        while s.requests or number <= 8:
            for i, (tokens, answer, arrival, priority, alike) in enumerate(requests):
                if arrival == number:
                    prompt = [0 if alike else i + 1] * tokens
                    add(s, f"r{i}", prompt, max_tokens=answer, priority=priority, arrival_time=i)
            running = names(s.running)
            priorities = {req: request.priority for req, request in s.requests.items()}
            output = step(s)
            check_step(output, running, priorities)
            outputs.append(output)
            number += 1
            assert number < 3000, "the run does not end"
        assert s.manager.usage == 0.0
        assert len(s.waiting) == len(s.running) == 0
        return outputs

    def check_step(output, running, priorities):
        scheduled = output.num_scheduled_tokens
        assert sum(scheduled.values()) <= budget
        assert output.token_budget == budget - sum(scheduled.values())
        assert min(scheduled.values(), default=1) > 0
        assert len(scheduled) <= seats
        admitted = output.new + output.resumed
        assert not (output.preempted and admitted)
        assert not set(output.preempted) & set(scheduled)
        assert set(scheduled) <= set(running) | set(admitted)
        for victim in output.preempted:
            stayed = [req for req in running if req not in output.preempted]
            if policy is PRIORITY:
                assert all(priorities[victim] >= priorities[req] for req in stayed)
            else:
                assert all(running.index(victim) > running.index(req) for req in stayed)
        if not caching:
            assert not any(output.num_hit_tokens.values())

    assert run() == run()
