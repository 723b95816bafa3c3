"""What a plan for Spyre cards is made from, checked at the door.

Source: sendnn-inference 2.6.3; the limits are resolved by `pagedviz.engine.spyre.resolve`.
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.engine.errors import check_int, check_text
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.geometry import KVGeometry, check_dtype
from pagedviz.sizing.lengths import Lengths

CARD_MEMORY = 128 * 10**9  # LPDDR5 of one card (torch-spyre documentation, 2026)


@dataclass(frozen=True, slots=True)
class SpyreInputs:
    """Everything a plan depends on. Sizes in tokens unless they say bytes."""

    geometry: KVGeometry  # read with engine="spyre"
    model: str  # as the plugin's table names it, such as ibm-granite/granite-3.3-8b-instruct
    lengths: Lengths
    cards: int = 4  # tensor parallel size
    context: int = 32_768  # max_model_len
    requests: int = 32  # max_num_seqs
    limit: int | None = None  # product limit, set by hand
    override_blocks: int | None = None
    dtype_bytes: int | None = None  # None: FP8 for an FP8 checkpoint, else fp16
    weights: int = 0  # bytes of the whole model; 0: not counted

    def __post_init__(self) -> None:
        check_text("model", self.model, ConfigError)
        check_int("cards", self.cards, 1, ConfigError)
        check_int("weights", self.weights, 0, ConfigError)
        if self.geometry.engine != "spyre":
            raise ConfigError(
                'the geometry must be read for Spyre: kv_geometry(..., engine="spyre")'
            )
        if self.dtype_bytes is not None:
            check_dtype(self.dtype_bytes)

    @property
    def dtype(self) -> int:
        """Bytes per value of the cache."""
        return self.geometry.default_dtype_bytes if self.dtype_bytes is None else self.dtype_bytes
