"""Bytes of KV cache per token, for a few models whose shape is published.

Per token: 2 (K and V) x layers x KV heads x head size x bytes per value.

Leaves out: models read from a config file, MLA and sliding windows; tensor parallelism (each
card holds its share of the heads).

Source: the models' own config.json (num_hidden_layers, num_key_value_heads, head_dim); FP8
on Spyre: sendnn-inference 2.6.3, which keeps the cache in float8 when the model is quantized.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KVModel:
    """A model's KV cache."""

    id: str
    name: str
    layers: int
    kv_heads: int
    head_size: int  # values per head
    bytes_per_value: int  # 2: fp16 or bf16, 1: fp8

    @property
    def bytes_per_token(self) -> int:
        """Bytes for K and V of one token, all layers and heads.

        >>> KV_MODELS[0].bytes_per_token == 160 * 1024
        True
        """
        return 2 * self.layers * self.kv_heads * self.head_size * self.bytes_per_value

    def formula(self) -> str:
        """The product with its numbers.

        >>> KV_MODELS[0].formula()
        '2 x 40 layers x 8 KV heads x 128 x 2 bytes = 163,840 bytes'
        """
        unit = "byte" if self.bytes_per_value == 1 else "bytes"
        return (
            f"2 x {self.layers} layers x {self.kv_heads} KV heads x {self.head_size} x "
            f"{self.bytes_per_value} {unit} = {self.bytes_per_token:,} bytes"
        )


KV_MODELS: tuple[KVModel, ...] = (
    KVModel("granite-3.3-8b", "Granite 3.3 8B", 40, 8, 128, 2),
    KVModel("granite-3.3-8b-fp8", "Granite 3.3 8B, FP8", 40, 8, 128, 1),
    KVModel("llama-3.1-8b", "Llama 3.1 8B", 32, 8, 128, 2),
    KVModel("granite-4.1-30b", "Granite 4.1 30B", 64, 8, 128, 2),
    KVModel("mistral-small-24b", "Mistral Small 24B", 40, 8, 128, 2),
    KVModel("llama-2-13b", "Llama 2 13B", 40, 40, 128, 2),
)


def kv_model(key: str) -> KVModel | None:
    """The model with this id, or None.

    >>> kv_model("llama-2-13b").bytes_per_token
    819200
    """
    return next((model for model in KV_MODELS if model.id == key), None)
