"""What a simulation reports: figures worked out by hand, sums, stopping, the same every time."""

import pickle
from threading import Event

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.workload import (
    LoadSetup,
    SimulationCancelledError,
    SimulationSetup,
    StepCost,
    WorkloadError,
    generate,
    read_trace,
    simulate,
)
from pagedviz.workload.results import KINDS

STEPS = StepCost.in_steps(1.0)


def rows(*requests):
    lines = [",".join(map(str, row)) for row in requests]
    return read_trace(
        "\n".join(["arrival_s,prompt_tokens,output_tokens", *lines]).encode(), "x.csv"
    )


def test_one_request_by_hand():
    """3 prompt tokens, 3 written: 3, 4 and 5 slots hold tokens in its three steps."""
    result = simulate(rows((0, 3, 3)), SimulationSetup(16, 4, max_model_len=8, cost=STEPS))
    paged, most, pow2, oracle = result.systems.values()
    assert paged.slot_seconds == {
        "token": 12, "tail": 1 + 0 + 3, "kept": 0, "free": 12 + 12 + 8,
        "later": 0, "never": 0, "external": 0,
    }  # fmt: skip
    assert most.slot_seconds == {
        "token": 12, "later": 2 + 1 + 0, "never": 3 * 3, "external": 0, "free": 24,
        "tail": 0, "kept": 0,
    }  # fmt: skip
    # prompt 3 + power of two 4 = 7 reserved, 8 taken; 5 will be used
    assert (pow2.slot_seconds["never"], pow2.slot_seconds["external"]) == (6, 3)
    # exactly 5 reserved, 8 taken
    assert (oracle.slot_seconds["never"], oracle.slot_seconds["external"]) == (0, 9)
    assert {one.steps for one in result.systems.values()} == {3}
    assert {one.busy_s for one in result.systems.values()} == {3.0}


def test_waiting_is_counted_by_hand():
    """Two requests where the old way has room for one: B waits until A has left."""
    load = rows((0, 2, 4), (1, 2, 4))
    result = simulate(load, SimulationSetup(12, 2, max_model_len=8, cost=STEPS))
    assert result.systems["max"].requests["waiting_s"].tolist() == [0, 3]
    assert result.systems["max"].requests["finished_s"].tolist() == [4, 8]
    assert result.systems["max"].max_waiting == 1
    assert result.systems["max"].pressed_s == 3
    assert result.systems["paged"].requests["waiting_s"].tolist() == [0, 0]
    assert result.systems["paged"].max_running == 2
    assert result.systems["paged"].pressed_s == 0


def test_who_never_fits_is_refused_with_the_reason_and_the_others_are_served():
    load = rows((0, 5, 5), (0, 90, 5), (0, 20, 20))
    result = simulate(load, SimulationSetup(24, 4, max_model_len=64, cost=STEPS))
    paged = result.systems["paged"].requests["refused"].tolist()
    assert paged == [
        "",
        "95 tokens are more than max_model_len 64",
        "it needs 10 blocks; the memory has 6",
    ]
    assert result.systems["max"].num_refused == 3
    assert result.systems["max"].share("token") == 0
    assert result.systems["paged"].num_finished == 1
    assert result.systems["oracle"].requests["refused"].tolist()[0] == ""
    assert result.systems["paged"].requests["waiting_s"].isna().tolist() == [False, True, True]


def test_failed_requests_are_left_out_and_said():
    result = simulate(rows((0, 5, 0), (0, 5, 5)), SimulationSetup(64, cost=STEPS))
    assert result.systems["paged"].requests.index.tolist() == [2]
    assert "1 request without an answer: left out." in result.notes
    with pytest.raises(WorkloadError, match="no request with an answer"):
        simulate(rows((0, 5, 0)), SimulationSetup(64))


def test_hits_are_not_known_without_text_or_hashes_and_that_is_said():
    result = simulate(rows((0, 32, 5), (9, 32, 5)), SimulationSetup(256, cost=STEPS))
    assert result.systems["paged"].hit_tokens is None
    assert result.systems["paged"].hit_rate is None
    assert any("cannot be known" in note for note in result.notes)
    assert "hit_tokens" not in result.systems["paged"].requests


def test_hits_with_caching_off_are_none_and_that_is_said():
    trace = generate(LoadSetup("chat", 20))
    result = simulate(trace, SimulationSetup(2**16, prefix_caching=False, systems=("paged",)))
    assert result.systems["paged"].hit_tokens is None
    assert any("caching is off" in note for note in result.notes)


def test_caching_serves_the_same_load_sooner():
    trace = generate(LoadSetup("chat", 200, rate=None, shared_tokens=2000))
    on, off = (
        simulate(trace, SimulationSetup(2**15, prefix_caching=c, systems=("paged",)))
        for c in (True, False)
    )
    assert on.systems["paged"].busy_s < off.systems["paged"].busy_s
    assert on.systems["paged"].hit_rate > 0.8


def test_rows_out_of_order_are_served_in_the_order_of_arrival():
    result = simulate(rows((5, 2, 2), (0, 2, 2)), SimulationSetup(16, 2, cost=STEPS))
    assert result.systems["paged"].requests["finished_s"].tolist() == [7, 2]


