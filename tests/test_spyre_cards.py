"""Cards and models without a browser: the table, its filters, the sum behind 131,072."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.engine.spyre.known_configs import KNOWN_CONFIGS, KNOWN_SHAPES, SOURCE
from pagedviz.engine.spyre.resolve import resolve
from pagedviz.ui.spyre_cards import blanks, four_cards_lines, table
from pagedviz.ui.spyre_cards_rows import GIB, billions, card_rows, kv_memory, offers
from pagedviz.ui.spyre_cards_say import rows_lines, rows_note
from pagedviz.ui.spyre_cards_words import ENGINE, ROOM, WHY_BLANK, WORDS

GRANITE = "ibm-granite/granite-3.3-8b-instruct"
ENGINES_WORDS = ("request", "token", "block", "context", "max_", "chunk", "row", "plugin")
ROOMS_WORDS = ("visitor", " box", "shelf", "shelves", "cartload", "house")


def script():
    import streamlit as st

    from pagedviz.ui.spyre_cards import cards_section

    cards_section(st.session_state.get("register", "engine"))


def opened(register="engine"):
    page = AppTest.from_function(script, default_timeout=60)
    page.session_state["register"] = register
    page.run()
    assert not page.exception
    assert not page.warning
    return page


def texts(page):
    return "\n".join(element.value for element in page.markdown)


def sentence(page):
    return next(e.proto.body for e in page.get("html") if "font-size: 20px" in e.proto.body)


def shown(page):
    return page.dataframe[0].value


@pytest.fixture(scope="module")
def rows():
    return card_rows()


def test_both_registers_have_the_same_words_and_never_mix():
    assert ROOM.keys() == ENGINE.keys()
    assert WHY_BLANK["room"].keys() == WHY_BLANK["engine"].keys()
    for text in (*ROOM.values(), *WHY_BLANK["room"].values()):
        plain = text.replace("{requests}", "").replace("{context}", "").replace("{blocks}", "")
        assert not any(word in plain.lower() for word in ENGINES_WORDS if word != "row"), text
    for text in (*ENGINE.values(), *WHY_BLANK["engine"].values()):
        assert not any(word in text.lower() for word in ROOMS_WORDS), text


@pytest.mark.parametrize("register", ["room", "engine"])
def test_every_row_of_the_plugin_is_in_the_table(rows, register):
    words = WORDS[register]
    made = table(rows, register)
    assert len(made) == len(KNOWN_CONFIGS)
    for row, config in zip(made, KNOWN_CONFIGS, strict=True):
        found = resolve(config.model, config.cards, config.context, config.requests).limits
        assert row[words["product"]] == found.batch_tkv_limit
        assert row[words["blocks"]] == found.num_blocks
        worked_out = f"{config.requests} × {config.context:,}" in row[words["from"]]
        assert worked_out == (config.batch_tkv_limit is None)


def test_memory_per_card_against_worked_figures(rows):
    """Pools as in spyre table: 8,192 blocks of an 8B are 20 GiB a card on four, FP8 half of it."""
    per_card = {(r.name, r.config.cards, r.config.context): r.memory.per_card for r in rows}
    assert per_card["granite-3.3-8b-instruct", 4, 32_768] == 20 * GIB
    assert per_card["granite-3.3-8b-instruct-FP8", 4, 32_768] == 10 * GIB
    assert per_card["Llama-3.1-8B-Instruct", 4, 32_768] == 16 * GIB
    assert per_card["granite-4.1-30b", 4, 32_768] == 2080 * 16 * 2**20 // 4
    assert per_card["granite-3.3-8b-instruct", 1, 3_072] == 784 * 10 * 2**20


def test_a_blank_has_its_reason(rows):
    without = {row.name for row in rows if row.memory.per_card is None}
    assert without == {
        "swa-20b",
        "granite-4-8b-dense-hybrid",
        "granite-vision-3.3-2b",
        "Ministral-3-8B-Instruct-2512-BF16",
    }
    for register in ("room", "engine"):
        told = " ".join(blanks(rows, register))
        assert all(told.count(name) == 1 for name in without)
    assert kv_memory(GRANITE, 8192, 3).blank == kv_memory(GRANITE, 8192, 16).blank == "share"
    assert kv_memory("own", 8192, 4).blank == "unknown"


def test_the_lines_are_made_of_the_rows(rows):
    granite = [row for row in rows if row.config.model == GRANITE]
    assert rows_lines(granite, "engine") == [
        "On 1 card: **16** requests at **3,072** tokens or **4** at **8,192**",
        "On 2 cards: **4** requests at **8,192** tokens",
        "On 4 cards: **32** requests at **32,768** tokens (at most 131,072 together)",
    ]
    assert rows_lines(granite[:1], "room") == [
        "On 1 card: **16** visitors with **3,072** boxes each"
    ]
    assert rows_note(granite, "engine") == "granite-3.3-8b-instruct: the 4 rows below."
    assert rows_note(granite[:1], "room") == "granite-3.3-8b-instruct: the line below."


@pytest.mark.parametrize("register", ["room", "engine"])
@pytest.mark.parametrize("size", sorted({billions(row.config.model) for row in card_rows()}))
def test_a_line_has_no_more_than_two_offers_and_each_is_a_row(rows, size, register):
    shown = [row for row in rows if billions(row.config.model) == size]
    lines = rows_lines(shown, register)
    assert len(lines) == len({row.config.cards for row in shown}) <= 3
    for line, cards in zip(lines, sorted({row.config.cards for row in shown}), strict=True):
        assert line.startswith(f"On {cards} card")
        assert len(line) < 120
        numbers = [int(n.replace(",", "")) for n in re.findall(r"\*\*([\d,]+)\*\*", line)]
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        assert 1 <= len(pairs) <= 2
        there = {(r.config.requests, r.config.context) for r in shown if r.config.cards == cards}
        assert set(pairs) <= there


def test_that_not_every_model_has_each_is_said(rows):
    eight = [row for row in rows if billions(row.config.model) == 8 and row.config.cards == 1]
    assert "Not every model has each of these: the 13 rows below" in rows_note(eight, "engine")
    assert sum(offer.models for offer in offers(eight)) == 8 + 1 + 4
    alike = [row for row in eight if row.config.context == 3_072]
    assert rows_note(alike, "engine") == "Each of these 8 models has them: the 8 rows below."


@pytest.mark.parametrize("register", ["room", "engine"])
def test_the_sum_behind_the_limit_is_written_out(register):
    told = "\n".join(four_cards_lines(register))
    assert 20 * GIB == 131_072 * 163_840
    for value in (
        "8 of the 9 models with 8 billion parameters have 16 × 3,072 = 49,152",
        ", and 4 have 4 × 8,192 = 32,768",
        "× 163,840 bytes = **20 GiB**",
        "20 GiB ÷ 4 cards = **5 GiB** a card, 4.2 % of the 128 GB",
        "8,192",
        "32 × 4,096 = 131,072",
        "20.31 GiB",
    ):
        assert value in told
    assert "{" not in told


@pytest.mark.parametrize("register", ["room", "engine"])
def test_the_section_opens_with_sentence_table_sum_form_and_shapes(register):
    page = opened(register)
    words = WORDS[register]
    assert sentence(page).count("<br>") == 2  # a line for each number of cards
    eight = [row for row in card_rows() if billions(row.config.model) == 8]
    assert len(shown(page)) == len(eight)
    assert any(f"the {len(eight)} " in caption.value for caption in page.caption)
    assert any(SOURCE in caption.value for caption in page.caption)
    assert len(page.dataframe[1].value) == len(KNOWN_SHAPES)
    assert words["four title"] in texts(page)
    assert words["server title"] in texts(page)
    assert all("{" not in element.value for element in (*page.markdown, *page.caption))


def test_filters_change_rows_and_sentence():
    page = opened()
    page.button_group(key="spyre.cards.cards").set_value(1).run()
    assert set(shown(page)["Cards"]) == {1}
    assert "4 cards" not in sentence(page)
    page.multiselect(key="spyre.cards.model.8").select("meta-llama/Llama-3.1-8B-Instruct").run()
    assert set(shown(page)["Model"]) == {"Llama-3.1-8B-Instruct"}
    assert "On 1 card: <b>16</b> requests at <b>3,072</b> tokens" in sentence(page)
    assert any("Llama-3.1-8B-Instruct: the row" in caption.value for caption in page.caption)
    page.button_group(key="spyre.cards.cards").set_value("all").run()
    assert len(shown(page)) == 3
    page.button_group(key="spyre.cards.size").set_value("all").run()
    assert len(shown(page)) == len(KNOWN_CONFIGS)


def test_no_row_left_names_the_cards_that_have_one():
    page = opened()
    page.button_group(key="spyre.cards.size").set_value(30).run()
    page.button_group(key="spyre.cards.cards").set_value(1).run()
    assert not page.exception
    assert page.info[0].value == (
        "No row has that. For granite-4.1-30b there are rows with 4 cards; choose one of them."
    )
