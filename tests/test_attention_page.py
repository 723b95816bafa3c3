"""The attention page without a browser: levers, sentence, words and heat maps."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.timeline.attention.reading import read
from pagedviz.timeline.attention.setup import AttentionSetup
from pagedviz.ui.attention_controls import NUMBER_LEVERS
from pagedviz.ui.attention_state import SHOP
from pagedviz.ui.attention_words import ENGINE, ROOM
from tests.attention_page import DEFAULT, key, opened, put, said, setup_of
from tests.chart_tables import number, opened_table


def test_both_registers_have_the_same_words():
    assert ROOM.keys() == ENGINE.keys()
    assert ROOM["numbers_names"].keys() == ENGINE["numbers_names"].keys()


def test_opens_where_something_happens():
    page = opened()
    assert setup_of(page) == DEFAULT
    assert not page.warning
    bench = page.session_state[SHOP]
    moment = list(bench.reading.moments())[bench.opening.step]
    assert moment.phase == "correct"
    assert bench.reading.corrected(moment.line, 0)
    for name, field in NUMBER_LEVERS:
        assert page.number_input(key=key(page, name)).value == getattr(DEFAULT, field)
    assert page.selectbox(key=key(page, "numbers")).value == "float32"


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("tokens", "tokens", 48),
        ("size", "block_size", 16),
        ("heads", "heads", 8),
        ("kv", "kv_heads", 4),
        ("dim", "head_size", 16),
        ("seed", "seed", 9999),
    ],
)
def test_each_lever_changes_its_own_size(name, field, value):
    page = put(opened(), name, value)
    assert setup_of(page) == AttentionSetup(**{field: value})
    assert page.number_input(key=key(page, name)).value == value
    assert not page.warning


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("tokens", 0, "from 1 to 48, not 0"),
        ("tokens", 49, "from 1 to 48, not 49"),
        ("size", 17, "from 1 to 16"),
        ("heads", 3, "3 readers go with 1 or 3 cards per box"),
        ("heads", -4, "from 1 to 8"),
        ("kv", 3, "4 readers go with 1, 2 or 4 cards per box"),
        ("dim", 7, "Try 6 or 8"),
        ("dim", 0, "from 2 to 16"),
        ("seed", 10**9, "from 0 to 9,999"),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(name, value, why):
    page = put(opened(), name, value)
    assert why in said(page)
    assert setup_of(page) == DEFAULT
    lever = page.number_input(key=key(page, name))
    assert lever.value == getattr(DEFAULT, dict(NUMBER_LEVERS)[name])
    put(page, "seed", 5)  # and the next change that can be takes the sentence away
    assert not page.warning
    assert setup_of(page) == AttentionSetup(seed=5)


@pytest.mark.parametrize("name", [name for name, _ in NUMBER_LEVERS])
def test_an_emptied_lever_changes_nothing(name):
    page = put(put(opened(), "seed", 6), name, None)
    assert setup_of(page) == AttentionSetup(seed=6)
    assert page.number_input(key=key(page, name)).value is not None


def test_too_many_blocks_are_refused():
    page = put(opened(), "tokens", 40)
    put(page, "size", 1)
    assert "40 shelves, too many to read" in said(page)
    assert "Try shelves of 2 or more" in said(page)
    assert setup_of(page) == AttentionSetup(tokens=40)


def test_smaller_numbers_keep_the_place_of_everything():
    page = opened(moves="2")
    home = setup_of(page).moves, page.session_state[SHOP].reading.table
    page.selectbox(key=key(page, "numbers")).select("fp8").run()
    assert setup_of(page) == AttentionSetup(numbers="fp8", moves=2)
    assert (2, page.session_state[SHOP].reading.table) == home
    assert not page.exception


def test_levers_mend_a_broken_table():
    page = put(opened(reads="0.2.1.3.4"), "seed", 3)
    assert setup_of(page) == AttentionSetup(seed=3)


def test_a_sentence_is_read_and_can_be_taken_back():
    page = opened()
    page.text_input(key=key(page, "text")).set_value("The cat sat on the mat.").run()
    assert setup_of(page).pieces == ("The", "·cat", "·sat", "·on", "·the", "·mat", ".")
    tokens = page.number_input(key=key(page, "tokens"))
    assert (tokens.value, tokens.disabled) == (7, True)
    put(page, "seed", 4)
    assert setup_of(page).text == "The cat sat on the mat."
    page.text_input(key=key(page, "text")).set_value("word " * 60).run()
    assert "at most 48 can be read here" in said(page)
    assert setup_of(page).tokens == 7
    assert page.text_input(key=key(page, "text")).value.startswith("word word")  # to be shortened
    page.text_input(key=key(page, "text")).set_value("   ").run()
    assert (setup_of(page).text, setup_of(page).tokens) == ("", 7)
    assert not page.number_input(key=key(page, "tokens")).disabled
    assert not page.warning
    assert not page.exception


@pytest.mark.parametrize("text", ["👩‍👩‍👧 שלום", "<b>**x**</b> $1$", "a\0b"])
def test_any_sentence_can_be_typed(text):
    page = opened(text=text)
    assert setup_of(page).tokens == len(setup_of(page).pieces)
    assert not page.warning


@pytest.mark.parametrize(("words", "texts"), [("room", ROOM), ("engine", ENGINE)])
def test_words_follow_the_register(words, texts):
    page = opened(words=words)
    for name, _ in NUMBER_LEVERS:
        assert page.number_input(key=key(page, name)).label == texts[name]
    assert texts["heat"] in [head.value for head in page.header]
    numbers = page.selectbox(key=key(page, "numbers"))
    assert numbers.label == texts["numbers"]
    assert numbers.options == list(texts["numbers_names"].values())


def charts(page: AppTest) -> list[dict]:
    return [json.loads(chart.proto.spec) for chart in page.get("plotly_chart")]


def test_heat_maps_show_the_weights_of_the_intact_table_with_their_table():
    page = opened(reads="5.5.5.5.5")
    weights, triangle = charts(page)[:2]
    expected = read(setup_of(page).intact()).weights()
    assert len(weights["data"][0]["customdata"]) == len(expected) == 4
    shown = [float(cell[4].rstrip(" %")) for cell in weights["data"][0]["customdata"][1]]
    assert shown == pytest.approx((expected[1] * 100).tolist(), abs=0.06)
    assert len(triangle["data"][0]["customdata"]) == 18
    assert ROOM["heat_whole"] in [text.value for text in page.markdown]
    table = opened_table(page, "attention.weights")
    assert len(table) == 18
    assert [number(cell) for cell in table["reader 1 (card 0)"]] == pytest.approx(
        expected[1], abs=6e-4
    )
    page.selectbox(key="attention.which.4").select(3).run()
    assert charts(page)[1]["data"][0]["customdata"] != triangle["data"][0]["customdata"]
    last = [number(cell) for cell in opened_table(page, "attention.triangle").iloc[-1, 1:]]
    assert last == pytest.approx(expected[3], abs=6e-4)
    put(page, "heads", 2)
    assert len(charts(page)[0]["data"][0]["customdata"]) == 2
    assert not page.exception
