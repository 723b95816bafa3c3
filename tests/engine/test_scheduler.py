"""The scheduler in worked cases: who comes in, who gives way, how the tokens are dealt out."""

from pagedviz.engine.kv_cache_manager import KVCacheManager
from pagedviz.engine.request_queue import SchedulingPolicy
from pagedviz.engine.scheduler import Scheduler
from tests.engine.scheduling import add, names, scheduler, step

PRIORITY = SchedulingPolicy.PRIORITY


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
