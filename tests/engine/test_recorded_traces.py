"""The engine against traces recorded from vLLM, and the comparison against being fooled."""

import copy
import gzip
import json
import subprocess
import sys

import pytest

from pagedviz.conformance import CacheSession, recorded_agreement, schedule
from pagedviz.conformance.__main__ import main
from pagedviz.conformance.files import read_json
from pagedviz.conformance.replay import DamagedTraceError, UnknownFormError, replay
from pagedviz.paths import GOLDEN, ROOT

TRACES = sorted(GOLDEN.rglob("*.json.gz"))


def load(name):
    (path,) = GOLDEN.rglob(f"{name}*.json.gz")
    return read_json(path)


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name.split(".")[0])
def test_engine_agrees_with_vllm_at_every_step(path):
    trace = read_json(path)
    outcome = replay(trace)
    assert outcome.difference is None
    assert outcome.steps == len(trace["steps"]) > 0


def test_all_traces_are_here():
    assert len(list(GOLDEN.glob("allocator/*.json.gz"))) == 37
    assert len(list(GOLDEN.glob("scheduler/*.json.gz"))) == 7


def test_recorded_agreement_counts_files_and_steps():
    agreement = recorded_agreement()
    assert agreement.agree
    assert agreement.files == len(TRACES)
    assert agreement.steps == sum(len(read_json(path)["steps"]) for path in TRACES)
    assert agreement.differing == ()


# ---- a comparison that never fails would agree with anything


