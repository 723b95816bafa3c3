"""Families beyond the table of shapes: the arithmetic stands beside each."""

import pytest

from pagedviz.sizing import ConfigError, kv_geometry
from tests.sizing.shapes import ALTERNATING, SHAPES, names, plain


def per_token(config):
    return kv_geometry(config).bytes_per_token(2)


def test_a_config_inside_another_takes_the_defaults_of_its_class():
    # Gemma 3 4B names neither heads nor KV heads: 8, 4 and 256 are its class's
    text = names("gemma3_text", num_hidden_layers=34, hidden_size=2560, sliding_window=1024)
    found = kv_geometry({"model_type": "gemma3", "text_config": text})
    assert found.bytes_per_token_beyond_window(2) == 20_480  # 5 layers x 2 x 4 x 256 x 2
    assert found.bytes_per_token(2) - 20_480 == 118_784  # 29 layers of them
    for tokens in (4_096, 131_072):
        assert found.sequence_bytes(tokens, 2) == 20_480 * tokens + 118_784 * min(tokens, 1024)
    assert [v.source for v in found.values if v.name == "KV heads"] == [
        "class default of gemma3_text"
    ]


def test_llava_without_numbers_is_its_class():
    config = {"model_type": "llava", "text_config": {"model_type": "llama"}}
    assert per_token(config) == 2 * 32 * 32 * 128 * 2


def test_at_the_top_a_missing_layer_count_is_no_default():
    with pytest.raises(ConfigError, match="num_hidden_layers is missing"):
        kv_geometry({"model_type": "llama", "num_attention_heads": 32, "hidden_size": 4096})


@pytest.mark.parametrize(
    ("config", "figure"),
    [
        (names("mpt", n_layers=32, n_heads=32, d_model=4096), 2 * 32 * 32 * 128 * 2),
        (
            names("mpt", n_layers=32, n_heads=32, d_model=4096, attn_config={"kv_n_heads": 8}),
            2 * 32 * 8 * 128 * 2,
        ),
        (
            names("dbrx", n_layers=40, n_heads=48, d_model=6144, attn_config={"kv_n_heads": 8}),
            2 * 40 * 8 * 128 * 2,
        ),
        (
            names(
                "falcon",
                num_hidden_layers=60,
                num_attention_heads=128,
                num_kv_heads=8,
                hidden_size=8192,
                new_decoder_architecture=True,
                multi_query=True,
            ),
            2 * 60 * 8 * 64 * 2,
        ),
        (
            names(
                "falcon",
                num_hidden_layers=32,
                num_attention_heads=71,
                num_kv_heads=71,
                hidden_size=4544,
                multi_query=True,
                new_decoder_architecture=False,
            ),
            2 * 32 * 1 * 64 * 2,
        ),
        (names("RefinedWeb", n_layer=60, n_head=128, n_head_kv=8, hidden_size=8192), 122_880),
        (names("gptj", n_layer=28, n_head=16, n_embd=4096), 2 * 28 * 16 * 256 * 2),
        (plain("gemma", 18, 8, 1, 2048, head_dim=256), 2 * 18 * 1 * 256 * 2),
        (plain("mistral", 32, 32, None, 4096, sliding_window=None), 2 * 32 * 8 * 128 * 2),
        (
            plain("mistral", 32, 32, None, 4096, sliding_window=None)
            | {"num_key_value_heads": None},
            2 * 32 * 32 * 128 * 2,
        ),
        (names("qwen", num_hidden_layers=32, num_attention_heads=32, kv_channels=128), 524_288),
    ],
)
def test_names_of_kv_heads(config, figure):
    assert per_token(config) == figure


def test_kv_heads_layer_by_layer():
    deci = plain("deci", 4, 32, None, 4096, num_key_value_heads_per_layer=[4, 4, 2, 1])
    assert per_token(deci) == 2 * (4 + 4 + 2 + 1) * 128 * 2
    blocks = [
        {"attention": {"n_heads_in_group": 8}},
        {"attention": {"no_op": True}},
        {"attention": {"replace_with_linear": True}},
    ]
    nas = plain("nemotron-nas", 3, 64, None, 8192, block_configs=blocks)
    assert per_token(nas) == 2 * 1 * 8 * 128 * 2
    assert kv_geometry(nas).layers == {"full": 1, "nothing": 2}
    elm = names(
        "openelm",
        num_transformer_layers=3,
        num_query_heads=[12, 12, 16],
        num_kv_heads=[3, 3, 4],
        head_dim=64,
        model_dim=1280,
    )
    assert per_token(elm) == 2 * (3 + 3 + 4) * 64 * 2


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


