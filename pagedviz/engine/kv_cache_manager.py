"""Block tables: which blocks each request holds, and whether it can have more.

What it does: every request has a table, the list of its blocks in the order of its
tokens. `get_computed_blocks` looks how much of a request is already in the cache,
`required_blocks` says what an allocation would take, `allocate_slots` takes it or answers
None, and `free` gives everything back.

What it leaves out: layers that need only a window (sliding window, Mamba), blocks loaded
from another machine, context parallelism. Here every layer uses full attention.

Source: vLLM 0.33.0, v1/core/kv_cache_manager.py, single_type_kv_cache_manager.py.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pagedviz.engine.block_pool import BlockPool, KVCacheBlock
from pagedviz.engine.errors import ConfigError, OperationError, check_fraction, check_int
from pagedviz.engine.events import KVCacheEvent
from pagedviz.engine.request import Request, RequestStatus

_MAY_NEED_HEADROOM = (RequestStatus.WAITING, RequestStatus.PREEMPTED)


class BlockDemand(NamedTuple):
    """What an allocation asks of the free queue, in blocks."""

    need: int  # blocks that would leave the queue, hits that lie in it included
    num_new_blocks: int  # blocks this step would take from its head
    watermark: int  # blocks that must be left over
    free: int  # blocks in the queue now

    @property
    def fits(self) -> bool:
        """Whether the allocation can be made."""
        return self.need + self.watermark <= self.free


class KVCacheManager:
    """The block manager of one engine.

    `watermark` is the share of the pool that an admission leaves free while others run.

    >>> from pagedviz.engine.block_hash import get_request_block_hasher
    >>> manager = KVCacheManager(num_blocks=8, block_size=4)
    >>> a = Request("A", range(10), block_hasher=get_request_block_hasher(4))
    >>> manager.allocate_slots(a, 10)
    [KVCacheBlock(1, ...), KVCacheBlock(2, ...), KVCacheBlock(3, ref_cnt=1, block_hash=None)]
    >>> b = Request("B", range(9), block_hasher=get_request_block_hasher(4))
    >>> blocks, num_hit_tokens = manager.get_computed_blocks(b)
    >>> num_hit_tokens, manager.required_blocks(b, 1, num_hit_tokens, blocks)
    (8, BlockDemand(need=1, num_new_blocks=1, watermark=0, free=4))
    """

    def __init__(
        self,
        num_blocks: int,
        block_size: int = 16,
        *,
        enable_caching: bool = True,
        max_model_len: int = 8192,
        watermark: float = 0.0,
        enable_kv_cache_events: bool = False,
    ) -> None:
        self.block_size = check_int("block_size", block_size, 1, ConfigError)
        self.max_model_len = check_int("max_model_len", max_model_len, 1, ConfigError)
        check_fraction("watermark", watermark, ConfigError)
        self.block_pool = BlockPool(num_blocks, enable_caching, enable_kv_cache_events)
        self.enable_caching = enable_caching
        self.watermark_blocks = int(watermark * num_blocks)
        self.req_to_blocks: dict[str, list[KVCacheBlock]] = {}  # request id -> block table
        # request id -> leading blocks of its table that have had their turn in the index
        self.num_cached_block: dict[str, int] = {}

    # ---- asking

    @property
    def usage(self) -> float:
        """Share of the pool in use, from 0.0 to 1.0."""
        return self.block_pool.get_usage()

    def get_block_ids(self, request_id: str) -> list[int]:
        """The block table of a request as ids; empty if it holds nothing."""
        return [block.block_id for block in self.req_to_blocks.get(request_id, ())]

    def can_ever_fit(self, num_tokens: int) -> bool:
        """Whether so many tokens would fit if nobody else were there."""
        num_slots = min(num_tokens, self.max_model_len)
        return cdiv(num_slots, self.block_size) <= self.block_pool.num_blocks - 1

    def get_computed_blocks(self, request: Request) -> tuple[list[KVCacheBlock], int]:
        """The blocks with the beginning of `request`, and how many tokens they hold.

        At least one token is left to compute, or there would be nothing to predict the
        next token from. Since only whole blocks can be shared, a prompt that is known
        to its last block has that whole block computed again.
        """
        if not self.enable_caching or request.skip_reading_prefix_cache:
            return [], 0
        max_hit_blocks = (request.num_tokens - 1) // self.block_size
        hits = []
        for block_hash in request.block_hashes[:max_hit_blocks]:
            block = self.block_pool.get_cached_block(block_hash)
            if block is None:
                break  # hashes are chained: what comes after cannot be there either
            hits.append(block)
        return hits, len(hits) * self.block_size

    def required_blocks(
        self,
        request: Request,
        num_new_tokens: int,
        num_new_computed_tokens: int = 0,
        new_computed_blocks: Sequence[KVCacheBlock] = (),
        num_lookahead_tokens: int = 0,
        full_sequence_must_fit: bool = False,
        has_scheduled_reqs: bool = False,
    ) -> BlockDemand:
        """What `allocate_slots` with the same arguments would need. Changes nothing.

        Hits that nobody holds lie in the free queue and leave it when they are shared:
        they cost as much room as new blocks. Hits that somebody holds cost nothing.
        """
        num_computed_tokens = request.num_computed_tokens + num_new_computed_tokens
        num_slots = min(
            num_computed_tokens + num_new_tokens + num_lookahead_tokens, self.max_model_len
        )
        num_held = len(self.req_to_blocks.get(request.request_id, ()))
        num_held += len(new_computed_blocks)
        num_new_blocks = max(cdiv(num_slots, self.block_size) - num_held, 0)

        need = num_new_blocks
        if full_sequence_must_fit:
            # a first chunk that fits is no use if the rest of the prompt never will
            full_slots = min(request.num_tokens, self.max_model_len)
            need = max(need, cdiv(full_slots, self.block_size) - num_held)
        need += sum(block.ref_cnt == 0 for block in new_computed_blocks)

        keep_headroom = has_scheduled_reqs and request.status in _MAY_NEED_HEADROOM
        return BlockDemand(
            need=need,
            num_new_blocks=num_new_blocks,
            watermark=self.watermark_blocks if keep_headroom else 0,
            free=self.block_pool.get_num_free_blocks(),
        )

    # ---- doing

    def allocate_slots(
        self,
        request: Request,
        num_new_tokens: int,
        num_new_computed_tokens: int = 0,
        new_computed_blocks: Sequence[KVCacheBlock] = (),
        num_lookahead_tokens: int = 0,
        full_sequence_must_fit: bool = False,
        has_scheduled_reqs: bool = False,
    ) -> list[KVCacheBlock] | None:
        """Give `request` room for `num_new_tokens` more, and say which blocks are new.

        Answers None, and changes nothing, if the pool cannot give that many.

        num_new_computed_tokens, new_computed_blocks: what `get_computed_blocks` found,
            when a request is admitted.
        num_lookahead_tokens: room for guessed tokens after the new ones.
        full_sequence_must_fit: demand room for all tokens of the request, though only
            `num_new_tokens` are computed now.
        has_scheduled_reqs: others run, so an admission leaves the watermark free.
        """
        check_int("num_new_tokens", num_new_tokens, 0, OperationError)
        check_int("num_new_computed_tokens", num_new_computed_tokens, 0, OperationError)
        check_int("num_lookahead_tokens", num_lookahead_tokens, 0, OperationError)
        if num_new_tokens + num_new_computed_tokens == 0:
            raise OperationError(f"{request} needs at least one new token")
        if request.status is RequestStatus.FINISHED:
            raise OperationError(f"{request} has left and gets no more blocks")
        if new_computed_blocks and self.req_to_blocks.get(request.request_id):
            raise OperationError(f"{request} has blocks already; hits come first in a table")
        demand = self.required_blocks(
            request,
            num_new_tokens,
            num_new_computed_tokens,
            new_computed_blocks,
            num_lookahead_tokens,
            full_sequence_must_fit,
            has_scheduled_reqs,
        )
        if not demand.fits:
            return None

        table = self.req_to_blocks.get(request.request_id, [])
        if new_computed_blocks:
            # Hold the hits before taking anything: the new blocks come from the same
            # queue, and must not be the very blocks that were just found.
            self.block_pool.touch(new_computed_blocks)
            table += new_computed_blocks
            self.num_cached_block[request.request_id] = len(table)
        new_blocks = self.block_pool.get_new_blocks(demand.num_new_blocks)
        table += new_blocks
        self.req_to_blocks[request.request_id] = table
        num_computed_tokens = request.num_computed_tokens + num_new_computed_tokens
        self._cache_blocks(request, table, num_computed_tokens, num_new_tokens)
        return new_blocks

    def _cache_blocks(
        self,
        request: Request,
        table: list[KVCacheBlock],
        num_computed_tokens: int,
        num_new_tokens: int,
    ) -> None:
        """Put the hashes of blocks that this step fills into the index, before it runs.

        Requests admitted later in the same step thus already find them. Guessed tokens
        do not count: only blocks full of certain tokens have a hash.
        """
        num_tokens = min(num_computed_tokens, self.max_model_len) + num_new_tokens
        num_full = min(num_tokens // self.block_size, len(request.block_hashes), len(table))
        num_cached = self.num_cached_block.get(request.request_id, 0)
        if num_full > num_cached:
            self.block_pool.cache_full_blocks(request, table, num_cached, num_full, self.block_size)
            self.num_cached_block[request.request_id] = num_full

    def free(self, request: Request) -> None:
        """Give back all blocks of `request`, the end of its table first.

        In reverse, because a prefix is found from its beginning: the last block is of
        use only as long as all before it are still there.
        """
        table = self.req_to_blocks.pop(request.request_id, [])
        self.num_cached_block.pop(request.request_id, None)
        self.block_pool.free_blocks(reversed(table))

    def evict_blocks(self, block_ids: set[int]) -> None:
        """Forget the content of these blocks; whoever holds them keeps them."""
        self.block_pool.evict_blocks(block_ids)

    def reset_prefix_cache(self) -> bool:
        """Forget all kept prefixes, if no request holds a block; else say False."""
        return self.block_pool.reset_prefix_cache()

    def take_events(self) -> list[KVCacheEvent]:
        """The events since the last call, oldest first."""
        return self.block_pool.take_events()


def cdiv(a: int, b: int) -> int:
    """Divide and round up.

    >>> cdiv(17, 16), cdiv(16, 16)
    (2, 1)
    """
    return -(a // -b)
