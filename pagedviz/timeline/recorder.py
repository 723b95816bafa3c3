"""Watches a CacheSession and writes down what each operation changed.

It looks at the blocks an operation can have touched, never at the whole pool, so playing
costs what the engine costs. It decides nothing: tables and requests are read off the live
ones; where the free queue changed is read off its two ends.

Leaves out: what is on each block (`mirror.py`), and the reasons behind a change (`reasons.py`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from itertools import islice

from pagedviz.engine.cache_session import CacheSession
from pagedviz.engine.request import Request, RequestStatus
from pagedviz.timeline.frozen import ints
from pagedviz.timeline.mirror import BlockMirror
from pagedviz.timeline.state import (
    GONE,
    NO_HASH,
    PREEMPTED,
    RUNNING,
    WAITING,
    BlockChange,
    Change,
    Counts,
    PoolState,
    QueueChange,
    RequestView,
    TableChange,
    turn_queue,
)

_STATUS = {
    RequestStatus.WAITING: WAITING,
    RequestStatus.RUNNING: RUNNING,
    RequestStatus.PREEMPTED: PREEMPTED,
    RequestStatus.FINISHED: GONE,
}


def view_of(request: Request) -> RequestView:
    """The numbers of a live request, frozen."""
    return RequestView(request.num_tokens, request.num_computed_tokens, _STATUS[request.status])


class Recorder:
    """A copy of the pool's visible state, kept up with the session step by step."""

    def __init__(self, session: CacheSession, num_blocks: int, block_size: int) -> None:
        self.session, self.block_size, self.usable = session, block_size, num_blocks - 1
        self.queue: OrderedDict[int, None] = OrderedDict.fromkeys(range(1, num_blocks))
        self.tables: dict[int, list[int]] = {}
        self.views: dict[int, RequestView] = {}
        self.mirror = BlockMirror(session.manager.block_pool.blocks, block_size, self.views)

    def counts(self) -> Counts:
        """The meter now."""
        free = len(self.queue)
        used = self.usable - free
        return Counts(
            used,
            used * self.block_size - self.mirror.tokens,
            self.mirror.kept,
            free - self.mirror.kept,
            self.mirror.shared,
            self.mirror.tokens,
        )

    def snapshot(self) -> PoolState:
        """The whole state now, frozen."""
        return PoolState(
            self.block_size,
            tuple(self.mirror.owners),
            tuple(self.mirror.fill),
            tuple(self.mirror.hashes),
            tuple(self.queue),
            {r: tuple(t) for r, t in self.tables.items()},
            dict(self.views),
        )

    def record(
        self,
        number: int | None,
        op: Mapping[str, object],
        result: Mapping[str, object],
        first_open: int,
    ) -> Change:
        """What `op` changed. `number`: its request; `first_open`: the first block of the
        request's table that had not been hashed before the operation.
        """
        self.mirror.new_step()
        if result.get("ok") is False:
            return Change()  # tests compare whole states: a refusal changes nothing
        name = op["op"]
        if number is None:
            touched = self._touched_by_pool_operation(op)
            return Change(blocks=tuple(self.mirror.look(b, self.mirror.owners[b]) for b in touched))
        old, view = self.views.get(number), self._new_view(number, str(op["req"]))
        first_open = min(first_open, old.num_computed_tokens // self.block_size if old else 0)
        if view.status == GONE:
            del self.views[number]
        else:
            self.views[number] = view
        if name in ("free", "preempt"):
            return self._leave(number, view)
        if name in ("admit", "allocate"):
            return self._take(number, view, result, first_open)
        blocks: tuple[BlockChange, ...] = ()
        if name == "rollback" and old is not None:
            table = self.tables.get(number, [])
            ends = sorted((old.num_computed_tokens, view.num_computed_tokens))
            part = table[ends[0] // self.block_size : -(-ends[1] // self.block_size)]
            blocks = self.mirror.look_at(part)
        return Change(blocks, request=(number, view))

    def _new_view(self, number: int, request_id: str) -> RequestView:
        request = self.session.requests.get(request_id)
        if request is None:  # it has left
            return self.views[number]._replace(status=GONE)
        self.mirror.chain = request.block_hashes
        return view_of(request)

    def _touched_by_pool_operation(self, op: Mapping[str, object]) -> list[int]:
        if op["op"] == "evict_blocks":
            ids = op["block_ids"]
            assert isinstance(ids, tuple)
            return sorted({b for b in ids if self.mirror.hashes[b] != NO_HASH})
        return sorted(b for copies in self.mirror.copies.values() for b in copies)

    def _take(
        self, number: int, view: RequestView, result: Mapping[str, object], first_open: int
    ) -> Change:
        """An admission or an allocation: blocks joined the table."""
        hit, new = ints(result.get("hit_blocks")), ints(result.get("new_blocks"))
        table = self.tables.setdefault(number, [])
        keep = len(table)
        table += (*hit, *new)
        for place, block in enumerate(islice(table, keep, None), keep):
            self.mirror.place[block] = place
        gone = {b for b in (*hit, *new) if b in self.queue}
        popped = 0
        for block in self.queue:
            if block not in gone:
                break
            popped += 1
        head = set(islice(self.queue, popped))
        removed = tuple(b for b in (*hit, *new) if b in gone and b not in head)
        queue = QueueChange(popped, removed)
        turn_queue(self.queue, queue)
        for block in new:  # a block may get back the very hash it just lost: still a new copy
            self.mirror.take(block)
        # Older blocks of the table can have been filled or hashed, from the first one
        # that was not hashed yet.
        older = self.mirror.look_at(table[first_open:keep])
        taken = tuple(self.mirror.look(b, (*self.mirror.owners[b], number)) for b in (*hit, *new))
        return Change(older + taken, queue, TableChange(number, keep, (*hit, *new)), (number, view))

    def _leave(self, number: int, view: RequestView) -> Change:
        table = self.tables.pop(number, None)
        if table is None:
            return Change(request=(number, view))
        blocks = tuple(
            self.mirror.look(b, tuple(r for r in self.mirror.owners[b] if r != number))
            for b in table
        )
        queue = self._freed([b for b in table if not self.mirror.owners[b]])
        turn_queue(self.queue, queue)
        return Change(blocks, queue, TableChange(number, None), (number, view))

    def _freed(self, freed: list[int]) -> QueueChange:
        """Where the freed blocks stand now: those at the head, then those at the tail."""
        front = {b for b in freed if self.mirror.blocks[b].block_hash is None}
        back = {b for b in freed if b not in front}
        return QueueChange(0, (), self._in_queue_order(front), self._in_queue_order(back))

    def _in_queue_order(self, group: set[int]) -> tuple[int, ...]:
        """Blocks that stand together in the free queue, in its order."""
        block = next(
            (
                self.mirror.blocks[b]
                for b in group
                if (before := self.mirror.blocks[b].prev_free_block) is None
                or before.block_id not in group
            ),
            None,
        )
        order = []
        while block is not None and block.block_id in group:
            order.append(block.block_id)
            block = block.next_free_block
        assert len(order) == len(group)
        return tuple(order)
