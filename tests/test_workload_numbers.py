"""What the workload page says of a result, in numbers, sentences and words."""

import io
import re

import pandas as pd
import pytest

from pagedviz.charts.workload_names import SYSTEMS
from pagedviz.charts.workload_series import served_at
from pagedviz.ui.workload_engine_words import ENGINE
from pagedviz.ui.workload_numbers import (
    hits_sentence,
    published_table,
    results_table,
    sentence,
)
from pagedviz.ui.workload_room_words import ROOM
from pagedviz.ui.workload_tables import (
    requests_table,
    running_table,
    series_table,
)
from pagedviz.ui.workload_words import WORDS
from pagedviz.workload import (
    LoadSetup,
    SimulationSetup,
    generate,
    read_trace,
    to_csv,
)
from pagedviz.workload.published import PAPER_SETUP
from tests.workload_page import (
    run_of,
)

SETUP = SimulationSetup(20_000)


def test_differences_are_the_difference():
    found = run_of(LoadSetup("sharegpt", 100, rate=None), PAPER_SETUP)
    table = published_table(found.simulation, ENGINE, "engine").replace("\xa0", " ", regex=True)
    for name, row in table.iterrows():
        published = float(re.search(r"[\d.]+", row.iloc[0])[0])
        ours = float(re.search(r"[\d.]+", row.iloc[1])[0])
        points = float(row.iloc[2].replace("\N{MINUS SIGN}", "-").split()[0])
        assert points == pytest.approx(ours - published, abs=0.11), name
        wasted = float(re.search(r"[\d.]+", row.iloc[4])[0])
        assert wasted == pytest.approx(100 - ours, abs=0.11)
        low, high = (0, 4) if name == "paged" else (60, 80)
        assert ("points more" in row.iloc[4]) == (wasted > high + 0.05)
        assert ("points less" in row.iloc[4]) == (wasted < low - 0.05)


def test_sentences_for_every_outcome():
    light = run_of(LoadSetup("alpaca", 3, rate=0.01), SimulationSetup(50_000))
    assert "never short" in sentence(light, ENGINE, "engine")
    none = run_of(LoadSetup("own", 3), SimulationSetup(64, max_model_len=2))
    assert sentence(none, ENGINE, "engine").startswith("**No request can be admitted**")
    only = run_of(LoadSetup("alpaca", 30, rate=None), SimulationSetup(700, max_model_len=4096))
    text = sentence(only, ENGINE, "engine")
    assert "would need **4,096 slots** of 700" in text
    assert "Refused: 30 (reserved, max)" in text
    assert results_table(none, ENGINE, "engine").loc["finished"].tolist() == ["0"] * 4
    table = published_table(only.simulation, ENGINE, "engine")
    assert table.loc["reserved, max"].iloc[1] == "serves none"


def test_the_same_end_is_no_difference():
    far = b"arrival_s,prompt_tokens,output_tokens\n0,30,5\n0,30,5\n500,30,5\n"
    found = run_of(read_trace(far, "x.csv"), SimulationSetup(64, block_size=1, max_model_len=64))
    assert any(one.pressed_s for one in found.simulation.systems.values())
    assert "too light for a difference" in sentence(found, ENGINE, "engine")


def test_hits_of_a_file_with_hashes_have_their_upper_bound():
    rows = b"\n".join(
        b'{"timestamp": %d, "input_length": 1100, "output_length": 5, "hash_ids": [0, 1, %d]}'
        % (at * 9000, at + 2)
        for at in range(4)
    )
    found = run_of(read_trace(rows, "x.jsonl"), SimulationSetup(16_384))
    text = hits_sentence(found, ENGINE).replace("\xa0", " ")
    assert text.startswith("**Prefix hits:** 69.8 % of prompt tokens, 3,072 of 4,400.")
    assert "A cache without end would find 69.8 % (full hashes of 512 tokens)." in text


def test_downloads_hold_numbers_as_numbers():
    found = run_of(LoadSetup("chat", 20, rate=1.0), SimulationSetup(4096))
    run = found.simulation
    for table in (run.summary(), series_table(run), requests_table(run)):
        back = pd.read_csv(io.StringIO(to_csv(table)))
        assert list(back.columns) == list(table.columns)
        assert len(back) == len(table)
        numbers = [name for name in back if name not in ("system", "refused", "hit_tokens")]
        assert all(pd.api.types.is_numeric_dtype(back[name]) for name in numbers)
    assert set(requests_table(run)["system"]) == set(run.systems)


def test_running_in_numbers_ends_with_nobody():
    found = run_of(LoadSetup("alpaca", 40, rate=None), SimulationSetup(2048))
    run = found.simulation
    table = running_table(run, ENGINE, "engine")
    assert len(table) == 12
    ends = {name: served_at(one) for name, one in run.systems.items()}
    first = min(ends, key=ends.get)
    over = table[table["from (seconds)"] > ends[first]]
    assert len(over)
    name = SYSTEMS[first].engine
    assert not over[[f"{name}: running", f"{name}: waiting"]].any(axis=None)
    for system, one in run.systems.items():  # the area under the curve is the mean's
        width = table["to (seconds)"] - table["from (seconds)"]
        area = (table[f"{SYSTEMS[system].engine}: running"] * width).sum()
        assert area == pytest.approx(one.mean_running * ends[system], rel=0.01)


def test_same_seed_same_result():
    one, two = (run_of(generate(LoadSetup("agents", 50, seed=3)), SETUP) for _ in range(2))
    assert one.simulation.summary().equals(two.simulation.summary())


def test_both_registers_have_the_same_words():
    assert ROOM.keys() == ENGINE.keys()
    for key, value in ROOM.items():
        assert type(value) is type(ENGINE[key]), key
        if isinstance(value, dict):
            assert value.keys() == ENGINE[key].keys(), key


def flat(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from flat(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from flat(one)


@pytest.mark.parametrize(
    ("register", "foreign"),
    [
        ("room", r"\b(tokens?|blocks?|requests?|slots?|prefill|decode|preempt\w*|KV)\b"),
        ("engine", r"\b(shel(f|ves)|visitors?|box(es)?|slips?|aisles?|room)\b"),
    ],
)
def test_registers_are_not_mixed(register, foreign):
    shared = {key for key in ROOM if ROOM[key] == ENGINE[key]}
    for key, value in WORDS[register].items():
        if key in shared:
            continue
        for text in flat(value):
            found = re.search(foreign, re.sub(r"{.*?}", "", text))
            assert not found, (key, found and found[0])
