"""The shape of a model's KV cache, and every figure that follows from it.

Per token: 2 (K and V) x layers x KV heads x head size x bytes per value, summed over groups of
equal layers. A group in a window stops growing at its window; a state never grows. For a whole
sequence that is

    bytes = grows for ever x tokens + in a window x min(tokens, window) + fixed

Leaves out: rounding up to blocks (`gpu_memory`, `spyre_plan`), and reading a config
(`kv_geometry`).

Source: vLLM 0.33, v1/kv_cache_interface.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.engine.errors import check_int, shown
from pagedviz.sizing.encoder_decoder import CrossAttention
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.formula import formula_text
from pagedviz.sizing.layer_groups import LayerGroup, StateGroup
from pagedviz.sizing.per_card import PerCard, refusal, split
from pagedviz.sizing.quantization import Engine
from pagedviz.sizing.values import Value

DTYPES = {1: "FP8", 2: "fp16 or bf16", 4: "fp32"}


def check_dtype(dtype_bytes: object) -> int:
    """Return the bytes per value if a cache can have them, else raise ConfigError.

    >>> check_dtype(8)
    Traceback (most recent call last):
    ...
    pagedviz.engine.errors.ConfigError: dtype_bytes must be 1 (FP8), 2 (fp16 or bf16) or 4 (fp32),
    not 8: bytes, not bits
    """
    if type(dtype_bytes) is not int or dtype_bytes not in DTYPES:
        listed = ", ".join(f"{size} ({name})" for size, name in DTYPES.items())
        bits = ": bytes, not bits" if dtype_bytes in (8, 16, 32) else ""
        raise ConfigError(
            f"dtype_bytes must be {' or '.join(listed.rsplit(', ', 1))}, not {shown(dtype_bytes)}"
            + bits
        )
    return dtype_bytes


@dataclass(frozen=True, slots=True)
class KVGeometry:
    """What a model keeps per token and per sequence. Made by `kv_geometry`.

    >>> from pagedviz.sizing.kv_geometry import kv_geometry
    >>> granite = kv_geometry({"model_type": "granite", "num_hidden_layers": 40,
    ...     "num_attention_heads": 32, "num_key_value_heads": 8, "hidden_size": 4096})
    >>> granite.bytes_per_token(2), granite.sequence_bytes(131_072, 2) == 20 * 2**30
    (163840, True)
    >>> print(granite.formula)
    2 (K and V) x 40 layers x 8 KV heads x 128 x 2 bytes = 163,840 bytes per token
    >>> granite.per_card(4).bytes_per_token(2)
    40960
    """

    model_type: str
    engine: Engine
    groups: tuple[LayerGroup, ...]
    states: tuple[StateGroup, ...]
    cross: CrossAttention | None
    total_layers: int
    attention_heads: int | None
    context: int | None  # tokens the model takes at most, where the config says it
    unreached_window: int | None  # a window longer than the context
    default_dtype: Value  # bytes per value that the engine takes by itself
    values: tuple[Value, ...]  # every number of the formula, with its origin
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    unknowns: tuple[str, ...]  # what the config cannot tell
    unsure: bool = False  # a warning puts the figures themselves in doubt
    encoder_only: bool = False

    @property
    def default_dtype_bytes(self) -> int:
        """Bytes per value that the engine takes if nobody asks for others."""
        return int(self.default_dtype.value)

    def bytes_per_token(self, dtype_bytes: int | None = None) -> int:
        """Bytes for one more token while everything is inside the window.

        dtype_bytes: 1 (FP8), 2 or 4; None takes the engine's default.
        """
        size = self._dtype(dtype_bytes)
        return sum(group.bytes_per_token(size) for group in self.groups)

    def bytes_per_token_beyond_window(self, dtype_bytes: int | None = None) -> int:
        """Bytes for one more token once every window is full."""
        size = self._dtype(dtype_bytes)
        return sum(group.bytes_per_token(size) for group in self.groups if group.window is None)

    @property
    def window(self) -> int | None:
        """Tokens of the longest window or chunk of the config; None if there is none."""
        windows = [group.window for group in self.groups if group.window is not None]
        if self.unreached_window is not None:
            windows.append(self.unreached_window)
        return max(windows, default=None)

    @property
    def windows(self) -> tuple[int, ...]:
        """Every window that a sequence can reach, shortest first."""
        return tuple(sorted({one.window for one in self.groups if one.window is not None}))

    @property
    def fixed_state_bytes(self) -> int | None:
        """Bytes per sequence however long it is; None where they cannot be known.

        States in their own precision; the source part of an encoder-decoder in 16 bits.
        """
        return self._fixed(2)

    def state_bytes_if(self, unknown_bytes: int) -> int | None:
        """The same, with a precision for the part whose precision is unknown."""
        parts = [state.bytes_if(unknown_bytes) for state in self.states]
        if self.cross is not None and self.cross.source_tokens is None:
            return None
        return sum(part for part in parts if part is not None) + self._cross(2)

    def sequence_bytes(self, tokens: int, dtype_bytes: int | None = None) -> int:
        """Bytes for a sequence of `tokens`, not rounded up to blocks.

        A state that cannot be known is left out; `unknowns` says so.
        """
        check_int("tokens", tokens, 0, ConfigError)
        size = self._dtype(dtype_bytes)
        growing = sum(one.tokens_kept(tokens) * one.bytes_per_token(size) for one in self.groups)
        return growing + (self._fixed(size) or 0)

    @property
    def layers(self) -> dict[str, int]:
        """Layers by what they keep: full, sliding, chunked, latent, state, and none of these."""
        found: dict[str, int] = {}
        for group in self.groups:
            found[group.kind] = found.get(group.kind, 0) + group.layers
        for state in self.states:
            found[state.kind] = found.get(state.kind, 0) + state.layers
        if (rest := self.total_layers - max(sum(found.values()), 0)) > 0:
            found["nothing"] = rest
        return found

    @property
    def formula(self) -> str:
        """Bytes per token with the numbers in it, in the engine's default type."""
        return self.formula_for(None)

    def formula_for(self, dtype_bytes: int | None) -> str:
        """The same in another type."""
        return formula_text(self.groups, self.states, self._dtype(dtype_bytes))

    def per_card(self, cards: int) -> PerCard:
        """The share of each of `cards` cards; ConfigError if the engine would refuse."""
        if cards == 1 and not self.groups and not self.states:
            return PerCard(1, (), (), 1)
        return split(self.groups, self.states, self.attention_heads, cards)

    def card_counts(self, most: int = 16) -> tuple[int, ...]:
        """Tensor parallel sizes up to `most` that the engine takes."""
        heads = self.attention_heads
        return tuple(
            cards
            for cards in range(1, most + 1)
            if refusal(self.groups, self.states, heads, cards) is None
        )

    def _dtype(self, dtype_bytes: int | None) -> int:
        return self.default_dtype_bytes if dtype_bytes is None else check_dtype(dtype_bytes)

    def _cross(self, dtype_bytes: int) -> int:
        if self.cross is None or self.cross.source_tokens is None:
            return 0
        return self.cross.values_per_source_token * self.cross.source_tokens * dtype_bytes

    def _fixed(self, dtype_bytes: int) -> int | None:
        if self.cross is not None and self.cross.source_tokens is None:
            return None
        parts = [state.bytes for state in self.states]
        if any(part is None for part in parts):
            return None
        return sum(part for part in parts if part is not None) + self._cross(dtype_bytes)
