"""States of Mamba and linear attention layers: the arithmetic stands beside each."""

import pytest

from pagedviz.sizing import kv_geometry
from tests.sizing.shapes import SHAPES, names, plain


def test_states_of_linear_attention():
    config = plain("qwen3_next", 48, 16, 2, 2048, head_dim=256, full_attention_interval=4)
    found = kv_geometry(config)
    assert found.bytes_per_token(2) == 2 * 12 * 2 * 256 * 2
    # 36 x (3 x (2 x 16 x 128 + 32 x 128) + 32 x 128 x 128) x 2 bytes
    assert found.fixed_state_bytes == 36 * (3 * (2 * 16 * 128 + 32 * 128) + 32 * 128 * 128) * 2
    wide = kv_geometry(config | {"mamba_ssm_dtype": "float32"})
    assert wide.fixed_state_bytes == 36 * (3 * 8192 * 2 + 32 * 128 * 128 * 4)
    linear = {"num_heads": 32, "head_dim": 128, "full_attn_layers": [4, 8]}
    kimi = kv_geometry(
        plain(
            "kimi_linear",
            8,
            32,
            32,
            2304,
            kv_lora_rank=512,
            qk_rope_head_dim=64,
            linear_attn_config=linear,
        )
    )
    assert kimi.bytes_per_token(2) == 2 * 576 * 2
    assert kimi.fixed_state_bytes == 6 * (3 * 3 * 32 * 128 * 2 + 32 * 128 * 128 * 4)


def test_a_state_of_unknown_precision_is_told_both_ways():
    config = next(shape.config for shape in SHAPES if shape.name == "nemotron-h-56b")
    found = kv_geometry(config)
    # 54 x (3 x (16,384 + 2 x 8 x 256) x 2 + 256 x 64 x 256 x 4)
    assert found.state_bytes_if(4) == 912_605_184
    assert "912,605,184" in found.unknowns[0]
    known = kv_geometry(config | {"mamba_ssm_cache_dtype": "float32"})
    assert known.fixed_state_bytes == 912_605_184
    assert not known.unknowns


def test_hybrids_that_do_both_in_one_layer():
    falcon = plain("falcon_h1", 2, 8, 2, 1024, head_dim=128, mamba_d_ssm=1536, mamba_n_heads=24)
    found = kv_geometry(falcon | {"mamba_d_head": 64, "mamba_d_state": 128, "mamba_n_groups": 1})
    assert found.bytes_per_token(2) == 2 * 2 * 2 * 128 * 2
    assert found.fixed_state_bytes == 2 * (3 * (1536 + 2 * 128) + 24 * 64 * 128) * 2


@pytest.mark.parametrize(
    ("config", "attends", "fixed"),
    [
        # 3 x (2 x 4,096 + 2 x 256) x 2 and 128 x 64 x 256 x 2 in each of 29 layers
        (
            plain(
                "bamba",
                32,
                32,
                8,
                4096,
                attn_layer_indices=[9, 18, 27],
                mamba_n_heads=128,
                mamba_d_head=64,
                mamba_d_state=256,
            ),
            3,
            29 * (3 * (8192 + 512) + 128 * 64 * 256) * 2,
        ),
        (
            plain(
                "granitemoehybrid",
                4,
                12,
                4,
                1536,
                mamba_n_heads=48,
                mamba_d_head="auto",
                mamba_d_state=128,
                layer_types=["mamba", "mamba", "mamba", "attention"],
            ),
            1,
            3 * (3 * (3072 + 256) + 48 * 64 * 128) * 2,
        ),
        (
            plain(
                "zamba2",
                3,
                32,
                32,
                2048,
                n_mamba_heads=64,
                mamba_headdim=64,
                mamba_d_state=64,
                hybrid_layer_ids=[1],
                attention_head_dim=128,
            ),
            1,
            3 * (3 * (4096 + 128) + 64 * 64 * 64) * 2,
        ),
        (
            plain("zamba", 7, 16, 16, 3712, attn_layer_period=6, attn_layer_offset=4),
            1,
            7 * (3 * 7424 + 7424 * 16) * 2,
        ),
        (
            plain(
                "plamo2",
                4,
                32,
                4,
                4096,
                hidden_size_per_head=128,
                mamba_num_heads=64,
                mamba_d_state=64,
                mamba_d_conv=4,
                mamba_step=2,
            ),
            2,
            2 * (3 * 64 * 128 + 64 * 128 * 64) * 2,
        ),
        (
            plain("lfm2", 4, 32, 8, 2048, conv_L_cache=3, full_attn_idxs=[2]),
            1,
            3 * 2 * 2048 * 2,
        ),
        (
            plain("minimax_text_01", 4, 64, 8, 6144, head_dim=128, attn_type_list=[0, 0, 0, 1]),
            1,
            3 * 64 * 128 * 128 * 2,
        ),
        (
            names(
                "mamba2",
                num_hidden_layers=2,
                num_heads=24,
                head_dim=64,
                hidden_size=768,
                state_size=128,
                n_groups=1,
                conv_kernel=4,
            ),
            0,
            2 * (3 * (1536 + 256) + 24 * 64 * 128) * 2,
        ),
        (
            names(
                "nemotron_h",
                layers_block_type=["linear_attention", "moe", "full_attention"],
                num_attention_heads=32,
                num_key_value_heads=2,
                head_dim=128,
                hidden_size=2688,
                mamba_num_heads=64,
                mamba_head_dim=64,
                ssm_state_size=128,
                n_groups=8,
                mamba_ssm_cache_dtype="float32",
            ),
            1,
            3 * (4096 + 2 * 8 * 128) * 2 + 64 * 64 * 128 * 4,
        ),
    ],
    ids=lambda value: value.get("model_type") if isinstance(value, dict) else None,
)
def test_hybrids(config, attends, fixed):
    found = kv_geometry(config)
    assert found.layers.get("full", 0) == attends
    assert found.fixed_state_bytes == fixed