def test_sizes_that_differ_by_kind():
    mimo = plain(
        "mimo_v2_flash",
        4,
        64,
        4,
        4096,
        head_dim=192,
        v_head_dim=128,
        swa_num_key_value_heads=8,
        swa_head_dim=192,
        swa_v_head_dim=128,
        sliding_window=128,
        hybrid_layer_pattern=[0, 1, 1, 1],
    )
    assert per_token(mimo) == (1 * 4 + 3 * 8) * (192 + 128) * 2
    gemma4 = plain(
        "gemma4_text", 6, 8, 4, 2304, head_dim=256, sliding_window=512, global_head_dim=512
    )
    assert per_token(gemma4) == 2 * 4 * (5 * 256 + 1 * 512) * 2


def test_layers_that_read_anothers_cache():
    config = plain(
        "gemma3n_text", 35, 8, 2, 2048, head_dim=256, sliding_window=512, num_kv_shared_layers=15
    )
    found = kv_geometry(config)
    assert found.layers == {"full": 4, "sliding": 16, "nothing": 15}
    assert found.bytes_per_token(2) == 2 * 20 * 2 * 256 * 2


def test_a_sparse_indexer_keeps_bytes_of_its_own():
    fields = {"kv_lora_rank": 512, "qk_rope_head_dim": 64, "index_head_dim": 128}
    config = plain("deepseek_v32", 61, 128, 128, index_topk=2048, **fields)
    assert per_token(config) == 61 * (576 * 2 + 128 + 4)
    assert kv_geometry(config).bytes_per_token(1) == 61 * (576 + 132)


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


def test_encoder_decoders():
    t5 = kv_geometry(names("t5", num_layers=24, num_heads=16, d_kv=64, d_model=1024))
    assert t5.bytes_per_token(2) == 2 * 24 * 16 * 64 * 2
    assert t5.fixed_state_bytes is None
    assert f"{2 * 24 * 16 * 64 * 2:,} bytes per source token" in t5.unknowns[0]
    bart = names("bart", decoder_layers=12, decoder_attention_heads=16, d_model=1024)
    assert per_token(bart) == 2 * 12 * 16 * 64 * 2


def test_pictures_in_cross_attention_are_not_counted_as_text():
    text = plain("mllama_text_model", 40, 32, 8, 4096, cross_attention_layers=[3, 8])
    found = kv_geometry({"model_type": "mllama", "text_config": text})
    assert found.bytes_per_token(2) == 2 * 38 * 8 * 128 * 2
    assert "pictures" in found.unknowns[0]


def test_params_json_of_llama():
    assert per_token({"dim": 8192, "n_layers": 80, "n_heads": 64, "n_kv_heads": 8}) == 327_680
    assert per_token({"dim": 5120, "n_layers": 40, "n_heads": 40}) == 819_200


def test_the_name_in_architectures_counts_where_model_type_is_private():
    config = plain("our_llama", 32, 32, 8, 4096, architectures=["LlamaForCausalLM"])
    assert per_token(config) == 131_072


def test_decoders_made_into_embedding_models_keep_nothing():
    config = plain("llama", 16, 32, 8, 2048, architectures=["LlamaBidirectionalModel"])
    assert kv_geometry(config).encoder_only
    assert kv_geometry(
        plain("gemma3_text", 24, 3, 1, 768, use_bidirectional_attention=True)
    ).encoder_only


@pytest.mark.parametrize(
    ("quantization", "on_gpu", "on_spyre"),
    [
        ({"quant_method": "fp8"}, 2, 1),
        ({"quant_method": "awq", "bits": 4}, 2, 2),
        ({"quant_method": "mxfp4"}, 2, 2),
        ({"quant_method": "modelopt", "quantization": {"quant_algo": "FP8"}}, 2, 1),
        (
            {
                "quant_method": "modelopt",
                "quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8"},
            },
            1,
            1,
        ),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"group_0": {"weights": {"type": "float", "num_bits": 8}}},
            },
            2,
            1,
        ),
        (
            {
                "quant_method": "compressed-tensors",
                "config_groups": {"group_0": {"weights": {"type": "int", "num_bits": 8}}},
                "kv_cache_scheme": {"type": "float", "num_bits": 8},
            },
            1,
            2,
        ),
    ],
)
def test_the_type_that_an_engine_takes_by_itself(quantization, on_gpu, on_spyre):
    config = plain("granite", 40, 32, 8, 4096, quantization_config=quantization)
    assert kv_geometry(config).default_dtype_bytes == on_gpu
    assert kv_geometry(config, engine="spyre").default_dtype_bytes == on_spyre


def test_a_latent_type_without_a_latent_is_multi_head():
    text = plain("deepseek_v2", 12, 10, 10, 1280, kv_lora_rank=None, qk_rope_head_dim=0)
    config = {"model_type": "deepseek_vl_v2", "language_config": text}
    assert per_token(config) == 2 * 12 * 10 * 128 * 2
    with pytest.raises(ConfigError, match="kv_lora_rank is missing"):
        kv_geometry(plain("deepseek_v3", 61, 128, 128, 7168))


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
