"""A step of the comparison in words, in one of two registers, and what each kind of slot means.

One pure function, used by the stage, by screen readers and in exports.

Leaves out: the sentences themselves (`room_words.py`, `engine_words.py`).
"""

from __future__ import annotations

from typing import NamedTuple

from pagedviz.timeline.captions import Register
from pagedviz.timeline.presets import Words
from pagedviz.timeline.reservation.engine_words import engine, why_old, why_paged
from pagedviz.timeline.reservation.play import ReservationRun
from pagedviz.timeline.reservation.room_reasons import why_left, why_right
from pagedviz.timeline.reservation.room_words import room
from pagedviz.timeline.reservation.step import Step
from pagedviz.timeline.room_grammar import first


def words(run: ReservationRun, step: Step, register: Register) -> str:
    """The caption of a step; `**bold**` marks emphasis.

    >>> from pagedviz.timeline.reservation.play import play
    >>> from pagedviz.timeline.reservation.setup import ReservationSetup
    >>> run = play(ReservationSetup())
    >>> words(run, run.steps[1], "room")
    '**A** arrives and comes in on both sides.'
    """
    return (room if register == "room" else engine)(run, step)


def reasons(run: ReservationRun, step: Step) -> tuple[Words | None, Words | None]:
    """Why the first in line waits, on the old side and on the paged one; None if nobody does."""
    old, paged = step.old.waits, step.paged.waits
    return (
        Words(first(why_left(run, step, [old[0].visitor])) + ".", why_old(run, step))
        if old
        else None,
        Words(first(why_right(run, step, paged[0].visitor)) + ".", why_paged(run, step))
        if paged
        else None,
    )


class Definition(NamedTuple):
    """A kind of slot: its field in the counts, a name for the key, and one line."""

    kind: str
    name: Words
    line: Words


OLD_KINDS: tuple[Definition, ...] = (
    Definition(
        "token",
        Words("holds a box", "holds KV"),
        Words("A place with a box on it.", "A slot that holds the key and value of a token."),
    ),
    Definition(
        "later",
        Words("promised, used later", "reserved, used later"),
        Words(
            "Promised to somebody inside, and filled before they leave. Known only in hindsight.",
            "Reserved, and written before the request ends. Known only in hindsight.",
        ),
    ),
    Definition(
        "never",
        Words("promised, never used", "internal fragmentation"),
        Words(
            "Promised to somebody inside, and still empty when they leave. Known only in "
            "hindsight.",
            "Reserved, and never written: internal fragmentation. Known only in hindsight.",
        ),
    ),
    Definition(
        "external",
        Words("of no use to who waits", "external fragmentation"),
        Words(
            "Promised to nobody, but of no use: too short a piece for the first in line, or the "
            "end of an aisle, since aisles come only in powers of two.",
            "Reserved for no request, yet unusable: free runs too short for the head of the "
            "queue, and what rounding a run up to a power of two leaves over.",
        ),
    ),
    Definition(
        "free",
        Words("free", "free"),
        Words("Could be promised to the next.", "Could be reserved for the next request."),
    ),
)

PAGED_KINDS: tuple[Definition, ...] = (
    OLD_KINDS[0],
    Definition(
        "tail",
        Words("empty places on last shelves", "unfilled tail"),
        Words(
            "On the last shelf of somebody inside, and still empty.",
            "In the last block of a running request, and not written yet.",
        ),
    ),
    Definition(
        "kept",
        Words("kept for somebody who comes back", "kept for reuse"),
        Words(
            "Nobody's shelf, but its boxes still lie there until it is given out again.",
            "A free block whose content is still in the prefix cache until it is handed out.",
        ),
    ),
    Definition(
        "free",
        Words("free", "free"),
        Words("On an empty shelf that is nobody's.", "In a free block without content."),
    ),
)
