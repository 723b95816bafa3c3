"""A copy of what is on each block, kept up with the live blocks one look at a time.

Owners, fill and hash class of every block; which blocks are copies of one another; how many
are kept or shared, and the tokens on them. Owners are told to it, the rest is read off the live
blocks and requests.

Leaves out: which blocks to look at, the tables and the free queue (`recorder.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pagedviz.engine.block_pool import KVCacheBlock
from pagedviz.timeline.state import NO_HASH, BlockChange, RequestView


class BlockMirror:
    """All blocks as they were last looked at. `views`: the live mapping of request numbers."""

    def __init__(
        self, blocks: Sequence[KVCacheBlock], block_size: int, views: Mapping[int, RequestView]
    ) -> None:
        self.blocks, self.block_size, self.views = blocks, block_size, views
        self.owners: list[tuple[int, ...]] = [()] * len(blocks)
        self.fill = [0] * len(blocks)  # tokens
        self.hashes = [NO_HASH] * len(blocks)  # classes
        # A block is at the same place in every table that holds it: its hash fixes all
        # tokens before it, hence their number.
        self.place = [0] * len(blocks)
        self.classes: dict[bytes, int] = {}  # block hash -> class
        self.parents: list[int] = []  # class -> class of the block before it, or NO_HASH
        self.copies: dict[int, dict[int, None]] = {}  # class -> blocks, first copy first
        self.was: dict[int, BlockChange] = {}  # blocks of the last step as they were before
        self.chain: Sequence[bytes] = ()  # block hashes of the request at work
        self.kept = self.shared = self.tokens = 0

    def new_step(self) -> None:
        """Forget what the last step was about."""
        self.chain, self.was = (), {}

    def take(self, block: int) -> None:
        """A free block is handed out, and what it kept is gone."""
        self._before(block)
        self._count(block, -1)  # it is free, so only the kept ones can become one less
        self._forget(block)

    def look_at(self, blocks: Iterable[int]) -> tuple[BlockChange, ...]:
        """Changes of blocks whose owners stay; those that did not change are left out."""
        changes = []
        for b in blocks:
            before = self.fill[b], self.hashes[b]
            change = self.look(b, self.owners[b])
            if before != (change.fill, change.hash_class):
                changes.append(change)
        return tuple(changes)

    def look(self, block: int, owners: tuple[int, ...]) -> BlockChange:
        """Read one live block and bring the copy up to date."""
        live = self.blocks[block]
        assert live.ref_cnt == len(owners)
        self._before(block)
        self._count(block, -1)
        cls = NO_HASH if live.block_hash is None else self._class(live.block_hash, block)
        if cls != self.hashes[block]:
            self._forget(block)
            if cls != NO_HASH:
                self.copies.setdefault(cls, {})[block] = None
        self.owners[block], self.hashes[block] = owners, cls
        self.fill[block] = self._filled(block, owners, cls)
        self._count(block, 1)
        return BlockChange(block, owners, self.fill[block], cls)

    def _filled(self, block: int, owners: tuple[int, ...], cls: int) -> int:
        size = self.block_size
        if not owners:
            return size if cls != NO_HASH else 0
        start, most = self.place[block] * size, 0
        for request in owners:
            most = max(most, self.views[request].num_computed_tokens - start)
            if most >= size:  # full for one is full: the many owners need no look
                return size
        return most

    def _before(self, block: int) -> None:
        if block not in self.was:
            self.was[block] = BlockChange(
                block, self.owners[block], self.fill[block], self.hashes[block]
            )

    def _count(self, block: int, sign: int) -> None:
        owners = self.owners[block]
        if owners:
            self.tokens += sign * self.fill[block]
            self.shared += sign * (len(owners) > 1)
        else:
            self.kept += sign * (self.hashes[block] != NO_HASH)

    def _forget(self, block: int) -> None:
        """The block no longer counts as a copy of what it held."""
        cls = self.hashes[block]
        copies = self.copies.get(cls, {})
        copies.pop(block, None)
        if not copies:  # classes that are nowhere now cost nothing later
            self.copies.pop(cls, None)
        self.hashes[block] = NO_HASH

    def _class(self, block_hash: bytes, block: int) -> int:
        cls = self.classes.get(block_hash)
        if cls is None:
            cls = self.classes[block_hash] = len(self.classes)
            place = self.place[block]
            before = self.classes.get(self.chain[place - 1]) if place else None
            self.parents.append(NO_HASH if before is None else before)
        return cls
