"""The pool of blocks: which are free, who holds the others, what can be found again.

What it does: hands out blocks from the head of the free queue, takes them back, counts
how many tables hold each, and keeps the index from content hash to block. A freed block
keeps its content and its hash until it is handed out again, so the free queue is at the
same time the prefix cache, in the order of its eviction.

What it leaves out: several KV cache groups, connectors that still read freed blocks,
metrics.

Source: vLLM 0.33.0, v1/core/block_pool.py.
"""

from collections.abc import Iterable, Sequence

from pagedviz.engine.block_hash import event_extra_keys, generate_block_hash_extra_keys
from pagedviz.engine.errors import (
    ConfigError,
    OperationError,
    check_bool,
    check_int,
    shown,
)
from pagedviz.engine.events import (
    AllBlocksCleared,
    BlockRemoved,
    BlockStored,
    KVCacheEvent,
    external_block_hash,
)
from pagedviz.engine.free_block_queue import FreeKVCacheBlockQueue, KVCacheBlock
from pagedviz.engine.request import Request

__all__ = ["BlockPool", "FreeKVCacheBlockQueue", "KVCacheBlock"]

# Far more than any machine has, and as many labels as fit into half a gigabyte.
MAX_BLOCKS = 2**22


class BlockPool:
    """`num_blocks` blocks with the ids 0, 1, 2, ...

    Block 0 is the null block: a placeholder that is never free, never handed out and
    never cached. A pool of n blocks can thus lend n - 1.

    >>> pool = BlockPool(5)
    >>> a, b = pool.get_new_blocks(2)
    >>> pool.free_blocks([b, a])
    >>> [block.block_id for block in pool.free_block_queue]
    [2, 1, 3, 4]
    """

    def __init__(
        self,
        num_blocks: int,
        enable_caching: bool = True,
        enable_kv_cache_events: bool = False,
    ) -> None:
        self.num_blocks = check_int("num_blocks", num_blocks, 1, ConfigError)
        if num_blocks > MAX_BLOCKS:
            raise ConfigError(f"num_blocks must be at most {MAX_BLOCKS}, not {shown(num_blocks)}")
        self.enable_caching = check_bool("enable_caching", enable_caching, ConfigError)
        self.enable_kv_cache_events = check_bool(
            "enable_kv_cache_events", enable_kv_cache_events, ConfigError
        )
        self.blocks = [KVCacheBlock(block_id) for block_id in range(num_blocks)]
        self.free_block_queue = FreeKVCacheBlockQueue(self.blocks)
        (self.null_block,) = self.free_block_queue.popleft_n(1)
        self.null_block.is_null = True
        # block hash -> {block_id: block}, in order of insertion. Several blocks may have
        # the same content: tables only ever grow at the end, so a block that turns out
        # to be a copy of another stays where it is.
        self.cached_block_hash_to_block: dict[bytes, dict[int, KVCacheBlock]] = {}
        self._events: list[KVCacheEvent] = []

    # ---- asking

    def get_num_free_blocks(self) -> int:
        """Blocks that could be handed out, whether or not they hold a kept prefix."""
        return self.free_block_queue.num_free_blocks

    def get_usage(self) -> float:
        """Share of the pool that is in use, from 0.0 to 1.0; kept prefixes count as free."""
        usable = self.num_blocks - 1  # the null block is nobody's
        return 1.0 - self.get_num_free_blocks() / usable if usable else 0.0

    def get_cached_block(self, block_hash: bytes) -> KVCacheBlock | None:
        """The block with this content; of several copies the one that came first."""
        copies = self.cached_block_hash_to_block.get(block_hash)
        return next(iter(copies.values())) if copies else None

    def get_cached_blocks(self) -> list[list[int]]:
        """[block id, content hash as the events carry it] of every block with a hash, by id."""
        return [
            [block.block_id, external_block_hash(block.block_hash)]
            for block in self.blocks
            if block.block_hash is not None
        ]

    # ---- lending

    def get_new_blocks(self, num_blocks: int) -> list[KVCacheBlock]:
        """Take `num_blocks` from the head of the free queue and forget what they held.

        Raises OperationError, and changes nothing, if there are not that many.
        """
        free = self.free_block_queue.num_free_blocks
        if type(num_blocks) is not int or not 0 <= num_blocks <= free:
            raise OperationError(f"cannot take {shown(num_blocks)} blocks: {free} are free")
        blocks = self.free_block_queue.popleft_n(num_blocks)
        for block in blocks:
            if block.block_hash is not None:
                self._evict_cached_block(block)
            block.ref_cnt = 1
        return blocks

    def touch(self, blocks: Sequence[KVCacheBlock]) -> None:
        """Hold `blocks` once more; those that lay in the free queue leave it.

        Raises OperationError, and changes nothing, if one is not a block to hold.
        """
        self._check_blocks(blocks, 0)
        for block in blocks:
            if block.ref_cnt == 0:
                self.free_block_queue.remove(block)
            block.ref_cnt += 1

    def free_blocks(self, ordered_blocks: Iterable[KVCacheBlock]) -> None:
        """Let go of `ordered_blocks`, given in the order in which they may be reused.

        A block that another table still holds stays in use. Of the others, those without
        a hash hold nothing anyone could ask for and go to the head of the queue; those
        with one go to the tail and are kept as long as possible.

        Raises OperationError, and changes nothing, if one of them is held by nobody.
        """
        blocks = list(ordered_blocks)
        self._check_blocks(blocks, 1)
        reuse_first: list[KVCacheBlock] = []
        reuse_last: list[KVCacheBlock] = []
        for block in blocks:
            block.ref_cnt -= 1
            if block.ref_cnt == 0:
                (reuse_first if block.block_hash is None else reuse_last).append(block)
        if reuse_first:
            self.free_block_queue.prepend_n(reuse_first)
        if reuse_last:
            self.free_block_queue.append_n(reuse_last)

    def _check_blocks(self, blocks: Sequence[KVCacheBlock], least_ref_cnt: int) -> None:
        """Raise OperationError unless these are blocks of this pool, each there once.

        The null block is nobody's and must not be among them.
        """
        ours = self.blocks
        for block in blocks:
            try:
                wrong = ours[block.block_id] is not block or block.is_null
            except (AttributeError, IndexError):
                wrong = True
            if wrong:
                raise OperationError(f"{shown(block)} is not a block this pool lends")
            if block.ref_cnt < least_ref_cnt:
                raise OperationError(f"block {block.block_id} is free already")
        if len(blocks) > 1 and len(set(blocks)) < len(blocks):
            raise OperationError("a block is there twice; a table has it once")

    # ---- the prefix cache

    def cache_full_blocks(
        self,
        request: Request,
        blocks: Sequence[KVCacheBlock],
        num_cached_blocks: int,
        num_full_blocks: int,
        block_size: int,
    ) -> None:
        """Make blocks `num_cached_blocks` to `num_full_blocks` of a table findable.

        Emits one BlockStored for all of them. Does nothing if caching is off.
        """
        if not self.enable_caching:
            return
        hashes = request.block_hashes[num_cached_blocks:num_full_blocks]
        new_full_blocks = blocks[num_cached_blocks:num_full_blocks]
        for block, block_hash in zip(new_full_blocks, hashes, strict=True):
            assert block.block_hash is None, f"{block} already has a hash"
            block.block_hash = block_hash
            copies = self.cached_block_hash_to_block.setdefault(block_hash, {})
            copies[block.block_id] = block
        if self.enable_kv_cache_events and hashes:
            self._emit_block_stored(request, num_cached_blocks, num_full_blocks, block_size)

    def evict_blocks(self, block_ids: set[int]) -> None:
        """Forget what these blocks hold. Who uses them, and the free queue, stay as is."""
        for block_id in block_ids:
            if type(block_id) is not int or not 0 <= block_id < self.num_blocks:
                raise OperationError(
                    f"there is no block {shown(block_id)}; ids go from 0 to {self.num_blocks - 1}"
                )
        for block_id in block_ids:
            if self.blocks[block_id].block_hash is not None:
                self._evict_cached_block(self.blocks[block_id])

    def reset_prefix_cache(self) -> bool:
        """Forget every hash, if no block is in use; else change nothing and say False.

        The free queue keeps its order.
        """
        if self.get_num_free_blocks() != self.num_blocks - 1:
            return False
        self.cached_block_hash_to_block.clear()
        for block in self.blocks:
            block.block_hash = None
        if self.enable_kv_cache_events:
            self._events.append(AllBlocksCleared())
        return True

    def _evict_cached_block(self, block: KVCacheBlock) -> None:
        """Take one block out of the index; copies of it can still be found."""
        assert block.block_hash is not None
        copies = self.cached_block_hash_to_block[block.block_hash]
        del copies[block.block_id]
        if not copies:
            del self.cached_block_hash_to_block[block.block_hash]
        if self.enable_kv_cache_events:
            self._events.append(BlockRemoved(external_block_hash(block.block_hash)))
        block.block_hash = None

    # ---- events

    def take_events(self) -> list[KVCacheEvent]:
        """The events since the last call, oldest first."""
        events, self._events = self._events, []
        return events

    def _emit_block_stored(self, request: Request, first: int, end: int, block_size: int) -> None:
        hashes = request.block_hashes
        self._events.append(
            BlockStored(
                block_hashes=tuple(map(external_block_hash, hashes[first:end])),
                parent_block_hash=external_block_hash(hashes[first - 1]) if first else None,
                token_ids=tuple(request.all_token_ids[first * block_size : end * block_size]),
                block_size=block_size,
                lora_id=request.lora.lora_id if request.lora else None,
                lora_name=request.lora.name if request.lora else None,
                extra_keys=tuple(
                    event_extra_keys(
                        generate_block_hash_extra_keys(
                            request, i * block_size, (i + 1) * block_size
                        )
                    )
                    for i in range(first, end)
                ),
            )
        )
