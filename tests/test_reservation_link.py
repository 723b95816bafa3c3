"""Below the reservation stage, and its links: totals, kinds of places, what comes back."""

import json

import pytest

from pagedviz.timeline.reservation.setup import ReservationSetup
from pagedviz.ui.reservation_below import percent
from pagedviz.ui.reservation_controls import OWN
from pagedviz.ui.reservation_link import FIELDS, params
from pagedviz.ui.reservation_state import SHOP, played
from pagedviz.ui.reservation_words import WORDS
from pagedviz.ui.words import REGISTERS
from tests.chart_tables import number, opened_table
from tests.reservation_page import (
    DEFAULT,
    key,
    opened,
    put,
    said,
    setup_of,
    totals_of,
    wire_of,
    with_visitors,
)


@pytest.mark.parametrize("words", REGISTERS)
def test_totals_are_those_of_the_run_beside_published_figures(words):
    page = opened(words=words)
    texts = WORDS[words]
    head, *rows = totals_of(page)
    assert head == [texts["system"], texts["L"], texts["R"]]
    assert [row[0] for row in rows] == list(texts["columns"].values())
    left, right = wire_of(page)["totals"]["L"], wire_of(page)["totals"]["R"]
    assert rows[0][1:] == [percent(side["shares"][0]) for side in (left, right)]
    assert rows[1][1:] == [percent(side["empty"]) for side in (left, right)]
    assert [row[1:] for row in rows[4:]] == [
        [f"{side[name]:,}" for side in (left, right)]
        for name in ("longest_wait", "home", "preemptions")
    ]
    caption = " ".join(text.value for text in page.caption)
    for figure in ("60 to 80 %", "under 4 %", "20.4 %", "26.8 %", "38.2 %", "96.3 %"):
        assert figure in caption
    assert percent(right["empty"]) in caption


@pytest.mark.parametrize("words", REGISTERS)
def test_every_kind_of_place_has_a_line(words):
    page = opened(words=words)
    text = " ".join(block.value for block in page.markdown)
    at = REGISTERS.index(words)
    for side, count in (("L", 5), ("R", 4)):
        kinds = wire_of(page)["kinds"][side]
        assert len(kinds) == count
        for kind in kinds:
            assert f"- **{kind['name'][at]}**: {kind['line'][at]}" in text


def test_block_sizes_are_those_of_these_visitors():
    page = opened()
    (chart,) = page.get("plotly_chart")
    before = json.loads(chart.proto.spec)["data"][0]
    assert "From shelves of 1 to shelves of 256" in chart.proto.alt
    table = opened_table(page, "reservation.sizes").map(number)
    assert list(table.iloc[:, 0]) == [1, 2, 4, 8, 16, 32, 64, 128, 256]
    used = [one["prompt"] + one["output"] - 1 for one in wire_of(page)["visitors"]]
    for _, row in table.iterrows():
        size = row.iloc[0]
        blocks = [-(-n // size) for n in used]
        assert row.iloc[3] == round(sum(blocks) / len(used), 2)
        assert row.iloc[1] == round((sum(blocks) * size - sum(used)) / len(used), 2)
    put(with_visitors(page), "seed", 10)
    assert json.loads(page.get("plotly_chart")[0].proto.spec)["data"][0] != before


OWN_SETUP = ReservationSetup(1_024, 256, "pow2", 32, 7, 2, "own", 9, 11, 77, 128)


def test_link_of_an_own_setup_holds_all_that_is_set():
    link = params(OWN_SETUP, None)
    assert set(link) == {"v", *(name for name, _, _ in FIELDS)}
    page = opened(**link, step="12")
    assert not page.warning
    assert setup_of(page) == OWN_SETUP
    assert page.session_state[SHOP].opening.step == 12
    assert page.selectbox(key=key(page, "preset")).value == OWN
    assert params(DEFAULT, "mixed") == {"v": "1", "preset": "mixed"}


def test_a_preset_with_one_thing_changed():
    page = opened(preset="giant", size="32")
    assert setup_of(page).block_size == 32
    assert setup_of(page).mix == "giant"
    assert not page.warning


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ({"preset": "huge"}, "preset: must be one of mixed"),
        ({"slots": "many"}, "slots: must be a whole number from 16 to 8,192"),
        ({"longest": "1"}, "longest: must be a whole number from 2"),
        ({"policy": "best"}, "policy: must be one of max, pow2, oracle"),
        ({"size": "0"}, "size: must be a whole number from 1 to 256"),
        ({"size": "17"}, "cannot be cut into blocks of 17"),
        ({"visitors": "61"}, "visitors: must be a whole number from 1 to 60"),
        ({"every": "1.5"}, "every: must be a whole number"),
        ({"mix": "all"}, "mix: must be one of"),
        ({"prompt": "0"}, "prompt: must be a whole number"),
        ({"output": "9999"}, "output: must be a whole number"),
        ({"seed": "-1"}, "seed: must be a whole number"),
        ({"budget": "1"}, "budget: must be a whole number"),
        ({"v": "2"}, "newer release"),
        ({"step": "4000"}, "step: must be a whole number from 0 to 3,000"),
        ({"words": "latin"}, "words: must be one of"),
    ],
)
def test_a_damaged_link_names_what_is_wrong(link, named):
    page = opened(**link)
    assert named in said(page)
    assert setup_of(page) == DEFAULT


def test_a_step_too_large_is_said_and_the_last_is_shown():
    last = played(DEFAULT)[0]["last"]
    page = opened(step="3000", visitors="nine")
    assert f"step: this run ends at step {last:,}, not 3,000" in said(page)
    assert "visitors: must be a whole number" in said(page)
    assert page.session_state[SHOP].opening.step == last
    assert not opened(step=str(last)).warning
