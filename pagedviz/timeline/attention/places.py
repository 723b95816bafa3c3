"""Who lies where: a room made by the real block manager, with the caches written slot by slot.

A short history, drawn from the seed: earlier requests fill the pool and leave in another order,
which scatters the free queue; then A, B and C grow in turns, one block at a time. What the
earlier ones wrote stays in the caches until somebody writes over it, as in vLLM: freed memory
is not wiped. Moving the blocks permutes all of them and the table with them.

Leaves out: prefix caching (off here, so that nothing is shared).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pagedviz.engine.attention import write_kv
from pagedviz.engine.cache_session import CacheSession
from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.timeline.attention.setup import AttentionSetup
from pagedviz.timeline.attention.toy_model import Projected, made_up_ids, project

Array = NDArray[np.float32]

ROOMS = ((6, 16), (12, 32), (18, 48), (24, 64))  # up to so many lines: so many blocks
OTHERS = ("B", "C")
LONGEST_EARLIER = 3  # blocks of a request that has left


@dataclass(frozen=True)
class Slot:
    """What was last written into one slot."""

    owner: str  # "" if its owner has left
    position: int  # of the token, in its request


@dataclass(frozen=True)
class Content:
    """One block's worth of slots, wherever it lies."""

    owner: str  # "A", "B", "C" or "" for a free block
    logical: int  # line of its owner's table, -1 for a free block
    fill: int  # slots that hold a token of the owner
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Room:
    """The pool before anything was moved. Content c lies in block `home[c]`.

    The caches have shape (num_blocks, block_size, num_kv_heads, head_size).
    """

    contents: tuple[Content, ...]
    home: tuple[int, ...]
    stale: int  # the content that the unused entry after A's table still points at
    projected: Projected  # A's own
    key_cache: Array
    value_cache: Array

    @property
    def num_blocks(self) -> int:
        """Blocks in the pool, the null block included."""
        return int(self.key_cache.shape[0])

    def places(self, moves: int, seed: int) -> tuple[int, ...]:
        """Block of each content after `moves` moves; the null block stays where it is."""
        if not moves:
            return self.home
        shuffled = np.random.default_rng((seed, 5, moves)).permutation(self.num_blocks - 1) + 1
        return tuple(int(block) for block in shuffled)

    def moved(self, places: tuple[int, ...]) -> tuple[Array, Array]:
        """Both caches with content c in block `places[c]`."""
        if places == self.home:
            return self.key_cache, self.value_cache
        caches = (self.key_cache.copy(), self.value_cache.copy())
        for cache, before in zip(caches, (self.key_cache, self.value_cache), strict=True):
            cache[list(places)] = before[list(self.home)]
        return caches


class _Pool:
    """The manager, the caches, and who wrote what: only while a room is made."""

    def __init__(self, setup: AttentionSetup, num_blocks: int) -> None:
        self.setup = setup
        self.manager = CacheSession(
            {
                "num_blocks": num_blocks,
                "block_size": setup.block_size,
                "enable_caching": False,
                "max_model_len": num_blocks * setup.block_size,
            }
        )
        shape = (num_blocks, setup.block_size, setup.kv_heads, setup.head_size)
        self.caches = (np.zeros(shape, np.float32), np.zeros(shape, np.float32))
        self.slots = [[Slot("", 0)] * setup.block_size for _ in range(num_blocks)]
        self.owners = 0

    def model(self, ids: tuple[int, ...]) -> Projected:
        s = self.setup
        return project(ids, heads=s.heads, kv_heads=s.kv_heads, head_size=s.head_size, seed=s.seed)

    def arrive(self, name: str, tokens: int, ids: tuple[int, ...] = ()) -> Projected:
        """A request of so many tokens; its first block's worth is written."""
        self.owners += 1
        ids = ids or made_up_ids(tokens, self.setup.seed, self.owners)
        size = self.setup.block_size
        self.manager.add_request(name, ids)
        self.manager.admit(name, min(size, tokens))
        projected = self.model(ids)
        self._write(name, projected, 0, min(size, tokens))
        return projected

    def grow(self, name: str, projected: Projected, start: int) -> int:
        """Write up to one more block of its tokens; how many are written then."""
        count = min(self.setup.block_size, len(projected.key) - start)
        self.manager.allocate(name, count)
        self._write(name, projected, start, start + count)
        return start + count

    def _write(self, name: str, projected: Projected, start: int, end: int) -> None:
        size = self.setup.block_size
        table = self.table(name)
        slots = np.array([table[i // size] * size + i % size for i in range(start, end)])
        write_kv(projected.key[start:end], projected.value[start:end], *self.caches, slots)
        for position, slot in enumerate(slots, start):
            self.slots[slot // size][slot % size] = Slot(name, position)

    def leave(self, name: str) -> None:
        self.manager.free(name)
        for block in self.slots:
            for k, slot in enumerate(block):
                if slot.owner == name:
                    block[k] = Slot("", slot.position)

    def table(self, name: str) -> list[int]:
        tables: dict[str, list[int]] = self.manager.state()["tables"]
        return tables[name]


def make_room(setup: AttentionSetup) -> Room:
    """The room of a setup; what was broken or moved in it does not count here."""
    num_blocks = next(blocks for lines, blocks in ROOMS if setup.lines <= lines)
    rng = np.random.default_rng((setup.seed, 4))
    pool = _Pool(setup, num_blocks)
    _earlier(pool, rng, num_blocks - 1)
    size, others = setup.block_size, (num_blocks - 1 - setup.lines) * 5 // 16
    lengths = {"A": setup.tokens}
    for name in OTHERS:
        lengths[name] = others * size - int(rng.integers(size))
    own_ids = setup.ids or made_up_ids(setup.tokens, setup.seed, 0)
    written: dict[str, int] = {}
    inside = {}
    for name, tokens in lengths.items():
        inside[name] = pool.arrive(name, tokens, own_ids if name == "A" else ())
        written[name] = min(size, tokens)
    while growing := [name for name, tokens in lengths.items() if written[name] < tokens]:
        name = growing[int(rng.integers(len(growing)))]
        written[name] = pool.grow(name, inside[name], written[name])
    return _described(pool, lengths, inside["A"], rng)


def _earlier(pool: _Pool, rng: np.random.Generator, free: int) -> None:
    """Requests that fill the pool and leave again, in another order."""
    size = pool.setup.block_size
    names: list[str] = []
    while free:
        blocks = min(free, int(rng.integers(1, LONGEST_EARLIER + 1)))
        name = f"earlier {len(names)}"
        projected, done = pool.arrive(name, blocks * size), size
        while done < blocks * size:
            done = pool.grow(name, projected, done)
        names.append(name)
        free -= blocks
    for k in rng.permutation(len(names)):
        pool.leave(names[k])


def _described(
    pool: _Pool, lengths: dict[str, int], projected: Projected, rng: np.random.Generator
) -> Room:
    size = pool.setup.block_size
    contents, home = [], []
    for name, tokens in lengths.items():
        for line, block in enumerate(pool.table(name)):
            fill = min(size, tokens - line * size)
            contents.append(Content(name, line, fill, tuple(pool.slots[block])))
            home.append(block)
    assert len(pool.table("A")) == cdiv(lengths["A"], size)
    others = range(pool.setup.lines, len(contents))
    for block in range(1, len(pool.slots)):
        if block not in home:
            contents.append(Content("", -1, 0, tuple(pool.slots[block])))
            home.append(block)
    stale = int(rng.choice(list(others)))
    return Room(tuple(contents), tuple(home), stale, projected, *pool.caches)
