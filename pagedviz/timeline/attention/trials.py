"""Ways to break the table and see what happens, each as a setup, or the reason why it cannot be.

Leaves out: what came of it (`notes.py`, from the answers themselves).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from pagedviz.timeline.attention.places import Room
from pagedviz.timeline.attention.setup import AttentionSetup, SetupError

Trial = Literal["intact", "foreign", "past", "swap_full", "swap_part"]
TRIALS: tuple[Trial, ...] = get_args(Trial)


@dataclass(frozen=True)
class Missing:
    """Why a trial cannot be made with these sizes, in both registers."""

    room: str
    engine: str


def trial(setup: AttentionSetup, room: Room, name: Trial) -> AttentionSetup | Missing:
    """The setup of a trial.

    >>> from pagedviz.timeline.attention.places import make_room
    >>> setup = AttentionSetup()
    >>> trial(setup, make_room(setup), "swap_full").reads
    (0, 2, 1, 3, 4)
    """
    whole = setup.intact()
    own = list(range(setup.lines))
    full = setup.tokens // setup.block_size
    if name == "past":
        return replace(whole, past=True)
    if name == "foreign":
        own[min(2, setup.lines - 1)] = _first_of(room, "C")
    elif name == "swap_full":
        if full < 2:
            return Missing("needs 2 full shelves", "needs 2 full blocks")
        first = min(1, full - 2)
        own[first], own[first + 1] = own[first + 1], own[first]
    elif name == "swap_part":
        if full == setup.lines:
            return Missing("needs a shelf that is part full", "needs a partly filled block")
        if setup.lines < 2:
            return Missing("needs 2 shelves", "needs 2 blocks")
        first = min(1, setup.lines - 2)
        own[first], own[-1] = own[-1], own[first]
    else:
        return whole
    return replace(whole, reads=tuple(own))


def point(setup: AttentionSetup, room: Room, line: int, block: int) -> AttentionSetup:
    """One line of the table points at another block, as it lies now. SetupError if it cannot."""
    if not 0 <= line < setup.lines:
        raise SetupError(f"A's table has lines 0 to {setup.lines - 1}, not {line}.")
    places = room.places(setup.moves, setup.seed)
    if block not in places:
        raise SetupError(f"A line can point at block 1 to {len(places)}, not {block}.")
    reads = list(setup.reads or range(setup.lines))
    reads[line] = places.index(block)
    return replace(setup, reads=_whole(reads, setup), past=False)


def current(setup: AttentionSetup, room: Room) -> Trial | None:
    """The trial a setup is, None if its table was changed line by line."""
    return next((name for name in TRIALS if trial(setup, room, name) == setup), None)


def _whole(reads: Sequence[int], setup: AttentionSetup) -> tuple[int, ...] | None:
    return None if list(reads) == list(range(setup.lines)) else tuple(reads)


def _first_of(room: Room, owner: str) -> int:
    return next(k for k, content in enumerate(room.contents) if content.owner == owner)
