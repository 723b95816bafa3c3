"""What would a server come up with: the form's answers, and one for every mistake."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.engine.errors import ConfigError
from pagedviz.engine.spyre.resolve import resolve
from pagedviz.ui import spyre_cards_server
from pagedviz.ui.spyre_cards_server import OTHER
from pagedviz.ui.spyre_cards_words import ENGINE
from pagedviz.ui.spyre_say import said

GRANITE = "ibm-granite/granite-3.3-8b-instruct"
ENGINES_WORDS = ("request", "token", "block", "context", "max_", "chunk", "row", "plugin")
ROOMS_WORDS = ("visitor", " box", "shelf", "shelves", "cartload", "house")


def script():
    import streamlit as st

    from pagedviz.ui.spyre_cards_server import server_form

    server_form(st.session_state.get("register", "engine"))


def opened(register="engine"):
    page = AppTest.from_function(script, default_timeout=60)
    page.session_state["register"] = register
    page.run()
    assert not page.exception
    assert not page.warning
    return page


def asked(page, model=GRANITE, **numbers):
    """The form filled in; the fields that are not named keep what they have."""
    page.selectbox(key="spyre.server.model").select(model)
    for name, value in numbers.items():
        page.number_input(key=f"spyre.server.{name}").set_value(value)
    page.run()
    assert not page.exception
    return page


def refused(page, **numbers):
    warnings = asked(page, **numbers).warning
    assert len(warnings) == 1
    assert not page.get("plotly_chart")
    return warnings[0].value.replace("\\", "")


def texts(page):
    return "\n".join(element.value for element in page.markdown)


def test_one_card_as_it_opens():
    page = opened()
    told = texts(page)
    assert "takes **16 requests** of **3,072 tokens** each, **49,152 together**" in told
    assert "names no product limit, so it is 3,072 × 16 = 49,152." in told
    assert "784 blocks × 64 × 163,840 bytes ÷ 1 card = 7.66 GiB a card." in told
    assert "Of IBM's 3 rows, 0 fit in here." in [caption.value for caption in page.caption]


def test_four_cards_hold_ibms_rows():
    page = asked(opened(), cards=4, context=32_768, requests=32)
    told = texts(page)
    assert "**131,072 together**, from **8,192 blocks**" in told
    assert "At a full 32,768, **4** decode in one step." in told
    assert "Of IBM's 3 rows, 3 fit in here." in [caption.value for caption in page.caption]
    spec = json.loads(page.get("plotly_chart")[0].proto.spec)
    assert "product" in [trace["name"] for trace in spec["data"]]
    assert "Full length: 4 x 32,768" in page.get("plotly_chart")[0].proto.alt


def test_too_many_are_capped_and_it_is_said():
    page = asked(opened(), cards=4, context=40_000, requests=33)
    assert "Capped from 33 to 32 requests" in texts(page)
    assert "Capped from 40,000 to 32,768 tokens" in texts(page)
    assert "more than the 128 GB" not in texts(page)


def test_a_pool_larger_than_the_card_is_told():
    page = asked(opened(), cards=1, context=32_768, requests=32)
    assert "16,416 blocks × 64 × 163,840 bytes ÷ 1 card = 160.31 GiB a card. " in texts(page)
    assert "That is more than the 128 GB of a card: the plugin does not ask" in texts(page)


def test_set_by_hand_goes_before_the_table():
    page = asked(opened(), cards=4, context=32_768, requests=32, limit=65_536, blocks=2_100)
    assert "Set to 65,536 by hand, which goes before the 131,072" in texts(page)
    assert "Set to 2,100 by hand, rounded down to 2,080, a multiple of 32" in texts(page)
    page = asked(opened(), model=OTHER, cards=3)
    assert "the plugin's default of 131,072" in texts(page)
    assert "Not worked out: its KV cache is not known here." in texts(page)


MISTAKES = {
    "context of 5,000": (
        {"context": 5_000},
        ("5,000 is no multiple of 64", "Try 4,992 or 5,056."),
    ),
    "chunk of 500": ({"chunk": 500}, ("500 is no multiple of", "try 448 or 512.")),
    "product below one request": (
        {"context": 8_192, "requests": 4, "limit": 4_096},
        ("4,096 is smaller than one full", "at least 8,192"),
    ),
    "zero requests": ({"requests": 0}, ("must be a whole number of at least 1, not 0.",)),
    "zero cards": ({"cards": 0}, ("ards must be a whole number of at least 1, not 0.",)),
    "negative context": ({"context": -64}, ("at least 1, not -64.",)),
    "2,048 blocks": (
        {"cards": 4, "context": 32_768, "requests": 32, "blocks": 2_048},
        ("2,048, rounded down to 2,048 for 32", "the 2,049 the", "try 2,080."),
    ),
    "no blocks": ({"blocks": 0}, ("must be a whole number of at least 1, not 0.",)),
    "three cards": ({"cards": 3}, ("3 ", "32 ", "try 2 or 4.")),
    "64 cards": ({"cards": 64}, ("64 ", "try 32.")),
    "one request in FP8": (
        {"model": GRANITE + "-FP8", "requests": 1},
        ("1 is refused for an FP8 model; try 2 or more.",),
    ),
}


@pytest.mark.parametrize("register", ["room", "engine"])
@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_mistake_is_answered_with_a_value_that_works(mistake, register):
    numbers, parts = MISTAKES[mistake]
    told = refused(opened(register), **numbers)
    assert told[0].isupper()
    for part in parts:
        assert part in told
    plain = told.lower()
    if register == "room":
        assert not any(word in plain for word in ENGINES_WORDS)
    else:
        assert not any(word in plain for word in ROOMS_WORDS)


@pytest.mark.parametrize("name", ["cards", "context", "requests", "chunk"])
def test_an_empty_field_is_asked_for(name, monkeypatch):
    real = spyre_cards_server._number
    monkeypatch.setattr(
        spyre_cards_server,
        "_number",
        lambda label, key, *more: None if key == name else real(label, key, *more),
    )
    page = AppTest.from_function(script, default_timeout=60).run()
    assert not page.exception
    assert [warning.value for warning in page.warning] == [ENGINE["missing"]]


def test_a_mistake_mended_brings_the_answer_back():
    page = opened()
    refused(page, context=5_000)
    asked(page, context=4_992)
    assert not page.warning
    assert "**4,992 tokens**" in texts(page)


SETTINGS = (
    (GRANITE, 1, 3_072, 16, {}),
    (GRANITE, 4, 32_768, 32, {}),
    (GRANITE, 4, 40_000, 40, {}),
    (GRANITE, 4, 4_096, 8, {"limit": 65_536}),
    (GRANITE, 4, 4_096, 8, {"limit": 200_000}),
    (GRANITE, 1, 3_072, 16, {"limit": 40_000}),
    (GRANITE, 4, 32_768, 32, {"limit": 65_536, "override_blocks": 2_100}),
    ("own", 3, 64, 1, {}),
)


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_room_says_what_the_engine_says_in_its_own_words(settings):
    *first, more = settings
    found = resolve(*first, **more)
    for text in (found.requests_from, found.context_from, found.product_from, found.blocks_from):
        room, engine = said(text, "room"), said(text, "engine")
        assert engine.replace("×", "x") == text
        digits = [[c for c in told if c.isdigit()] for told in (room, engine)]
        assert digits[0] == digits[1]
        assert not any(word in room.lower() for word in ENGINES_WORDS), room


def test_every_refusal_of_the_limits_has_words_in_the_room():
    for wrong in (
        {"context": 33_000, "limit": None},
        {"context": 10, "limit": None},
        {"context": 8_192, "limit": 64},
        {"context": 8_192, "limit": 0},
    ):
        with pytest.raises(ConfigError) as caught:
            resolve("own", 1, wrong["context"], 4, limit=wrong["limit"], chunk_size=500)
        told = said(str(caught.value), "room")
        assert not any(word in told.lower() for word in ENGINES_WORDS), told
