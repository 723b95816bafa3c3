"""The reservation page without a browser: presets, levers, block sizes."""

import re

import pytest

from pagedviz.engine.reservation import POLICIES
from pagedviz.timeline.reservation.presets import RESERVATION_PRESETS
from pagedviz.timeline.reservation.setup import ReservationSetup
from pagedviz.ui.reservation_controls import MAIN, OWN, PEOPLE
from pagedviz.ui.reservation_link import params
from pagedviz.ui.reservation_state import SHOP
from pagedviz.ui.reservation_words import ENGINE, ROOM, WORDS
from pagedviz.ui.words import REGISTERS
from tests.reservation_page import (
    DEFAULT,
    STEPPED,
    key,
    opened,
    put,
    said,
    setup_of,
    text,
    wire_of,
    with_visitors,
)
from tests.timeline.registers import ENGINE_ONLY, ROOM_ONLY


def test_both_registers_have_the_same_words_and_never_mix():
    assert ROOM.keys() == ENGINE.keys()
    for name in ("columns", "mixes", "policies"):
        assert ROOM[name].keys() == ENGINE[name].keys()
    for words, wrong in ((ROOM, ENGINE_ONLY), (ENGINE, ROOM_ONLY)):
        for name, said_there in words.items():
            if isinstance(said_there, str):
                said_there = (said_there,)
            for one in said_there.values() if isinstance(said_there, dict) else said_there:
                if name != "published":  # names the paper and its systems
                    assert not re.search(wrong, one), one


@pytest.mark.parametrize("words", REGISTERS)
@pytest.mark.parametrize("preset", RESERVATION_PRESETS, ids=lambda preset: preset.id)
def test_every_preset_opens_where_the_sides_differ(preset, words):
    page = opened(preset=preset.id, words=words)
    assert not page.warning
    assert setup_of(page) == preset.setup
    assert page.session_state[SHOP].opening.step == wire_of(page)["opening"]
    assert getattr(preset.lead, words) in text(page)
    assert page.selectbox(key=key(page, "preset")).value == preset.id
    for name, field, _ in MAIN:
        lever = page.number_input(key=key(page, name))
        assert (lever.label, lever.value) == (WORDS[words][name], getattr(preset.setup, field))
    assert bool(page.get("button_group")) == bool(preset.sizes)


def test_presets_are_chosen_by_hand():
    page = opened()
    for preset in (*RESERVATION_PRESETS[1:], RESERVATION_PRESETS[0]):
        page.selectbox(key=key(page, "preset")).select(preset.id).run()
        assert not page.exception
        assert setup_of(page) == preset.setup
        assert bool(page.get("button_group")) == bool(preset.sizes)
        assert OWN not in page.selectbox(key=key(page, "preset")).options


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("slots", "slots", 1_024),
        ("longest", "max_model_len", 256),
        ("size", "block_size", 32),
        ("visitors", "visitors", 5),
        ("every", "every", 0),
        ("seed", "seed", 9_999),
        ("budget", "token_budget", 64),
    ],
)
def test_each_lever_moves_its_own_thing(name, field, value):
    page = put(with_visitors(opened()), name, value)
    assert not page.warning
    assert setup_of(page) == ReservationSetup(**{field: value})
    assert page.number_input(key=key(page, name)).value == value
    assert page.selectbox(key=key(page, "preset")).value == OWN
    put(page, name, getattr(DEFAULT, field))
    assert page.selectbox(key=key(page, "preset")).value == "mixed"


def test_policy_changes_the_left_side_only():
    page = opened()
    right = wire_of(page)["totals"]["R"]
    left = [wire_of(page)["totals"]["L"]]
    for policy in POLICIES[1:]:
        page.selectbox(key=key(page, "policy")).select(policy).run()
        assert setup_of(page).policy == policy
        assert wire_of(page)["totals"]["R"] == right
        left.append(wire_of(page)["totals"]["L"])
    shares = [found["shares"][0] for found in left]
    assert len(set(shares)) == 3
    assert not page.exception


def test_own_means_have_levers_only_where_they_count():
    page = with_visitors(opened())
    shown = {lever.key.split(".")[1] for lever in page.number_input}
    assert not shown & {"prompt", "output"}
    page.selectbox(key=key(page, "mix")).select("own").run()
    put(page, "prompt", 3)
    put(page, "output", 5)
    assert setup_of(page) == ReservationSetup(mix="own", mean_prompt=3, mean_output=5)


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("size", 17, "cannot be cut into blocks of 17 without a rest. Try blocks of 16 or 32"),
        ("size", 0, "from 1 to 256, not 0. Try 1"),
        ("size", 257, "from 1 to 256, not 257. Try 256"),
        ("slots", 15, "from 16 to 8,192, not 15. Try 16"),
        ("slots", 500, "Try blocks of 10 or 20"),
        ("slots", 64, "The longest allowed length is 128, the memory only 64"),
        ("longest", 1, "from 2 to 8,192"),
        ("longest", 513, "Try 512 or less"),
        ("visitors", 61, "from 1 to 60, not 61. Try 60"),
        ("every", -1, "from 0 to 100"),
        ("seed", 10**9, "from 0 to 9,999"),
        ("budget", 63, "from 64 to 8,192, not 63. Try 64"),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(name, value, why):
    page = put(with_visitors(opened()), name, value)
    assert why in said(page)
    assert setup_of(page) == DEFAULT
    field = {row[0]: row[1] for row in (*MAIN, *PEOPLE)}[name]
    assert page.number_input(key=key(page, name)).value == getattr(DEFAULT, field)
    put(page, "seed", 5)
    assert not page.warning
    assert setup_of(page) == ReservationSetup(seed=5)


def test_an_emptied_lever_changes_nothing():
    page = put(opened(), "size", None)
    assert setup_of(page) == DEFAULT
    assert page.number_input(key=key(page, "size")).value == 16


def test_a_problem_is_gone_after_a_visit_elsewhere():
    page = put(opened(), "size", 17)
    assert page.warning
    page.switch_page("pages/spyre.py").run()
    page.switch_page("pages/reservation.py").run()
    assert not page.warning


def test_sizes_are_stepped_through_and_the_link_offers_them_again():
    page = opened(preset="block-sizes")
    tails = []
    for size in STEPPED.sizes:
        page.get("button_group")[0].set_value(size).run()
        assert not page.exception
        assert setup_of(page).block_size == size
        assert page.get("button_group")[0].value == size
        tails.append(wire_of(page)["totals"]["R"]["empty"])
        again = opened(**params(setup_of(page), page.session_state[SHOP].preset, True))
        assert setup_of(again) == setup_of(page)
        assert again.get("button_group")[0].value == size
    assert tails[:5] == sorted(tails[:5])
    assert tails[0] == 0
    assert wire_of(opened(preset="block-sizes"))["totals"]["L"]["empty"] == tails[4]
    put(page, "size", 8)  # none of those offered
    assert page.get("button_group")[0].value is None
    assert setup_of(page).block_size == 8
