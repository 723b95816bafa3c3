"""Lengths of prompts and answers: log-normal, cut off at a ceiling, with the mean that was asked.

What it does: finds the log-normal whose mean is right after everything above the ceiling has
been moved down to it, and draws whole numbers of at least 1 from it.

What it leaves out: lengths that depend on each other. A published mean says nothing of the
shape; the log-normal is ours, because lengths of texts have a long tail to the right.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erf, exp, log, sqrt

import numpy as np
from numpy.typing import NDArray

from pagedviz.workload.errors import WorkloadError, shown
from pagedviz.workload.trace import MAX_TOKENS


@dataclass(frozen=True)
class Lengths:
    """Mean in tokens, spread (standard deviation of the logarithm; 0 = all alike), ceiling.

    >>> rng = np.random.default_rng(0)
    >>> drawn = Lengths(mean=161, spread=1.2, ceiling=1024).draw(rng, 100_000)
    >>> round(float(drawn.mean())), int(drawn.max())
    (161, 1024)
    >>> Lengths(mean=50, spread=0, ceiling=100).draw(rng, 3).tolist()
    [50, 50, 50]
    """

    mean: float
    spread: float = 1.0
    ceiling: int = 2048

    def __post_init__(self) -> None:
        for name, low, high in (("mean", 1, MAX_TOKENS), ("spread", 0, 3)):
            value = getattr(self, name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not low <= value <= high:
                raise WorkloadError(name, f"must be from {low} to {high:,}, not {shown(value)}")
        if type(self.ceiling) is not int or not 1 <= self.ceiling <= MAX_TOKENS:
            raise WorkloadError(
                "ceiling", f"must be from 1 to {MAX_TOKENS:,}, not {shown(self.ceiling)}"
            )
        if self.mean > 0.9 * self.ceiling and (self.spread or self.mean > self.ceiling):
            raise WorkloadError(
                "mean",
                f"{self.mean:g} leaves no room below the ceiling {self.ceiling:,}",
                f"Take a mean of at most {0.9 * self.ceiling:,.0f}, or a higher ceiling.",
            )

    def draw(self, rng: np.random.Generator, count: int) -> NDArray[np.int64]:
        """`count` lengths in tokens."""
        if self.spread == 0:
            return np.full(count, max(1, round(self.mean)), dtype=np.int64)
        drawn = np.exp(self._location() + self.spread * rng.standard_normal(count))
        return np.clip(np.rint(drawn), 1, self.ceiling).astype(np.int64)

    def _location(self) -> float:
        """Mean of the logarithm, by bisection: the mean of the lengths grows with it."""
        low, high = log(self.mean) - 20, log(self.ceiling) + 20
        for _ in range(100):
            middle = (low + high) / 2
            if self._mean_at(middle) < self.mean:
                low = middle
            else:
                high = middle
        return low

    def _mean_at(self, location: float) -> float:
        """Mean of min(X, ceiling) for X log-normal around `location`."""
        s, top = self.spread, log(self.ceiling)
        below = exp(location + s * s / 2) * _normal((top - location - s * s) / s)
        return below + self.ceiling * (1 - _normal((top - location) / s))


def _normal(x: float) -> float:
    """Share of a normal distribution below `x` standard deviations."""
    return (1 + erf(x / sqrt(2))) / 2
