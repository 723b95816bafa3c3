"""How the storage room says no, and to whom: needs 5, holds only 3.

Leaves out: everything that works out (`room_words.py`).
"""

from __future__ import annotations

from pagedviz.timeline.room_grammar import boxes, number, shelves, verb, who_is
from pagedviz.timeline.step import Refusal, Step


def at_door(step: Step, no: Refusal) -> str:
    """Someone cannot come in, now or ever."""
    who, letter, _ = who_is(step)
    if no.never:
        return (
            f"{who} needs {number(no.never)} shelves, but the whole room has only "
            f"{number(step.pool.usable)}. **Refused:** {letter} can never come in."
        )
    kept = ""
    if no.kept_hits:
        part = f"{number(no.kept_hits)} of them "
        if no.kept_hits == no.need:
            part = "" if no.need == 1 else "all "
        kept = f", {part}still with {letter}'s boxes"
    spare = f", and {number(no.watermark)} more must stay in reserve" if no.watermark else ""
    queue = f"holds only {number(no.free)}" if no.free else "is empty"
    return (
        f"{who} needs {shelves(no.need)}{kept}{spare}, but the queue {queue}. "
        f"**Refused:** nothing changes, {letter} waits."
    )


def inside(step: Step, no: Refusal) -> str:
    """Someone inside gets no further shelf."""
    who, letter, view = who_is(step)
    if no.never:
        return (
            f"{who} would need {number(no.never)} shelves in all, but the room has only "
            f"{number(step.pool.usable)}. **Refused:** {letter} can never go on."
        )
    queue = f"holds only {number(no.free)}" if no.free else "is empty"
    hand = f"; {boxes(view.in_hand)} {verb(view.in_hand, 'stay')} in hand" if view.in_hand else ""
    more = "one more shelf" if no.need == 1 else f"{number(no.need)} more shelves"
    return f"{who} asks for {more}, but the queue {queue}. **Refused:** nothing changes{hand}."
