"""Runs: read, checked, saved. Whatever is wrong is named."""

import gzip
import json
import pickle

import pytest

from pagedviz.timeline.errors import RunError
from pagedviz.timeline.frozen import Frozen, thaw
from pagedviz.timeline.ops import MAX_BLOCKS, MAX_STEPS, MAX_TOKENS
from pagedviz.timeline.run import Run

CONFIG = {"num_blocks": 8, "block_size": 4}
ADD = {"op": "add_request", "req": "A", "tokens": [1, 2, 3]}


def file_with(ops=(), **changes):
    trace = {
        "format": "kv-block-trace/1",
        "name": "test",
        "config": CONFIG,
        "steps": [{"op": op} for op in ops],
    } | changes
    return json.dumps({k: v for k, v in trace.items() if v is not ...})


def test_recorded_traces_load_with_all_their_operations(golden):
    trace, timeline = golden
    assert [thaw(op) for op in timeline.run.ops] == [s["op"] for s in trace["steps"]]
    assert timeline.run.config == trace["config"]
    assert timeline.run.title == trace["name"]


def test_saving_and_loading_gives_the_same_run(golden):
    _, timeline = golden
    assert Run.from_json(timeline.run.to_json(), "saved.json") == timeline.run


def test_a_saved_file_holds_what_the_recorded_one_holds(golden):
    trace, timeline = golden
    saved = json.loads(timeline.run.to_json())
    for got, want in zip(saved["steps"], trace["steps"], strict=True):
        assert got["op"] == want["op"]
        assert got["result"] == want["result"]
        for key in ("tables", "ref_cnt", "free_queue"):
            assert got["state"][key] == want["state"][key]


def test_ticks_stand_beside_the_operation_in_a_file():
    run = Run("ticks", CONFIG, [ADD | {"tick": 3, "priority": 1}])
    (step,) = json.loads(run.to_json())["steps"]
    assert step["op"] == ADD
    assert (step["tick"], step["priority"]) == (3, 1)
    assert Run.from_json(run.to_json(), "f").ops == run.ops


def test_large_files_leave_out_the_states():
    run = Run(
        "large",
        {"num_blocks": MAX_BLOCKS, "block_size": 16},
        [ADD, *({"op": "append", "req": "A", "tokens": [1]} for _ in range(30))],
    )
    saved = json.loads(run.to_json())
    assert "state" not in saved["steps"][0]
    assert saved["steps"][0]["result"] == {}


def test_results_in_a_file_are_not_believed():
    text = json.loads(file_with([ADD, {"op": "admit", "req": "A"}]))
    text["steps"][1]["result"] = {"ok": False}
    assert json.loads(Run.from_json(text, "f").to_json())["steps"][1]["result"]["ok"] is True


@pytest.mark.parametrize(
    "encode",
    [
        str.encode,
        lambda t: b"\xef\xbb\xbf" + t.encode(),
        lambda t: gzip.compress(t.encode()),
        lambda t: t,
        json.loads,
    ],
    ids=["utf-8", "byte order mark", "gzip", "text", "object"],
)
def test_what_can_be_read(encode):
    assert Run.from_json(encode(file_with([ADD])), "f.json").ops == (ADD,)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"  \n", "is empty"),
        (b"{", r"run.json is not valid JSON: it ends too early, at line 1, column 2"),
        (b'{"a": 1}\n, 2', "something follows after its end, at line 2, column 1"),
        (b'{"a": "b} ', "a text has no closing quotation mark, from line 1, column 7"),
        (b'{"a": 1,}', "something is missing or misplaced at line 1, column"),
        (b'{"format": "kv-block-trace/1", "config": {', "cut off"),
        (b"[1]", "holds a list"),
        (b"7", "single value"),
        (b"<!DOCTYPE html><html>", "web page"),
        (b"\xff\xfe{\x00}\x00", "UTF-16"),
        (b"\x89PNG\r\n\x1a\n\x00", "not text in UTF-8"),
        (b"\x1f\x8bgarbage", "damaged gzip"),
        (gzip.compress(b"x" * 65_000_000), "larger than"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": ' + b"9" * 6000 + b"}", "cannot be used"),
        (file_with(format=...), "format: is missing"),
        (file_with(format="kv-block-trace/2"), "newer release"),
        (file_with(format="kv-sched-trace/1"), "scheduler trace"),
        (file_with(format="notes"), "not a run"),
        (file_with(config=...), "config: is missing"),
        (file_with(steps=...), "steps: is missing"),
        (file_with(steps={}), "must be a list"),
        (file_with(steps=[3]), "step 1, op: has no operation"),
        (file_with(steps=[{"result": {}}]), "has no operation"),
        (file_with(config=[]), "config: must be an object"),
        (file_with(name=7), "name: must be a text"),
        (file_with([ADD] * (MAX_STEPS + 1)), "limit is 2,000"),
    ],
)
def test_what_cannot_be_read_is_named(data, says):
    with pytest.raises(RunError, match=says) as caught:
        Run.from_json(data, "my run.json")
    assert "my run.json" in str(caught.value)


