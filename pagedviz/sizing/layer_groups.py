"""What a model keeps for a sequence: per token in groups of equal layers, and states of fixed size.

A group is so many layers with the same heads, the same head size and the same window. A state
does not grow with the sequence: a Mamba layer has one, and so has linear attention.

Leaves out: which model has which groups (`layer_kinds`, `attention`, `mla`, `states`).

Source: vLLM 0.33, v1/kv_cache_interface.py (page = heads x (head_size + head_size_v) x bytes;
MLA with one head and no V), model_executor/layers/mamba/mamba_utils.py for the states.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["full", "sliding", "chunked", "latent"]
WINDOWED: tuple[Kind, ...] = ("sliding", "chunked")


@dataclass(frozen=True, slots=True)
class LayerGroup:
    """Layers that keep the same for every token. Sizes in values, not bytes.

    >>> LayerGroup("full", 40, 8, 128, 128).values_per_token
    81920
    >>> LayerGroup("latent", 61, 1, 576, 0).values_per_token  # one latent, read as K and V
    35136
    """

    kind: Kind
    layers: int
    kv_heads: int  # 1 for a latent
    key_size: int  # values of K per head; latent and rope part for MLA
    value_size: int  # values of V per head; 0 for MLA
    window: int | None = None  # tokens; sliding window or chunk
    extra_bytes: int = 0  # per token and layer, in a format of its own (sparse indexer)
    extra_layers: int = 0  # layers that keep the extra

    @property
    def values_per_token(self) -> int:
        """Values kept for one token, over all layers of the group."""
        return self.layers * self.kv_heads * (self.key_size + self.value_size)

    def bytes_per_token(self, dtype_bytes: int) -> int:
        """Bytes kept for one token, over all layers of the group."""
        return self.values_per_token * dtype_bytes + self.extra_layers * self.extra_bytes

    def tokens_kept(self, tokens: int) -> int:
        """Of a sequence of `tokens`, how many are kept."""
        return tokens if self.window is None else min(tokens, self.window)


@dataclass(frozen=True, slots=True)
class StatePart:
    """One array of a state, for one layer: `units` x `size` values.

    `units` is what tensor parallelism divides (channels, heads, groups). `bytes_each` is None if
    the precision cannot be known from the config.
    """

    name: str
    units: int
    size: int
    bytes_each: int | None
    replicates: bool = False  # with more cards than units, every card keeps one

    @property
    def values(self) -> int:
        """Values of the array."""
        return self.units * self.size


@dataclass(frozen=True, slots=True)
class StateGroup:
    """Layers with a state of fixed size per sequence."""

    kind: str  # "Mamba", "Mamba-2", "gated delta net", ...
    layers: int
    parts: tuple[StatePart, ...]

    @property
    def bytes(self) -> int | None:
        """Bytes per sequence over all layers; None if a precision is unknown."""
        return self.bytes_if(None)

    def bytes_if(self, unknown_bytes: int | None) -> int | None:
        """The same with a precision in place of the unknown one.

        >>> group = StateGroup("Mamba", 2, (StatePart("history", 8, 3, 2),
        ...                                 StatePart("recurrent", 8, 16, None)))
        >>> group.bytes, group.bytes_if(2), group.bytes_if(4)
        (None, 608, 1120)
        """
        total = 0
        for part in self.parts:
            each = unknown_bytes if part.bytes_each is None else part.bytes_each
            if each is None:
                return None
            total += part.values * each
        return total * self.layers
