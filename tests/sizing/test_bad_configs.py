"""Files and configs that are wrong: each message names what is, and nothing is invented."""

import contextlib
import json
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.engine.errors import EngineError
from pagedviz.paths import ROOT
from pagedviz.sizing import (
    ConfigError,
    UnknownArchitectureError,
    kv_geometry,
    manual_geometry,
    read_config,
)
from tests.sizing.shapes import plain

BAD = ROOT.parent / "shared" / "cases" / "bad"
GOOD = plain("llama", 32, 32, 8, 4096)


def refused(data, name="config.json"):
    with pytest.raises(ConfigError) as caught:
        kv_geometry(read_config(data, name))
    assert isinstance(caught.value, ValueError)
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{\n  "model_type": "llama",\n  "num', "ends early at line 3, column 3"),
        (b"", "is empty"),
        (b" \n\t\n", "is empty"),
        (b"PK\x03\x04rest", "ZIP"),
        (b"\x1f\x8brest", "gzip"),
        (b"version https://git-lfs.github.com/spec/v1\nsize 52000000\n", "52,000,000 bytes"),
        (b"<!DOCTYPE html><html><body>401</body></html>", "HTML page"),
        (b'{"a": 1} {"b": 2}', "something follows"),
        (b'{"a": 1, // note\n "b": 2}', "something is missing or misplaced|comment"),
        (b'{"a": 1,}', "comma too many"),
        (b'[{"model_type": "llama"}, {}]', "expected one object, got a list of 2"),
        (b"3", "single value"),
        (b"{}", "empty object"),
        (b'{"model": "caf\xe9"}', "byte 15"),
        (b'{"a": "\x00"}', "zero byte"),
        (b'{"a": ' + b"[" * 3000 + b"]" * 3000 + b"}", "nested 3,001 levels deep"),
        (b'{"a": ' + b"9" * 5000 + b"}", "thousands of digits"),
        (b'{"tokenizer_class": "X"}', "wrong file .this looks like tokenizer_config.json."),
    ],
)
def test_a_file_that_is_no_config(data, said):
    message = refused(data)
    assert re.search(said, message), message


def test_a_file_in_other_clothes_is_read():
    text = json.dumps(GOOD)
    for data in (
        text.encode("utf-8-sig"),
        text.encode("utf-16"),
        text.replace("{", "{\r\n").encode(),
    ):
        assert kv_geometry(read_config(data, "config.json")).bytes_per_token(2) == 131_072
    infinite = b'{"time_step_limit": [0.0, Infinity], "rest": NaN, "model_type": "llama"}'
    assert read_config(infinite, "config.json")["time_step_limit"][1] == float("inf")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"num_attention_heads": 0}, "num_attention_heads must be a whole number of at least 1"),
        ({"num_hidden_layers": -32}, "num_hidden_layers .* not -32"),
        ({"num_key_value_heads": 8.5}, "num_key_value_heads .* not 8.5"),
        ({"head_dim": True}, "head_dim .* not True"),
        ({"num_hidden_layers": "many"}, "num_hidden_layers .* not 'many'"),
        ({"num_key_value_heads": "eight"}, "num_key_value_heads .* not 'eight'"),
        ({"sliding_window": "long"}, "sliding_window .* not 'long'"),
        ({"max_position_embeddings": -7}, "max_position_embeddings .* not -7"),
        ({"num_hidden_layers": 10**9}, "num_hidden_layers 1000000000 is more than the 10,000"),
        (
            {"num_attention_heads": 33},
            "4,096 / 33 .* head_dim is missing",
        ),
        ({"model_type": 7}, "model_type must be text"),
        ({"model_type": "acme_retnet_v9"}, "unknown architecture 'acme_retnet_v9'"),
    ],
)
def test_a_number_that_is_wrong_is_named(change, said):
    with pytest.raises(ConfigError, match=said):
        kv_geometry(GOOD | change)


@pytest.mark.parametrize(
    ("value", "context"), [("8192", 8192), (8192.0, 8192), (-1, None), (1e30, None), (None, None)]
)
def test_a_context_is_read_however_it_is_written(value, context):
    assert kv_geometry(GOOD | {"max_position_embeddings": value}).context == context


