"""The reservation page without a browser: presets, levers, block sizes, totals, links."""

import json
import re
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.engine.reservation import POLICIES
from pagedviz.paths import ROOT
from pagedviz.timeline.reservation.presets import RESERVATION_PRESETS, reservation_preset
from pagedviz.timeline.reservation.setup import ReservationSetup
from pagedviz.ui.reservation_below import percent
from pagedviz.ui.reservation_controls import MAIN, OWN, PEOPLE
from pagedviz.ui.reservation_link import FIELDS, params
from pagedviz.ui.reservation_state import SHOP, played
from pagedviz.ui.reservation_words import ENGINE, ROOM, WORDS
from pagedviz.ui.words import REGISTERS
from tests.timeline.registers import ENGINE_ONLY, ROOM_ONLY

DEFAULT = ReservationSetup()
STEPPED = reservation_preset("block-sizes")


def opened(**link: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.switch_page("pages/reservation.py")
    for name, value in link.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def key(page: AppTest, name: str) -> str:
    """Levers are made anew with every other setup, and in other words."""
    words = page.query_params.get("words", ["room"])
    words = words if isinstance(words, str) else words[0]
    register = words if words in REGISTERS else "room"
    return f"reservation.{name}.{page.session_state[SHOP].revision}.{register}"


def setup_of(page: AppTest) -> ReservationSetup:
    return page.session_state[SHOP].setup


def wire_of(page: AppTest) -> dict:
    return played(setup_of(page))[0]


def put(page: AppTest, name: str, value: object) -> AppTest:
    page.number_input(key=key(page, name)).set_value(value).run()
    assert not page.exception
    return page


def with_visitors(page: AppTest) -> AppTest:
    """Open the form of who comes."""
    page.session_state["reservation.people.open"] = True
    return page.run()


def said(page: AppTest) -> str:
    return " ".join(box.value for box in page.warning).replace("\\", "")


def html(page: AppTest) -> str:
    return unescape(" ".join(block.proto.body for block in page.get("html")))


def totals_of(page: AppTest) -> list[list[str]]:
    """The cells of the table of totals, head first."""
    table = re.search(r'<table class="pv-totals">(.*?)</table>', html(page)).group(1)
    return [
        re.findall(r"<t[hd](?: [^>]*)?>(.*?)</t[hd]>", row) for row in table.split("</tr>")[:-1]
    ]


def test_both_registers_have_the_same_words_and_never_mix():
    assert ROOM.keys() == ENGINE.keys()
    for name in ("columns", "mixes", "policies"):
        assert ROOM[name].keys() == ENGINE[name].keys()
    for words, wrong in ((ROOM, ENGINE_ONLY), (ENGINE, ROOM_ONLY)):
        for name, text in words.items():
            for one in text.values() if isinstance(text, dict) else [text]:
                if name != "published":  # names the paper and its systems
                    assert not re.search(wrong, one), one


@pytest.mark.parametrize("words", REGISTERS)
@pytest.mark.parametrize("preset", RESERVATION_PRESETS, ids=lambda preset: preset.id)
def test_every_preset_opens_where_the_sides_differ(preset, words):
    page = opened(preset=preset.id, words=words)
    assert not page.warning
    assert setup_of(page) == preset.setup
    assert page.session_state[SHOP].opening.step == wire_of(page)["opening"]
    assert getattr(preset.lead, words) in html(page)
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


# ---- below the stage


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
    table = page.dataframe[0].value
    assert list(table.iloc[:, 0]) == [1, 2, 4, 8, 16, 32, 64, 128, 256]
    used = [one["prompt"] + one["output"] - 1 for one in wire_of(page)["visitors"]]
    for _, row in table.iterrows():
        size = row.iloc[0]
        blocks = [-(-n // size) for n in used]
        assert row.iloc[3] == round(sum(blocks) / len(used), 2)
        assert row.iloc[1] == round((sum(blocks) * size - sum(used)) / len(used), 2)
    put(with_visitors(page), "seed", 10)
    assert json.loads(page.get("plotly_chart")[0].proto.spec)["data"][0] != before


# ---- links

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
