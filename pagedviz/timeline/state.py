"""What the pool looks like after a step, and what a step changed: immutable both.

`PoolState` is the whole picture, `Change` the difference between two neighbours. A timeline
keeps every change and a whole state now and then, so 2,000 steps over 8,192 blocks stay
small and any step is rebuilt exactly.

Requests are numbered by arrival here, hashes are small numbers by first sight ("hash
classes"): equal class, equal content from the first token on.

Leaves out: how a change is found (`recorder.py`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

NO_HASH = -1
WAITING, RUNNING, PREEMPTED, GONE = range(4)


class RequestView(NamedTuple):
    """One request at one moment."""

    num_tokens: int
    num_computed_tokens: int  # tokens with a place in memory; drafts may run ahead
    status: int  # WAITING, RUNNING, PREEMPTED (waits again) or GONE

    @property
    def in_hand(self) -> int:
        """Tokens that have no place yet."""
        return max(0, self.num_tokens - self.num_computed_tokens)


class Counts(NamedTuple):
    """The meter after a step; blocks without the null block."""

    used: int  # blocks in use
    unfilled: int  # empty token places on blocks in use
    kept: int  # free blocks that still carry a hash
    empty: int  # free blocks without a hash
    shared: int  # blocks in two or more tables
    tokens: int  # token places filled on blocks in use; a shared block counts once

    @property
    def free(self) -> int:
        """Blocks in the free queue."""
        return self.kept + self.empty


class BlockChange(NamedTuple):
    """A block as it is after the step."""

    block: int
    owners: tuple[int, ...]  # requests, in the order in which they came to the block
    fill: int  # tokens on it; a kept block is full, an empty free one 0
    hash_class: int  # NO_HASH if it cannot be found


class QueueChange(NamedTuple):
    """Apply in this order: pop from the head, remove, prepend, append."""

    popped: int = 0
    removed: tuple[int, ...] = ()  # anywhere, after the popping
    prepended: tuple[int, ...] = ()  # the first becomes the new head
    appended: tuple[int, ...] = ()


class TableChange(NamedTuple):
    """A block table: keep the first `keep`, then append; `keep` None = table dropped."""

    request: int
    keep: int | None
    appended: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """Everything one step changed."""

    blocks: tuple[BlockChange, ...] = ()
    queue: QueueChange = field(default_factory=QueueChange)
    table: TableChange | None = None
    request: tuple[int, RequestView] | None = None


@dataclass(frozen=True, slots=True)
class PoolState:
    """The pool after a step. Sequences are indexed by block id, block 0 included."""

    block_size: int
    owners: tuple[tuple[int, ...], ...]
    fill: tuple[int, ...]
    hashes: tuple[int, ...]
    queue: tuple[int, ...]  # free blocks, head first
    tables: Mapping[int, tuple[int, ...]]  # request -> block ids
    requests: Mapping[int, RequestView]  # those that have arrived and not left

    def after(self, changes: Sequence[Change]) -> PoolState:
        """The state after these changes, in their order."""
        owners, fill, hashes = list(self.owners), list(self.fill), list(self.hashes)
        # Ordered keys: both ends and the middle change in constant time.
        queue: OrderedDict[int, None] = OrderedDict.fromkeys(self.queue)
        tables = {r: list(t) for r, t in self.tables.items()}
        requests = dict(self.requests)
        for change in changes:
            for block, own, full, cls in change.blocks:
                owners[block], fill[block], hashes[block] = own, full, cls
            turn_queue(queue, change.queue)
            if (table := change.table) is not None:
                if table.keep is None:
                    tables.pop(table.request, None)
                else:
                    kept = tables.get(table.request, [])[: table.keep]
                    tables[table.request] = kept + list(table.appended)
            if change.request is not None:
                number, view = change.request
                requests[number] = view
                if view.status == GONE:
                    del requests[number]
        return PoolState(
            self.block_size,
            tuple(owners),
            tuple(fill),
            tuple(hashes),
            tuple(queue),
            {r: tuple(t) for r, t in tables.items()},
            requests,
        )

    def to_trace(self, names: Sequence[str]) -> dict[str, object]:
        """The state in the form of the recorded traces; `names` are the request ids."""
        usable = len(self.owners) - 1
        return {
            "tables": {names[r]: list(t) for r, t in self.tables.items()},
            "num_tokens": {names[r]: v.num_tokens for r, v in self.requests.items()},
            "num_computed_tokens": {
                names[r]: v.num_computed_tokens for r, v in self.requests.items()
            },
            "ref_cnt": [len(own) for own in self.owners],
            "free_queue": list(self.queue),
            "cached": [[b, c] for b, c in enumerate(self.hashes) if c != NO_HASH],
            "usage": 1.0 - len(self.queue) / usable if usable else 0.0,
        }


def empty_state(num_blocks: int, block_size: int) -> PoolState:
    """A fresh pool: block 0 is the null block, the others queue in order."""
    return PoolState(
        block_size,
        ((),) * num_blocks,
        (0,) * num_blocks,
        (NO_HASH,) * num_blocks,
        tuple(range(1, num_blocks)),
        {},
        {},
    )


def turn_queue(queue: OrderedDict[int, None], change: QueueChange) -> None:
    """Apply a change to a queue that is kept as ordered keys, head first."""
    for _ in range(change.popped):
        queue.popitem(last=False)
    for block in change.removed:
        del queue[block]
    for block in reversed(change.prepended):
        queue[block] = None
        queue.move_to_end(block, last=False)
    for block in change.appended:
        queue[block] = None
