"""What a plan for vLLM on a GPU is made from, checked at the door.

Memory is one card's, weights are the whole model's. Whatever is left open takes vLLM's default,
or a typical value that is said to be typical.

Source: vLLM 0.33: config/cache.py (gpu_memory_utilization 0.92, block size 16), engine/
arg_utils.py (get_batch_defaults for a server). 0.9 up to vLLM 0.16.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pagedviz.engine.errors import check_int, shown
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.geometry import KVGeometry, check_dtype
from pagedviz.sizing.lengths import Lengths
from pagedviz.sizing.units import GIB, gib
from pagedviz.sizing.values import Value

UTILIZATION = 0.92
BLOCK_SIZE = 16
TYPICAL_ROOM = 2 * GIB  # activations and CUDA graphs of one card; vLLM measures them at start-up
STEPS_IN_FLIGHT = 2  # asynchronous scheduling, the default
_ROOM = "not measured; vLLM measures it at start-up"
_LARGE, _HUGE = 70 * GIB, 160 * GIB  # where vLLM's defaults change


def weights_bytes(parameters: float, bytes_each: float) -> int:
    """Bytes of the weights: parameters x bytes for each (2 for bf16, 1 for FP8, 0.5 for 4 bit).

    >>> weights_bytes(8_030_261_248, 2)
    16060522496
    """
    for name, value in (("parameters", parameters), ("bytes per parameter", bytes_each)):
        if isinstance(value, bool) or not math.isfinite(value) or value <= 0 or value > 10**14:
            raise ConfigError(f"{name} must be a number above 0, not {shown(value)}")
    return math.ceil(parameters * bytes_each)


@dataclass(frozen=True, slots=True)
class GpuInputs:
    """Everything a plan depends on. Bytes unless it says tokens.

    >>> from pagedviz.sizing import manual_geometry
    >>> inputs = GpuInputs(manual_geometry(32, 8, 128), 24 * GIB, 16 * 10**9, Lengths(500, 300),
    ...                    max_model_len=8192)
    >>> inputs.seqs, inputs.batched_tokens
    (256, 2048)
    """

    geometry: KVGeometry
    memory: int  # of one card
    weights: int  # of the whole model
    lengths: Lengths
    max_model_len: int  # tokens; the longest request the server takes
    cards: int = 1  # tensor parallel size
    utilization: float = UTILIZATION  # share of the card's total memory, weights included
    room: int | None = None  # activations and graphs, per card; None: typical
    dtype_bytes: int | None = None  # bytes per value of the cache; None: the engine's default
    block_size: int = BLOCK_SIZE  # tokens
    max_num_seqs: int | None = None  # requests at a time; None: vLLM's default
    max_num_batched_tokens: int | None = None  # tokens a step; None: vLLM's default
    num_blocks: int | None = None  # --num-gpu-blocks-override

    def __post_init__(self) -> None:
        check_int("memory of a card", self.memory, 1, ConfigError)
        check_int("weights", self.weights, 0, ConfigError)
        check_int("max_model_len", self.max_model_len, 1, ConfigError)
        check_int("cards (tensor parallel size)", self.cards, 1, ConfigError)
        check_int("block_size", self.block_size, 1, ConfigError)
        if self.block_size % 16 and self.block_size not in (1, 2, 4, 8):
            below = max(16, self.block_size // 16 * 16)
            near = sorted({below, self.block_size // 16 * 16 + 16})
            raise ConfigError(
                f"block_size {self.block_size:,} is no multiple of 16, which the attention kernels "
                f"need; try {' or '.join(f'{one:,}' for one in near)}"
            )
        share = self.utilization
        if isinstance(share, bool) or not 0 < share <= 1:
            raise ConfigError(
                f"gpu_memory_utilization must be above 0 and at most 1, not {shown(share)}; it is "
                "the share of the card's total memory that weights, activations and cache may "
                f"have together, {UTILIZATION} by default"
            )
        if self.dtype_bytes is not None:
            check_dtype(self.dtype_bytes)
        for name in ("max_num_seqs", "max_num_batched_tokens", "num_blocks"):
            if getattr(self, name) is not None:
                check_int(name, getattr(self, name), 1, ConfigError)
        if self.room is not None:
            check_int("room for activations and graphs", self.room, 0, ConfigError)

    @property
    def room_bytes(self) -> int:
        """Bytes for activations and graphs on a card."""
        return TYPICAL_ROOM if self.room is None else self.room

    @property
    def seqs(self) -> int:
        """Requests at a time."""
        if self.max_num_seqs is not None:
            return self.max_num_seqs
        return 1_024 if self.memory >= _LARGE else 256

    @property
    def batched_tokens(self) -> int:
        """Tokens a step."""
        if self.max_num_batched_tokens is not None:
            return self.max_num_batched_tokens
        return 16_384 if self.memory >= _HUGE else 8_192 if self.memory >= _LARGE else 2_048

    @property
    def in_flight(self) -> int:
        """Tokens scheduled and not yet settled."""
        return STEPS_IN_FLIGHT * self.batched_tokens

    @property
    def dtype(self) -> int:
        """Bytes per value of the cache."""
        return self.geometry.default_dtype_bytes if self.dtype_bytes is None else self.dtype_bytes

    def values(self) -> tuple[Value, ...]:
        """Every input with its origin."""
        default = "vLLM 0.33's default"
        usual = self.utilization == UTILIZATION
        share = Value("gpu_memory_utilization", self.utilization, "cited", default)
        room = Value("room for activations and graphs (bytes)", self.room_bytes, "typical", _ROOM)
        size = Value("block size (tokens)", self.block_size, "cited", default)
        seqs = Value("max_num_seqs", self.seqs, "cited", f"{default} for a card of this size")
        kept = self.geometry.default_dtype
        if self.dtype_bytes is not None:
            kept = Value(kept.name, self.dtype_bytes, "typed", "by hand")
        return (
            Value("memory of a card (bytes)", self.memory, "typed", gib(self.memory)),
            Value("weights (bytes)", self.weights, "typed", gib(self.weights)),
            share if usual else _typed(share),
            room if self.room is None else _typed(room),
            kept,
            size if self.block_size == BLOCK_SIZE else _typed(size),
            seqs if self.max_num_seqs is None else _typed(seqs),
        )


def _typed(value: Value) -> Value:
    return Value(value.name, value.value, "typed", "by hand")