@pytest.mark.parametrize("bad", [0, -1, 1, True, 3.0, "8", None, MAX_BLOCKS + 1, 10**30])
def test_pool_sizes(bad):
    with pytest.raises(RunError, match=r"config\.num_blocks"):
        Run("t", {"num_blocks": bad, "block_size": 4}, [])


@pytest.mark.parametrize(
    ("key", "bad"),
    [
        ("block_size", 0),
        ("block_size", -4),
        ("block_size", True),
        ("block_size", 2.5),
        ("block_size", 5000),
        ("enable_caching", 1),
        ("max_model_len", 0),
        ("watermark", 1.0),
        ("watermark", -0.1),
        ("watermark", True),
        ("watermark", float("nan")),
        ("enable_kv_cache_events", "yes"),
    ],
)
def test_other_sizes(key, bad):
    with pytest.raises(RunError, match=f"config.{key}"):
        Run("t", CONFIG | {key: bad}, [])


def test_config_keys():
    with pytest.raises(RunError, match="block_size: is missing"):
        Run("t", {"num_blocks": 8}, [])
    with pytest.raises(RunError, match="unknown key 'blocks'"):
        Run("t", CONFIG | {"blocks": 8}, [])
    assert Run("t", CONFIG, []).config == {
        **CONFIG,
        "enable_caching": True,
        "max_model_len": 8192,
        "watermark": 0.0,
        "enable_kv_cache_events": True,
    }


@pytest.mark.parametrize(
    ("op", "field", "says"),
    [
        ({"op": "fork", "req": "A"}, "op", "unknown operation 'fork'"),
        ({"req": "A"}, "op", "unknown operation None"),
        ({"op": "free", "req": "A", "now": 1}, "", "unknown key 'now'"),
        ({"op": "free"}, "req", "is missing"),
        ({"op": "free", "req": "B"}, "req", "unknown request 'B'"),
        ({"op": "free", "req": 7}, "req", "must be a text"),
        ({"op": "free", "req": "x" * 100}, "req", "at most 80"),
        (ADD, "req", "already there"),
        ({"op": "append", "req": "A", "tokens": []}, "tokens", "must not be empty"),
        ({"op": "append", "req": "A", "tokens": [1, True]}, "tokens", "token 2"),
        ({"op": "append", "req": "A", "tokens": [1.0]}, "tokens", "token 1"),
        ({"op": "append", "req": "A", "tokens": [-1]}, "tokens", "token 1"),
        ({"op": "append", "req": "A", "tokens": [2**63]}, "tokens", "token 1"),
        ({"op": "append", "req": "A", "tokens": "hello"}, "tokens", "must be a list"),
        ({"op": "append", "req": "A", "tokens": [1] * 140_000}, "tokens", "limit is 131,072"),
        ({"op": "allocate", "req": "A", "num_new_tokens": 0}, "num_new_tokens", "from 1"),
        ({"op": "admit", "req": "A", "num_lookahead_tokens": -1}, "num_lookahead_tokens", "from 0"),
        ({"op": "admit", "req": "A", "has_scheduled_reqs": 1}, "has_scheduled_reqs", "true or"),
        ({"op": "evict_blocks", "block_ids": [1.5]}, "block_ids", "block numbers"),
        (ADD | {"req": "B", "lora": {"name": "x"}}, "lora", "lacks the key 'id'"),
        (ADD | {"req": "B", "mm": [{"identifier": "i", "offset": 0, "length": 0}]}, "mm", "length"),
        (ADD | {"req": "B", "cache_salt": 7}, "cache_salt", "must be a text"),
        ({"op": "free", "req": "A", "tick": -1}, "tick", "from 0"),
        (7, "", "must be an object"),
    ],
)
def test_operations_name_step_and_field(op, field, says):
    with pytest.raises(RunError, match=says) as caught:
        Run("t", CONFIG, [ADD, op], source="f.json")
    assert caught.value.step == 2
    assert caught.value.field == field
    assert str(caught.value).startswith("f.json, step 2")


