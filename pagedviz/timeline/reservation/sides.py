"""The two systems, each with its own memory, moved one step at a time and frozen after it.

What it does: takes arrivals, schedules a step, and says who waits since when and why.
Both compute under the same budget of tokens; the paged side is vLLM's scheduler and block
manager with prefix caching on, as vLLM has it by default. No two visitors bring the same
tokens, so all it ever finds are a preempted visitor's own blocks.

Leaves out: the clock and the arrivals (`play.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pagedviz.engine.block_hash import get_request_block_hasher
from pagedviz.engine.kv_cache_manager import BlockDemand, KVCacheManager
from pagedviz.engine.request import Request
from pagedviz.engine.reservation import ReservationManager
from pagedviz.engine.reservation_scheduler import ReservationScheduler
from pagedviz.engine.scheduler import Scheduler, SchedulerConfig, SchedulerOutput
from pagedviz.timeline.reservation.setup import ReservationSetup, Visitor
from pagedviz.timeline.reservation.step import (
    OldSide,
    PagedCounts,
    PagedSide,
    Run,
    Table,
    Waiting,
    Why,
)

_TOKENS_EACH = 2**32  # token ids of one visitor, so that no two bring the same


class _Door:
    """Since when who waits, and who has gone home."""

    def __init__(self) -> None:
        self.since: dict[int, int] = {}
        self.gone: list[int] = []

    def waits(self, line: Iterable[int], why_first: Callable[[], Why]) -> tuple[Waiting, ...]:
        found: list[Waiting] = []
        for visitor in line:
            found.append(Waiting(visitor, self.since[visitor], "behind" if found else why_first()))
        return tuple(found)


class OldSystem:
    """One contiguous run per visitor."""

    def __init__(self, setup: ReservationSetup) -> None:
        manager = ReservationManager(setup.slots, setup.policy, setup.max_model_len)
        self.scheduler = ReservationScheduler(manager, _config(setup))
        self.door = _Door()

    def arrive(self, visitor: Visitor, tick: int) -> str:
        """Join the line; or the reason why not."""
        never = self.scheduler.manager.why_never(visitor.prompt, visitor.output)
        if never:
            return never
        self.scheduler.add_request(str(visitor.number), visitor.prompt, visitor.output)
        self.door.since[visitor.number] = tick
        return ""

    def finish(self) -> tuple[int, ...]:
        """The end of the step before: who has its last token leaves."""
        left = tuple(map(int, self.scheduler.update()))
        self.door.gone += left
        return left

    def step(self, left: tuple[int, ...]) -> OldSide:
        """Schedule a step and freeze it."""
        scheduler, manager = self.scheduler, self.scheduler.manager
        step = scheduler.schedule()

        def why() -> Why:
            if step.shortage is not None:
                return "fragmented" if step.shortage.fragmented else "full"
            return "budget"

        return OldSide(
            runs=tuple(Run(int(r.request_id), r) for r in manager.reservations()),
            waits=self.door.waits(map(int, scheduler.waiting), why),
            shortage=step.shortage,
            counts=manager.counts(step.shortage),
            came=tuple(map(int, step.new)),
            left=left,
            gone=tuple(self.door.gone),
        )


class PagedSystem:
    """vLLM: blocks on demand."""

    def __init__(self, setup: ReservationSetup) -> None:
        self.block_size = setup.block_size
        manager = KVCacheManager(
            setup.num_blocks + 1,  # block 0 is the null block
            setup.block_size,
            max_model_len=setup.max_model_len,
        )
        self.scheduler = Scheduler(manager, _config(setup))
        self.door = _Door()
        self._step: SchedulerOutput | None = None

    def arrive(self, visitor: Visitor, tick: int) -> str:
        """Join the line; or the reason why not."""
        length, most = visitor.prompt + visitor.output, self.scheduler.manager.max_model_len
        if length > most:
            return f"{length} tokens are more than max_model_len {most}"
        first = visitor.number * _TOKENS_EACH
        request = Request(
            str(visitor.number),
            range(first, first + visitor.prompt),
            max_tokens=visitor.output,
            block_hasher=get_request_block_hasher(self.block_size),
        )
        self.scheduler.add_request(request)
        self.door.since[visitor.number] = tick
        return ""

    def finish(self) -> tuple[int, ...]:
        """The end of the step before: tokens are sampled; who has its last one leaves."""
        assert self._step is not None
        sampled = {}
        for request_id in self._step.num_scheduled_tokens:
            request = self.scheduler.requests[request_id]
            if request.num_computed_tokens == request.num_tokens:
                sampled[request_id] = [int(request_id) * _TOKENS_EACH + request.num_tokens]
        left = tuple(map(int, self.scheduler.update_from_output(sampled)))
        self.door.gone += left
        return left

    def step(self, tick: int, left: tuple[int, ...]) -> PagedSide:
        """Schedule a step and freeze it."""
        scheduler = self.scheduler
        held = {block for running in scheduler.running for block in self._ids(running)}
        step = self._step = scheduler.schedule()
        for request_id in step.preempted:
            self.door.since[int(request_id)] = tick
        tables = tuple(self._table(request) for request in scheduler.running)
        demand = self._demand()

        def why() -> Why:
            if step.preempted:
                return "preempted"
            return "blocks" if demand is not None else "budget"

        kept = self._kept()
        counts = self._counts(tables, len(kept))
        return PagedSide(
            tables=tables,
            waits=self.door.waits((int(r.request_id) for r in scheduler.waiting), why),
            demand=demand,
            counts=counts,
            came=tuple(map(int, [*step.new, *step.resumed])),
            again=tuple(map(int, step.resumed)),
            preempted=tuple(map(int, step.preempted)),
            new_blocks=tuple(b for t in tables for b, _ in t.blocks if b not in held),
            kept_blocks=kept,
            left=left,
            gone=tuple(self.door.gone),
        )

    def _ids(self, request: Request) -> list[int]:
        return self.scheduler.manager.get_block_ids(request.request_id)

    def _table(self, request: Request) -> Table:
        # Blocks come on demand: all but the last are full.
        *full, last = self._ids(request)
        size = self.block_size
        rest = request.num_computed_tokens - len(full) * size
        return Table(int(request.request_id), (*((b, size) for b in full), (last, rest)))

    def _kept(self) -> tuple[int, ...]:
        blocks = self.scheduler.manager.block_pool.blocks
        return tuple(b.block_id for b in blocks if b.block_hash is not None and b.ref_cnt == 0)

    def _counts(self, tables: tuple[Table, ...], num_kept: int) -> PagedCounts:
        fills = [fill for table in tables for _, fill in table.blocks]
        size, free = self.block_size, self.scheduler.manager.block_pool.get_num_free_blocks()
        tokens = sum(fills)
        return PagedCounts(
            tokens, len(fills) * size - tokens, num_kept * size, (free - num_kept) * size
        )

    def _demand(self) -> BlockDemand | None:
        """What the first in line would need, if that is more than there is."""
        scheduler = self.scheduler
        if not scheduler.waiting:
            return None
        request, manager = scheduler.waiting.peek_request(), scheduler.manager
        hits, num_hit_tokens = manager.get_computed_blocks(request)
        demand = manager.required_blocks(
            request,
            request.num_tokens - num_hit_tokens,
            num_hit_tokens,
            hits,
            full_sequence_must_fit=True,
            has_scheduled_reqs=bool(scheduler.running),
        )
        return None if demand.fits else demand


def _config(setup: ReservationSetup) -> SchedulerConfig:
    # vLLM's default of 128 seats is more than can ever come: nobody waits for one.
    return SchedulerConfig(max_num_batched_tokens=setup.token_budget)
