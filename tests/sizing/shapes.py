"""Shapes of 36 models as small configs, and their figures worked out by hand.

Each figure is a product of the numbers in the config, so that a reader can check it: layers,
KV heads, head size, two for K and V, two bytes.
"""

from typing import NamedTuple


class Shape(NamedTuple):
    name: str
    config: dict
    per_token: int  # 2-byte values
    beyond: int | None = None  # None: the same
    window: int | None = None
    fixed: int | None = 0


def plain(model_type, layers, heads, kv_heads=None, hidden=None, **more):
    config = {"model_type": model_type, "num_hidden_layers": layers, "num_attention_heads": heads}
    if kv_heads is not None:
        config["num_key_value_heads"] = kv_heads
    if hidden is not None:
        config["hidden_size"] = hidden
    return config | more


def names(model_type, **fields):
    return {"model_type": model_type} | fields


ALTERNATING = ["sliding_attention", "full_attention"]
NEMOTRON = "".join(
    ("M-M-M-M*-", *("M-M-M-M-M*-",) * 9, "M-M-M-M-M-")
)  # 118 letters: 54 M, 10 *, 54 -
MLA = {"kv_lora_rank": 512, "qk_rope_head_dim": 64, "num_key_value_heads": 128}
JAMBA = {"attn_layer_period": 8, "attn_layer_offset": 4, "mamba_d_state": 16, "mamba_d_conv": 4}
MAMBA2 = {
    "mamba_num_heads": 256,
    "mamba_head_dim": 64,
    "n_groups": 8,
    "ssm_state_size": 256,
    "conv_kernel": 4,
}

