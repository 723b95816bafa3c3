"""Comparing what the engine did with what was recorded.

Everything is compared as it stands, with two exceptions. Content hashes are only names:
what must agree is which blocks have the same one, so a one-to-one pairing of names is
kept for the whole trace. `usage` was written with twelve digits and agrees to 1e-9.
"""

import json
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

USAGE_TOLERANCE = 1e-9
_SHOWN = 80  # characters of a value in a message


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where engine and recording part."""

    step: int  # index in the recording; -1 is the state before the first step
    field: str  # such as "state.free_queue"
    message: str
    unit: str = "step"  # what the recording is a list of

    def __str__(self) -> str:
        where = "before the first step" if self.step < 0 else f"at {self.unit} {self.step}"
        return f"differs {where}, {self.field}: {self.message}"


@dataclass(slots=True)
class Pairing:
    """A growing one-to-one pairing of our hashes with the recorded ones.

    >>> pairing = Pairing()
    >>> pairing.agrees("ours 1", 7), pairing.agrees("ours 2", 8), pairing.agrees("ours 1", 7)
    (True, True, True)
    >>> pairing.agrees("ours 2", 7), pairing.agrees("ours 3", 7), pairing.agrees(None, 7)
    (False, False, False)
    """

    theirs: dict[Hashable, Hashable] = field(default_factory=dict)
    ours: dict[Hashable, Hashable] = field(default_factory=dict)

    def agrees(self, ours: Hashable, theirs: Hashable) -> bool:
        """Pair the two if both are new; say whether they are each other's partner."""
        if ours is None or theirs is None:
            return ours is theirs
        return (
            self.theirs.setdefault(ours, theirs) == theirs
            and self.ours.setdefault(theirs, ours) == ours
        )


def compare_fields(
    ours: Mapping[str, Any], recorded: Mapping[str, Any], pairing: Pairing
) -> tuple[str, str] | None:
    """The first recorded field that differs, with a message; None if all agree.

    Fields that were not recorded are not looked at.

    >>> compare_fields({"usage": 0.5}, {"usage": 0.5000000000001}, Pairing())
    >>> compare_fields({"free_queue": [2, 1]}, {"free_queue": [1, 2]}, Pairing())
    ('free_queue', 'got [2, 1], recorded [1, 2]')
    """
    for name, theirs in recorded.items():
        if name not in ours:
            return name, f"missing, recorded {_short(theirs)}"
        if not _agree(name, ours[name], theirs, pairing):
            return name, f"got {_short(ours[name])}, recorded {_short(theirs)}"
    return None


def compare_events(
    ours: Sequence[Mapping[str, Any]], recorded: Sequence[Mapping[str, Any]], pairing: Pairing
) -> tuple[str, str] | None:
    """As `compare_fields`, for a list of events in their order."""
    if len(ours) != len(recorded):
        got, expected = ([event["type"] for event in events] for events in (ours, recorded))
        return "events", f"got {_short(got)}, recorded {_short(expected)}"
    for i, (event, theirs) in enumerate(zip(ours, recorded, strict=True)):
        found = compare_fields(event, theirs, pairing)
        if found is not None:
            return f"events[{i}].{found[0]}", found[1]
    return None


def _agree(name: str, ours: Any, theirs: Any, pairing: Pairing) -> bool:
    if name == "usage":
        return math.isclose(ours, theirs, rel_tol=0.0, abs_tol=USAGE_TOLERANCE)
    if name == "cached":  # [[block id, hash], ...]
        return [pair[0] for pair in ours] == [pair[0] for pair in theirs] and all(
            pairing.agrees(mine[1], their[1]) for mine, their in zip(ours, theirs, strict=True)
        )
    if name == "block_hashes":
        return len(ours) == len(theirs) and all(map(pairing.agrees, ours, theirs))
    if name == "parent_block_hash":
        return pairing.agrees(ours, theirs)
    return bool(ours == theirs)


def _short(value: Any) -> str:
    text = json.dumps(value, default=repr)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
