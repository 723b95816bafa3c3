"""What "run it at real size" measures: one layer, one decode step, at a real model's shape.

Every sequence has `context` tokens in the cache and one query token. The paged kernel reads
them through a block table from blocks in shuffled order, the dense one from one contiguous
run per sequence; both compute the same.

Leaves out: what it needs (`real_size_memory.py`), the run (`real_size_run.py`), and numpy,
so that a worker can settle the threads of BLAS before numpy is loaded.

Source of the shapes: the models' config.json (num_attention_heads, num_key_value_heads,
head_dim).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Final, Literal, get_args

from pagedviz.engine.errors import ConfigError, shown

KVDtype = Literal["float32", "float16"]
KV_DTYPES: Final[tuple[KVDtype, ...]] = get_args(KVDtype)


class RealSizeError(ConfigError):
    """A size that cannot be measured; `field` is its name, `said` the rest of the sentence."""

    def __init__(self, field: str, said: str) -> None:
        super().__init__(f"{field} {said}")
        self.field = field
        self.said = said


@dataclass(frozen=True, slots=True)
class ModelShape:
    """The attention heads of a published model."""

    id: str
    name: str
    num_heads: int
    num_kv_heads: int
    head_size: int


SHAPES: Final = (
    ModelShape("granite-3.3-8b", "Granite 3.3 8B", 32, 8, 128),
    ModelShape("llama-3.1-8b", "Llama 3.1 8B", 32, 8, 128),
    ModelShape("llama-2-13b", "Llama 2 13B", 40, 40, 128),
)

# Least and most of each whole number. The most keeps a slip of the finger readable; what
# really fits is a question of memory.
LIMITS: Final[Mapping[str, tuple[int, int]]] = {
    "num_heads": (1, 256),
    "num_kv_heads": (1, 256),
    "head_size": (1, 1_024),
    "context": (1, 1_048_576),
    "num_seqs": (1, 4_096),
    "block_size": (1, 1_024),
    "repetitions": (1, 50),
    "cores": (1, 2),
    "seed": (0, 2**32 - 1),
}


@dataclass(frozen=True, slots=True)
class RealSizeSpec:
    """What to measure. RealSizeError (a ValueError) for anything that cannot be.

    context and block_size in tokens; repetitions: of both kernels, after one that does not
    count; cores: 1 holds both kernels to the same one (where the system can do that), 2 lets
    the paged kernel copy ahead on another.

    >>> RealSizeSpec(32, 8, 128, context=4096, num_seqs=4).num_blocks
    1024
    >>> RealSizeSpec(32, 5, 128, context=4096, num_seqs=4)
    Traceback (most recent call last):
    ...
    pagedviz.engine.real_size.RealSizeError: num_heads must be a multiple of the KV heads \
(5), not 32: 30 or 35 would do
    """

    num_heads: int
    num_kv_heads: int
    head_size: int
    context: int
    num_seqs: int
    block_size: int = 16
    kv_dtype: KVDtype = "float32"
    repetitions: int = 7
    cores: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        for name, (least, most) in LIMITS.items():
            _check_range(name, getattr(self, name), least, most)
        if self.kv_dtype not in KV_DTYPES:
            raise RealSizeError(
                "kv_dtype", f"must be float32 or float16, not {shown(self.kv_dtype)}"
            )
        if self.num_heads % self.num_kv_heads:
            raise RealSizeError("num_heads", _nearest_multiples(self.num_heads, self.num_kv_heads))

    @property
    def blocks_per_seq(self) -> int:
        """Blocks that hold one sequence, the last one perhaps partly filled."""
        return -(-self.context // self.block_size)

    @property
    def num_blocks(self) -> int:
        """Blocks of all sequences."""
        return self.num_seqs * self.blocks_per_seq

    @property
    def value_bytes(self) -> int:
        """Bytes of one value in the cache."""
        return 4 if self.kv_dtype == "float32" else 2

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self))


def spec_from_json(text: str) -> RealSizeSpec:
    """The spec that `to_json` wrote. RealSizeError if it is something else.

    >>> spec = RealSizeSpec(32, 8, 128, 4096, 4)
    >>> spec_from_json(spec.to_json()) == spec
    True
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise RealSizeError("spec", "is not JSON") from None
    names = {field.name for field in fields(RealSizeSpec)}
    if not isinstance(found, dict) or not found.keys() <= names:
        raise RealSizeError("spec", f"must be an object with the keys {', '.join(sorted(names))}")
    try:
        return RealSizeSpec(**found)
    except TypeError:  # one without a default is not there
        raise RealSizeError("spec", f"lacks a key; it has {', '.join(sorted(found))}") from None


def _check_range(name: str, value: object, least: int, most: int) -> None:
    if type(value) is int and least <= value <= most:
        return
    nearest = ""
    if type(value) is int:
        nearest = f"; the nearest is {least if value < least else most:,}"
        text = f"{value:,}" if abs(value) < 10**15 else "a number of that size"
    else:
        text = shown(value)
    raise RealSizeError(
        name, f"must be a whole number from {least:,} to {most:,}, not {text}{nearest}"
    )


def _nearest_multiples(heads: int, kv_heads: int) -> str:
    """'must be a multiple of the KV heads (5), not 32: 30 or 35 would do'."""
    below = heads // kv_heads * kv_heads
    most = LIMITS["num_heads"][1]
    near = [str(n) for n in (below, below + kv_heads) if 0 < n <= most]
    return (
        f"must be a multiple of the KV heads ({kv_heads}), not {heads}: "
        f"{' or '.join(near)} would do"
    )
