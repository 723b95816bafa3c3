"""Which layer keeps what: windows, chunks and patterns, and what a pattern lacks."""

import pytest

from pagedviz.sizing import ConfigError, kv_geometry
from tests.sizing.shapes import ALTERNATING, names, plain


def per_token(config):
    return kv_geometry(config).bytes_per_token(2)


def test_windows_by_list_by_pattern_and_by_letters():
    listed = plain("mistral", 4, 32, 8, 4096, sliding_window=[None, 1000])
    assert kv_geometry(listed).bytes_per_token_beyond_window(2) * 2 == per_token(listed)
    letters = plain("exaone4", 8, 32, 8, 4096, sliding_window=4096, sliding_window_pattern="LLLG")
    assert kv_geometry(letters).layers == {"full": 2, "sliding": 6}
    windows = plain(
        "qwen2", 4, 32, 8, 4096, sliding_window=64, use_sliding_window=True, max_window_layers=3
    )
    assert kv_geometry(windows).layers == {"full": 3, "sliding": 1}
    with pytest.raises(ConfigError, match="layer_types has 2 entries for 4 layers"):
        kv_geometry(plain("gpt_oss", 4, 64, 8, 2880, layer_types=ALTERNATING))
    with pytest.raises(ConfigError, match="'round_attention' for layer 0"):
        kv_geometry(plain("gpt_oss", 1, 64, 8, 2880, layer_types=["round_attention"]))


def test_chunked_attention():
    scout = plain("llama4_text", 48, 40, 8, 5120, head_dim=128, attention_chunk_size=8192)
    found = kv_geometry({"model_type": "llama4", "text_config": scout})
    assert found.layers == {"full": 12, "chunked": 36}
    assert found.window == 8192
    assert found.bytes_per_token_beyond_window(2) == 2 * 12 * 8 * 128 * 2
    listed = scout | {"no_rope_layers": [1] * 47 + [0]}
    assert kv_geometry(listed).layers == {"full": 1, "chunked": 47}


def layers_of(config):
    return kv_geometry(config).layers


@pytest.mark.parametrize(
    ("config", "layers", "figure"),
    [
        (plain("chatglm", 28, 32, None, 4096), {"full": 28}, 2 * 28 * 32 * 128 * 2),
        (
            names(
                "mpt",
                n_layers=2,
                n_heads=16,
                d_model=2048,
                attn_config={"attn_type": "multiquery_attention"},
            ),
            {"full": 2},
            2 * 2 * 1 * 128 * 2,
        ),
        (
            plain(
                "minicpm3",
                62,
                40,
                40,
                2560,
                kv_lora_rank=256,
                qk_nope_head_dim=64,
                qk_rope_head_dim=32,
            ),
            {"full": 62},
            2 * 62 * 40 * 96 * 2,
        ),
        (
            plain(
                "step3p5",
                3,
                64,
                8,
                4096,
                head_dim=128,
                sliding_window=512,
                layer_types=["full_attention", "sliding_attention", "sliding_attention"],
                attention_other_setting={"num_attention_heads": 96, "num_attention_groups": 4},
            ),
            {"full": 1, "sliding": 2},
            2 * (8 + 2 * 4) * 128 * 2,
        ),
        (
            plain("afmoe", 8, 16, 4, 2048, head_dim=128, global_attn_every_n_layers=4),
            {"full": 2, "sliding": 6},
            2 * 8 * 4 * 128 * 2,
        ),
        (
            names(
                "gpt_neo",
                num_layers=4,
                num_heads=16,
                hidden_size=2048,
                attention_types=[[["global", "local"], 2]],
            ),
            {"full": 2, "sliding": 2},
            2 * 4 * 16 * 128 * 2,
        ),
        (
            plain("recurrent_gemma", 26, 10, 1, 2560, attention_window_size=2048),
            {"sliding": 8, "gated linear recurrence": 18},
            2 * 8 * 1 * 256 * 2,
        ),
        (names("rwkv", num_hidden_layers=24, hidden_size=1024), {"RWKV": 24}, 0),
        (
            names(
                "longcat_flash",
                num_layers=28,
                num_attention_heads=64,
                kv_lora_rank=512,
                qk_rope_head_dim=64,
            ),
            {"latent": 56},
            56 * 576 * 2,
        ),
    ],
    ids=lambda value: value.get("model_type") if isinstance(value, dict) else None,
)
def test_layers_and_figures(config, layers, figure):
    assert layers_of(config) == layers
    assert per_token(config) == figure


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (plain("nemotron_h", 4, 32, 2, 2688), "hybrid_override_pattern is missing"),
        (plain("nemotron_h", 2, 32, 2, 2688, hybrid_override_pattern="MX"), "'X' in it"),
        (plain("zamba2", 4, 32, 32, 2048), "hybrid_layer_ids is missing"),
        (plain("lfm2", 4, 32, 8, 2048), "layer_types is missing"),
        (plain("kimi_linear", 4, 32, 32, 2304), "full_attn_layers is missing"),
        (plain("gemma2", 4, 8, 4, 2304, sliding_window_pattern="LX"), "letters L and G"),
        (plain("gemma2", 4, 8, 4, 2304, sliding_window_pattern=0), "at least 1"),
        (plain("mistral", 4, 8, 4, 2304, sliding_window=["x"]), "whole numbers and null"),
        (plain("jamba", 8, 8, 4, 2048, mamba_expand=-1), "mamba_expand must be above 0"),
        (plain("qwen3_next", 8, 8, 4, 2048, mamba_ssm_dtype="int3"), "mamba_ssm_dtype 'int3'"),
        (plain("llama", 4, 8, None, 2048, layer_types=["linear_attention"] * 4), "not known"),
        (plain("mpt", 4, 8, None, 2048, attn_config={"kv_n_heads": 0}), "attn_config.kv_n_heads"),
        (plain("nemotron-nas", 1, 8, None, 2048, block_configs=[{}]), "no attention for layer 0"),
    ],
)
def test_what_a_pattern_lacks_is_named(config, said):
    with pytest.raises(ConfigError, match=said):
        kv_geometry(config)
