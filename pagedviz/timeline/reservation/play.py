"""Plays the same arrivals through both systems on one clock, and keeps every step.

In one step everybody who runs computes one token, or a part of its prompt; then whoever has
its last token leaves, which shows in the next step. The comparison ends when both are empty.

Leaves out: the totals (`totals.py`), words (`words.py`), the wire (`wire.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.engine.reservation import SlotCounts
from pagedviz.timeline.reservation.errors import ReservationError
from pagedviz.timeline.reservation.setup import ReservationSetup, Visitor
from pagedviz.timeline.reservation.sides import OldSystem, PagedSystem
from pagedviz.timeline.reservation.step import (
    OldSide,
    PagedCounts,
    PagedSide,
    Step,
    TurnedAway,
)

MAX_STEPS = 2000


@dataclass(frozen=True)
class ReservationRun:
    """Everything that happened, step by step; step 0 is before anybody arrives."""

    setup: ReservationSetup
    visitors: tuple[Visitor, ...]
    steps: tuple[Step, ...]
    home: tuple[int, int]  # step in which the last has left: old, paged

    @property
    def last(self) -> int:
        """Number of the last step."""
        return len(self.steps) - 1

    @property
    def opening(self) -> int:
        """The step worth seeing first: many wait on the old side and few on the paged one.

        Best of all somebody arrives just then, and is served on the paged side only.
        """

        def worth(step: Step) -> float:
            wait = {w.visitor for w in step.old.waits}
            only = wait.intersection(step.arrived, step.paged.came)
            return len(wait) - 2 * len(step.paged.waits) + bool(step.arrived) / 2 + bool(only)

        best = max(self.steps, key=lambda step: (worth(step), -step.tick))
        if best.old.waits:
            return best.tick
        # The paged side does no better: show the longest lines there are.
        lines = (len(step.old.waits) + len(step.paged.waits) for step in self.steps)
        return max(enumerate(lines), key=lambda line: (line[1], -line[0]))[0]


def play(setup: ReservationSetup) -> ReservationRun:
    """Play a setup to its end; ReservationError if that is too far away.

    >>> run = play(ReservationSetup(visitors=6, every=2))
    >>> run.home, [len(run.steps[12].old.waits), len(run.steps[12].paged.waits)]
    ((65, 53), [2, 0])
    """
    visitors = setup.arrivals()
    old, paged = OldSystem(setup), PagedSystem(setup)
    empty = Step(
        0,
        OldSide(counts=SlotCounts(0, 0, 0, 0, setup.slots)),
        PagedSide(counts=PagedCounts(0, 0, 0, setup.slots)),
    )
    steps, home, coming, served = [empty], [0, 0], list(visitors), [0, 0]
    while not all(home):
        tick = len(steps)
        if tick > MAX_STEPS:
            raise ReservationError(
                f"After {MAX_STEPS:,} steps not everybody is served, and no more can be shown. "
                "Try fewer visitors, shorter answers, or shorter steps between arrivals."
            )
        left = (old.finish(), paged.finish()) if tick > 1 else ((), ())
        arrived, turned_away = [], []
        while coming and coming[0].arrive == tick:
            visitor = coming.pop(0)
            arrived.append(visitor.number)
            never = TurnedAway(
                visitor.number, old.arrive(visitor, tick), paged.arrive(visitor, tick)
            )
            if never.old or never.paged:
                turned_away.append(never)
            served[0] += bool(never.old)
            served[1] += bool(never.paged)
        sides = old.step(left[0]), paged.step(tick, left[1])
        just_home = [False, False]
        for k, leavers in enumerate(left):
            served[k] += len(leavers)
            if not home[k] and served[k] == len(visitors):
                home[k], just_home[k] = tick, True
        steps.append(
            Step(
                tick,
                *sides,
                arrived=tuple(arrived),
                turned_away=tuple(turned_away),
                home=(just_home[0], just_home[1]),
            )
        )
    return ReservationRun(setup, visitors, tuple(steps), (home[0], home[1]))