LOADS = st.builds(
    LoadSetup,
    kind=st.sampled_from(["sharegpt", "alpaca", "chat", "agents"]),
    num_requests=st.integers(1, 40),
    rate=st.sampled_from([None, 0.5, 5.0, 100.0]),
    seed=st.integers(0, 1000),
)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    load=LOADS,
    slots=st.integers(600, 20_000),
    block_size=st.sampled_from([1, 16, 64, 256]),
    seats=st.integers(1, 50),
    caching=st.booleans(),
)
def test_every_slot_is_of_one_kind_at_all_times(load, slots, block_size, seats, caching):
    setup = SimulationSetup(slots, block_size, seats, prefix_caching=caching)
    trace = generate(load)
    result = simulate(trace, setup)
    for one in result.systems.values():
        assert one.num_finished + one.num_refused == len(trace.usable)
        assert sum(one.slot_seconds.values()) == pytest.approx(one.num_slots * one.busy_s)
        assert sum(one.pressed_slot_seconds.values()) == pytest.approx(
            one.num_slots * one.pressed_s
        )
        assert min(one.slot_seconds.values()) >= 0
        assert len(one.series) <= 2000
        sums = one.series[list(KINDS)].sum(axis=1)
        assert sums.to_numpy() == pytest.approx(one.num_slots)
        assert one.max_running <= seats
        assert (one.series["running"] <= one.max_running + 1e-9).all()
        waiting = one.requests["waiting_s"].dropna()
        assert (waiting >= 0).all()
    paged = result.systems["paged"]
    # less than one block per request is empty, in the mean as at all times
    assert paged.slot_seconds["tail"] <= (block_size - 1) * paged.mean_running * paged.busy_s + 1e-6
    assert result.systems["oracle"].slot_seconds["never"] == 0
    if not caching:
        assert paged.slot_seconds["kept"] == 0


def test_the_same_seed_gives_the_same_result_number_for_number():
    setup = SimulationSetup(15_728, max_model_len=2048)
    one, two = (simulate(generate(LoadSetup("agents", 300, seed=4)), setup) for _ in range(2))
    assert one.summary().equals(two.summary())
    for system, result in one.systems.items():
        assert result.series.equals(two.systems[system].series)
        assert result.requests.equals(two.systems[system].requests)


def test_a_result_can_be_sent_to_another_process():
    result = simulate(rows((0, 5, 5)), SimulationSetup(64))
    again = pickle.loads(pickle.dumps(result))
    assert again.summary().equals(result.summary())


# ---- progress and stopping


def test_progress_counts_requests_that_are_done_and_ends_at_all():
    told = []
    trace = generate(LoadSetup("sharegpt", 400))
    simulate(trace, SimulationSetup(15_728), lambda done, total: told.append((done, total)))
    assert {total for _, total in told} == {1600}
    done = [done for done, _ in told]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, 1600)
    assert len(set(done)) > 20


def test_progress_may_stop_it():
    with pytest.raises(SimulationCancelledError, match="was stopped after") as caught:
        simulate(
            generate(LoadSetup("sharegpt", 400)),
            SimulationSetup(15_728),
            lambda done, total: done < 100,
        )
    assert 100 <= caught.value.finished < 400
    assert caught.value.total == 1600
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_an_event_may_stop_it():
    cancel = Event()
    cancel.set()
    with pytest.raises(SimulationCancelledError):
        simulate(rows((0, 5, 5)), SimulationSetup(64), cancel=cancel)


# ---- settings


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"memory_slots": 0}, "memory_slots must be from 1"),
        ({"memory_slots": 2.0}, "must be a whole number, not 2.0"),
        ({"memory_slots": 10}, "at least the block size 16, not 10"),
        ({"memory_slots": 2**26, "block_size": 1}, "Take 64 or more"),
        ({"block_size": 5000}, "Take 4,096"),
        ({"max_num_seqs": 0}, "max_num_seqs must be from 1"),
        ({"max_num_batched_tokens": True}, "max_num_batched_tokens must be a whole number"),
        ({"max_model_len": 1}, "max_model_len must be from 2"),
        ({"prefix_caching": 1}, "prefix_caching must be True or False"),
        ({"cost": 0.02}, "cost must be a StepCost"),
        ({"systems": ()}, "systems must name"),
        ({"systems": ("paged", "paged")}, "systems must name"),
        ({"systems": ("orca",)}, "systems has no 'orca'"),
    ],
)
def test_setups_that_cannot_be(settings, said):
    with pytest.raises(WorkloadError, match=said):
        SimulationSetup(**{"memory_slots": 1000, **settings})


@pytest.mark.parametrize("costs", [(0.0,), (-1.0,), (float("nan"),), (0.02, "1")])
def test_costs_that_cannot_be(costs):
    with pytest.raises(WorkloadError):
        StepCost(*costs)


def test_summary_has_a_row_per_system():
    table = simulate(rows((0, 5, 5)), SimulationSetup(64)).summary()
    assert isinstance(table, pd.DataFrame)
    assert table["system"].tolist() == ["paged", "max", "pow2", "oracle"]
