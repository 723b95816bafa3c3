"""How many blocks a request needs, when it is refused, and what it keeps.

Named after tests/v1/core/test_prefix_caching.py of vLLM 0.33.0 where a test follows one of
theirs.
"""

import pytest

from pagedviz.engine.kv_cache_manager import BlockDemand
from pagedviz.engine.request import RequestStatus
from tests.engine.managing import COMMON, admit, ids, manager, queue, request

# ---- refusals


# test_prefill_not_enough_free_blocks_with_computed_blocks
def test_a_refusal_changes_nothing():
    m = manager(enable_kv_cache_events=True)
    a = request("A", COMMON)
    admit(m, a)
    b = request("B", COMMON + [3] * 16)
    admit(m, b)
    m.free(a)
    c = request("C", [9] * 16 * 5)
    assert admit(m, c)[1] is not None
    refs, free = [block.ref_cnt for block in m.block_pool.blocks], queue(m)
    m.take_events()
    d = request("D", COMMON + [4] * 16 * 3)
    assert admit(m, d) == (48, None)
    assert [block.ref_cnt for block in m.block_pool.blocks] == refs
    assert queue(m) == free
    assert m.take_events() == []
    assert m.get_block_ids("D") == []
    assert d.num_computed_tokens == 0


def test_hits_in_the_queue_take_room_and_hits_in_use_do_not():
    # the same request, once with its prefix in the queue and once with it in use
    m = manager(num_blocks=7, block_size=4)
    a = request("A", range(13), size=4)
    admit(m, a)
    b = request("B", range(25), size=4)
    hits, num_hit = m.get_computed_blocks(b)
    assert m.required_blocks(b, 13, num_hit, hits) == BlockDemand(4, 4, 0, 2)
    m.free(a)
    assert m.required_blocks(b, 13, num_hit, hits) == BlockDemand(7, 4, 0, 6)
    assert admit(m, b) == (12, None)


def test_the_whole_prompt_must_fit_before_its_first_chunk_is_admitted():
    m = manager(num_blocks=5, block_size=4)
    a = request("A", range(20), size=4)
    assert m.required_blocks(a, 4, full_sequence_must_fit=True) == BlockDemand(5, 1, 0, 4)
    assert admit(m, a, 4, full_sequence_must_fit=True) == (0, None)
    assert admit(m, a, 4) == (0, [1])


@pytest.mark.parametrize(
    ("status", "others", "watermark"),
    [
        (RequestStatus.WAITING, True, 2),
        (RequestStatus.PREEMPTED, True, 2),
        (RequestStatus.RUNNING, True, 0),
        (RequestStatus.WAITING, False, 0),
    ],
)
def test_the_watermark_holds_for_those_who_wait_while_others_run(status, others, watermark):
    m = manager(num_blocks=11, block_size=4, watermark=0.25)  # int(2.75) blocks
    a = request("A", range(36), size=4)
    a.status = status
    demand = m.required_blocks(a, 36, has_scheduled_reqs=others)
    assert demand == BlockDemand(9, 9, watermark, 10)
    assert demand.fits == (watermark == 0)
    assert (m.allocate_slots(a, 36, has_scheduled_reqs=others) is not None) == demand.fits


# ---- lookahead, rollback, the longest sequence


def test_guessed_tokens_get_room_but_are_not_cached():  # test_allocate_with_lookahead
    m = manager(block_size=4)
    a = request("A", range(6), size=4)
    assert ids(m.allocate_slots(a, 6, num_lookahead_tokens=4)) == [1, 2, 3]
    a.num_computed_tokens = 6
    assert m.allocate_slots(a, 4) == []  # draft tokens: none of them is certain
    assert [b.block_hash is None for b in m.block_pool.blocks[1:4]] == [False, True, True]


def test_blocks_never_shrink():
    m = manager(block_size=4)
    a = request("A", range(6), size=4)
    admit(m, a)
    m.allocate_slots(a, 7)
    assert m.get_block_ids("A") == [1, 2, 3, 4]
    a.num_computed_tokens = 2  # taken back
    assert m.required_blocks(a, 3) == BlockDemand(0, 0, 0, 6)
    assert m.allocate_slots(a, 3) == []
    assert m.get_block_ids("A") == [1, 2, 3, 4]


def test_nobody_gets_more_than_the_longest_sequence_needs():
    m = manager(block_size=4, max_model_len=10)
    a = request("A", range(9), size=4)
    assert ids(m.allocate_slots(a, 9, num_lookahead_tokens=9)) == [1, 2, 3]
    assert m.can_ever_fit(10_000)
    assert not manager(num_blocks=3, block_size=4, max_model_len=10).can_ever_fit(10)
    assert manager(num_blocks=3, block_size=4, max_model_len=10).can_ever_fit(8)


def test_what_lies_beyond_the_longest_sequence_is_not_cached():
    m = manager(block_size=4, max_model_len=10, enable_kv_cache_events=True)
    long = request("A", range(24), size=4)
    assert admit(m, long) == (0, [1, 2, 3])  # tokens for six blocks, room for three
    (stored,) = m.take_events()
    assert len(stored.block_hashes) == 3
    b = request("B", range(100, 111), size=4)
    admit(m, b)
    b.append_output_token_ids([111])
    assert m.allocate_slots(b, 1) == []  # its third block is full, but past token 10
    assert [m.block_pool.blocks[i].block_hash is None for i in (4, 5, 6)] == [False, False, True]
