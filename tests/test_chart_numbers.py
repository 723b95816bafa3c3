"""Every chart of the app offers its numbers as a table, and they are the numbers it draws."""

import base64
import io
import json

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.paths import ROOT
from tests.chart_tables import KEYS, number, opened_table

# Where each chart stands.
WHERE = {
    "allocator": "allocator",
    "reservation": "reservation",
    "prefix": "prefix",
    "attention": "attention",
    "spyre": "spyre",
    "spyre.server": "spyre",
    "sizing": "sizing",
    "workload": "workload",
}
PARTS = {"spyre.server": {"part": "cards"}, "workload": {"n": "60"}}


def opened(place, **query):
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.switch_page(f"pages/{WHERE[place]}.py")
    for name, value in (PARTS.get(place, {}) | {"words": "engine"} | query).items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def array(values):
    """Plotly's numbers; numpy's travel as base64."""
    if isinstance(values, dict):
        raw = base64.b64decode(values["bdata"])
        return np.frombuffer(raw, values["dtype"]).reshape(
            [int(n) for n in str(values.get("shape", "-1")).split(",")]
        )
    return np.array([np.nan if v is None else v for v in values], float)


def traces(page, at=0):
    """Name -> (x, y) of a figure as it was sent."""
    spec = json.loads(page.get("plotly_chart")[at].proto.spec)
    return {one.get("name"): one for one in spec["data"]}


def columns(page, key):
    return opened_table(page, key).map(lambda cell: number(cell) if is_number(cell) else cell)


def is_number(cell):
    return not cell or cell.replace(",", "").replace(".", "").rstrip("%\xa0").isdigit()


def test_every_chart_has_the_line_and_no_other_table():
    found = []
    for place in WHERE:
        page = opened(place)
        labels = [fold.label for fold in page.expander]
        charts = page.get("plotly_chart")
        assert labels.count("Numbers and files") == len(charts) > 0
        assert all(chart.proto.alt for chart in charts)
        assert "The same in numbers" not in [x for x in labels if place != "sizing"]
        found += [key for key in KEYS if key.rpartition(".")[0] == place]
        for key in KEYS:
            if key.rpartition(".")[0] == place:
                assert len(opened_table(page, key))
    assert sorted(found) == sorted(KEYS)


@pytest.mark.parametrize("preset", ["afternoon", "copies"])
def test_allocator(preset):
    page = opened("allocator", preset=preset)
    drawn = traces(page)
    table = columns(page, "allocator.chart").set_index("step")
    wasted, shared = table["wasted (blocks)"], table["shared (blocks)"]
    expected = {
        "shared (ref_cnt > 1)": shared,
        "in use (ref_cnt 1)": table["used (blocks)"] - shared - wasted,
        "unfilled slots": wasted,
        "free, cached": table["kept (blocks)"],
        "free, no hash": table["free (blocks)"],
    }
    assert expected.keys() == drawn.keys()
    for name, values in expected.items():
        at = [int(x) for x in array(drawn[name]["x"])]
        assert values.loc[at].to_numpy() == pytest.approx(array(drawn[name]["y"]), abs=0.011)


def test_reservation():
    page = opened("reservation")
    drawn = list(traces(page).values())
    table = columns(page, "reservation.sizes").set_index("block_size")
    for trace, column in zip(drawn, ("unfilled slots, mean", "block table entries, mean"),
                             strict=True):  # fmt: skip
        values = dict(zip(array(trace["x"]), array(trace["customdata"]), strict=True))
        for size, value in table[column].items():
            assert value == pytest.approx(values[size], abs=0.006)


def test_prefix():
    page = opened("prefix")
    page.slider(key="prefix.prompt_len").set_value(5_000).run()
    page.slider(key="prefix.shared").set_value(1_300).run()
    drawn = traces(page)
    table = columns(page, "prefix.stairs").set_index("shared prefix length (tokens)")
    assert {0, 1_300, 5_000} <= set(table.index)
    assert set(table.columns) == set(drawn)
    for name, trace in drawn.items():
        xs, ys = array(trace["x"]), array(trace["y"])
        for shared, value in table[name].items():  # a stair holds until the next begins
            assert value == ys[np.searchsorted(xs, shared, side="right") - 1]
        if name.startswith("Spyre"):
            assert set(xs) <= set(table.index)


