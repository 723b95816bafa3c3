"""Damage to recordings of the Spyre plugin: a missing answer, and limits no server can have."""

import json

import pytest

from pagedviz.conformance import spyre_admission, spyre_chunk_reuse, spyre_decode_sets
from pagedviz.conformance.__main__ import main
from pagedviz.conformance.replay import replay
from pagedviz.conformance.result import DamagedTraceError
from pagedviz.engine.errors import ConfigError, OperationError
from pagedviz.engine.spyre.releases import RELEASES
from tests.engine.recorded import load

IMPOSSIBLE = {
    "num_blocks": (0, "num_blocks must be a whole number of at least 2, not 0"),
    "max_num_seqs": (-1, "max_num_seqs must be a whole number of at least 1, not -1"),
    "max_model_len": ("32768", "max_model_len must be a whole number of at least 1, not '32768'"),
    "tkv_limit": (131072.0, "tkv_limit must be a whole number of at least 1, not 131072.0"),
    "block_size": (65, "block_size must be 64, which the plugin fixes, not 65"),
}


def cases_of(recording):
    return recording["cases"] if isinstance(recording, dict) else recording


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("number", [0, 31, 63])
def test_the_answer_of_each_release_must_be_there(release, number):
    recording = load("admission")
    del recording["cases"][number]["expected"][release]
    with pytest.raises(DamagedTraceError, match=f"'{release}' is missing in case {number}"):
        replay(recording)


@pytest.mark.parametrize("answer", [None, [], 3])
def test_an_answer_that_is_none_is_damage(answer):
    recording = load("admission")
    recording["cases"][5]["expected"]["vllm_spyre_1_10_0"] = answer
    with pytest.raises(DamagedTraceError, match="is damaged"):
        replay(recording)


@pytest.mark.parametrize("expected", [{}, {release: {} for release in RELEASES}])
@pytest.mark.parametrize("name", ["admission", "chunk_reuse"])
def test_an_empty_answer_does_not_agree(name, expected):
    recording = load(name)
    recording["cases"][5]["expected"] = expected
    if name == "admission" and not expected:
        with pytest.raises(DamagedTraceError, match="is missing in case 5"):
            replay(recording)
    else:
        assert replay(recording).difference.step == 5


@pytest.mark.parametrize("field", load("chunk_reuse")["cases"][5]["expected"])
def test_no_field_of_an_answer_may_be_missing(field):
    recording = load("chunk_reuse")
    del recording["cases"][5]["expected"][field]
    assert str(replay(recording).difference) == f"differs at case 5, {field}: not recorded"


def test_a_decode_set_without_steps_is_damage():
    recording = load("decode_sets")
    recording[2]["steps"] = []
    with pytest.raises(DamagedTraceError, match="case 2 cannot be replayed: no step"):
        replay(recording)


@pytest.mark.parametrize("name", ["admission", "decode_sets"])
@pytest.mark.parametrize("field", IMPOSSIBLE)
def test_a_limit_that_cannot_be_is_named(name, field):
    recording = load(name)
    value, message = IMPOSSIBLE[field]
    cases_of(recording)[3]["limits"][field] = value
    with pytest.raises(DamagedTraceError, match=f"case 3 cannot be replayed: {message}"):
        replay(recording)


@pytest.mark.parametrize(("name", "field"), [("admission", "chunk_size"), ("decode_sets", "chunk")])
def test_a_chunk_that_is_no_whole_number_of_blocks_is_named(name, field):
    recording = load(name)
    cases_of(recording)[3]["limits"][field] = 511
    with pytest.raises(DamagedTraceError, match=r"chunk 511 .* try 448 or 512"):
        replay(recording)


@pytest.mark.parametrize(
    "field", ["prompt_len", "cached_prefix_blocks", "chunk_size", "block_size"]
)
def test_all_inputs_of_the_chunk_rule_must_be_there(field):
    recording = load("chunk_reuse")
    del recording["cases"][9][field]
    with pytest.raises(DamagedTraceError, match=f"'{field}' is missing in case 9"):
        replay(recording)


def test_blocks_of_the_chunk_rule_are_those_of_the_plugin():
    case = {"prompt_len": 3000, "cached_prefix_blocks": 39, "chunk_size": 1024, "block_size": 32}
    with pytest.raises(ConfigError, match="block_size must be 64"):
        spyre_chunk_reuse(case)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"block_size": 16}, "block_size must be 64"),
        ({"chunk": 100}, "chunk 100 is no multiple of the block size 64; try 64 or 128"),
        ({"pausing": "no"}, "pausing must be True or False, not 'no'"),
    ],
)
def test_a_rig_that_cannot_be_is_named(change, message):
    recording = load("step_traces")
    recording[1]["rig"] |= change
    with pytest.raises(DamagedTraceError, match=message):
        replay(recording)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"paused": 2}, "paused must be at most 1, the requests in running, not 2"),
        ({"paused": -1}, "paused must be a whole number of at least 0, not -1"),
        ({"previous_step_was_prefill": 1}, "previous_step_was_prefill must be True or False"),
        (
            {"running": [{"prompt_len": 9, "generated": 0, "max_tokens": 5}]},
            r"running\[0\].generated must be a whole number of at least 1, not 0",
        ),
    ],
)
def test_a_state_that_cannot_be_is_refused(change, message):
    case = {
        "limits": load("admission")["cases"][0]["limits"],
        "running": [{"prompt_len": 9, "generated": 1, "max_tokens": 5}],
        "waiting": {"prompt_len": 9, "max_tokens": 5},
    }
    assert spyre_admission(case, "vllm_spyre_1_10_0")["may_finish_prefill_now"]
    with pytest.raises(OperationError, match=message):
        spyre_admission({**case, **change}, "vllm_spyre_1_10_0")


def test_a_limit_that_the_rule_does_not_use_may_be_absent():
    case = load("decode_sets")[0]
    found = spyre_decode_sets({**case, "limits": {"tkv_limit": case["limits"]["tkv_limit"]}})
    assert found == case["steps"]


@pytest.mark.parametrize("key", ["limits", "running", "waiting"])
def test_a_hole_in_the_first_case_does_not_hide_what_the_file_is(key):
    recording = load("admission")
    del recording["cases"][0][key]
    with pytest.raises(DamagedTraceError, match=f"'{key}' is missing in case 0"):
        replay(recording)


def test_the_command_line_names_the_case_and_fails(tmp_path, capsys):
    recording = load("admission")
    (tmp_path / "good.json").write_text(json.dumps(recording))
    del recording["cases"][17]["expected"]["vllm_spyre_1_10_0"]
    (tmp_path / "hole.json").write_text(json.dumps(recording))
    assert main([str(tmp_path)]) == 1
    good, hole, total = capsys.readouterr().out.splitlines()
    assert good.endswith("agrees (64 cases)")
    assert hole.endswith("hole.json: is damaged: 'vllm_spyre_1_10_0' is missing in case 17")
    assert total == "1 agree (64 cases), 0 differ, 1 cannot be read"
