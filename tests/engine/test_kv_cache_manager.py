"""Block tables, hits and admission, against facts stated in vLLM's own unit tests.

Named after tests/v1/core/test_prefix_caching.py of vLLM 0.33.0 where a test follows one of
theirs.
"""

import pytest

from pagedviz.engine.block_hash import get_request_block_hasher
from pagedviz.engine.errors import ConfigError, OperationError
from pagedviz.engine.kv_cache_manager import BlockDemand, KVCacheManager
from pagedviz.engine.request import Request, RequestStatus


def manager(num_blocks=11, block_size=16, **config):
    return KVCacheManager(num_blocks, block_size, **config)


def request(name, tokens, size=16, **keys):
    return Request(name, tokens, block_hasher=get_request_block_hasher(size), **keys)


def admit(m, r, num_new_tokens=None, **how):
    hits, num_hit = m.get_computed_blocks(r)
    num_new = r.num_tokens - num_hit if num_new_tokens is None else num_new_tokens
    blocks = m.allocate_slots(r, num_new, num_hit, hits, **how)
    if blocks is not None:
        r.num_computed_tokens = num_hit + num_new
        r.status = RequestStatus.RUNNING
    return num_hit, None if blocks is None else ids(blocks)


def ids(blocks):
    return [block.block_id for block in blocks]


def queue(m):
    return ids(m.block_pool.free_block_queue)


COMMON = [i for i in range(3) for _ in range(16)]  # three full blocks


def test_prefill():  # hit, miss, and the order in which blocks come back
    m = manager()
    a = request("A", COMMON + [3] * 7)
    assert admit(m, a) == (0, [1, 2, 3, 4])
    b = request("B", COMMON + [3] * 5)
    assert admit(m, b) == (48, [5])
    assert m.get_block_ids("B") == [1, 2, 3, 5]
    assert [m.block_pool.blocks[i].ref_cnt for i in (1, 2, 3)] == [2, 2, 2]
    m.free(a)
    m.free(b)
    assert queue(m) == [5, 4, 6, 7, 8, 9, 10, 3, 2, 1]
    c = request("C", COMMON + [3] * 5)
    assert admit(m, c) == (48, [5])
    assert queue(m) == [4, 6, 7, 8, 9, 10]
    m.free(c)
    # everything at once: eviction order is allocation order, and no hit is left
    d = request("D", [99] * 160)
    assert admit(m, d) == (0, [5, 4, 6, 7, 8, 9, 10, 3, 2, 1])
    assert m.get_computed_blocks(request("E", [*COMMON, 3])) == ([], 0)


def test_prefill_that_skips_reading_still_writes():  # test_prefill_plp
    m = manager()
    a = request("A", [*COMMON, 3], skip_reading_prefix_cache=True)
    assert admit(m, a) == (0, [1, 2, 3, 4])
    assert m.get_computed_blocks(request("B", [*COMMON, 3]))[1] == 48
    again = request("C", [*COMMON, 3], skip_reading_prefix_cache=True)
    assert admit(m, again) == (0, [5, 6, 7, 8])


def test_decode_fills_a_block_then_caches_it():  # test_decode
    m = manager()
    a = request("A", COMMON + [3] * 7)
    admit(m, a)
    a.append_output_token_ids([8] * 4)
    assert m.allocate_slots(a, 4) == []
    a.num_computed_tokens += 4
    assert m.block_pool.blocks[4].block_hash is None
    a.append_output_token_ids([7] * 15)
    assert ids(m.allocate_slots(a, 15)) == [5]
    assert m.block_pool.blocks[4].block_hash == a.block_hashes[3]
    assert m.block_pool.blocks[5].block_hash is None


