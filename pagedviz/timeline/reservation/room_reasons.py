"""Why somebody waits, and who it is, in the storage room's words.

Leaves out: what is said of a whole step (`room_words.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pagedviz.timeline.reservation.play import ReservationRun
from pagedviz.timeline.reservation.step import Step, Waiting
from pagedviz.timeline.room_grammar import number, shelves


def who(run: ReservationRun, visitors: Iterable[int]) -> str:
    """Letters in bold, as one reads them out; many are shortened."""
    names = [f"**{run.visitors[v].letter}**" for v in visitors]
    if len(names) > 4:
        names = [*names[:3], f"{number(len(names) - 3)} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def ticks(run: ReservationRun, visitors: Sequence[int], now: int) -> str:
    """How long these have waited."""
    waits = [now - run.visitors[v].arrive for v in visitors]
    if len(set(waits)) > 1:
        return f"{min(waits)} to {max(waits)} ticks"
    return "one tick" if waits[0] == 1 else f"{waits[0]} ticks"


def s(visitors: Sequence[int], one: str, many: str) -> str:
    """The form for one or for several."""
    return one if len(visitors) == 1 else many


def why_left(run: ReservationRun, step: Step, visitors: Sequence[int]) -> str:
    """Why these just had to stay at the door of the aisles."""
    short = step.old.shortage
    name = run.visitors[visitors[0]].letter if len(visitors) == 1 else "them"
    wait = f"{name} waits" if len(visitors) == 1 else "they wait"
    ahead = [w.visitor for w in step.old.waits].index(visitors[0])
    if short is None:
        return f"{wait} for the next tick"
    before = f"{number(ahead)} {'stands' if ahead == 1 else 'stand'} before {name}"
    if run.setup.policy == "max":
        return f"every aisle is promised, and {before if ahead else wait}"
    if ahead:
        return f"{before}, and the first finds no piece of {places(short.run)}"
    head = run.visitors[visitors[0]].letter
    if short.fragmented:
        return (
            f"{short.free:,} places are free, but not the {short.run:,} in one piece that "
            f"{head} needs"
        )
    return f"{head} needs a piece of {places(short.run)}, and {_free(short.free)}"


def why_right(run: ReservationRun, step: Step, visitor: int) -> str:
    """Why this one has to stay at the door of the shelves."""
    wait, demand = _wait(step.paged.waits, visitor), step.paged.demand
    letter = run.visitors[visitor].letter
    if wait.why == "blocks" and demand is not None:
        return f"{letter} needs {shelves(demand.need)}, and {_free(demand.free)}"
    if wait.why == "behind":
        return f"{run.visitors[step.paged.waits[0].visitor].letter} is first in line"
    if wait.why == "preempted":
        return "nobody comes in now, since somebody was just sent back"
    return f"{letter} waits for the next tick"


def shelves_for(step: Step, visitors: Sequence[int]) -> str:
    """How many shelves these got."""
    count = sum(len(t.blocks) for t in step.paged.tables if t.visitor in visitors)
    return f"**{shelves(count)}** {'is' if count == 1 else 'are'}"


def places(n: int) -> str:
    """A number of places.

    >>> places(1), places(2048)
    ('one place', '2,048 places')
    """
    return "one place" if n == 1 else f"{n:,} places"


def _free(n: int) -> str:
    """How few are free."""
    return {0: "none is", 1: "only one is"}.get(n, f"only {n:,} are") + " free"


def _wait(waits: Iterable[Waiting], visitor: int) -> Waiting:
    return next(wait for wait in waits if wait.visitor == visitor)
