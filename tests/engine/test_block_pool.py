"""The free queue and the pool, against facts stated in vLLM's own unit tests.

Named after tests/v1/core/test_kv_cache_utils.py and test_prefix_caching.py of vLLM 0.33.0
where a test follows one of theirs.
"""

import pytest

from pagedviz.engine.block_hash import get_request_block_hasher
from pagedviz.engine.block_pool import BlockPool, FreeKVCacheBlockQueue, KVCacheBlock
from pagedviz.engine.errors import ConfigError, OperationError
from pagedviz.engine.events import AllBlocksCleared, BlockRemoved, BlockStored
from pagedviz.engine.request import Request


def ids(blocks):
    return [block.block_id for block in blocks]


def queue_of(n):
    blocks = [KVCacheBlock(i) for i in range(n)]
    return FreeKVCacheBlockQueue(blocks), blocks


# ---- free queue


@pytest.mark.parametrize("n", [0, 1, 2, 10])
def test_queue_starts_in_order_of_ids(n):
    queue, _ = queue_of(n)
    assert ids(queue) == list(range(n))
    assert queue.num_free_blocks == n


def test_queue_can_be_drained_and_refilled():
    queue, blocks = queue_of(4)
    assert ids(queue.popleft_n(4)) == [0, 1, 2, 3]
    assert ids(queue) == []
    assert queue.num_free_blocks == 0
    queue.append_n(blocks[2:])
    queue.prepend_n(blocks[:2])
    assert ids(queue) == [0, 1, 2, 3]
    assert queue.popleft_n(0) == []
    assert queue.num_free_blocks == 4


def test_blocks_outside_the_queue_have_no_neighbours():
    queue, blocks = queue_of(3)
    queue.popleft_n(1)
    queue.remove(blocks[1])
    for block in blocks[:2]:
        assert block.prev_free_block is None
        assert block.next_free_block is None


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_any_block_can_be_pulled_out(gone):
    queue, blocks = queue_of(3)
    queue.remove(blocks[gone])
    assert ids(queue) == [i for i in range(3) if i != gone]
    with pytest.raises(AssertionError, match="not in the queue"):
        queue.remove(blocks[gone])


def test_appending_and_prepending_nothing_changes_nothing():
    queue, _ = queue_of(2)
    queue.append_n([])
    queue.prepend_n([])
    assert ids(queue) == [0, 1]


# ---- pool


