"""Multi-head latent attention: one latent per token and layer instead of K and V of every head.

What is kept is kv_lora_rank values and the part of K that carries positions. Tensor parallelism
does not divide it: every card keeps the whole. Models with a sparse indexer keep a small second
entry, in FP8 with a scale per 128 values whatever the cache's type.

Leaves out: the packed FP8 formats of some kernels (656 bytes a token instead of 1,152).

Source: vLLM 0.33, model_executor/models/deepseek_v2.py (DeepseekV32IndexerCache),
transformers_utils/model_arch_config_convertor.py (is_deepseek_mla, get_head_size).
"""

from __future__ import annotations

from pagedviz.sizing.families import LATENT
from pagedviz.sizing.fields import Fields
from pagedviz.sizing.layer_groups import LayerGroup

_NONE = (None, None)
_SCALED = 128  # values of the indexer's entry that share a scale of 4 bytes


def has_latent(fields: Fields) -> bool:
    """Whether the model keeps a latent: its type does, unless `kv_lora_rank` is null.

    >>> has_latent(Fields({}, "deepseek_v3")), has_latent(Fields({}, "llama"))
    (True, False)
    >>> has_latent(Fields({"kv_lora_rank": None}, "deepseek_v2"))  # DeepSeek-VL2-tiny
    False
    """
    if fields.model_type not in LATENT and fields.model_type != "kimi_linear":
        return False
    return fields.has("kv_lora_rank") or "kv_lora_rank" not in fields.config


def latent_group(fields: Fields, layers: int, engine: str) -> LayerGroup:
    """The group of `layers` layers with a latent.

    >>> fields = Fields({"kv_lora_rank": 512, "qk_rope_head_dim": 64}, "deepseek_v3")
    >>> latent_group(fields, 61, "vllm").bytes_per_token(2)  # 61 x (512 + 64) x 2
    70272
    >>> fields = Fields({"kv_lora_rank": 512, "qk_rope_head_dim": 64, "index_topk": 2048,
    ...                  "index_head_dim": 128}, "deepseek_v32")
    >>> latent_group(fields, 61, "vllm").bytes_per_token(2)  # + 61 x (128 + 4)
    78324
    """
    # inside another config, fields that equal the class's defaults are left out
    rank, part = (512, 64) if fields.where and fields.model_type.startswith("deepseek") else _NONE
    latent = int(fields.count("latent", ("kv_lora_rank",), rank).value)
    rope = int(fields.count("K size with positions", ("qk_rope_head_dim",), part).value)
    extra = extra_layers = 0
    if fields.has("index_head_dim") and fields.has("index_topk") and engine == "vllm":
        size = int(fields.count("indexer head size", ("index_head_dim",)).value)
        extra = size + size // _SCALED * 4
        extra_layers = layers
        if (types := fields.words("indexer_types", layers)) is not None:
            extra_layers = sum(one != "shared" for one in types)
        fields.notes.append(
            f"A sparse indexer keeps {extra} bytes a token in each of {extra_layers} layers "
            "(FP8 and a scale), whatever the type of the cache."
        )
    fields.notes.append(
        "Latent attention: the latent stands for K and V of every head, and every card keeps all "
        "of it."
    )
    return LayerGroup("latent", layers, 1, latent + rope, 0, None, extra, extra_layers)
