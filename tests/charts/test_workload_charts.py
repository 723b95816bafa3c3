"""The workload page's figures say what the simulation found, and nothing else."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest

from pagedviz.charts.workload_lengths import lengths_alt, lengths_figure, lengths_rows, tails
from pagedviz.charts.workload_memory import memory_alt, memory_figure
from pagedviz.charts.workload_names import KINDS, SYSTEMS
from pagedviz.charts.workload_running import running_alt, running_figure
from pagedviz.charts.workload_series import POINTS, end_of, grid, on_grid, served_at
from pagedviz.workload import LoadSetup, SimulationSetup, StepCost, generate, simulate
from pagedviz.workload.results import KINDS as ALL_KINDS
from pagedviz.workload.setup import SYSTEMS as ALL_SYSTEMS

SETUP = SimulationSetup(4096, max_model_len=1024)


@pytest.fixture(scope="module")
def run():
    return simulate(generate(LoadSetup("alpaca", 60, rate=20.0)), SETUP)


def requests(*rows):
    return pd.DataFrame(rows, columns=["prompt_tokens", "output_tokens", "refused"])


def test_every_system_and_every_kind_has_a_look():
    assert set(SYSTEMS) == set(ALL_SYSTEMS)
    assert {kind.key for kind in KINDS} == set(ALL_KINDS)
    assert len({look.dash for look in SYSTEMS.values()}) == len(SYSTEMS)
    looks = {(kind.fill, kind.pattern) for kind in KINDS}
    assert len(looks) == len(KINDS)


def test_a_value_holds_until_the_next_row(run):
    paged = run.systems["paged"]
    table = pd.DataFrame({"time_s": [0.0, 2.0], "token": [10.0, 20.0]})
    served = paged.requests.head(1).assign(arrival_s=5.0, finished_s=9.0)
    result = dataclasses.replace(paged, series=table, requests=served)
    assert served_at(result) == 4.0
    assert on_grid(result, "token", np.array([0, 1, 2, 3, 4, 5.0])).tolist() == [10, 10, 20, 20, 0]
    assert on_grid(result, "token", np.array([0, 4.0])).tolist() == [15]


def test_nothing_served_is_an_empty_picture():
    trace = generate(LoadSetup("own", 3, rate=None))
    run = simulate(trace, SimulationSetup(64, max_model_len=2))
    assert all(one.num_finished == 0 for one in run.systems.values())
    assert len(grid(end_of(run))) == POINTS + 1
    for figure in (memory_figure(run), running_figure(run)):
        assert all(np.isfinite(list(trace.y)).all() for trace in figure.data)
    said = [note.text for note in memory_figure(run, "engine").layout.annotations]
    assert all("none admitted" in text for text in said)
    requests = run.systems["paged"].requests
    assert tails(requests, 16).share == 0
    assert len(lengths_figure(requests, 16).data) == 3
    assert "nan" not in lengths_alt(requests, 16)


def test_layers_are_the_whole_memory_until_all_is_served(run):
    figure = memory_figure(run)
    for result in run.systems.values():
        layers = [trace for trace in figure.data if trace.stackgroup == result.system]
        sums = np.sum([trace.y for trace in layers], axis=0)
        inside = np.array(layers[0].x) < served_at(result) * 0.98
        assert inside.sum() > 5
        assert sums[inside] == pytest.approx(100, abs=0.1)
        assert sums.max() <= 100.1


def test_the_filled_area_is_the_simulations_share(run):
    figure = memory_figure(run)
    for result in run.systems.values():
        token = next(t for t in figure.data if t.stackgroup == result.system)
        area = sum(token.y) / 100 * end_of(run) / POINTS
        in_full = result.slot_seconds["token"] / result.num_slots
        assert area == pytest.approx(in_full, rel=0.02)


def test_systems_share_their_axes(run):
    figure = memory_figure(run)
    ranges = {tuple(axis.range) for axis in figure.select_xaxes()}
    assert len(ranges) == 1
    assert {tuple(axis.range) for axis in figure.select_yaxes()} == {(0, 100)}


def test_published_shares_stand_in_the_pictures(run):
    texts = " ".join(note.text for note in memory_figure(run, "engine").layout.annotations)
    for said in ("published about 96.3%", "published 20.4%", "about 26.8%", "published 38.2%"):
        assert said in texts
    assert [shape.y0 for shape in memory_figure(run).layout.shapes] == pytest.approx(
        [96.3, 20.4, 26.8, 38.2]
    )


def test_steps_are_an_axis_of_their_own():
    setup = dataclasses.replace(SETUP, cost=StepCost.in_steps(0.05))
    run = simulate(generate(LoadSetup("alpaca", 20, rate=None)), setup)
    figure = memory_figure(run, "engine", 0.05, "steps")
    assert figure.layout.xaxis4.title.text == "steps"
    assert figure.layout.xaxis.range[1] == pytest.approx(end_of(run) / 0.05)
    assert end_of(run) / 0.05 == pytest.approx(max(one.steps for one in run.systems.values()))


def test_running_shows_every_system_twice(run):
    figure = running_figure(run)
    assert [trace.showlegend for trace in figure.data] == [True] * 4 + [False] * 4
    for trace, result in zip(figure.data, run.systems.values(), strict=False):
        assert max(trace.y) <= result.max_running
        assert sum(trace.y) > 0


def test_tails_by_hand():
    # 16 + 1 - 1 = 16 slots, one full block; 3 slots leave 13; 33 leave 15; the fourth is refused
    table = requests((16, 1, ""), (2, 2, ""), (30, 4, ""), (100, 1, "too long"))
    found = tails(table, 16)
    assert (found.requests, found.slots, found.empty) == (3, 16 + 16 + 48, 0 + 13 + 15)
    rows = lengths_rows(table, 16, "engine").set_index("tokens")
    assert rows.loc["2 to 3", "unfilled tail"] == 0.8125
    assert rows.loc["16 to 31", "unfilled tail"] == 0
    assert rows["prompt"].sum() == rows["answer"].sum() == rows["together"].sum() == 3
    figure = lengths_figure(table, 16)
    assert sum(figure.data[0].y) == sum(figure.data[1].y) == 3
    assert max(figure.data[2].y) == pytest.approx(81.2)


def test_length_of_one():
    table = requests((1, 1, ""))
    assert sum(lengths_figure(table, 1).data[0].y) == 1
    assert tails(table, 1).share == 0


@pytest.mark.parametrize("register", ["room", "engine"])
def test_words_stay_in_their_register(run, register):
    table = run.systems["paged"].requests
    texts = [memory_alt(run, register), running_alt(run, register)]
    texts.append(lengths_alt(table, 16, register))
    for figure in (
        memory_figure(run, register),
        running_figure(run, register),
        lengths_figure(table, 16, register),
    ):
        texts.append(json.dumps(figure.to_plotly_json(), default=lambda array: ""))
    text = " ".join(texts).lower()
    foreign = {
        "room": ("token", "request", "block", "slot"),
        "engine": ("shelf", "shelves", "visitor", "boxes", "aisle"),
    }[register]
    # keys of traces are no words
    text = text.replace('"legendgroup": "token"', "")
    assert not [word for word in foreign if word in text]


def test_the_same_figure_twice(run):
    assert memory_figure(run).to_json() == memory_figure(run).to_json()