def filled(pool, name, tokens, **keys):
    """A request whose full blocks lie in the pool and are cached (block size 2)."""
    request = Request(name, tokens, block_hasher=get_request_block_hasher(2), **keys)
    blocks = pool.get_new_blocks(-(-len(tokens) // 2))
    pool.cache_full_blocks(request, blocks, 0, len(tokens) // 2, 2)
    return request, blocks


def test_block_0_is_the_null_block():
    pool = BlockPool(4)
    assert pool.null_block.block_id == 0
    assert pool.null_block.is_null
    assert ids(pool.free_block_queue) == [1, 2, 3]
    assert pool.get_usage() == 0.0


def test_a_pool_of_one_block_lends_nothing():
    pool = BlockPool(1)
    assert pool.get_usage() == 0.0
    assert pool.reset_prefix_cache()
    with pytest.raises(OperationError, match="cannot take 1 blocks: 0 are free"):
        pool.get_new_blocks(1)


@pytest.mark.parametrize("size", [0, -1, 2.0, "8", True, None])
def test_a_pool_of_no_size_cannot_be_built(size):
    with pytest.raises(ConfigError, match="num_blocks must be a whole number"):
        BlockPool(size)


@pytest.mark.parametrize("size", [10**12, 2**70, 10**5000], ids=["10**12", "2**70", "10**5000"])
def test_a_pool_beyond_all_machines_is_refused_before_it_is_built(size):
    with pytest.raises(ConfigError, match="num_blocks must be at most"):
        BlockPool(size)


@pytest.mark.parametrize("n", [-1, 4, 1.5, "1", None, True])
def test_taking_what_is_not_there_changes_nothing(n):
    pool = BlockPool(4)
    with pytest.raises(OperationError):
        pool.get_new_blocks(n)
    assert ids(pool.free_block_queue) == [1, 2, 3]


def test_unhashed_blocks_return_to_the_head_and_hashed_ones_to_the_tail():
    # [1h, 2h, 3h, 4 partial] in front of 5, 6, freed from the end of the table
    pool = BlockPool(7)
    _, blocks = filled(pool, "A", range(7))
    pool.free_blocks(reversed(blocks))
    assert ids(pool.free_block_queue) == [4, 5, 6, 3, 2, 1]


def test_without_caching_the_last_in_is_the_first_out():
    pool = BlockPool(5, enable_caching=False)
    blocks = pool.get_new_blocks(3)
    pool.free_blocks(blocks)
    assert ids(pool.free_block_queue) == [1, 2, 3, 4]
    pool.free_blocks(reversed(pool.get_new_blocks(3)))
    assert ids(pool.free_block_queue) == [3, 2, 1, 4]


def test_a_shared_block_stays_until_the_last_one_lets_go():
    pool = BlockPool(4)
    (block,) = pool.get_new_blocks(1)
    pool.touch([block])
    pool.free_blocks([block])
    assert block.ref_cnt == 1
    assert ids(pool.free_block_queue) == [2, 3]
    pool.free_blocks([block])
    assert block.ref_cnt == 0
    assert ids(pool.free_block_queue) == [1, 2, 3]


def test_touch_pulls_a_kept_block_out_of_the_queue():
    pool = BlockPool(5)
    request, blocks = filled(pool, "A", range(4))
    pool.free_blocks(reversed(blocks))
    assert ids(pool.free_block_queue) == [3, 4, 2, 1]
    pool.touch([pool.get_cached_block(request.block_hashes[0])])
    assert ids(pool.free_block_queue) == [3, 4, 2]
    assert pool.get_usage() == 0.25


def test_a_reused_block_loses_its_old_hash():  # test_hash_block_correct_reuse
    pool = BlockPool(2, enable_kv_cache_events=True)
    request, blocks = filled(pool, "A", range(2))
    pool.free_blocks(blocks)
    pool.take_events()
    (block,) = pool.get_new_blocks(1)
    assert block.block_hash is None
    assert pool.get_cached_block(request.block_hashes[0]) is None
    (event,) = pool.take_events()
    assert isinstance(event, BlockRemoved)


# test_maybe_evict_cached_block
def test_of_several_copies_the_first_serves_until_it_is_evicted():
    pool = BlockPool(5, enable_kv_cache_events=True)
    a, (first,) = filled(pool, "A", [1, 2])
    _, (second,) = filled(pool, "B", [1, 2])
    assert pool.get_cached_block(a.block_hashes[0]) is first
    pool.take_events()
    pool.evict_blocks({first.block_id})
    assert pool.get_cached_block(a.block_hashes[0]) is second
    assert len(pool.take_events()) == 1  # said to be removed, though a copy is left
    pool.evict_blocks({second.block_id})
    assert pool.get_cached_block(a.block_hashes[0]) is None
    assert pool.cached_block_hash_to_block == {}


def test_evicting_moves_nothing_and_says_nothing_twice():
    pool = BlockPool(5, enable_kv_cache_events=True)
    _, blocks = filled(pool, "A", range(4))
    pool.take_events()
    pool.evict_blocks({0, 1, 3})  # null block, cached, never used
    pool.evict_blocks({1})
    assert [block.block_hash is None for block in blocks] == [True, False]
    assert [block.ref_cnt for block in blocks] == [1, 1]
    assert len(pool.take_events()) == 1
    pool.free_blocks(reversed(blocks))
    assert ids(pool.free_block_queue) == [1, 3, 4, 2]  # evicted in use: to the head


# ---- blocks that cannot be let go of, or not held


def pool_with_a_free_a_held_and_a_shared_block():
    pool = BlockPool(6)
    held, shared, free = pool.get_new_blocks(3)
    pool.touch([shared])
    pool.free_blocks([free])
    return pool, {"held": held, "shared": shared, "free": free, "null": pool.null_block}


@pytest.mark.parametrize(
    ("method", "names", "said"),
    [
        ("free_blocks", ["held", "free"], "block 3 is free already"),
        ("free_blocks", ["held", "null"], "not a block this pool lends"),
        ("free_blocks", ["held", "held"], "twice"),
        ("free_blocks", ["shared", "shared"], "twice"),
        ("free_blocks", ["held", "foreign"], "not a block this pool lends"),
        ("free_blocks", ["held", "far"], "not a block this pool lends"),
        ("free_blocks", ["held", "number"], "7 is not a block this pool lends"),
        ("touch", ["free", "free"], "twice"),
        ("touch", ["free", "null"], "not a block this pool lends"),
        ("touch", ["free", "foreign"], "not a block this pool lends"),
        ("touch", ["free", "far"], "not a block this pool lends"),
        ("touch", ["free", "number"], "7 is not a block this pool lends"),
    ],
)
def test_one_wrong_block_in_a_list_and_nothing_changes(method, names, said):
    pool, blocks = pool_with_a_free_a_held_and_a_shared_block()
    other = BlockPool(99)
    blocks |= {"foreign": other.blocks[3], "far": other.blocks[98], "number": 7}
    counts = [block.ref_cnt for block in pool.blocks]
    free = ids(pool.free_block_queue)
    with pytest.raises(OperationError, match=said):
        getattr(pool, method)([blocks[name] for name in names])
    assert [block.ref_cnt for block in pool.blocks] == counts
    assert ids(pool.free_block_queue) == free
    assert pool.get_num_free_blocks() == len(free)


def test_a_block_cannot_be_freed_a_second_time():
    pool = BlockPool(4)
    blocks = pool.get_new_blocks(2)
    pool.free_blocks(blocks)
    with pytest.raises(OperationError, match="free already"):
        pool.free_blocks(blocks)
    assert ids(pool.free_block_queue) == [1, 2, 3]


# ---- forgetting


@pytest.mark.parametrize("block_id", [-1, 5, "a", 1.5])
def test_evicting_a_block_that_does_not_exist_changes_nothing(block_id):
    pool = BlockPool(5, enable_kv_cache_events=True)
    filled(pool, "A", range(4))
    pool.take_events()
    with pytest.raises(OperationError, match="there is no block"):
        pool.evict_blocks({1, block_id})
    assert pool.blocks[1].block_hash is not None
    assert pool.take_events() == []


def test_reset_waits_until_nothing_is_in_use():  # test_reset_prefix_cache
    pool = BlockPool(5, enable_kv_cache_events=True)
    request, blocks = filled(pool, "A", range(4))
    assert not pool.reset_prefix_cache()
    assert pool.get_cached_block(request.block_hashes[0]) is blocks[0]
    pool.free_blocks(reversed(blocks))
    before = ids(pool.free_block_queue)
    pool.take_events()
    assert pool.reset_prefix_cache()
    assert ids(pool.free_block_queue) == before  # the order stays
    assert not any(block.block_hash for block in pool.blocks)
    assert pool.take_events() == [AllBlocksCleared()]


def test_nothing_is_cached_when_caching_is_off():
    pool = BlockPool(5, enable_caching=False, enable_kv_cache_events=True)
    request, blocks = filled(pool, "A", range(4))
    assert len(request.block_hashes) == 2
    assert not any(block.block_hash for block in blocks)
    assert pool.get_cached_block(request.block_hashes[0]) is None
    assert pool.take_events() == []


def test_events_are_silent_when_off():
    pool = BlockPool(3)
    _, blocks = filled(pool, "A", range(4))
    pool.free_blocks(reversed(blocks))
    pool.get_new_blocks(2)
    pool.free_blocks(blocks)
    pool.reset_prefix_cache()
    assert pool.take_events() == []


def test_one_stored_event_covers_all_blocks_of_a_call():
    pool = BlockPool(6, enable_kv_cache_events=True)
    request = Request("A", range(7), block_hasher=get_request_block_hasher(2))
    blocks = pool.get_new_blocks(4)
    pool.cache_full_blocks(request, blocks, 0, 1, 2)
    pool.cache_full_blocks(request, blocks, 1, 3, 2)
    pool.cache_full_blocks(request, blocks, 3, 3, 2)
    first, rest = pool.take_events()
    assert isinstance(rest, BlockStored)
    assert first.parent_block_hash is None
    assert rest.parent_block_hash == first.block_hashes[0]
    assert rest.token_ids == (2, 3, 4, 5)
    assert len(rest.block_hashes) == len(rest.extra_keys) == 2
    assert pool.take_events() == []
