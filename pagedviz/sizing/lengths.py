"""How long requests are: a mean and a spread for what is asked and for what is answered.

A request holds its prompt from the start and its answer as it grows. Plans count it at its end,
when it is longest, and in motion, when half of its answer is there.

Leaves out: the shape of the distribution beyond mean and spread. Sums over many requests are
nearly normal whatever it is, and longest-of-n is taken from a normal one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from pagedviz.engine.errors import shown
from pagedviz.sizing.errors import ConfigError

SURE = 0.95  # the share of cases in which a "sure" figure holds
_SAMPLES = 200
_SURE_Z = NormalDist().inv_cdf(SURE)


@dataclass(frozen=True, slots=True)
class Lengths:
    """Tokens of prompts and answers: means and standard deviations.

    >>> lengths = Lengths(161, 338)  # ShareGPT in the paper, without a spread
    >>> lengths.mean, lengths.in_motion, lengths.spread
    (499.0, 330.0, 0.0)
    >>> Lengths(300, 400, 30, 40).spread
    50.0
    """

    prompt: float
    answer: float
    prompt_spread: float = 0.0
    answer_spread: float = 0.0

    def __post_init__(self) -> None:
        for name in ("prompt", "answer", "prompt_spread", "answer_spread"):
            value = getattr(self, name)
            good = isinstance(value, int | float) and not isinstance(value, bool)
            if not good or not math.isfinite(value) or not 0 <= value <= 10**9:
                raise ConfigError(
                    f"{name.replace('_', ' ')} must be a number of tokens from 0 to "
                    f"1,000,000,000, not {shown(value)}"
                )
        if self.prompt < 1:
            raise ConfigError(f"prompt must be at least 1 token, not {shown(self.prompt)}")

    @property
    def mean(self) -> float:
        """Tokens of a request at its end."""
        return float(self.prompt + self.answer)

    @property
    def in_motion(self) -> float:
        """Tokens of a request on the way: all of the prompt and half of the answer."""
        return float(self.prompt + self.answer / 2)

    @property
    def spread(self) -> float:
        """Standard deviation of the whole length; prompt and answer vary independently."""
        return math.hypot(self.prompt_spread, self.answer_spread)

    def longest_of(self, requests: int) -> float:
        """The expected longest of so many requests, in tokens.

        >>> Lengths(500, 500, 0, 100).longest_of(1), round(Lengths(500, 500, 0, 100).longest_of(32))
        (1000.0, 1207)
        """
        if requests <= 1 or not self.spread:
            return self.mean
        # Blom's place of the largest of n in a normal distribution
        return self.mean + self.spread * NormalDist().inv_cdf(
            (requests - 0.375) / (requests + 0.25)
        )

    def samples(self, longest: int) -> list[int]:
        """Lengths that stand for the distribution: 200 equally likely ones, or one without spread.

        Whole tokens, at least 1; none is longer than `longest`, which the server would not take.

        >>> Lengths(100, 50).samples(1000), len(Lengths(100, 50, 9).samples(1000))
        ([150], 200)
        """
        return _samples(self.mean, self.spread, longest)

    def samples_in_motion(self, longest: int) -> list[int]:
        """The same for requests on the way."""
        return _samples(
            self.in_motion, math.hypot(self.prompt_spread, self.answer_spread / 2), longest
        )


def _samples(mean: float, spread: float, longest: int) -> list[int]:
    if not spread:
        return [max(1, min(math.ceil(mean), longest))]
    curve = NormalDist(mean, spread)
    points = (curve.inv_cdf((number + 0.5) / _SAMPLES) for number in range(_SAMPLES))
    return [max(1, min(round(point), longest)) for point in points]


def how_many(pool: float, each: float, spread: float) -> tuple[int, int, int]:
    """How many things of this mean and spread a pool holds: surely, about, and at best.

    Surely: in 95 % of cases they fit. At best: in 5 %. Solves n x each +- z x spread x sqrt(n)
    = pool.

    >>> how_many(100_000, 500, 0)
    (200, 200, 200)
    >>> how_many(100_000, 500, 250)
    (188, 200, 211)
    >>> how_many(-1, 500, 0)
    (0, 0, 0)
    """
    if pool <= 0 or each <= 0:
        return 0, 0, 0
    about = math.floor(pool / each)
    bend = _SURE_Z * spread
    root = math.sqrt(bend * bend + 4 * each * pool)
    sure = math.floor(((root - bend) / (2 * each)) ** 2 + 1e-9)
    best = math.floor(((root + bend) / (2 * each)) ** 2 + 1e-9)
    return min(sure, about), about, max(best, about)