def test_tokens_of_a_whole_run_are_limited():
    part = [1] * 100_000
    many = [{"op": "append", "req": "A", "tokens": part}] * (MAX_TOKENS // len(part))
    with pytest.raises(RunError, match="1,000,000 tokens in all"):
        Run("t", CONFIG, [ADD, *many])


def test_runs_are_read_only_and_can_be_cached():
    run = Run("t", CONFIG, [ADD])
    with pytest.raises(AttributeError):
        run.title = "other"
    with pytest.raises(TypeError):
        run.ops[0]["req"] = "B"
    tokens = [1, 2]
    kept = Run("t", CONFIG, [ADD | {"tokens": tokens}])
    tokens.append(3)
    assert kept.ops[0]["tokens"] == (1, 2)
    again = pickle.loads(pickle.dumps(run))
    assert again == run
    assert hash(again) == hash(run)
    assert Frozen({"a": [1]}) != Frozen({"a": [2]})


def test_errors_survive_pickling():
    with pytest.raises(RunError) as caught:
        Run("t", CONFIG, [7])
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.step) == (str(caught.value), 1)


@pytest.mark.parametrize(
    ("title", "op", "field"),
    [
        ("\udfff", ADD, "name"),
        ("t", ADD | {"req": "\ud800"}, "req"),
        ("t", ADD | {"cache_salt": "a\ud800"}, "cache_salt"),
        ("t", ADD | {"lora": {"name": "\ud800", "id": 1, "path": "p"}}, "lora"),
        ("t", ADD | {"mm": [{"identifier": "\udc00", "offset": 0, "length": 1}]}, "mm"),
    ],
)
def test_half_characters_are_refused_at_the_door(title, op, field):
    with pytest.raises(RunError, match="half a character") as caught:
        Run(title, CONFIG, [op])
    assert caught.value.field == field
    assert str(caught.value).encode()


def test_null_is_a_field_that_is_not_there():
    more = dict.fromkeys(("cache_salt", "lora", "mm", "skip_reading_prefix_cache", "priority"))
    ops = [ADD | more, {"op": "admit", "req": "A", "num_new_tokens": None, "tick": None}]
    run = Run.from_json(file_with(ops), "f.json")
    assert run.ops == (ADD, {"op": "admit", "req": "A"})
    assert Run.from_json(run.to_json(), "f.json").ops == run.ops
    with pytest.raises(RunError, match="tokens: must be a list"):
        Run("t", CONFIG, [ADD | {"tokens": None}])


def test_damage_inside_a_gzip_file():
    data = bytes.fromhex("1f8b0800000000000003") + b"\xff" * 200
    with pytest.raises(RunError, match="is a damaged gzip file"):
        Run.from_json(data, "f.json.gz")


@pytest.mark.parametrize("where", ["num_blocks", "watermark", "max_model_len"])
@pytest.mark.parametrize("digits", [400, 5000])
def test_numbers_of_thousands_of_digits(where, digits):
    text = file_with(config=CONFIG | {where: 0}).replace(
        f'"{where}": 0', f'"{where}": 1{"0" * digits}'
    )
    for attempt in (
        lambda: Run.from_json(text, "f.json"),
        lambda: Run("t", CONFIG | {where: 10**digits}, []),
    ):
        with pytest.raises(RunError) as caught:
            attempt()
        message = str(caught.value)
        assert "set_int_max_str_digits" not in message
        assert "digits" in message or where in message
        assert len(message) < 200


def test_large_files_hold_the_operations_only_and_can_be_opened():
    tokens = list(range(10**6, 10**6 + 131_056))
    run = Run(
        "large",
        {"num_blocks": MAX_BLOCKS, "block_size": 16, "max_model_len": 131_072},
        [
            ADD | {"tokens": tokens},
            {"op": "admit", "req": "A"},
            *[{"op": "preempt", "req": "A"}, {"op": "admit", "req": "A"}] * 100,
        ],
    )
    text = run.to_json()
    assert len(text.encode()) < 2_000_000
    assert set(json.loads(text)["steps"][0]) == {"op"}
    assert Run.from_json(text, "f.json") == run


def test_what_would_be_too_large_a_file_is_no_run():
    many = [{"op": "append", "req": "A", "tokens": [2**63 - 1] * 100_000}] * 9
    with pytest.raises(RunError, match=r"8,500,000 characters in a file\. Use fewer or smaller"):
        Run("t", CONFIG, [ADD, *many])
    run = Run("t", CONFIG, [ADD, *many[:4]])
    assert len(run.to_json()) < 9_000_000
