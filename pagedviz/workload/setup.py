"""What a simulation is given: memory, limits, step costs. Checked at the door.

What it leaves out: the load (`trace.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from pagedviz.workload.errors import WorkloadError, shown

System = Literal["paged", "max", "pow2", "oracle"]
SYSTEMS: tuple[System, ...] = get_args(System)

MAX_BLOCKS = 2**20  # each is an object: some 150 MB
MAX_SLOTS = 2**26
NS = 10**9


@dataclass(frozen=True)
class StepCost:
    """How long one engine step takes, in seconds: an assumption, and stated as one.

    A step lasts `base_s`, plus `prefill_token_s` for every prompt token computed in it, plus
    `decode_request_s` for every request that writes a token. Left out: that attention takes
    longer over longer contexts.

    >>> StepCost(0.02, 0.0001, 0.0).of(prefill_tokens=500, decode_requests=10)
    70000000
    """

    base_s: float = 0.02
    prefill_token_s: float = 0.00017
    decode_request_s: float = 0.00005

    def __post_init__(self) -> None:
        for name in ("base_s", "prefill_token_s", "decode_request_s"):
            value = getattr(self, name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not 0 <= value <= 3600:
                raise WorkloadError(name, f"must be from 0 to 3,600 seconds, not {shown(value)}")
        if self.base_s < 1e-6:
            raise WorkloadError(
                "base_s",
                f"must be at least 0.000001 seconds, not {self.base_s}",
                "A step that takes no time never lets the next request come.",
            )

    @classmethod
    def in_steps(cls, seconds_per_step: float) -> StepCost:
        """A clock in steps: all steps last equally long, whatever is computed in them."""
        return cls(seconds_per_step, 0.0, 0.0)

    def in_ns(self) -> tuple[int, int, int]:
        """The three costs in whole nanoseconds: sums of them are exact in any order."""
        return (
            round(self.base_s * NS),
            round(self.prefill_token_s * NS),
            round(self.decode_request_s * NS),
        )

    def of(self, prefill_tokens: int, decode_requests: int) -> int:
        """How long such a step lasts, in nanoseconds."""
        base, prefill, decode = self.in_ns()
        return base + prefill * prefill_tokens + decode * decode_requests


@dataclass(frozen=True)
class SimulationSetup:
    """Memory and limits, the same for every system.

    `memory_slots` is KV memory in tokens (`slots_of` counts it from bytes). `max_model_len` is
    the longest prompt with its answer that is let in, and what the policy "max" reserves; None:
    the longest of the load, rounded up to a power of two.

    >>> SimulationSetup(memory_slots=1000, block_size=64).num_blocks
    15
    >>> SimulationSetup(memory_slots=10, block_size=16)
    Traceback (most recent call last):
    ...
    pagedviz.workload.errors.WorkloadError: memory_slots must be at least the block size 16, not 10.
    """

    memory_slots: int
    block_size: int = 16
    max_num_seqs: int = 128
    max_num_batched_tokens: int = 2048
    prefix_caching: bool = True
    max_model_len: int | None = None
    cost: StepCost = StepCost()
    systems: tuple[System, ...] = SYSTEMS

    def __post_init__(self) -> None:
        _whole("memory_slots", self.memory_slots, 1, MAX_SLOTS)
        _whole("block_size", self.block_size, 1, 4096)
        _whole("max_num_seqs", self.max_num_seqs, 1, 4096)
        _whole("max_num_batched_tokens", self.max_num_batched_tokens, 1, 10**7)
        if self.max_model_len is not None:
            _whole("max_model_len", self.max_model_len, 2, MAX_SLOTS)
        if not isinstance(self.prefix_caching, bool):
            raise WorkloadError(
                "prefix_caching", f"must be True or False, not {shown(self.prefix_caching)}"
            )
        if not isinstance(self.cost, StepCost):
            raise WorkloadError("cost", f"must be a StepCost, not {shown(self.cost)}")
        if not self.systems or len(set(self.systems)) < len(self.systems):
            raise WorkloadError("systems", "must name each system once, and one at least")
        for system in self.systems:
            if system not in SYSTEMS:
                raise WorkloadError(
                    "systems", f"has no {shown(system)}", f"Known: {', '.join(SYSTEMS)}."
                )
        if self.memory_slots < self.block_size:
            raise WorkloadError(
                "memory_slots",
                f"must be at least the block size {self.block_size:,}, not {self.memory_slots:,}",
            )
        if self.num_blocks > MAX_BLOCKS:
            raise WorkloadError(
                "block_size",
                f"{self.block_size} cuts {self.memory_slots:,} slots into {self.num_blocks:,} "
                f"blocks; at most {MAX_BLOCKS:,} are simulated",
                f"Take {-(self.memory_slots // -MAX_BLOCKS)} or more.",
            )

    @property
    def num_blocks(self) -> int:
        """Blocks that can be lent; what is left of the memory fills no block."""
        return self.memory_slots // self.block_size


def slots_of(memory_bytes: int, bytes_per_token: int) -> int:
    """Tokens whose KV fits into so many bytes.

    >>> slots_of(12 * 2**30, 800 * 1024)  # the paper's table 1 says 15.7K
    15728
    """
    _whole("memory_bytes", memory_bytes, 1, 2**50)
    _whole("bytes_per_token", bytes_per_token, 1, 2**40)
    return memory_bytes // bytes_per_token


def _whole(name: str, value: object, low: int, high: int) -> None:
    if type(value) is not int:
        raise WorkloadError(name, f"must be a whole number, not {shown(value)}")
    if not low <= value <= high:
        nearest = low if value < low else high
        raise WorkloadError(
            name, f"must be from {low:,} to {high:,}, not {value:,}", f"Take {nearest:,}."
        )