def test_evict():
    m = manager()
    a, b = request("A", range(5 * 16 + 7)), request("B", range(1000, 1000 + 3 * 16))
    assert admit(m, a)[1] == [1, 2, 3, 4, 5, 6]
    assert admit(m, b)[1] == [7, 8, 9]
    m.free(a)
    m.free(b)
    assert queue(m) == [6, 10, 5, 4, 3, 2, 1, 9, 8, 7]
    assert admit(m, request("C", range(2 * 16 + 3))) == (32, [6])
    assert queue(m) == [10, 5, 4, 3, 9, 8, 7]


def test_hits_survive_their_own_admission():  # test_computed_blocks_not_evicted
    m = manager(num_blocks=3)
    a = request("A", range(16))
    admit(m, a)
    m.free(a)
    assert queue(m) == [2, 1]
    b = request("B", range(32))
    assert admit(m, b) == (16, [2])
    assert m.get_block_ids("B") == [1, 2]


def test_without_caching_there_are_no_hits():  # test_basic_prefix_caching_disabled
    m = manager(num_blocks=5, block_size=4, enable_caching=False)
    a = request("A", range(10), size=4)
    assert admit(m, a) == (0, [1, 2, 3])
    m.free(a)
    assert admit(m, request("B", range(16), size=4)) == (0, [3, 2, 1, 4])
    assert admit(m, request("C", range(4), size=4)) == (0, None)
    assert not any(block.block_hash for block in m.block_pool.blocks)


def test_a_prompt_known_to_its_last_block_computes_that_block_again():
    m = manager(block_size=4)
    a = request("A", range(12), size=4)
    admit(m, a)
    b = request("B", range(12), size=4)
    assert admit(m, b) == (8, [4])  # a copy of block 3
    assert m.block_pool.blocks[3].block_hash == m.block_pool.blocks[4].block_hash
    assert admit(m, request("C", range(13), size=4)) == (12, [5])  # one more: all three hit
    assert ids(m.get_computed_blocks(request("D", range(13), size=4))[0]) == [1, 2, 3]
    assert m.get_computed_blocks(request("E", range(4), size=4)) == ([], 0)


def test_a_hit_stops_at_the_first_gap():
    m = manager(block_size=4)
    admit(m, request("A", range(16), size=4))
    m.evict_blocks({2})
    assert m.get_computed_blocks(request("B", range(16), size=4))[1] == 4


def test_an_identical_prompt_hits_before_anything_was_computed():
    m = manager(block_size=4)
    a = request("A", range(9), size=4)
    m.allocate_slots(a, 9)  # scheduled, not run: nothing is computed yet
    assert admit(m, request("B", range(9), size=4)) == (8, [4])


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


def test_a_request_of_no_new_tokens_is_a_mistake():
    m = manager()
    with pytest.raises(OperationError, match="at least one new token"):
        m.allocate_slots(request("A", range(4)), 0)
    assert m.req_to_blocks == {}


def test_freeing_a_request_that_holds_nothing_changes_nothing():
    m = manager()
    m.free(request("A", range(4)))
    assert queue(m) == list(range(1, 11))


def test_a_preempted_request_finds_its_own_blocks_again():
    m = manager(num_blocks=6, block_size=4)
    a = request("A", range(10), size=4)
    admit(m, a)
    a.append_output_token_ids([10, 11])
    m.allocate_slots(a, 2)
    m.free(a)
    a.start_over()
    assert (a.num_computed_tokens, a.num_preemptions) == (0, 1)
    assert queue(m) == [4, 5, 3, 2, 1]
    assert admit(m, a) == (8, [4])  # 12 tokens: the last block is computed again


@pytest.mark.parametrize(
    "config",
    [
        {"num_blocks": 0},
        {"block_size": 0},
        {"block_size": 1.5},
        {"max_model_len": 0},
        {"watermark": -0.1},
        {"watermark": 1.1},
        {"watermark": float("nan")},
        {"watermark": "0.1"},
    ],
)
def test_a_config_that_makes_no_sense_is_refused(config):
    (name,) = config
    with pytest.raises(ConfigError, match=name):
        manager(**config)
