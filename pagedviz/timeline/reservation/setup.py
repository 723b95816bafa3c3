"""What a viewer may set on the reservation page, checked at the door; and who arrives when.

Leaves out: how long the requests are (`lengths.py`), what happens to them (`play.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from pagedviz.engine.buddy import power_of_two
from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.reservation import POLICIES, Policy
from pagedviz.timeline.reservation.errors import ReservationError
from pagedviz.timeline.reservation.lengths import MIXES, Mix, draw_lengths
from pagedviz.timeline.step import NUM_HUES, letter
from pagedviz.timeline.value_checks import show

MIN_SLOTS, MAX_SLOTS = 16, 8192
MAX_BLOCK_SIZE = 256
MAX_BLOCKS = 512  # shelves that can be drawn with their letters
MAX_VISITORS = 60
MAX_EVERY = 100
MAX_MEAN = 1024
MAX_SEED = 9999
MIN_BUDGET, MAX_BUDGET = 64, 8192
MAX_ROWS = 8  # of the picture


@dataclass(frozen=True, slots=True)
class Visitor:
    """One request over the whole comparison; the same on both sides."""

    number: int  # by arrival, from 0
    letter: str
    hue: int  # 0 to 6
    prompt: int  # tokens
    output: int  # tokens of the answer, the last of which never gets a slot
    arrive: int  # step; the first is 1, at 0 nobody is there

    @property
    def will_use(self) -> int:
        """Slots it will have written in the end."""
        return self.prompt + self.output - 1


@dataclass(frozen=True)
class ReservationSetup:
    """One memory, twice, and the requests that come to both.

    Attributes:
        slots: memory in tokens' KV, 16 to 8,192; the same on both sides.
        max_model_len: longest allowed request, prompt and answer, in tokens.
        policy: what the old side reserves: "max", "pow2" or "oracle".
        block_size: tokens per block of the paged side, 1 to 256; divides `slots`.
        visitors: how many requests come, 1 to 60.
        every: mean number of steps between two arrivals, 0 (all at once) to 100.
        mix: how long they are, one of `MIXES`.
        mean_prompt, mean_output: of the mix "own", in tokens.
        seed: of lengths and arrivals.
        token_budget: tokens computed in one step, on either side.
    """

    slots: int = 512
    max_model_len: int = 128
    policy: Policy = "max"
    block_size: int = 16
    visitors: int = 18
    every: int = 4
    mix: Mix = "mixed"
    mean_prompt: int = 20
    mean_output: int = 40
    seed: int = 9
    token_budget: int = 2048

    def __post_init__(self) -> None:
        _whole("The memory", self.slots, MIN_SLOTS, MAX_SLOTS)
        _whole("The longest allowed length", self.max_model_len, 2, MAX_SLOTS)
        _whole("The block size", self.block_size, 1, MAX_BLOCK_SIZE)
        _whole("The number of visitors", self.visitors, 1, MAX_VISITORS)
        _whole("The steps between two arrivals", self.every, 0, MAX_EVERY)
        _whole("The mean length of a prompt", self.mean_prompt, 1, MAX_MEAN)
        _whole("The mean length of an answer", self.mean_output, 1, MAX_MEAN)
        _whole("The seed", self.seed, 0, MAX_SEED)
        _whole("The tokens computed in one step", self.token_budget, MIN_BUDGET, MAX_BUDGET)
        _one_of("The policy", self.policy, POLICIES)
        _one_of("The length mix", self.mix, MIXES)
        self._check_blocks()
        self._check_longest()

    def _check_blocks(self) -> None:
        if self.slots % self.block_size:
            raise ReservationError(
                f"A memory of {self.slots:,} cannot be cut into blocks of {self.block_size} "
                f"without a rest. Try {self._sizes_that_fit()}."
            )
        if self.num_blocks > MAX_BLOCKS:
            raise ReservationError(
                f"A memory of {self.slots:,} in blocks of {self.block_size} is "
                f"{self.num_blocks:,} blocks, more than can be drawn; {MAX_BLOCKS} are the most. "
                f"Try {self._sizes_that_fit()}."
            )

    def _sizes_that_fit(self) -> str:
        """Block sizes near the one asked for, or else a size with a memory that it divides."""
        least = cdiv(self.slots, MAX_BLOCKS)
        sizes = [n for n in range(least, MAX_BLOCK_SIZE + 1) if self.slots % n == 0]
        near = [n for n in sizes if n < self.block_size][-1:]
        near += [n for n in sizes if n > self.block_size][:1]
        if near:
            return "blocks of " + " or ".join(map(str, near))
        size = power_of_two(least)  # divides the largest memory
        return f"blocks of {size} and a memory of {cdiv(self.slots, size) * size:,}"

    def _check_longest(self) -> None:
        # Both kinds of server check this when they start: one request of the longest
        # allowed length has to fit when nobody else is there.
        if self.max_model_len > self.slots:
            raise ReservationError(
                f"The longest allowed length is {self.max_model_len:,}, the memory only "
                f"{self.slots:,}: even alone such a request would not fit. Try "
                f"{self.slots:,} or less, or a larger memory."
            )
        longest_run = 1 << (self.slots.bit_length() - 1)
        if self.policy == "max" and power_of_two(self.max_model_len) > longest_run:
            raise ReservationError(
                f"A run for {self.max_model_len:,} takes {power_of_two(self.max_model_len):,} "
                f"(runs are powers of two), and a memory of {self.slots:,} has none longer than "
                f"{longest_run:,}. Try a longest allowed length of {longest_run:,}, or a memory "
                f"of {power_of_two(self.max_model_len):,}."
            )

    @property
    def num_blocks(self) -> int:
        """Blocks that can be given out; the null block comes on top of them."""
        return self.slots // self.block_size

    @property
    def row(self) -> int:
        """Slots in one row of the picture, so that no run is cut and few rows are needed."""
        return max(power_of_two(self.max_model_len), power_of_two(cdiv(self.slots, MAX_ROWS)))

    def arrivals(self) -> tuple[Visitor, ...]:
        """Who comes, in the order of arrival. The same seed gives the same visitors.

        Gaps are exponential (a Poisson process), rounded to whole steps.

        >>> [v.arrive for v in ReservationSetup(visitors=4).arrivals()]
        [1, 6, 16, 17]
        """
        # Two streams: other gaps do not change the lengths, so that one lever moves one thing.
        gaps, sizes = Random(f"arrivals {self.seed}"), Random(f"lengths {self.seed}")
        means = self.mean_prompt, self.mean_output
        lengths = draw_lengths(self.mix, self.visitors, self.max_model_len, means, sizes)
        found, now = [], 1.0
        for number, (prompt, output) in enumerate(lengths):
            if number and self.every:
                now += gaps.expovariate(1 / self.every)
            name = letter(number)
            found.append(Visitor(number, name, number % NUM_HUES, prompt, output, round(now)))
        return tuple(found)


def _whole(what: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ReservationError(
            f"{what} must be a whole number from {least:,} to {most:,}, not {show(value)}."
        )
    if not least <= value <= most:
        near = least if value < least else most
        shown = show(value) if abs(value) >= 10**15 else f"{value:,}"
        raise ReservationError(
            f"{what} can be from {least:,} to {most:,}, not {shown}. Try {near:,}."
        )


def _one_of(what: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ReservationError(
            f"{what} can be {', '.join(known[:-1])} or {known[-1]}, not {show(value)}."
        )
