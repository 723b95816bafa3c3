"""Recordings of the Spyre plugin: a difference anywhere is found, and damage is named."""

import gzip
import json

import pytest

from pagedviz.conformance.__main__ import main
from pagedviz.conformance.files import read_json
from pagedviz.conformance.replay import replay
from pagedviz.conformance.result import DamagedTraceError, UnknownFormError
from pagedviz.paths import GOLDEN

SPYRE = GOLDEN / "spyre"


def load(name):
    return read_json(SPYRE / f"{name}.json.gz")


def changed(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, dict):
        return {**value, "new": 1}
    return [*value, "new"] if value is not None else 0


@pytest.mark.parametrize("release", load("admission")["cases"][0]["expected"])
@pytest.mark.parametrize("field", ["reason", "may_finish_prefill_now", "tkv", "blocks_needed"])
def test_a_difference_in_an_admission_is_found(release, field):
    recording = load("admission")
    expected = recording["cases"][7]["expected"][release]
    expected[field] = changed(expected.get(field, 0))
    outcome = replay(recording)
    assert (outcome.steps, outcome.unit) == (7, "case")
    assert str(outcome.difference).startswith(f"differs at case 7, {release}.{field}: ")


def test_an_answer_that_lacks_a_field_is_a_difference():
    recording = load("admission")
    del recording["cases"][2]["expected"]["sendnn_2_6_3_pausing_off"]["tkv"]
    assert str(replay(recording).difference).endswith("pausing_off.tkv: not recorded")


@pytest.mark.parametrize("field", load("decode_sets")[0]["steps"][0])
def test_a_difference_in_a_decode_set_is_found(field):
    recording = load("decode_sets")
    step = recording[4]["steps"][2]
    step[field] = changed(step[field])
    outcome = replay(recording)
    assert outcome.steps == 4
    assert str(outcome.difference).startswith(f"differs at case 4, steps[2].{field}: got ")


@pytest.mark.parametrize("field", load("step_traces")[0]["steps"][0])
def test_a_difference_in_a_step_is_found(field):
    recording = load("step_traces")
    step = recording[1]["steps"][60]
    step[field] = changed(step[field])
    outcome = replay(recording)
    assert (outcome.steps, outcome.unit) == (248 + 60, "step")
    assert str(outcome.difference).startswith(f"differs at step 60, run 1, {field}: got ")


@pytest.mark.parametrize("more", [True, False])
def test_a_step_too_many_or_too_few_is_a_difference(more):
    recording = load("step_traces")
    steps = recording[4]["steps"]
    recording[4]["steps"] = [*steps, steps[-1]] if more else steps[:-1]
    outcome = replay(recording)
    assert outcome.difference.field == "run 4, steps"
    assert outcome.steps == 248 + 409 + 386 + 276 + (33 if more else 32)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("admission", "expected"),
        ("admission", "limits"),
        ("decode_sets", "running"),
        ("decode_sets", "steps"),
        ("step_traces", "rig"),
        ("step_traces", "requests"),
    ],
)
def test_a_case_with_a_hole_is_damaged(name, key):
    recording = load(name)
    cases = recording["cases"] if isinstance(recording, dict) else recording
    del cases[-1][key]
    with pytest.raises(DamagedTraceError, match=key):
        replay(recording)


@pytest.mark.parametrize("case", [None, 3, [], "x"])
def test_a_case_that_is_no_object_is_damaged(case):
    recording = load("decode_sets")
    recording[3] = case
    with pytest.raises(DamagedTraceError, match="case 3 is not an object"):
        replay(recording)


def test_a_rig_that_cannot_be_is_damaged_and_says_why():
    recording = load("step_traces")
    recording[0]["rig"]["chunk"] = 500
    with pytest.raises(DamagedTraceError, match="try 448 or 512"):
        replay(recording)


def test_an_unknown_release_is_damage():
    recording = load("admission")
    recording["cases"][0]["expected"] = {"sendnn_9": {}}
    with pytest.raises(DamagedTraceError, match="release must be one of"):
        replay(recording)


@pytest.mark.parametrize("content", [[], [[]], [{}], {"cases": []}, {"cases": 3}, [{"rig": 1}]])
def test_what_is_no_recording_is_named(content):
    with pytest.raises(UnknownFormError):
        replay(content)


def test_the_command_line_knows_each_by_its_inputs(tmp_path, capsys):
    for i, name in enumerate(("admission", "decode_sets", "step_traces")):
        data = json.dumps(load(name)).encode()
        (tmp_path / f"{i}.json.gz").write_bytes(gzip.compress(data))
    assert main([str(tmp_path)]) == 0
    *lines, total = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[1] for line in lines] == [
        "agrees (64 cases)",
        "agrees (11 cases)",
        "agrees (1352 steps)",
    ]
    assert total == "3 agree (1352 steps, 75 cases), 0 differ"