def test_all_that_is_wrong_is_named_at_once():
    wrong = GOOD | {"num_hidden_layers": -32, "num_key_value_heads": 8.5, "head_dim": True}
    with pytest.raises(ConfigError) as caught:
        kv_geometry(wrong)
    for name in ("num_hidden_layers", "num_key_value_heads", "head_dim"):
        assert name in str(caught.value)


def test_text_for_numbers_is_read_with_a_note():
    texts = {name: str(value) for name, value in GOOD.items()}
    found = kv_geometry(texts)
    assert found.bytes_per_token(2) == 131_072
    assert any("num_hidden_layers" in note and "text" in note for note in found.notes)


def test_kv_heads_that_do_not_divide_are_a_warning():
    found = kv_geometry(GOOD | {"num_key_value_heads": 12})
    assert found.unsure
    assert "32 is not a multiple of 12" in found.warnings[0]


def test_an_unknown_architecture_gives_what_was_found_for_typing_on():
    config = plain("acme", 48, 64, 8, 6144, head_dim=96)
    with pytest.raises(UnknownArchitectureError) as caught:
        kv_geometry(config)
    assert caught.value.found["layers"] == 48
    assert caught.value.found["head_size"] == 96
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.found == caught.value.found
    assert isinstance(again, EngineError)
    assert manual_geometry(48, 8, 96).bytes_per_token(2) == 2 * 48 * 8 * 96 * 2


def test_without_an_architecture_the_figure_is_marked():
    found = kv_geometry({name: value for name, value in GOOD.items() if name != "model_type"})
    assert found.bytes_per_token(2) == 131_072
    assert found.unsure
    with pytest.raises(ConfigError, match="missing layers"):
        kv_geometry({"hidden_size": 4096, "num_attention_heads": 32})


def test_markup_in_a_name_stays_in_quotes_and_short():
    with pytest.raises(ConfigError) as caught:
        kv_geometry(plain("<script>alert(1)</script>" * 100, 2, 2))
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("wrong", [None, 3, "text", [1], [GOOD]])
def test_only_an_object_is_a_config(wrong):
    with pytest.raises(ConfigError):
        kv_geometry(wrong)


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_else(data):
    with contextlib.suppress(ConfigError):
        kv_geometry(read_config(data, "any"))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
FIELDS = (
    "num_hidden_layers num_attention_heads num_key_value_heads head_dim hidden_size layer_types "
    "sliding_window text_config attn_config block_configs quantization_config architectures "
    "linear_attn_config hybrid_override_pattern attention_types no_rope_layers block_types "
    "mamba_expand attn_type_list max_window_layers sliding_window_pattern use_sliding_window "
    "kv_lora_rank qk_rope_head_dim cross_attention_layers num_kv_shared_layers torch_dtype"
)
TYPES = (
    "llama gemma3_text qwen2 jamba nemotron_h deepseek_v3 bert t5 whisper mpt falcon gpt_neo "
    "kimi_linear minimax llama4_text recurrent_gemma zamba2 lfm2 nemotron-nas mllama_text_model"
)


@given(
    st.sampled_from(TYPES.split()),
    st.dictionaries(st.sampled_from(FIELDS.split()), json_values, max_size=6),
)
def test_no_field_raises_anything_else(kind, fields):
    with contextlib.suppress(ConfigError):
        assert kv_geometry(GOOD | {"model_type": kind} | fields).bytes_per_token(2) >= 0


@pytest.mark.skipif(not BAD.exists(), reason="no ../shared/cases/bad beside the project")
def test_agrees_with_the_folder_of_bad_files():
    figures = {
        "02_bom_config.json": 131_072,
        "13_strings_for_numbers_config.json": 131_072,
        "16_kv_heads_do_not_divide_config.json": 196_608,
    }
    files = [*BAD.glob("*config*.json"), BAD / "10c_whitespace_only.json"]
    assert len(files) > 10
    for file in files:
        if file.name in figures:
            found = kv_geometry(read_config(file.read_bytes(), file.name))
            assert found.bytes_per_token(2) == figures[file.name]
        else:
            refused(file.read_bytes(), file.name)
