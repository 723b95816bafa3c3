"""What two token lists have in common: the beginning, and the longest run further on.

Leaves out: hashes and blocks; this only compares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

_SEED = 8  # tokens in a row that must be equal to be taken for the same passage


class SameRun(NamedTuple):
    """Equal passages: `length` tokens from `ours` in one list and from `theirs` in the other."""

    ours: int
    theirs: int
    length: int
    to_the_end: bool  # of both lists

    @property
    def shift(self) -> int:
        """How far our passage lies behind theirs, in tokens; negative: before it."""
        return self.ours - self.theirs


def common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    """Number of tokens after which the two part.

    >>> common_prefix((1, 2, 3), (1, 2, 4)), common_prefix((1, 2), (1, 2, 3))
    (2, 2)
    """
    low, high = 0, min(len(a), len(b))
    while low < high:  # halving: comparing slices is far quicker than a loop
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def same_further_on(a: Sequence[int], b: Sequence[int], start: int, least: int) -> SameRun | None:
    """A passage of at least `least` tokens after `start` that both have; None without one.

    If there are several, the one with the shift that most of the text has.

    >>> a, b = [99, *range(40)], list(range(40))
    >>> same_further_on(a, b, 0, 16)
    SameRun(ours=1, theirs=0, length=40, to_the_end=True)
    """
    seed = max(1, min(_SEED, least))
    places: dict[tuple[int, ...], int] = {}
    for j in range(start, len(b) - seed + 1):
        places.setdefault(tuple(b[j : j + seed]), j)
    shifts: Counter[int] = Counter()
    first: dict[int, int] = {}
    for i in range(start, len(a) - seed + 1):
        place = places.get(tuple(a[i : i + seed]))
        if place is not None:
            shifts[i - place] += 1
            first.setdefault(i - place, i)
    if not shifts:
        return None
    shift, _ = max(shifts.items(), key=lambda item: (item[1], -abs(item[0])))
    ours = first[shift]
    theirs = ours - shift
    length = common_prefix(a[ours:], b[theirs:])
    if length < least:
        return None
    to_the_end = ours + length == len(a) and theirs + length == len(b)
    return SameRun(ours, theirs, length, to_the_end)
