"""How many parameters a dropped config stands for, where that can be counted.

A config names no number of parameters. For a plain decoder with a gated feed-forward it follows
from the shape; norms and biases, well under 1 %, are left out, and the figure says so. For
anything else the answer is None: the viewer types the number, and nothing is invented.

Leaves out: mixtures of experts, hybrids, encoders, vision towers.

Source: transformers 5.20, modeling files of the types in GATED.
"""

from __future__ import annotations

from collections.abc import Mapping

from pagedviz.sizing.quantization import is_fp8, quant_config

# Attention with four projections, feed-forward with three matrices, one or two embeddings.
GATED = ("granite", "llama", "mistral", "olmo2", "phi3", "qwen2", "qwen3", "smollm3", "glm4")
TIED = ("smollm3",)  # share the embedding with the output unless the config says otherwise
COUNTED = "counted from the shape, norms and biases left out"
_FIELDS = (
    "num_hidden_layers",
    "hidden_size",
    "intermediate_size",
    "vocab_size",
    "num_attention_heads",
)


def parameters_of(config: Mapping[str, object]) -> int | None:
    """Parameters of the model, or None if this module does not know how to count them.

    >>> llama = {"model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096,
    ...          "intermediate_size": 14336, "vocab_size": 128256, "num_attention_heads": 32,
    ...          "num_key_value_heads": 8}
    >>> parameters_of(llama), parameters_of({"model_type": "jamba"})  # published: 8,030,261,248
    (8029995008, None)
    """
    kind = config.get("model_type")
    sizes = [_whole(config.get(name)) for name in _FIELDS]
    if kind not in GATED or 0 in sizes:
        return None
    layers, hidden, inner, words, heads = sizes
    kv_heads = _whole(config.get("num_key_value_heads")) or heads
    size = _whole(config.get("head_dim")) or hidden // heads
    attention = 2 * hidden * heads * size + 2 * hidden * kv_heads * size
    tied = config.get("tie_word_embeddings", kind in TIED) is True
    return layers * (attention + 3 * hidden * inner) + words * hidden * (1 if tied else 2)


def bytes_each(config: Mapping[str, object]) -> float | None:
    """Bytes of a parameter as the checkpoint has it; None for a scheme whose bits are not named.

    >>> bytes_each({}), bytes_each({"quantization_config": {"quant_method": "fp8"}})
    (2.0, 1.0)
    >>> bytes_each({"quantization_config": {"quant_method": "gptq", "bits": 4}})
    0.5
    """
    method = quant_config(config)
    if not method:
        return 2.0
    if is_fp8(method):
        return 1.0
    bits = _whole(method.get("bits")) or _whole(method.get("w_bit"))
    return bits / 8 if 1 <= bits <= 16 else None


def _whole(value: object) -> int:
    """A whole number of at least 1 and not beyond any model's, else 0."""
    return value if type(value) is int and 1 <= value <= 10**7 else 0
