"""What a comparison comes to: where the memory went over time, who waited how long.

Shares are weighted by time: slots of a kind, summed over all steps from the first arrival until
the side's last visitor has left, divided by memory times steps.

Leaves out: anything about real time; a step here takes no seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.timeline.reservation.play import ReservationRun
from pagedviz.timeline.reservation.step import OldSide, PagedSide, Step

SIDES = ("old", "paged")


@dataclass(frozen=True, slots=True)
class Stay:
    """One visitor on one side, in steps; -1 where it was turned away."""

    visitor: int
    admitted: int  # for the first time
    left: int
    waited: int  # in all, a second wait after a preemption included


@dataclass(frozen=True, slots=True)
class SideTotals:
    """One side over its whole time."""

    shares: dict[str, float]  # kind of slot -> share of memory and time, 0 to 1; sum 1
    empty: float  # of the slots given out, the share that held no token
    home: int  # step in which the last had left
    most: int  # running at once
    mean_wait: float  # steps, over those who were served
    longest_wait: int
    preemptions: int
    stays: tuple[Stay, ...]  # by visitor


def totals(run: ReservationRun) -> tuple[SideTotals, SideTotals]:
    """Old side, paged side.

    >>> from pagedviz.timeline.reservation.play import play
    >>> from pagedviz.timeline.reservation.setup import ReservationSetup
    >>> old, paged = totals(play(ReservationSetup()))
    >>> round(old.empty, 2), round(paged.empty, 2), (old.most, paged.most)
    (0.66, 0.15, (4, 12))
    """
    return _side(run, 0), _side(run, 1)


def _side(run: ReservationRun, k: int) -> SideTotals:
    home = run.home[k]
    busy = [_of(step, k) for step in run.steps[1:home]]
    sums = dict.fromkeys(_of(run.steps[0], k).counts._fields, 0)
    given = 0
    for side in busy:
        for kind, slots in zip(side.counts._fields, side.counts, strict=True):
            sums[kind] += slots
        given += side.counts.reserved if isinstance(side, OldSide) else side.counts.allocated
    stays = _stays(run, k)
    waits = [stay.waited for stay in stays if stay.admitted >= 0]
    return SideTotals(
        shares={
            kind: slots / (run.setup.slots * len(busy)) if busy else float(kind == "free")
            for kind, slots in sums.items()
        },
        empty=1 - sums["token"] / given if given else 0.0,
        home=home,
        most=max(map(_inside, (_of(step, k) for step in run.steps))),
        mean_wait=sum(waits) / len(waits) if waits else 0.0,
        longest_wait=max(waits, default=0),
        preemptions=sum(len(step.paged.preempted) for step in run.steps) if k else 0,
        stays=stays,
    )


def _stays(run: ReservationRun, k: int) -> tuple[Stay, ...]:
    admitted: dict[int, int] = {}
    left: dict[int, int] = {}
    waited = dict.fromkeys(range(len(run.visitors)), 0)
    for step in run.steps:
        side = _of(step, k)
        for visitor in side.came:
            admitted.setdefault(visitor, step.tick)
        left.update(dict.fromkeys(side.left, step.tick))
        for wait in side.waits:
            waited[wait.visitor] += 1
    return tuple(
        Stay(v.number, admitted.get(v.number, -1), left.get(v.number, -1), waited[v.number])
        for v in run.visitors
    )


def _of(step: Step, k: int) -> OldSide | PagedSide:
    return step.paged if k else step.old


def _inside(side: OldSide | PagedSide) -> int:
    return len(side.runs if isinstance(side, OldSide) else side.tables)
