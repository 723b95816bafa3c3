"""A scheduler at work, for the tests: set up, requests added, steps taken."""

from pagedviz.engine.block_hash import get_request_block_hasher
from pagedviz.engine.kv_cache_manager import KVCacheManager
from pagedviz.engine.request import Request
from pagedviz.engine.scheduler import Scheduler, SchedulerConfig


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
