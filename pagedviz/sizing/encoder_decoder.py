"""Encoder-decoders: the decoder's own cache grows, that of the source is written once.

Every decoder layer keeps K and V of the text it writes, and K and V of what the encoder read.
The second part is as long as the source. Whisper pads every source to 30 seconds, so its part is
fixed; the others read texts of any length, so theirs is told per source token.

Leaves out: the encoder, which keeps nothing.

Source: transformers 5.24.0 (configuration classes of T5, BART, Whisper and their kin); vLLM 0.33,
v1/kv_cache_interface.py (CrossAttentionSpec).
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.sizing.attention import read_head_size
from pagedviz.sizing.fields import Fields
from pagedviz.sizing.layer_groups import LayerGroup

_T5 = frozenset(("t5", "mt5", "umt5", "longt5", "switch_transformers"))
_WHISPER_FRAMES = 1_500  # class default of max_source_positions


@dataclass(frozen=True, slots=True)
class CrossAttention:
    """What layers keep of the source: per source token, and how long the source is."""

    layers: int
    kv_heads: int
    key_size: int
    value_size: int
    source_tokens: int | None  # None: as long as the text that is read

    @property
    def values_per_source_token(self) -> int:
        """Values kept for one token of the source, over all layers."""
        return self.layers * self.kv_heads * (self.key_size + self.value_size)


def encoder_decoder(fields: Fields) -> tuple[LayerGroup, CrossAttention]:
    """The decoder's own group, and its part for the source.

    >>> fields = Fields({"decoder_layers": 32, "decoder_attention_heads": 20, "d_model": 1280,
    ...                  "max_source_positions": 1500}, "whisper")
    >>> own, cross = encoder_decoder(fields)
    >>> own.bytes_per_token(2), cross.values_per_source_token * cross.source_tokens * 2
    (163840, 245760000)
    """
    if fields.model_type in _T5:
        names: tuple[str, ...] = ("num_decoder_layers", "num_layers")
        head_names: tuple[str, ...] = ("num_heads",)
    else:
        names = ("decoder_layers", "decoder_num_hidden_layers", "num_decoder_layers", "dec_layers")
        head_names = ("decoder_attention_heads", "decoder_num_attention_heads")
    layers = int(fields.count("decoder layers", names).value)
    heads = int(fields.count("attention heads", head_names).value)
    found = fields.find("KV heads", ("decoder_num_key_value_heads",))
    kv_heads = heads if found is None else int(found.value)
    if found is None:
        fields.derive("KV heads", heads, "as many as attention heads")
    if fields.model_type in _T5:
        size = int(fields.count("head size", ("d_kv",), 64).value)
    else:
        size = read_head_size(fields, heads)
    source = None
    if fields.model_type == "whisper":
        name = "source frames"
        source = int(fields.count(name, ("max_source_positions",), _WHISPER_FRAMES).value)
    own = LayerGroup("full", layers, kv_heads, size, size)
    return own, CrossAttention(layers, kv_heads, size, size, source)
