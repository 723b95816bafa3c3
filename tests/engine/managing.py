"""A block manager and requests for it, for the tests."""

from pagedviz.engine.block_hash import get_request_block_hasher
from pagedviz.engine.kv_cache_manager import KVCacheManager
from pagedviz.engine.request import Request, RequestStatus

COMMON = [i for i in range(3) for _ in range(16)]  # three full blocks


def manager(num_blocks=11, block_size=16, **config):
    return KVCacheManager(num_blocks, block_size, **config)


def request(name, tokens, size=16, **keys):
    return Request(name, tokens, block_hasher=get_request_block_hasher(size), **keys)


def admit(m, r, num_new_tokens=None, **how):
    """(tokens found, ids of the new blocks, or None if there is no room), as at the door."""
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
