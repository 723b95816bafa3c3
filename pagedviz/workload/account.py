"""What every slot was used for, step by step, kept in a bounded number of numbers.

What it does: adds up slots of each kind times nanoseconds, exactly (whole numbers). The curve
over time is kept in bins of equal width; when they become too many, each two become one. A step
counts in the bin in which it starts.

What it leaves out: single steps. Within a bin only the mean is known.
"""

from __future__ import annotations

MAX_POINTS = 2000
FIELDS = 8  # time, five kinds of slots, requests running, requests waiting
_START_WIDTH = 10**6  # a millisecond


class Account:
    """Sums over time: in all, while steps ran, while somebody waited for memory, per bin.

    >>> account = Account(start=0)
    >>> account.add(0, 10, 3, (4, 6, 0, 0, 90), 2, 1, slope=2, waits=False)
    >>> account.busy  # 3 steps of 10: 4, 6 and 8 tokens
    [30, 180, 120, 0, 0, 2700, 60, 30]
    """

    def __init__(self, start: int) -> None:
        self.start = start
        self.width = _START_WIDTH
        self.bins: list[list[int] | None] = []
        self.busy = [0] * FIELDS
        self.pressed = [0] * FIELDS  # of it: while the first in line waited for memory
        self.max_running = 0
        self.max_waiting = 0

    def add(
        self,
        time: int,
        duration: int,
        steps: int,
        slots: tuple[int, int, int, int, int],
        running: int,
        waiting: int,
        *,
        slope: int = 0,
        waits: bool = False,
        idle: bool = False,
    ) -> None:
        """`steps` steps of `duration` each from `time` on. In every step after the first, the
        first kind has `slope` slots more and the second as many fewer."""
        if not idle:
            self._sum(self.busy, duration, steps, slots, running, waiting, slope)
            if running > self.max_running:
                self.max_running = running
            if waiting > self.max_waiting:
                self.max_waiting = waiting
        if waits:
            self._sum(self.pressed, duration, steps, slots, running, waiting, slope)
        while steps:
            at = (time - self.start) // self.width
            if at >= 2 * MAX_POINTS:
                self._halve()
                continue
            # Steps that start before the bin's end.
            end = self.start + (at + 1) * self.width
            part = min(steps, -((end - time) // -duration))
            if at >= len(self.bins):
                self.bins.extend([None] * (at + 1 - len(self.bins)))
            found = self.bins[at]
            if found is None:
                found = self.bins[at] = [0] * FIELDS
            self._sum(found, duration, part, slots, running, waiting, slope)
            steps -= part
            time += part * duration
            if slope:
                more = slope * part
                slots = (slots[0] + more, slots[1] - more, slots[2], slots[3], slots[4])

    @staticmethod
    def _sum(
        sums: list[int],
        duration: int,
        steps: int,
        slots: tuple[int, int, int, int, int],
        running: int,
        waiting: int,
        slope: int,
    ) -> None:
        total = duration * steps
        grown = slope * duration * (steps * (steps - 1) // 2) if slope else 0
        sums[0] += total
        sums[1] += slots[0] * total + grown
        sums[2] += slots[1] * total - grown
        sums[3] += slots[2] * total
        sums[4] += slots[3] * total
        sums[5] += slots[4] * total
        sums[6] += running * total
        sums[7] += waiting * total

    def _halve(self) -> None:
        """Bins of twice the width."""
        if len(self.bins) % 2:
            self.bins.append(None)
        pairs = zip(self.bins[::2], self.bins[1::2], strict=True)
        self.bins = [_together(a, b) for a, b in pairs]
        self.width *= 2

    def points(self) -> list[tuple[int, list[int]]]:
        """(start of the bin, its sums) of every bin that has something, at most MAX_POINTS."""
        while len(self.bins) > MAX_POINTS:
            self._halve()
        return [
            (self.start + at * self.width, sums)
            for at, sums in enumerate(self.bins)
            if sums is not None
        ]


def _together(a: list[int] | None, b: list[int] | None) -> list[int] | None:
    if a is None or b is None:
        return a or b
    return [x + y for x, y in zip(a, b, strict=True)]
