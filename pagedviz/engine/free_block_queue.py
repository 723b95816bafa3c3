"""The blocks of the pool, and the queue in which the free ones wait.

What it does: `KVCacheBlock` is the label of one block of KV memory (who uses it how
often, and what its content is known as). `FreeKVCacheBlockQueue` strings the free ones
together: new blocks are taken from the head, and a block anywhere in the queue can be
pulled out in constant time. That is why it is a linked list and not a deque: a prefix
hit takes a block from the middle.

What it leaves out: the memory itself. vLLM's worker keeps the tensors; the manager only
ever deals in block ids.

Source: vLLM 0.33.0, v1/core/kv_cache_utils.py (KVCacheBlock, FreeKVCacheBlockQueue).
"""

from collections.abc import Iterable, Iterator, Sequence


class KVCacheBlock:
    """One block of KV memory, as the manager sees it.

    `prev_free_block` and `next_free_block` belong to the queue; outside of it both are
    None.
    """

    __slots__ = (
        "block_hash",
        "block_id",
        "is_null",
        "next_free_block",
        "prev_free_block",
        "ref_cnt",
    )

    def __init__(self, block_id: int) -> None:
        self.block_id = block_id
        self.ref_cnt = 0  # number of block tables that hold this block
        self.block_hash: bytes | None = None  # set once the block is full and cached
        self.is_null = False
        self.prev_free_block: KVCacheBlock | None = None
        self.next_free_block: KVCacheBlock | None = None

    def __repr__(self) -> str:
        known = self.block_hash.hex()[:8] if self.block_hash else None
        return f"KVCacheBlock({self.block_id}, ref_cnt={self.ref_cnt}, block_hash={known})"


class FreeKVCacheBlockQueue:
    """Free blocks in the order in which they will be taken, head first.

    >>> blocks = [KVCacheBlock(i) for i in range(5)]
    >>> queue = FreeKVCacheBlockQueue(blocks)
    >>> queue.popleft_n(2)
    [KVCacheBlock(0, ref_cnt=0, block_hash=None), KVCacheBlock(1, ref_cnt=0, block_hash=None)]
    >>> queue.remove(blocks[3])
    >>> queue.prepend_n([blocks[1], blocks[0]])
    >>> queue.append_n([blocks[3]])
    >>> [block.block_id for block in queue]
    [1, 0, 2, 4, 3]
    """

    def __init__(self, blocks: Iterable[KVCacheBlock]) -> None:
        # Two blocks that are never handed out stand at the ends, so that every real
        # block has a neighbour on both sides and no operation needs a special case.
        self._head = KVCacheBlock(-1)
        self._tail = KVCacheBlock(-1)
        self._head.next_free_block = self._tail
        self._tail.prev_free_block = self._head
        self.num_free_blocks = 0
        self.append_n(list(blocks))

    def popleft_n(self, n: int) -> list[KVCacheBlock]:
        """Take the first `n` blocks; there must be that many."""
        assert n <= self.num_free_blocks
        taken = []
        block = self._head.next_free_block
        for _ in range(n):
            assert block is not None
            taken.append(block)
            after = block.next_free_block
            block.prev_free_block = block.next_free_block = None
            block = after
        assert block is not None
        self._head.next_free_block = block
        block.prev_free_block = self._head
        self.num_free_blocks -= n
        return taken

    def remove(self, block: KVCacheBlock) -> None:
        """Pull a block out, wherever it stands."""
        before, after = block.prev_free_block, block.next_free_block
        assert before is not None, f"{block} is not in the queue"
        assert after is not None
        before.next_free_block = after
        after.prev_free_block = before
        block.prev_free_block = block.next_free_block = None
        self.num_free_blocks -= 1

    def prepend_n(self, blocks: Sequence[KVCacheBlock]) -> None:
        """Put `blocks` at the head, in the order given: the first becomes the new head."""
        first = self._head.next_free_block
        assert first is not None
        self._insert_between(self._head, blocks, first)

    def append_n(self, blocks: Sequence[KVCacheBlock]) -> None:
        """Put `blocks` at the tail, in the order given: the last becomes the new tail."""
        last = self._tail.prev_free_block
        assert last is not None
        self._insert_between(last, blocks, self._tail)

    def _insert_between(
        self, before: KVCacheBlock, blocks: Sequence[KVCacheBlock], after: KVCacheBlock
    ) -> None:
        for block in blocks:
            block.prev_free_block = before
            before.next_free_block = block
            before = block
        before.next_free_block = after
        after.prev_free_block = before
        self.num_free_blocks += len(blocks)

    def __iter__(self) -> Iterator[KVCacheBlock]:
        """Walk the free blocks from head to tail."""
        block = self._head.next_free_block
        while block is not None and block is not self._tail:
            yield block
            block = block.next_free_block
