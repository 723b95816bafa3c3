"""From what changed to what it means: shared, thrown out, refused, sent back, and why.

Derived from the touched blocks before and after the step, and from a little memory of the
run: who is inside in which order, who was just refused.

Leaves out: the words (`captions.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pagedviz.engine.cache_session import CacheSession
from pagedviz.timeline.frozen import ints
from pagedviz.timeline.mirror import BlockMirror
from pagedviz.timeline.state import NO_HASH, BlockChange, Change, RequestView
from pagedviz.timeline.step import Effects, PoolInfo, Refusal, letter


class Reasons:
    """Remembers what the words need from earlier steps."""

    def __init__(self, pool: PoolInfo, mirror: BlockMirror) -> None:
        self.pool, self.mirror = pool, mirror
        self.running: list[int] = []  # in the order of admission
        self.been_in: set[int] = set()
        self.asking: int | None = None  # request whose allocation was just refused
        self.priority: dict[int, int] = {}

    def explain(
        self,
        number: int | None,
        op: Mapping[str, object],
        result: Mapping[str, object],
        change: Change,
        view: RequestView | None,
        refusal: Refusal | None,
    ) -> Effects:
        """The effects of one step."""
        name = str(op["op"])
        now = {c.block: c for c in change.blocks}
        was = self.mirror.was
        done = result.get("ok") is not False
        new = ints(result.get("new_blocks")) if done else ()
        hit = ints(result.get("hit_blocks")) if done else ()
        taken = set(new)
        stored = tuple(
            (b, c.hash_class)
            for b, c in now.items()
            if c.hash_class != NO_HASH and (b in taken or was[b].hash_class == NO_HASH)
        )
        duplicates = tuple(
            (b, first) for b, cls in stored if (first := next(iter(self.mirror.copies[cls]))) != b
        )
        room_for, why = self._victim(name, number)
        never, too_long = self._never(view) if name == "add_request" else (0, False)
        if name == "admit" and done:
            _, too_long = self._never(view)
        if refusal is not None:
            never = refusal.never
        effects = Effects(
            new=new,
            hit=hit,
            kept_hits=tuple(b for b in hit if not was[b].owners),
            evict=tuple((b, was[b].hash_class) for b in new if was[b].hash_class != NO_HASH),
            freed_front=change.queue.prepended,
            freed_back=change.queue.appended,
            stay=tuple(b for b, c in now.items() if c.owners)
            if name in ("free", "preempt")
            else (),
            fills=tuple(b for b, c in now.items() if c.owners and c.fill != was[b].fill),
            placed_before=sum(
                c.fill - was[b].fill
                for b, c in now.items()
                if name == "allocate" and b not in taken
            ),
            stored=stored,
            unlabelled=tuple(
                (b, was[b].hash_class)
                for b, c in now.items()
                if c.hash_class == NO_HASH and was[b].hash_class != NO_HASH and b not in taken
            ),
            duplicates=duplicates,
            recomputed=self._recomputed(name, view, hit, duplicates, now),
            refusal=refusal,
            never=never,
            too_long=too_long,
            returning=number in self.been_in,
            room_for=room_for,
            victim_why=why,
        )
        effects = _with_kinds(effects, name, done)
        self._remember(name, number, op, done)
        return effects

    def _recomputed(
        self,
        name: str,
        view: RequestView | None,
        hit: tuple[int, ...],
        duplicates: tuple[tuple[int, int], ...],
        now: Mapping[int, BlockChange],
    ) -> int:
        """The last block of a prompt that was known to its very end, if this is one."""
        size = self.pool.block_size
        if name != "admit" or view is None or view.num_tokens != (len(hit) + 1) * size:
            return 0
        place = self.mirror.place
        return next((b for b, _ in duplicates if place[b] == len(hit) and b in now), 0)

    def _never(self, view: RequestView | None) -> tuple[int, bool]:
        """Blocks the whole sequence needs if that is more than the pool; is it too long."""
        if view is None:
            return 0, False
        return self._too_many(view.num_tokens), view.num_tokens > self.pool.max_model_len

    def _too_many(self, num_tokens: int) -> int:
        """Blocks for so many tokens if that is more than the pool has, else 0."""
        slots = min(num_tokens, self.pool.max_model_len)
        blocks = -(-slots // self.pool.block_size)
        return blocks if blocks > self.pool.usable else 0

    def refusal(
        self, session: CacheSession, op: Mapping[str, object], result: Mapping[str, object]
    ) -> Refusal | None:
        """What was missing; None if nothing was refused or it was no matter of room."""
        if result.get("ok") is not False or op["op"] not in ("admit", "allocate"):
            return None
        request = session.requests[str(op["req"])]
        admits = op["op"] == "admit"
        hits, num_hits = session.manager.get_computed_blocks(request) if admits else ([], 0)
        num_new = (result if admits else op)["num_new_tokens"]
        lookahead = op.get("num_lookahead_tokens", 0)
        assert isinstance(num_new, int)
        assert isinstance(lookahead, int)
        whole = admits and bool(op.get("full_sequence_must_fit", True))
        demand = session.manager.required_blocks(
            request,
            num_new,
            num_hits,
            hits,
            lookahead,
            whole,
            bool(op.get("has_scheduled_reqs", False)),
        )
        asked = request.num_computed_tokens + num_hits + num_new + lookahead
        never = self._too_many(max(asked, request.num_tokens) if whole else asked)
        return Refusal(
            demand.need,
            demand.watermark,
            demand.free,
            sum(block.ref_cnt == 0 for block in hits),
            never,
        )

    def _victim(self, name: str, number: int | None) -> tuple[str, str]:
        """For whom a preempted request makes room, and why it is the one."""
        if name != "preempt" or number is None:
            return "", ""
        why = "last" if self.running and self.running[-1] == number else ""
        if any(self.priority.values()):
            rank = max(self.running, key=lambda r: (self.priority.get(r, 0), r))
            why = "priority" if rank == number else ""
        return ("" if self.asking is None else letter(self.asking)), why

    def _remember(
        self, name: str, number: int | None, op: Mapping[str, object], done: bool
    ) -> None:
        if name == "allocate" and not done:
            self.asking = number
        elif name not in ("preempt", "free"):
            self.asking = None
        if number is None:
            return
        if name == "add_request":
            priority = op.get("priority", 0)
            self.priority[number] = priority if isinstance(priority, int) else 0
        elif name == "admit" and done:
            self.running.append(number)
            self.been_in.add(number)
        elif name in ("free", "preempt") and number in self.running:
            self.running.remove(number)


def _with_kinds(e: Effects, name: str, done: bool) -> Effects:
    kinds = {
        "new": e.new,
        "share": e.hit,
        "evict": e.evict,
        "refuse": not done,
        "preempt": name == "preempt",
        "leave": name == "free" and (e.freed_front or e.freed_back or e.stay),
        "clear": name == "reset_prefix_cache" and done,
    }
    return replace(e, kinds=frozenset(k for k, there in kinds.items() if there))
