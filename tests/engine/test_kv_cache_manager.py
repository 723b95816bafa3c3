"""Block tables and hits, against facts stated in vLLM's own unit tests.

Named after tests/v1/core/test_prefix_caching.py of vLLM 0.33.0 where a test follows one of
theirs. How much room is asked for and refused: `test_kv_cache_room.py`.
"""

import pytest

from pagedviz.engine.errors import ConfigError, OperationError
from pagedviz.engine.request import RequestStatus
from tests.engine.managing import COMMON, admit, ids, manager, queue, request


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


# ---- mistakes


def test_a_request_of_no_new_tokens_is_a_mistake():
    m = manager()
    with pytest.raises(OperationError, match="at least one new token"):
        m.allocate_slots(request("A", range(4)), 0)
    assert m.req_to_blocks == {}


@pytest.mark.parametrize("count", [-1, 1.5, "1", None, True])
@pytest.mark.parametrize(
    "name", ["num_new_tokens", "num_new_computed_tokens", "num_lookahead_tokens"]
)
def test_tokens_are_counted_in_whole_numbers(name, count):
    m = manager()
    with pytest.raises(OperationError, match=name):
        m.allocate_slots(request("A", range(4)), **{"num_new_tokens": 4, name: count})
    assert m.req_to_blocks == {}


def test_a_request_that_has_left_gets_no_blocks():
    m = manager()
    gone = request("A", range(4))
    gone.status = RequestStatus.FINISHED
    with pytest.raises(OperationError, match="has left"):
        m.allocate_slots(gone, 4)
    assert m.req_to_blocks == {}


def test_hits_are_handed_in_once():
    m = manager()
    first = request("A", COMMON)
    admit(m, first)
    m.free(first)
    again = request("B", COMMON)
    hits, num_hit = m.get_computed_blocks(again)
    m.allocate_slots(again, 16, num_hit, hits)
    table = m.get_block_ids("B")
    with pytest.raises(OperationError, match="hits come first"):
        m.allocate_slots(again, 16, num_hit, hits)
    assert m.get_block_ids("B") == table
    assert [block.ref_cnt for block in hits] == [1, 1]


def test_hits_of_another_manager_leave_no_table_behind():
    m, other = manager(), manager()
    admit(other, request("A", COMMON))
    b = request("B", COMMON)
    hits, num_hit = other.get_computed_blocks(b)
    with pytest.raises(OperationError, match="not a block this pool lends"):
        m.allocate_slots(b, 16, num_hit, hits)
    assert m.req_to_blocks == {}
    assert queue(m) == list(range(1, 11))


def test_freeing_a_request_that_holds_nothing_changes_nothing():
    m = manager()
    m.free(request("A", range(4)))
    assert queue(m) == list(range(1, 11))


@pytest.mark.parametrize(
    "config",
    [
        {"num_blocks": 0},
        {"block_size": 0},
        {"block_size": 1.5},
        {"max_model_len": 0},
        {"num_blocks": 10**12},
        {"enable_caching": "no"},
        {"watermark": True},
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