def other(value):
    """A value that is not this one, of the same type."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value + "?"
        case None:
            return 0
        case list():
            return [*value, 0]
        case dict():
            return {**value, "?": 0}


ALLOCATOR_FIELDS = [
    ("state", "tables"),
    ("state", "num_tokens"),
    ("state", "num_computed_tokens"),
    ("state", "ref_cnt"),
    ("state", "free_queue"),
    ("state", "usage"),
    ("result", "ok"),
    ("result", "hit_tokens"),
    ("result", "hit_blocks"),
    ("result", "num_new_tokens"),
    ("result", "new_blocks"),
]


@pytest.mark.parametrize(("part", "field"), ALLOCATOR_FIELDS)
def test_a_changed_allocator_field_is_found(part, field):
    trace = load("g05")
    number, step = next((i, s) for i, s in enumerate(trace["steps"]) if field in s[part])
    step[part][field] = other(step[part][field])
    found = replay(trace).difference
    assert (found.step, found.field) == (number, f"{part}.{field}")


def test_a_changed_initial_state_is_found():
    trace = load("g01")
    trace["initial_state"]["free_queue"].reverse()
    found = replay(trace).difference
    assert (found.step, found.field) == (-1, "state.free_queue")
    assert "before the first step" in str(found)


@pytest.mark.parametrize(
    "field",
    ["type", "block_hashes", "parent_block_hash", "token_ids", "block_size", "extra_keys"],
)
def test_a_changed_event_field_is_found(field):
    trace = load("g13")
    number, event = next(
        (i, event)
        for i, step in enumerate(trace["steps"])
        for event in step["events"][:1]
        if event["parent_block_hash"] is not None
    )
    event[field] = other(event[field])
    found = replay(trace).difference
    assert (found.step, found.field) == (number, f"events[0].{field}")


def test_a_missing_event_is_found():
    trace = load("g07")
    number = next(i for i, s in enumerate(trace["steps"]) if s["events"])
    del trace["steps"][number]["events"][0]
    found = replay(trace).difference
    assert (found.step, found.field) == (number, "events")


def test_two_hashes_that_change_places_are_found():
    trace = load("g06")
    number, cached = next(
        (i, s["state"]["cached"]) for i, s in enumerate(trace["steps"]) if s["state"]["cached"]
    )
    cached[0][1], cached[1][1] = cached[1][1], cached[0][1]
    found = replay(trace).difference
    assert (found.step, found.field) == (number, "state.cached")


def test_hashes_may_be_named_otherwise_as_long_as_they_pair_up():
    trace = load("g06")
    text = json.dumps(trace)
    renamed = json.loads(text)
    for step in [{"events": [], "state": renamed["initial_state"]}, *renamed["steps"]]:
        for pair in step["state"]["cached"]:
            pair[1] = f"hash {pair[1]}"
        for event in step["events"]:
            event["block_hashes"] = [f"hash {h}" for h in event["block_hashes"]]
            if event.get("parent_block_hash") is not None:
                event["parent_block_hash"] = f"hash {event['parent_block_hash']}"
    assert replay(renamed).difference is None


SCHEDULER_FIELDS = [
    ("", "added"),
    ("", "scheduled"),
    ("", "new"),
    ("", "preempted"),
    ("", "computed_at_admit"),
    ("after_schedule", "running"),
    ("after_schedule", "waiting"),
    ("after_schedule", "tables"),
    ("after_schedule", "free_queue"),
    ("after_schedule", "ref_cnt"),
    ("after_schedule", "usage"),
    ("after_update", "live"),
    ("after_update", "running"),
    ("after_update", "waiting"),
    ("after_update", "free_queue"),
]


@pytest.mark.parametrize(("part", "field"), SCHEDULER_FIELDS)
def test_a_changed_scheduler_field_is_found(part, field):
    trace = load("s7")
    holder = trace["steps"][6][part] if part else trace["steps"][6]
    holder[field] = other(holder[field])
    found = replay(trace).difference
    assert (found.step, found.field) == (6, f"{part}.{field}" if part else field)


def test_schedule_reads_only_config_requests_and_sampled():
    trace = load("s8")
    bare = {
        "config": trace["config"],
        "requests": trace["requests"],
        "steps": [{"sampled": step["sampled"]} for step in trace["steps"]],
    }
    before = copy.deepcopy(bare)
    assert schedule(bare) == schedule(trace)
    assert bare == before


def test_an_operation_the_engine_refuses_is_a_difference():
    trace = load("g01")
    trace["steps"].insert(0, {**trace["steps"][0], "op": {"op": "free", "req": "nobody"}})
    found = replay(trace).difference
    assert (found.step, found.field) == (0, "op")


def test_a_recorded_field_we_do_not_have_is_a_difference():
    trace = load("g01")
    trace["steps"][3]["state"]["colour"] = "red"
    found = replay(trace).difference
    assert (found.step, found.field) == (3, "state.colour")
    assert "missing" in found.message


def test_recorded_agreement_names_what_differs(tmp_path):
    trace = load("s1")
    trace["steps"][4]["new"] = ["r0"]
    (tmp_path / "s1_changed.json").write_text(json.dumps(trace))
    agreement = recorded_agreement(tmp_path)
    assert (agreement.files, agreement.steps, agreement.differing) == (1, 4, ("s1_changed",))
    assert not agreement.agree


def test_no_traces_is_no_agreement(tmp_path):
    assert not recorded_agreement(tmp_path).agree


# ---- files that are not what they should be


def test_an_operation_of_another_name_is_damage():
    trace = load("g01")
    trace["steps"][2]["op"] = {"op": "__init__", "config": {}}
    with pytest.raises(DamagedTraceError, match="step 2 has no operation '__init__'"):
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


def test_command_line_agrees_walks_folders_and_sums_up(capsys):
    assert main([str(GOLDEN)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(TRACES) + 1
    assert all("agrees" in line for line in lines[:-1])
    assert lines[-1].startswith("44 agree (3007 steps), 0 differ")


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
        ("torn.json", b'{"format": ', "is not JSON"),
        ("torn.json.gz", gzip.compress(b"{}")[:-4], "cannot be read"),
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


def test_a_foreign_file_among_agreeing_traces_does_not_fail_the_run(tmp_path, capsys):
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "good.json").write_text(json.dumps(load("g03")))
    (tmp_path / "notes.txt").write_text("not looked at")
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 agree (18 steps), 0 differ, 1 skipped"


def test_module_runs_as_a_command():
    command = [sys.executable, "-m", "pagedviz.conformance", str(GOLDEN / "scheduler")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("7 agree (262 steps), 0 differ\n")


def test_conformance_offers_the_session():
    assert CacheSession({"num_blocks": 2}).state()["free_queue"] == [1]
