"""The comparison against being fooled: one that never fails would agree with anything."""

import json

import pytest

from pagedviz.conformance.replay import replay
from tests.engine.recorded import load


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
