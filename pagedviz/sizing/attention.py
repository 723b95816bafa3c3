"""Heads of ordinary attention: how many keep K and V, and how many values each keeps.

Multi-head: every head. Grouped-query: fewer. Multi-query: one. Configs name the number in seven
ways, two flags mean "one", and a few models differ from layer to layer.

Leaves out: latent attention (`mla`), windows (`windows`).

Source: vLLM 0.33, transformers_utils/model_arch_config_convertor.py (get_total_num_kv_heads,
get_head_size, Falcon, DBRX, Nemotron NAS); the published configs of OpenELM, DeciLM and MPT.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pagedviz.engine.errors import shown
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.fields import HEAD_SIZE, HEADS, HIDDEN, KV_HEADS, Fields


@dataclass(frozen=True, slots=True)
class Shape:
    """What one layer keeps for a token, in values."""

    kv_heads: int
    key_size: int
    value_size: int


def read_heads(fields: Fields) -> int:
    """The number of attention heads."""
    listed = fields.config.get("num_query_heads")
    if isinstance(listed, list) and listed and all(type(one) is int for one in listed):
        return int(max(listed))  # OpenELM: grows from layer to layer
    return int(fields.count("attention heads", HEADS, "num_attention_heads").value)


def read_shape(fields: Fields) -> Shape:
    """KV heads and head size of a model whose layers are alike.

    >>> fields = Fields({"num_attention_heads": 32, "num_key_value_heads": 8,
    ...                  "hidden_size": 4096}, "llama")
    >>> read_shape(fields)
    Shape(kv_heads=8, key_size=128, value_size=128)
    """
    heads = read_heads(fields)
    kv_heads = read_kv_heads(fields, heads)
    size = read_head_size(fields, heads)
    if fields.model_type == "minicpm3":
        size = _expanded_latent(fields, heads)
    if fields.model_type == "mimo_v2_flash":
        return Shape(kv_heads, size, int(fields.count("V size", ("v_head_dim",), size).value))
    return Shape(kv_heads, size, size)


def read_kv_heads(fields: Fields, heads: int) -> int:
    """How many heads keep K and V. Warns if the attention heads are no multiple of them."""
    found = _kv_heads(fields, heads)
    if heads % found:
        fields.unsure = True
        fields.warnings.append(
            f"{heads:,} attention heads are no multiple of {found:,} KV heads: "
            f"{heads:,} is not a multiple of {found:,}, so one of the two is likely wrong."
        )
    return found


def _kv_heads(fields: Fields, heads: int) -> int:
    config = fields.config
    if fields.model_type == "falcon":
        return _falcon(fields, heads)
    if fields.model_type == "chatglm" and config.get("multi_query_attention") is not True:
        return int(fields.derive("KV heads", heads, "multi_query_attention is off").value)
    inner = config.get("attn_config")
    if isinstance(inner, Mapping):  # MPT and DBRX
        given = inner.get("kv_n_heads")
        if type(given) is int and given >= 1:
            inside = Fields({"kv_n_heads": given}, fields.model_type, where="attn_config.")
            return int(fields.keep(inside.count("KV heads", ("kv_n_heads",))).value)
        if given is not None:
            raise ConfigError(
                f"attn_config.kv_n_heads must be a whole number of at least 1, not {shown(given)}"
            )
        if inner.get("attn_type") == "multiquery_attention":
            return int(fields.derive("KV heads", 1, "attn_type multiquery_attention").value)
    if (value := fields.find("KV heads", KV_HEADS)) is not None:
        return int(value.value)
    multi_query = config.get("multi_query", fields.model_type == "gpt_bigcode")
    if multi_query is True:
        source = "multi_query is on" if "multi_query" in config else "multi_query is on by default"
        return int(fields.derive("KV heads", 1, source).value)
    null = any(name in config for name in KV_HEADS)  # null: as many as attention heads
    if not null and (value := fields.find("KV heads", (), "num_key_value_heads")) is not None:
        return int(value.value)
    return int(
        fields.derive("KV heads", heads, "as many as attention heads, no field differs").value
    )


def _falcon(fields: Fields, heads: int) -> int:
    """Falcon: `multi_query` means one head, unless the newer architecture is switched on."""
    newer = fields.config.get("new_decoder_architecture") is True
    if newer or fields.has("n_head_kv"):
        if (value := fields.find("KV heads", KV_HEADS)) is not None:
            return int(value.value)
        return int(fields.derive("KV heads", heads, "new_decoder_architecture, no number").value)
    if fields.config.get("multi_query", True) is True:
        return int(
            fields.derive("KV heads", 1, "multi_query without new_decoder_architecture").value
        )
    return int(fields.derive("KV heads", heads, "multi_query is off").value)


def read_head_size(fields: Fields, heads: int) -> int:
    """Values per head: a field, the class default, or hidden size / heads if that is whole."""
    if (value := fields.find("head size", HEAD_SIZE, "head_dim")) is not None:
        return int(value.value)
    hidden = int(fields.count("hidden size", HIDDEN, "hidden_size").value)
    if fields.model_type in ("zamba", "zamba2"):
        hidden *= 2  # attention looks at the layer's input and the embedding side by side
    size, rest = divmod(hidden, heads)
    if rest:
        raise ConfigError(
            f"{fields.where}hidden_size {hidden:,} / {heads:,} attention heads is not whole, and "
            f"head_dim is missing; add head_dim (heads that would divide it: "
            f"{_divisors(hidden, heads)})"
        )
    source = f"hidden size / attention heads = {hidden:,} / {heads:,}"
    return int(fields.derive("head size", size, source).value)


def _divisors(hidden: int, near: int) -> str:
    """The two divisors of the hidden size around a number of heads."""
    below = next((one for one in range(min(near, 4096), 0, -1) if hidden % one == 0), 1)
    above = next((one for one in range(near, near + 4096) if hidden % one == 0), None)
    return f"{below:,}" if above is None else f"{below:,} or {above:,}"


def _expanded_latent(fields: Fields, heads: int) -> int:
    """MiniCPM3 has a latent, and vLLM keeps the heads that are made of it."""
    nope = int(fields.count("K size without positions", ("qk_nope_head_dim",), 64).value)
    rope = int(fields.count("K size with positions", ("qk_rope_head_dim",), 32).value)
    latent = int(fields.count("latent", ("kv_lora_rank",), 256).value)
    fields.notes.append(
        f"vLLM keeps {heads} heads of {nope + rope} for this model, not its latent of "
        f"{latent} + {rope} values."
    )
    return int(fields.derive("head size", nope + rope, f"{nope} + {rope}, V padded to it").value)


def per_kind(fields: Fields, shape: Shape) -> dict[str, Shape]:
    """Shapes of the kinds of layers that differ from `shape`; empty for most models."""
    if fields.model_type == "gemma4_text":
        size = int(fields.count("head size of full layers", ("global_head_dim",), 512).value)
        kv_heads = shape.kv_heads
        if fields.config.get("attention_k_eq_v") is True:
            name = "KV heads of full layers"
            found = fields.find(name, ("num_global_key_value_heads",))
            kv_heads = kv_heads if found is None else int(found.value)
        return {"full": Shape(kv_heads, size, size)}
    if fields.model_type == "mimo_v2_flash":
        number = fields.count("KV heads in a window", ("swa_num_key_value_heads",), 8).value
        key = fields.count("head size in a window", ("swa_head_dim",), shape.key_size).value
        value = fields.count("V size in a window", ("swa_v_head_dim",), shape.value_size).value
        return {"sliding": Shape(int(number), int(key), int(value))}
    other = fields.config.get("attention_other_setting")
    if fields.model_type == "step3p5" and isinstance(other, Mapping):
        inside = Fields(other, fields.model_type, where="attention_other_setting.")
        number = inside.count("KV heads in a window", KV_HEADS).value
        fields.keep(inside.values[-1])
        return {"sliding": Shape(int(number), shape.key_size, shape.value_size)}
    return {}


def per_layer_kv_heads(fields: Fields, layers: int) -> list[int] | None:
    """KV heads layer by layer, 0 for a layer without attention; None if layers are alike."""
    for name in ("num_key_value_heads_per_layer", "num_kv_heads", "num_key_value_heads"):
        if (found := fields.numbers(name, layers)) is not None:
            return found
    blocks = fields.config.get("block_configs")
    if not isinstance(blocks, list) or fields.model_type not in ("nemotron-nas", "deci"):
        return None
    fields.check_length("block_configs", len(blocks), layers)
    heads = read_heads(fields)
    return [_block_kv_heads(block, number, heads) for number, block in enumerate(blocks[:layers])]


def _block_kv_heads(block: object, number: int, heads: int) -> int:
    inner = block.get("attention") if isinstance(block, Mapping) else None
    if not isinstance(inner, Mapping):
        raise ConfigError(f"block_configs has no attention for layer {number:,}")
    if inner.get("no_op") is True or inner.get("replace_with_linear") is True:
        return 0
    group = inner.get("n_heads_in_group")
    if type(group) is not int or group < 1 or heads % group:
        raise ConfigError(
            f"block_configs: n_heads_in_group of layer {number:,} must divide the {heads:,} "
            f"attention heads, and is {shown(group)}"
        )
    return heads // group
