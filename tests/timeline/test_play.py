"""A timeline agrees with the recorded traces and with the session, step by step."""

import math

import pytest
from hypothesis import given, settings

from pagedviz.engine.cache_session import CacheSession
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.play import play
from pagedviz.timeline.run import Run
from pagedviz.timeline.state import NO_HASH
from pagedviz.timeline.step import NO_HUE
from pagedviz.timeline.wire import encode
from tests.timeline.random_runs import carry_out, configs, intents
from tests.timeline.reference_decoder import assert_same, meter


class Bijection:
    def __init__(self):
        self.there, self.back = {}, {}

    def agrees(self, a, b):
        return self.there.setdefault(a, b) == b and self.back.setdefault(b, a) == a


def assert_state(got, want, same):
    for key in want:
        if key == "cached":
            assert [b for b, _ in got[key]] == [b for b, _ in want[key]]
            assert all(
                same.agrees(x, y) for (_, x), (_, y) in zip(got[key], want[key], strict=True)
            )
        elif key == "usage":
            assert math.isclose(got[key], want[key], abs_tol=1e-9)
        else:
            assert got[key] == want[key], key


def test_states_and_results_are_the_recorded_ones(golden):
    trace, timeline = golden
    names = [r.request_id for r in timeline.requests]
    same = Bijection()
    states = [trace["initial_state"], *(s["state"] for s in trace["steps"])]
    assert timeline.last == len(trace["steps"]) > 0
    for index, want in enumerate(states):
        assert_state(timeline.state(index).to_trace(names), want, same)
    for step, recorded in zip(timeline.steps[1:], trace["steps"], strict=True):
        for key, value in recorded["result"].items():
            got = step.result[key]
            assert (list(got) if isinstance(got, tuple) else got) == value
        assert [e["type"] for e in step.events] == [e["type"] for e in recorded["events"]]


def test_meters_are_counts_of_the_state(golden):
    _, timeline = golden
    for index, step in enumerate(timeline.steps):
        assert list(step.counts) == meter(timeline.state(index))


def test_a_refused_operation_changes_nothing(golden):
    _, timeline = golden
    for step in timeline.steps:
        if step.refused:
            assert timeline.state(step.index) == timeline.state(step.index - 1)


def test_parents_chain_the_hash_classes_of_each_table(golden):
    _, timeline = golden
    state = timeline.state(timeline.last // 2)
    for table in state.tables.values():
        classes = [state.hashes[b] for b in table]
        for before, cls in zip([NO_HASH, *classes], classes, strict=False):
            if cls != NO_HASH and (before != NO_HASH or cls == classes[0]):
                assert timeline.parents[cls] == before


@settings(max_examples=150, deadline=None)
@given(configs, intents)
def test_random_runs_show_the_sessions_states(config, wishes):
    ops, states = carry_out(config, wishes)
    timeline = play(Run("random", config, ops))
    names = [r.request_id for r in timeline.requests]
    same = Bijection()
    for index, want in enumerate(states):
        assert_state(timeline.state(index).to_trace(names), want, same)
    assert_same(timeline, encode(timeline))


def test_hues_are_not_shared_while_one_is_free():
    timeline = play(
        Run(
            "hues",
            {"num_blocks": 40, "block_size": 4},
            [
                *(
                    op
                    for i in range(8)
                    for op in (
                        {"op": "add_request", "req": f"r{i}", "tokens": [i]},
                        {"op": "admit", "req": f"r{i}"},
                    )
                ),
                {"op": "preempt", "req": "r2"},
                {"op": "free", "req": "r3"},
                {"op": "add_request", "req": "r8", "tokens": [8]},
                {"op": "admit", "req": "r8"},
                {"op": "add_request", "req": "r9", "tokens": [9]},
            ],
        )
    )
    # The eighth finds all seven taken; r3's is free for r8, r2 keeps its own while away.
    assert [r.hue for r in timeline.requests] == [0, 1, 2, 3, 4, 5, 6, 0, 3, NO_HUE]
    assert "".join(r.letter for r in timeline.requests) == "ABCDEFGHJK"
    assert timeline.steps[1].request.hue == 0


def test_the_same_name_twice_is_two_visitors():
    timeline = play(
        Run(
            "again",
            {"num_blocks": 9, "block_size": 4},
            [
                {"op": "add_request", "req": "x", "tokens": [1]},
                {"op": "free", "req": "x"},
                {"op": "add_request", "req": "x", "tokens": [2]},
                {"op": "admit", "req": "x"},
            ],
        )
    )
    assert [r.letter for r in timeline.requests] == ["A", "B"]
    assert timeline.state(4).tables == {1: (1,)}
    assert timeline.info("B").number == timeline.info("x").number == 1
    assert timeline.info("C") is None


@pytest.mark.parametrize(
    ("ops", "number", "says"),
    [
        ([{"op": "admit", "req": "A"}, {"op": "admit", "req": "A"}], 3, "already running"),
        ([{"op": "allocate", "req": "A", "num_new_tokens": 1}], 2, "not running"),
        ([{"op": "preempt", "req": "A"}], 2, "not running"),
        (
            [{"op": "admit", "req": "A"}, {"op": "rollback", "req": "A", "num_tokens": 9}],
            3,
            "cannot take back 9",
        ),
        ([{"op": "evict_blocks", "block_ids": [99]}], 2, "no block 99"),
    ],
)
def test_impossible_operations_name_their_step(ops, number, says):
    run = Run(
        "bad",
        {"num_blocks": 4, "block_size": 4},
        [{"op": "add_request", "req": "A", "tokens": [1, 2]}, *ops],
    )
    with pytest.raises(RunError, match=says) as caught:
        play(run)
    assert caught.value.step == number
    assert f"step {number}" in str(caught.value)


def test_states_do_not_depend_on_checkpoints(trace):
    _, timeline = trace("g31")
    state = timeline.checkpoints[0]
    for step in timeline.steps:
        state = state.after([step.change])
        assert state == timeline.state(step.index)
    with pytest.raises(IndexError):
        timeline.state(timeline.last + 1)


def test_events_are_the_sessions():
    ops = [{"op": "add_request", "req": "A", "tokens": [1, 2, 3, 4]}, {"op": "admit", "req": "A"}]
    config = {"num_blocks": 3, "block_size": 2, "enable_kv_cache_events": True}
    session = CacheSession(config)
    session.add_request("A", [1, 2, 3, 4])
    session.admit("A")
    (want,) = session.take_events()
    (got,) = play(Run("events", config, ops)).steps[2].events
    assert got["type"] == want["type"] == "BlockStored"
    assert list(got["block_hashes"]) == want["block_hashes"]
