"""Traces that are not what they should be, and what the command line says of a file."""

import gzip
import json
import os
import subprocess
import sys

import pytest

from pagedviz.conformance.__main__ import main
from pagedviz.conformance.replay import replay
from pagedviz.conformance.result import DamagedTraceError, UnknownFormError
from pagedviz.paths import GOLDEN, ROOT
from tests.engine.recorded import TRACES, load

# ---- traces that are not what they should be


def test_an_operation_of_another_name_is_damage():
    trace = load("g01")
    trace["steps"][2]["op"] = {"op": "__init__", "config": {}}
    with pytest.raises(DamagedTraceError, match="step 2 has no operation '__init__'"):
        replay(trace)


@pytest.mark.parametrize("op", ["free", ["op", "free"], 3, None])
def test_an_operation_that_is_not_an_object_is_damage(op):
    trace = load("g01")
    trace["steps"][2]["op"] = op
    with pytest.raises(DamagedTraceError, match="the op of step 2 is not an object"):
        replay(trace)


@pytest.mark.parametrize("content", [[], {}, None, 7, {"format": 3}, {"format": "x/1"}])
def test_another_form_is_named_not_guessed_at(content):
    with pytest.raises(UnknownFormError, match="not a form this release replays"):
        replay(content)


@pytest.mark.parametrize(
    ("name", "key"),
    [(name, key) for name in ("g01", "s1") for key in ("config", "steps")]
    + [("g01", "initial_state"), ("s1", "requests")],
)
def test_a_trace_with_a_hole_is_damaged(name, key):
    trace = load(name)
    del trace[key]
    with pytest.raises(DamagedTraceError, match=key):
        replay(trace)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"num_blocks": 0, "block_size": 4}, "num_blocks"),
        ({"num_blocks": 10**12, "block_size": 4}, "num_blocks"),
        ({"num_blocks": 2**70, "block_size": 4}, "num_blocks"),
        ({"num_blocks": 9, "block_size": "4"}, "block_size"),
        ({"num_blocks": 9, "colour": 4}, "colour"),
        ({"block_size": 4}, "num_blocks"),
        ([], "num_blocks"),
    ],
)
@pytest.mark.parametrize("name", ["g01", "s1"])
def test_a_trace_with_a_bad_config_is_damaged(name, config, message):
    with pytest.raises(DamagedTraceError, match=message):
        replay({**load(name), "config": config})


# ---- the command line


def test_command_line_agrees_walks_folders_and_sums_up(capsys):
    assert main([str(GOLDEN)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(TRACES) + len(list(GOLDEN.glob("spyre/*"))) + 1
    assert all("agrees" in line for line in lines[:-1])
    assert lines[-1].startswith("48 agree (4359 steps, 139 cases), 0 differ")


def test_command_line_names_step_and_field_of_the_first_difference(tmp_path, capsys):
    trace = load("g01")
    trace["steps"][5]["state"]["free_queue"].reverse()
    (tmp_path / "tampered.json").write_text(json.dumps(trace))
    (tmp_path / "good.json.gz").write_bytes(gzip.compress(json.dumps(load("g02")).encode()))
    assert main([str(tmp_path)]) == 1
    good, tampered, total = capsys.readouterr().out.splitlines()
    assert "good.json.gz: agrees (42 steps)" in good
    assert "tampered.json: differs at step 5, state.free_queue: got [" in tampered
    assert total == "1 agree (47 steps), 1 differ"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("torn.json", b'{"format": ', "is not JSON: it makes no sense at line 1, column 12"),
        ("digits.json", b'{"a": ' + b"9" * 5000 + b"}", "a number of too many digits"),
        ("torn.json.gz", gzip.compress(b"{}", mtime=0)[:-4], "cannot be read"),
        ("plain.json.gz", b"{}", "cannot be read"),
        ("picture.json", b"\x89PNG\xff\xfe\x00", "is not JSON"),
        ("deep.json", b"[" * 100_000, "nested too deeply"),
        ("empty.json", b"", "is not JSON"),
        ("config.json", b'{"hidden_size": 64}', "skipped, not a form this release replays"),
        ("newer.json", b'{"format": "kv-block-trace/2"}', "'kv-block-trace/2'"),
        ("hole.json", b'{"format": "kv-block-trace/1"}', "is damaged: 'config' is missing"),
    ],
)
def test_command_line_says_what_is_wrong_with_a_file(tmp_path, capsys, name, data, said):
    (tmp_path / name).write_bytes(data)
    assert main([str(tmp_path / name)]) == 1
    line, total = capsys.readouterr().out.splitlines()
    assert said in line
    assert total.startswith("0 agree")


def test_command_line_names_a_path_that_is_not_there(tmp_path, capsys):
    assert main([str(tmp_path / "nowhere")]) == 1
    assert "there is no such file" in capsys.readouterr().out


def test_command_line_names_a_path_longer_than_the_system_allows(tmp_path, capsys):
    (tmp_path / "good.json").write_text(json.dumps(load("g03")))
    assert main(["x" * 5000, str(tmp_path / "good.json")]) == 1
    long, good, _ = capsys.readouterr().out.splitlines()
    assert "xxx: cannot be read" in long
    assert "agrees" in good


def test_a_usage_beyond_all_numbers_is_damage():
    trace = load("g01")
    trace["initial_state"]["usage"] = 10**400
    with pytest.raises(DamagedTraceError, match="is damaged"):
        replay(trace)


def test_a_foreign_file_among_agreeing_traces_does_not_fail_the_run(tmp_path, capsys):
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "good.json").write_text(json.dumps(load("g03")))
    (tmp_path / "notes.txt").write_text("not looked at")
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 agree (18 steps), 0 differ, 1 skipped"


def test_a_reader_that_leaves_early_is_no_error():
    command = [sys.executable, "-m", "pagedviz.conformance", str(GOLDEN / "scheduler")]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert done.returncode == 1
    assert done.stderr == b""


def test_module_runs_as_a_command():
    command = [sys.executable, "-m", "pagedviz.conformance", str(GOLDEN / "scheduler")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("7 agree (262 steps), 0 differ\n")
