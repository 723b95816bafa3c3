"""The chunk rule against recorded answers, published examples and a count by hand."""

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.conformance import spyre_chunk_reuse
from pagedviz.conformance.__main__ import main
from pagedviz.conformance.files import read_json
from pagedviz.conformance.replay import replay
from pagedviz.conformance.result import DamagedTraceError
from pagedviz.engine.spyre.chunks import check_chunk_size, chunk_reuse
from pagedviz.paths import GOLDEN

RECORDED = GOLDEN / "spyre" / "chunk_reuse.json.gz"
CASES = read_json(RECORDED)["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['prompt_len']}-{c['chunk_size']}")
def test_agrees_with_the_plugin(case):
    inputs = {name: value for name, value in case.items() if name != "expected"}
    assert spyre_chunk_reuse(inputs) == case["expected"]


def test_all_cases_are_here_and_counted():
    assert len(CASES) == 64
    assert replay(read_json(RECORDED)).steps == 64


@pytest.mark.parametrize("field", sorted(CASES[0]["expected"]))
def test_a_difference_is_found_in_every_field(field):
    recording = read_json(RECORDED)
    recording["cases"][5]["expected"][field] += 1
    outcome = replay(recording)
    assert outcome.steps == 5
    assert str(outcome.difference).startswith(f"differs at case 5, {field}: got ")


def test_the_command_line_knows_the_cases_by_their_inputs(tmp_path, capsys):
    data = json.dumps(read_json(RECORDED)).encode()
    (tmp_path / "other name.json.gz").write_bytes(gzip.compress(data))
    assert main([str(tmp_path)]) == 0
    line, total = capsys.readouterr().out.splitlines()
    assert line.endswith("agrees (64 cases)")
    assert total == "1 agree (64 cases), 0 differ"


@pytest.mark.parametrize("key", ["prompt_len", "expected"])
def test_cases_with_a_hole_are_damaged(key):
    recording = read_json(RECORDED)
    del recording["cases"][3][key]
    with pytest.raises(DamagedTraceError, match=key):
        replay(recording)


def test_a_case_that_cannot_be_is_damaged():
    recording = read_json(RECORDED)
    recording["cases"][3]["chunk_size"] = 500
    with pytest.raises(DamagedTraceError, match="try 448 or 512"):
        replay(recording)


# prompt, full blocks cached, chunk -> left padding, hit, reused, recomputed (tokens), chunks run
WORKED = [
    (3000, 39, 1024, 64, 2496, 1984, 1016, (1, 3)),
    (3000, 39, 512, 64, 2496, 2496, 504, (1, 6)),
    (2600, 39, 1024, 448, 2496, 1600, 1000, (1, 3)),
    (2500, 39, 1024, 512, 2496, 1536, 964, (1, 3)),
    (2048, 16, 1024, 0, 1024, 1024, 1024, (1, 2)),
    (2048, 15, 1024, 0, 960, 0, 2048, (2, 2)),
    (1024, 16, 1024, 0, 960, 0, 1024, (1, 1)),
    (1025, 16, 1024, 960, 1024, 64, 961, (1, 2)),
    # the figure in the plugin's documentation
    (1319, 14, 256, 192, 896, 832, 487, (2, 6)),
]


@pytest.mark.parametrize(
    ("prompt", "cached", "chunk", "left", "hit", "reused", "recomputed", "run"), WORKED
)
def test_worked_examples(prompt, cached, chunk, left, hit, reused, recomputed, run):
    r = chunk_reuse(prompt, cached, chunk)
    assert (r.left_padding_tokens, r.lookup_hit_tokens) == (left, hit)
    assert (r.reusable_tokens, r.recomputed_tokens) == (reused, recomputed)
    assert (r.chunks_computed, r.chunks_total) == run


def test_reported_case_of_a_3100_token_prompt():
    """sendnn-inference#629: 3,000 of 3,100 tokens shared."""
    cached = 3000 // 64
    assert chunk_reuse(3100, cached, 512).reusable_tokens == 2624
    assert chunk_reuse(3100, cached, 1024).reusable_tokens == 2112


def counted(prompt, cached, chunk, size=64):
    """Lay the prompt out block by block and skip chunks from the front while all is there."""
    blocks = ["cached"] * min(cached, (prompt - 1) // size)
    blocks += ["new"] * (-(-prompt // size) - len(blocks))
    while len(blocks) % (chunk // size):
        blocks.insert(0, "padding")
    per = chunk // size
    chunks = [blocks[i : i + per] for i in range(0, len(blocks), per)]
    skipped = []
    for one in chunks[:-1]:
        if "new" in one:
            break
        skipped += one
    return skipped.count("cached") * size


@settings(deadline=None)
@given(
    st.integers(1, 9000),
    st.integers(0, 160),
    st.sampled_from([64, 128, 192, 512, 576, 1024, 2048]),
)
def test_equals_a_count_by_hand(prompt, cached, chunk):
    r = chunk_reuse(prompt, cached, chunk)
    assert r.reusable_tokens == counted(prompt, cached, chunk)
    assert r.reusable_tokens + r.recomputed_tokens == prompt
    assert r.recomputed_tokens > 0
    assert r.chunks_skipped + r.chunks_computed == r.chunks_total
    assert r.reusable_blocks + r.cached_but_recomputed_blocks == r.lookup_hit_blocks


@settings(deadline=None)
@given(st.integers(1, 1024), st.integers(0, 16))
def test_a_prompt_of_one_chunk_never_saves(prompt, cached):
    assert chunk_reuse(prompt, cached, 1024).reusable_tokens == 0


@pytest.mark.parametrize(
    ("chunk", "said"),
    [
        (500, "chunk 500 is no multiple of the block size 64; try 448 or 512"),
        (30, "chunk 30 is no multiple of the block size 64; try 64"),
        (0, "chunk_size must be a whole number of at least 1, not 0"),
        (512.0, "chunk_size must be a whole number"),
        (True, "chunk_size must be a whole number"),
    ],
)
def test_wrong_chunks_are_refused_with_the_reason(chunk, said):
    with pytest.raises(ValueError, match=said):
        check_chunk_size(chunk)
    with pytest.raises(ValueError, match=said):
        chunk_reuse(3000, 39, chunk)


@pytest.mark.parametrize(
    ("prompt", "cached", "said"), [(0, 0, "prompt_len"), (5, -1, "cached_prefix_blocks")]
)
def test_wrong_prompts_are_refused(prompt, cached, said):
    with pytest.raises(ValueError, match=said):
        chunk_reuse(prompt, cached, 512)


def test_the_formula_has_the_numbers_of_the_result():
    r = chunk_reuse(1025, 16, 1024)
    assert r.formula().splitlines() == [
        "hit   = min(16, floor((1025 - 1) / 64)) = 16 blocks",
        "left  = ceil(1025 / 1024) x 16 - ceil(1025 / 64) = 15 blocks",
        "k     = min(floor((15 + 16) / 16), 2 - 1) = 1 chunk skipped",
        "reuse = max(0, 1 x 16 - 15) = 1 block = 64 tokens",
    ]
