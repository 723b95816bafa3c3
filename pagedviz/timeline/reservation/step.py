"""One step of the comparison: who waits, who runs where, and what every slot is, on both sides.

A step is self-contained: its words (`words.py`) and its picture (`wire.py`) need nothing else
but the visitors.

Leaves out: how it came about (`play.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from pagedviz.engine.kv_cache_manager import BlockDemand
from pagedviz.engine.reservation import Reservation, Shortage, SlotCounts

# Why somebody waits: for memory (too few free slots, or enough but not in one piece; blocks), for
# the step's budget of tokens, because somebody was preempted just now, or because somebody else
# is first in line.
Why = Literal["full", "fragmented", "blocks", "budget", "preempted", "behind"]

KINDS = ("arrive", "wait", "admit", "refuse", "preempt", "leave", "home")


class Waiting(NamedTuple):
    """A visitor at the door."""

    visitor: int
    since: int  # step in which it arrived, or was preempted
    why: Why


class PagedCounts(NamedTuple):
    """Slots of the paged memory by kind; together always the whole memory."""

    token: int
    tail: int  # unfilled slots of last blocks
    kept: int  # of nobody, but the content can still be found (prefix cache)
    free: int

    @property
    def allocated(self) -> int:
        """Slots given out to requests."""
        return self.token + self.tail


class Run(NamedTuple):
    """A visitor's run of slots on the old side."""

    visitor: int
    at: Reservation


class Table(NamedTuple):
    """A visitor's blocks on the paged side, in the order of its block table."""

    visitor: int
    blocks: tuple[tuple[int, int], ...]  # (block id, tokens in it)


@dataclass(frozen=True, slots=True)
class OldSide:
    """Contiguous reservation at one step."""

    counts: SlotCounts
    runs: tuple[Run, ...] = ()  # by address
    waits: tuple[Waiting, ...] = ()  # the first is the next
    shortage: Shortage | None = None  # what the first waits for, if for memory
    came: tuple[int, ...] = ()  # admitted in this step
    left: tuple[int, ...] = ()  # gone since the step before
    gone: tuple[int, ...] = ()  # all that have gone so far, in that order


@dataclass(frozen=True, slots=True)
class PagedSide:
    """vLLM's block manager and scheduler at one step."""

    counts: PagedCounts
    tables: tuple[Table, ...] = ()  # in the order of admission
    waits: tuple[Waiting, ...] = ()
    demand: BlockDemand | None = None  # what the first waits for, if for blocks
    came: tuple[int, ...] = ()  # admitted, for the first time or again
    again: tuple[int, ...] = ()  # of them: those who had been preempted
    preempted: tuple[int, ...] = ()
    new_blocks: tuple[int, ...] = ()
    kept_blocks: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()


class TurnedAway(NamedTuple):
    """A visitor that can never fit, and why; "" where it can."""

    visitor: int
    old: str
    paged: str


@dataclass(frozen=True, slots=True)
class Step:
    """Step 0 is before anybody arrives. A step shows what it computes as already written."""

    tick: int
    old: OldSide
    paged: PagedSide
    arrived: tuple[int, ...] = ()
    turned_away: tuple[TurnedAway, ...] = ()
    home: tuple[bool, bool] = (False, False)  # the last has left in this step: old, paged

    @property
    def kinds(self) -> tuple[str, ...]:
        """What of `KINDS` happens in this step, in that order."""
        sides: tuple[OldSide | PagedSide, ...] = (self.old, self.paged)
        starts = [w for side in sides for w in side.waits if w.since == self.tick]
        happens = {
            "arrive": bool(self.arrived),
            "wait": bool(starts),
            "admit": any(side.came for side in sides),
            "refuse": bool(self.turned_away),
            "preempt": bool(self.paged.preempted),
            "leave": any(side.left for side in sides),
            "home": any(self.home),
        }
        return tuple(kind for kind in KINDS if happens[kind])
