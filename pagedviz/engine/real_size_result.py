"""What a run at real size found: times, what was read, and how far the results lie apart.

Leaves out: words for viewers (`ui/real_size_words.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from pagedviz.engine.real_size import RealSizeError, RealSizeSpec


@dataclass(frozen=True, slots=True)
class RealSizeResult:
    """One run. Times in seconds, one pair per repetition, both kernels in turns.

    kv_bytes: keys and values that either kernel reads once; table_bytes: the block table,
    which only the paged one reads. Differences are of whole output vectors, the largest
    absolute one; `*_to_float64` on the first head of the first sequence. one_core: both kernels
    were held to the same core; if not, the paged one may have copied ahead on another.

    >>> spec = RealSizeSpec(8, 8, 64, context=100, num_seqs=1)
    >>> found = RealSizeResult(spec, (0.11, 0.12, 0.13), (0.1, 0.1, 0.1), 1, 1, 0.0, 0.0, 0.0, True)
    >>> round(found.ratio, 2), [round(ratio, 2) for ratio in found.ratios]
    (1.2, [1.1, 1.2, 1.3])
    >>> round(found.cost_percent)
    20
    """

    spec: RealSizeSpec
    paged_s: tuple[float, ...]
    dense_s: tuple[float, ...]
    kv_bytes: int
    table_bytes: int
    max_difference: float
    paged_to_float64: float
    dense_to_float64: float
    one_core: bool

    def __post_init__(self) -> None:
        if not self.paged_s or len(self.paged_s) != len(self.dense_s):
            raise RealSizeError("paged_s", "must have one time per repetition, as dense_s has")
        if not all(math.isfinite(t) and t > 0 for t in (*self.paged_s, *self.dense_s)):
            raise RealSizeError("paged_s", "and dense_s must hold seconds above 0")

    @property
    def paged(self) -> float:
        """Median time of the paged kernel, seconds."""
        return median(self.paged_s)

    @property
    def dense(self) -> float:
        """Median time of the dense kernel, seconds."""
        return median(self.dense_s)

    @property
    def ratio(self) -> float:
        """How many times as long the paged kernel takes, by the medians."""
        return self.paged / self.dense

    @property
    def ratios(self) -> tuple[float, ...]:
        """The same in each repetition."""
        return tuple(p / d for p, d in zip(self.paged_s, self.dense_s, strict=True))

    @property
    def cost_percent(self) -> float:
        """What paging costs, percent of the dense time; below 0 if it is faster."""
        return 100 * (self.ratio - 1)

    def message(self) -> dict[str, object]:
        """As the worker sends it."""
        return {"kind": "result", **asdict(self)}


def result_from_message(message: Mapping[str, Any]) -> RealSizeResult:
    """The result that `message()` became after JSON. RealSizeError if it is something else."""
    try:
        given = {name: value for name, value in message.items() if name != "kind"}
        given["spec"] = RealSizeSpec(**given["spec"])
        for name in ("paged_s", "dense_s"):
            given[name] = tuple(float(t) for t in given[name])
        return RealSizeResult(**given)
    except (KeyError, TypeError, ValueError) as error:
        raise RealSizeError("result", f"cannot be read: {error}") from error
