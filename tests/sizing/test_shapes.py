"""Every family against figures worked out by hand, and the folder of real configs if there is one.

The real configs lie beside the project where they are at all (../shared/cases/configs).
"""

import json

import pytest

from pagedviz.paths import ROOT
from pagedviz.sizing import kv_geometry, read_config
from tests.sizing.shapes import SHAPES

EXPECTED = ROOT.parent / "shared" / "cases" / "configs" / "EXPECTED.json"


def ids(shapes):
    return [shape.name for shape in shapes]


@pytest.mark.parametrize("shape", SHAPES, ids=ids(SHAPES))
def test_figures_of_a_shape(shape):
    found = kv_geometry(shape.config)
    beyond = shape.per_token if shape.beyond is None else shape.beyond
    assert found.bytes_per_token(2) == shape.per_token
    assert found.bytes_per_token_beyond_window(2) == beyond
    assert found.window == shape.window
    assert found.fixed_state_bytes == shape.fixed
    assert found.bytes_per_token(1) * 2 == shape.per_token
    assert found.default_dtype_bytes == 2


@pytest.mark.parametrize("shape", SHAPES, ids=ids(SHAPES))
@pytest.mark.parametrize("tokens", [0, 1, 100, 2048, 8192, 131_072])
def test_bytes_of_a_sequence(shape, tokens):
    found = kv_geometry(shape.config)
    beyond = shape.per_token if shape.beyond is None else shape.beyond
    inside = min(tokens, shape.window or tokens)
    growing = beyond * tokens + (shape.per_token - beyond) * inside
    assert found.sequence_bytes(tokens, 2) == growing + (shape.fixed or 0)


@pytest.mark.parametrize("shape", SHAPES, ids=ids(SHAPES))
def test_every_value_of_a_formula_names_its_origin(shape):
    found = kv_geometry(shape.config)
    assert f"{shape.per_token:,}" in found.formula
    if found.encoder_only:
        assert any("no KV cache" in note for note in found.notes)
        return
    assert found.values
    for value in found.values:
        assert value.source
        assert f"{value.value:,}" in value.said


@pytest.mark.skipif(
    not EXPECTED.exists(), reason="no ../shared/cases beside the project; its figures are here"
)
def test_agrees_with_the_folder_of_configs():
    cases = json.loads(EXPECTED.read_text(encoding="utf-8"))["configs"]
    assert cases
    for file, want in cases.items():
        config = read_config((EXPECTED.parent / file).read_bytes(), file)
        found = kv_geometry(config)
        figures = want["kv_bytes_per_token_2byte"]
        assert found.bytes_per_token(2) == figures["all_attention_layers"], file
        assert found.bytes_per_token_beyond_window(2) == figures["beyond_window"], file
        assert found.window == want["window_or_chunk_tokens"], file
        assert found.fixed_state_bytes == want["fixed_state_bytes_per_sequence"], file
        assert found.bytes_per_token(1) == want["fp8_kv_bytes_per_token"], file
        for tokens, size in want["seq_bytes_ideal"].items():
            assert found.sequence_bytes(int(tokens), 2) == size, file