SHAPES = (
    Shape("llama-2-13b", plain("llama", 40, 40, 40, 5120), 2 * 40 * 40 * 128 * 2),
    Shape("llama-2-7b", plain("llama", 32, 32, 32, 4096), 2 * 32 * 32 * 128 * 2),
    Shape("opt-13b", plain("opt", 40, 40, None, 5120), 2 * 40 * 40 * 128 * 2),
    Shape("gpt-neox-20b", plain("gpt_neox", 44, 64, None, 6144), 2 * 44 * 64 * 96 * 2),
    Shape(
        "bloom-560m", names("bloom", n_layer=24, n_head=16, hidden_size=1024), 2 * 24 * 16 * 64 * 2
    ),
    Shape("gpt2", names("gpt2", n_layer=12, n_head=12, n_embd=768), 2 * 12 * 12 * 64 * 2),
    Shape("llama-2-70b", plain("llama", 80, 64, 8, 8192), 2 * 80 * 8 * 128 * 2),
    Shape("llama-3.1-8b", plain("llama", 32, 32, 8, 4096), 2 * 32 * 8 * 128 * 2),
    Shape("llama-3.1-70b", plain("llama", 80, 64, 8, 8192), 2 * 80 * 8 * 128 * 2),
    Shape(
        "mixtral-8x7b",
        plain("mixtral", 32, 32, 8, 4096, num_local_experts=8, sliding_window=None),
        2 * 32 * 8 * 128 * 2,
    ),
    Shape(
        "mistral-nemo",
        plain("mistral", 40, 32, 8, 5120, head_dim=128, sliding_window=None),
        2 * 40 * 8 * 128 * 2,
    ),
    Shape(
        "qwen2.5-7b",
        plain("qwen2", 28, 28, 4, 3584, sliding_window=131_072, use_sliding_window=False),
        2 * 28 * 4 * 128 * 2,
    ),
    Shape("qwen3-8b", plain("qwen3", 36, 32, 8, 4096, head_dim=128), 2 * 36 * 8 * 128 * 2),
    Shape(
        "qwen3-30b-a3b",
        plain("qwen3_moe", 48, 32, 4, 2048, head_dim=128, num_experts=128),
        2 * 48 * 4 * 128 * 2,
    ),
    Shape(
        "qwen3-vl-8b",
        {
            "model_type": "qwen3_vl",
            "text_config": plain("qwen3_vl_text", 36, 32, 8, 4096, head_dim=128),
            "vision_config": {"hidden_size": 1152, "num_heads": 16, "depth": 27},
        },
        2 * 36 * 8 * 128 * 2,
    ),
    Shape(
        "chatglm3-6b",
        names(
            "chatglm",
            num_layers=28,
            num_attention_heads=32,
            hidden_size=4096,
            kv_channels=128,
            multi_query_attention=True,
            multi_query_group_num=2,
        ),
        2 * 28 * 2 * 128 * 2,
    ),
    Shape(
        "falcon-7b",
        names("RefinedWebModel", n_layer=32, n_head=71, hidden_size=4544, multi_query=True),
        2 * 32 * 1 * 64 * 2,
    ),
    Shape(
        "santacoder",
        names("gpt_bigcode", n_layer=24, n_head=16, n_embd=2048, multi_query=True),
        2 * 24 * 1 * 128 * 2,
    ),
    Shape(
        "phi-3.5-mini",
        plain("phi3", 32, 32, 32, 3072, sliding_window=262_144, max_position_embeddings=131_072),
        2 * 32 * 32 * 96 * 2,
        window=262_144,
    ),
    Shape("minimax-m2.5", plain("minimax_m2", 62, 48, 8, 3072, head_dim=128), 2 * 62 * 8 * 128 * 2),
    Shape("granite-3.3-8b", plain("granite", 40, 32, 8, 4096), 2 * 40 * 8 * 128 * 2),
    Shape("granite-4-8b-dense", plain("granite", 40, 32, 8, 4096), 2 * 40 * 8 * 128 * 2),
    Shape(
        "tiny-granite-swa",
        plain(
            "granite_swa",
            4,
            4,
            2,
            128,
            head_dim=32,
            sliding_window=128,
            max_position_embeddings=2048,
            layer_types=["full_attention", *["sliding_attention"] * 2, "full_attention"],
        ),
        2 * 4 * 2 * 32 * 2,
        2 * 2 * 2 * 32 * 2,
        128,
    ),
    Shape(
        "mistral-7b-v0.1",
        plain("mistral", 32, 32, 8, 4096, sliding_window=4096, max_position_embeddings=32_768),
        2 * 32 * 8 * 128 * 2,
        0,
        4096,
    ),
    Shape(
        "gemma-2-9b",
        plain("gemma2", 42, 16, 8, 3584, head_dim=256, sliding_window=4096),
        2 * 42 * 8 * 256 * 2,
        2 * 21 * 8 * 256 * 2,
        4096,
    ),
    Shape(
        "gemma-3-1b",
        plain(
            "gemma3_text",
            26,
            4,
            1,
            1152,
            head_dim=256,
            sliding_window=512,
            sliding_window_pattern=6,
        ),
        2 * 26 * 1 * 256 * 2,
        2 * 4 * 1 * 256 * 2,  # layers 5, 11, 17 and 23
        512,
    ),
    Shape(
        "gemma-3-27b",
        {
            "model_type": "gemma3",
            "text_config": plain(
                "gemma3_text", 62, 32, 16, 5376, head_dim=128, sliding_window=1024
            ),
        },
        2 * 62 * 16 * 128 * 2,
        2 * 10 * 16 * 128 * 2,
        1024,
    ),
    Shape(
        "gpt-oss-20b",
        plain(
            "gpt_oss",
            24,
            64,
            8,
            2880,
            head_dim=64,
            sliding_window=128,
            layer_types=ALTERNATING * 12,
        ),
        2 * 24 * 8 * 64 * 2,
        2 * 12 * 8 * 64 * 2,
        128,
    ),
    Shape(
        "deepseek-v3",
        names("deepseek_v3", num_hidden_layers=61, num_attention_heads=128, **MLA),
        61 * (512 + 64) * 2,
    ),
    Shape(
        "jamba-1.5-mini",
        plain("jamba", 32, 32, 8, 4096, mamba_expand=2, **JAMBA),
        2 * 4 * 8 * 128 * 2,
        fixed=28 * ((4 - 1) * 8192 * 2 + 8192 * 16 * 2),
    ),
    Shape(
        "nemotron-h-56b",
        plain(
            "nemotron_h",
            118,
            64,
            8,
            8192,
            attention_head_dim=128,
            hybrid_override_pattern=NEMOTRON,
            **MAMBA2,
        ),
        2 * 10 * 8 * 128 * 2,
        fixed=None,
    ),
    Shape(
        "mamba-2.8b",
        names(
            "mamba",
            num_hidden_layers=64,
            hidden_size=2560,
            intermediate_size=5120,
            state_size=16,
            conv_kernel=4,
            torch_dtype="float32",
        ),
        0,
        fixed=64 * ((4 - 1) * 5120 * 2 + 5120 * 16 * 2),
    ),
    Shape("bert-base", plain("bert", 12, 12, None, 768), 0),
    Shape("granite-embedding-125m", plain("roberta", 12, 12, None, 768), 0),
    Shape("bge-reranker-v2-m3", plain("xlm-roberta", 24, 16, None, 1024), 0),
    Shape(
        "whisper-large-v2",
        names(
            "whisper",
            decoder_layers=32,
            decoder_attention_heads=20,
            encoder_layers=32,
            d_model=1280,
            max_source_positions=1500,
            num_hidden_layers=32,
        ),
        2 * 32 * 20 * 64 * 2,
        fixed=1500 * 2 * 32 * 20 * 64 * 2,
    ),
)
