"""Families beyond the table of shapes: the arithmetic stands beside each."""

import pytest

from pagedviz.sizing import ConfigError, kv_geometry
from tests.sizing.shapes import names, plain


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