def test_attention():
    page = opened("attention")
    weights, triangle = (
        json.loads(chart.proto.spec)["data"][0] for chart in page.get("plotly_chart")[:2]
    )
    table = columns(page, "attention.weights")
    heads = [name for name in table if name.startswith("head")]
    assert pytest.approx(array(weights["z"]), abs=6e-4) == table[heads].to_numpy(float).T
    shown = columns(page, "attention.triangle").iloc[:, 1:].to_numpy(float)
    assert shown == pytest.approx(array(triangle["z"]), abs=6e-4, nan_ok=True)


@pytest.mark.parametrize("key", ["spyre.frontier", "spyre.server.chart"])
def test_spyre(key):
    page = opened(key.rpartition(".")[0])
    drawn = traces(page)
    table = columns(page, key)
    points = set(zip(table["context"], table["requests"], strict=True))
    you = drawn["you" if key == "spyre.frontier" else "full length"]
    for trace in (drawn["IBM's rows"], you):
        assert set(zip(array(trace["x"]), array(trace["y"]), strict=True)) <= points
    assert (table["requests"] * table["context"] == table["product"]).all()
    edge = table[table["whose row"].str.contains("the most that fit")]
    x, y = (array(drawn["fits"][axis]) for axis in "xy")
    right = max(x)
    assert edge["context"].max() == right
    for context, most in zip(edge["context"], edge["requests"], strict=True):
        # the height of the drawn region there: a line from point to point on double log scales
        top = [(a, b) for a, b in zip(x, y, strict=True) if b == max(y[x == a])]
        logs = np.interp(np.log(context), *np.log(sorted(set(top))).T)
        assert most == int(np.exp(logs) + 1e-6)


@pytest.mark.parametrize("where", ["gpu", "spyre"])
def test_sizing(where):
    page = opened("sizing", where=where, beside="qwen3-8b")
    drawn = {name: one for name, one in traces(page).items() if not name.startswith("at most")}
    table = columns(page, "sizing.chart").set_index("tokens per request")
    assert set(drawn) == set(table.columns)
    for name, trace in drawn.items():
        points = dict(zip(array(trace["x"]), array(trace["y"]), strict=True))
        held = {x: n for x, n in table[name].items() if n is not None and not np.isnan(n) and n}
        assert len(held) > 5
        assert held == {x: points[x] for x in held}


def area(trace, begin, end):
    """Under the curve between two times; its points are means of equal parts of the axis."""
    x, y = array(trace["x"]), array(trace["y"])
    half = x[0]
    low, high = np.maximum(x - half, begin), np.minimum(x + half, end)
    return float((np.clip(high - low, 0, None) * y).sum())


def test_workload_memory():
    page = opened("workload")
    spec = json.loads(page.get("plotly_chart")[0].proto.spec)
    table = columns(page, "workload.memory")
    kinds = table.columns[3:]
    for system, stack in (("paged", "paged"), ("reserved, max", "max"), ("reserved, pow2", "pow2")):
        rows = table[table["system"] == system]
        assert rows.iloc[:, 3:].sum(axis=1).to_numpy() == pytest.approx(1, abs=0.004)
        drawn = {one["name"]: one for one in spec["data"] if one["stackgroup"] == stack}
        assert set(drawn) <= set(kinds)
        for _, row in rows.iterrows():
            begin, end = row["from (seconds)"], row["to (seconds)"]
            for name in kinds:
                shown = area(drawn[name], begin, end) / 100 if name in drawn else 0
                assert row[name] * (end - begin) == pytest.approx(shown, abs=0.05)


def test_workload_running_and_lengths():
    page = opened("workload")
    spec = json.loads(page.get("plotly_chart")[1].proto.spec)
    table = columns(page, "workload.running")
    assert len(spec["data"]) == 8
    for at, trace in enumerate(spec["data"]):
        panel = "running" if at < 4 else "waiting"
        for _, row in table.iterrows():
            begin, end = row["from (seconds)"], row["to (seconds)"]
            mean = area(trace, begin, end) / (end - begin)
            assert row[f"{trace['name']}: {panel}"] == pytest.approx(mean, abs=0.15)
    drawn = traces(page, 2)
    table = opened_table(page, "workload.lengths")
    for part in ("prompt", "answer"):
        assert table[part].map(number).sum() == array(drawn[part]["y"]).sum() == 60


def test_csv_is_the_table_and_runs_nowhere():
    from pagedviz.charts.attention_weights_text import weights_rows
    from pagedviz.workload import to_csv

    table = pd.DataFrame(weights_rows([[0.5, 0.25, 0.25]], 2, ["=1+1", "@x", "a"], "engine"))
    again = pd.read_csv(io.StringIO(to_csv(table)))
    assert again["head 0"].tolist() == [0.5, 0.25, 0.25]
    assert again["text"].tolist() == ["'=1+1", "'@x", "a"]
