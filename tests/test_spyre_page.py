"""The Spyre page without a browser: parts, the own list, server and release, scenes, links."""

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.engine.spyre.releases import DEFAULT_RELEASE, RELEASES
from pagedviz.paths import ROOT
from pagedviz.timeline.spyre.differences import DIFFERENCES
from pagedviz.timeline.spyre.mix import MIX_PRESETS, MixGroup
from pagedviz.timeline.spyre.presets import PRESETS
from pagedviz.timeline.spyre.tradeoff import step_of
from pagedviz.ui.layers import BADGES
from pagedviz.ui.spyre_limit import POINT
from pagedviz.ui.spyre_link import params
from pagedviz.ui.spyre_state import LIMIT_START, OWN, PARTS, SERVERS, SHOP, Inputs, wires
from pagedviz.ui.spyre_words import ENGINE, ROOM, WORDS

BOTH = pytest.mark.parametrize("words", ["room", "engine"])
LONG = MIX_PRESETS[0].groups
ONE_CARD = "1-3072-16"
MISTRAL = "2-8192-32"
PAUSING_OFF = "sendnn_2_6_3_pausing_off"


def opened(**link: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.switch_page("pages/spyre.py")
    for name, value in link.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def key(page: AppTest, name: str) -> str:
    """Levers are made anew with every other state."""
    return f"spyre.{name}.{page.session_state[SHOP].revision}"


def inputs_of(page: AppTest) -> Inputs:
    return page.session_state[SHOP].inputs


def step_of_stage(page: AppTest) -> int:
    return page.session_state[SHOP].opening.step


def listed(page: AppTest, text: str) -> AppTest:
    page.text_area(key=key(page, "list")).set_value(text).run()
    assert not page.exception
    return page


def put(page: AppTest, name: str, value: str) -> AppTest:
    page.selectbox(key=key(page, name)).select(value).run()
    assert not page.exception
    return page


def said(page: AppTest) -> str:
    return " ".join(box.value for box in page.warning)


def html(page: AppTest) -> str:
    return " ".join(block.proto.body for block in page.get("html"))


def markdown(page: AppTest) -> str:
    return " ".join(block.value for block in page.markdown)


def chart(page: AppTest) -> str:
    """What a screen reader says of the chart of the part "limit"."""
    (found,) = page.get("plotly_chart")
    return str(found.proto.alt)


def first_decode(page: AppTest) -> dict:
    return next(step for step in wires(inputs_of(page))[0]["steps"] if step.get("rows"))


# ---- parts


def test_both_registers_have_the_same_words():
    assert ROOM.keys() == ENGINE.keys()
    assert ROOM["parts"].keys() == ENGINE["parts"].keys() == set(PARTS)


@BOTH
@pytest.mark.parametrize("part", PARTS)
def test_every_part_opens_and_says_whose_figures_it_shows(part, words):
    page = opened(part=part, words=words)
    assert inputs_of(page).part == part
    assert not page.warning
    texts = WORDS[words]
    control = page.get("button_group")[0]
    assert [option.content for option in control.proto.options] == list(texts["parts"].values())
    assert texts["lead"] in re.sub("</?button[^>]*>", "", html(page))  # terms can be opened
    kinds = {"limit": ["published"], "differ": ["published", "plugin"]}.get(part, ["plugin"])
    if part != "cards":  # which has badges of its own, table by table
        for kind, badge in BADGES.items():
            shown = f"pv-badge pv-{kind}" in html(page)
            assert shown == (kind in kinds), (kind, part)
            assert not shown or f">{badge}" in html(page)


def test_parts_are_switched_and_keep_what_was_set():
    page = opened()
    assert inputs_of(page) == Inputs()
    assert step_of_stage(page) == LIMIT_START
    for part in ("mix", "run", "cards", "encoder", "differ", "limit", "mix"):
        page.get("button_group")[0].set_value(part).run()
        assert not page.exception
        assert inputs_of(page).part == part
        if part == "mix":
            put(page, "release", PAUSING_OFF)
    assert inputs_of(page).release == PAUSING_OFF


def test_chart_of_the_limit_follows_the_stage_and_begins_anew_with_it():
    page = opened(step=str(step_of(8_192)))
    assert "16 x 8,192 = 131,072" in chart(page)
    page.session_state[POINT] = (page.session_state[POINT][0], 513)  # as if dragged to there
    page.run()
    assert "2 x 32,768 = 65,536. The number of boxes each binds." in chart(page)
    page.get("button_group")[0].set_value("mix").run()
    page.get("button_group")[0].set_value("limit").run()
    assert step_of_stage(page) == LIMIT_START  # the stage opens there, so must the chart
    assert "21 x 6,144 = 129,024" in chart(page)
    assert not page.exception


def test_differences_each_have_both_sides_and_a_source():
    page = opened(part="differ", words="engine")
    body = html(page)
    assert body.count("<tr>") == len(DIFFERENCES) + 1
    assert body.count("<small>") == 2 * len(DIFFERENCES)
    unsure = [one for one in DIFFERENCES if one.unconfirmed]
    assert body.count("<small>according to ") == len(unsure) > 0


# ---- the own list


@pytest.mark.parametrize(
    "text",
    [
        "2 x 9,000 + 100\n200 + 25",
        "2\t9000\t100\n1\t200\t25\n",
        "requests;prompt;answer\n2;9.000;100\n1;200;25",
    ],
    ids=["typed", "pasted from a sheet", "with a header"],
)
def test_own_list_is_typed_or_pasted(text):
    page = listed(opened(part="mix"), text)
    assert not page.warning
    assert inputs_of(page).groups == (MixGroup(2, 9_000, 100), MixGroup(1, 200, 25))
    assert inputs_of(page).mix is None
    assert page.text_area(key=key(page, "list")).value == "2 x 9000 + 100\n1 x 200 + 25"
    preset = page.selectbox(key=key(page, "mix"))
    assert (preset.value, preset.options[0]) == (OWN, ROOM["own"])
    assert len(first_decode(page)["rows"]) == 3
    put(page, "mix", "chat")
    assert inputs_of(page).groups == MIX_PRESETS[1].groups
    assert ROOM["own"] not in page.selectbox(key=key(page, "mix")).options


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 x 30000 + 25\nhello", "line 2 ('hello')"),
        ("1 x 30000 + 25\n\n3 x -5 + 25", "line 3"),
        ("200", "has no answer length"),
        ("0 x 200 + 25", "must be from 1 to 10,000,000, not 0; try 1"),
        ("", "zero requests"),
        ("1 x 32,760 + 25", "With this answer a prompt of at most 32,704 fits"),
        ("66 x 200 + 25", "66 requests are more than the 64 that can be shown; leave out 2"),
        ("<img src=x> x **1** + [2](y)", "is no row of requests"),
    ],
)
def test_junk_names_its_line_and_what_was_there_and_what_was_typed_both_stay(text, why):
    page = put(opened(part="mix", words="engine"), "release", PAUSING_OFF)
    before = inputs_of(page)
    decoding = first_decode(page)
    listed(page, text)
    assert why in (told := said(page).replace("\\", ""))
    assert told.startswith("The list was not taken: ")
    assert told.endswith("; the picture still shows the one before.")
    assert inputs_of(page) == before
    assert first_decode(page) == decoding
    assert page.text_area(key=key(page, "list")).value == text
    listed(page, "2 x 300 + 25")  # mended
    assert not page.warning
    assert inputs_of(page).groups == (MixGroup(2, 300, 25),)


def test_a_problem_is_gone_after_a_visit_elsewhere():
    page = listed(opened(part="mix"), "junk")
    assert "line 1" in said(page)
    page.switch_page("pages/reservation.py").run()
    page.switch_page("pages/spyre.py").run()
    assert inputs_of(page).part == "mix"
    assert not page.warning
    assert page.text_area(key=key(page, "list")).value == "\n".join(map(str, LONG))


def test_server_and_release_decide():
    page = opened(part="mix", list="16x2000+25")
    assert len(first_decode(page)["rows"]) == 16
    put(page, "server", ONE_CARD)
    step = first_decode(page)  # 49,152 in 2,001 or more: all 16 again
    assert len(step["rows"]) == 16
    assert inputs_of(page).limits().max_num_seqs == 16
    put(page, "server", "1-8192-4")
    step = first_decode(page)
    assert (len(step["rows"]), len(step["wait"])) == (4, 12)
    assert "no free slot, max_num_seqs is 4" in step["wait"][0]
    put(page, "server", ONE_CARD)
    listed(page, "2 x 2500 + 25\n1 x 3000 + 25\n")
    put(page, "server", MISTRAL)
    listed(page, "2 x 8000 + 25")
    put(page, "server", ONE_CARD)  # a context of 3,072
    assert "Nothing was changed: line 1 (2 x 8000 + 25): 8,000 boxes" in said(page)
    assert inputs_of(page).server == MISTRAL
    assert page.selectbox(key=key(page, "server")).value == MISTRAL
    listed(page, "2 x 2500 + 25")
    put(page, "server", ONE_CARD)
    for release in reversed(RELEASES):  # the first of them is the one that is set
        put(page, "release", release)
        assert not page.warning
        assert RELEASES[release].name in html(page)
        assert inputs_of(page).limits().chunk_size == RELEASES[release].default_chunk_size


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.key)
def test_advice_is_about_the_model_of_the_server(server):
    page = opened(part="mix", server=server.key, list="1x2500+25;3x100+25")
    assert not page.warning
    page = listed(page, f"1 x {server.context - 512} + 25\n3 x 100 + 25")
    named = [
        one.model.split("/")[1] for one in SERVERS if one.model.split("/")[1] in markdown(page)
    ]
    assert set(named) <= {server.model.split("/")[1]}


def test_what_would_help_is_said_and_that_nothing_must():
    page = opened(part="mix", words="engine")
    assert ENGINE["advice"] in [head.value for head in page.header]
    assert "with 4,072 instead of 30,000 tokens all 32 decode together to the end" in markdown(page)
    listed(page, "3 x 300 + 25")
    assert "**Nothing to mend**: all 3 decode together to the end of their answers" in markdown(
        page
    )


# ---- scenes


@BOTH
@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_every_scene_opens_where_something_happens(preset, words):
    page = opened(part="run", scene=preset.id, words=words)
    assert not page.warning
    assert step_of_stage(page) == preset.opening <= wires(inputs_of(page))[0]["last"]
    assert getattr(preset.lead, words) in markdown(page)
    assert (preset.note is None) or getattr(preset.note, words) in markdown(page)
    toggles = [toggle.label for toggle in page.toggle]
    other = [getattr(preset.other_title, words)] if preset.other else []
    assert toggles == [*other, WORDS[words]["beside"]]
    rows = page.dataframe[0].value
    assert len(rows) == wires(inputs_of(page))[0]["last"] + 1
    blocks = list(rows.columns[-3:])
    assert set(rows[blocks].sum(axis=1)) == {wires(inputs_of(page))[0]["usable"]}


@pytest.mark.parametrize(
    "preset", [preset for preset in PRESETS if preset.other], ids=lambda preset: preset.id
)
def test_the_one_thing_changed_is_another_run(preset):
    page = opened(part="run", scene=preset.id)
    before = wires(inputs_of(page))
    page.toggle(key=key(page, "other")).set_value(True).run()
    assert not page.exception
    assert inputs_of(page).other
    assert wires(inputs_of(page)) != before
    put(page, "scene", "four")
    assert not inputs_of(page).other


def test_stock_vllm_beside_it():
    page = opened(part="run", scene="promised")
    assert len(wires(inputs_of(page))) == 1
    page.toggle(key=key(page, "beside")).set_value(True).run()
    spyre, vllm = wires(inputs_of(page))
    assert (spyre["kind"], vllm["kind"]) == ("spyre", "vllm")
    assert any("x" in line for line in vllm["turns"])  # one was preempted
    assert not any("x" in line for line in spyre["turns"])
    page.toggle(key=key(page, "beside")).set_value(False).run()
    assert len(wires(inputs_of(page))) == 1
    assert not page.exception


def test_the_own_list_is_a_scene_on_any_server():
    page = opened(part="run", list="2x600+20;1x100+10", scene="four")
    put(page, "scene", OWN)
    assert [one["prompt"] for one in wires(inputs_of(page))[0]["requests"]] == [600, 600, 100]
    put(page, "server", MISTRAL)
    put(page, "release", "vllm_spyre_1_10_0")
    assert wires(inputs_of(page))[0]["chunk"] == inputs_of(page).limits().chunk_size
    assert not page.warning


def test_a_run_too_long_to_be_shown_is_said_and_changes_nothing():
    page = opened(part="run", scene=OWN, list="1x100+10")
    page.get("button_group")[0].set_value("mix").run()
    listed(page, "1 x 100 + 5000")
    assert not page.warning
    page.get("button_group")[0].set_value("run").run()
    assert "more than the 2,000 that can be shown" in said(page)
    assert inputs_of(page).part == "mix"
    assert page.get("button_group")[0].value == "mix"


# ---- links


LINKS = [
    Inputs(),
    Inputs("mix", "chat", MIX_PRESETS[1].groups, MISTRAL, PAUSING_OFF),
    Inputs("mix", None, (MixGroup(2, 600, 20), MixGroup(1, 100, 10)), MISTRAL),
    Inputs("run", scene="volume", other=True, beside=True),
    Inputs("run", None, (MixGroup(3, 100, 9),), scene=OWN, beside=True),
    *(Inputs(part) for part in ("cards", "encoder", "differ")),
]


@pytest.mark.parametrize("wanted", LINKS, ids=lambda wanted: "-".join(params(wanted).values()))
def test_links_bring_everything_back(wanted):
    page = opened(**params(wanted), step="1")
    assert not page.warning
    assert inputs_of(page) == wanted
    assert step_of_stage(page) == 1


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ({"part": "limits"}, "part: must be one of limit, mix"),
        ({"part": "mix", "mix": "chats"}, "mix: must be one of one-long"),
        ({"part": "mix", "list": "1x2;zwei"}, "list: line 1"),
        ({"part": "mix", "list": "1x200+25;zwei"}, "list: line 2 ('zwei')"),
        ({"part": "mix", "list": "1x200+25;" * 200}, "list: is too long"),
        ({"part": "mix", "list": "70x200+25"}, "70 visitors are more than the 64"),
        ({"part": "mix", "server": "9-9-9"}, "server: must be one of 4-32768-32"),
        ({"part": "mix", "release": "2.6.3"}, "release: must be one of"),
        ({"part": "run", "scene": "five"}, "scene: must be one of four"),
        ({"part": "run", "scene": "volume", "other": "yes"}, 'other: must be one of 1, not "yes"'),
        ({"part": "run", "beside": "2"}, 'beside: must be one of 1, not "2"'),
        ({"v": "9"}, "newer release"),
        ({"step": "-1"}, "step: must be a whole number"),
        ({"words": "latin"}, "words: must be one of"),
    ],
)
def test_a_damaged_link_names_what_is_wrong_and_the_rest_counts(link, named):
    page = opened(**link)
    assert named in said(page).replace("\\", "")
    wanted = link.get("part", "limit")
    assert inputs_of(page).part == (wanted if wanted in PARTS else "limit")
    assert inputs_of(page).release == DEFAULT_RELEASE


@pytest.mark.parametrize(
    ("part", "last"), [("limit", 514), ("mix", 12), ("run", 39)], ids=["limit", "mix", "run"]
)
def test_a_step_too_large_is_said_and_the_last_is_shown(part, last):
    if part == "run":
        last = wires(Inputs("run"))[0]["last"]
    page = opened(part=part, step="9999")
    assert f"step: the last step here is {last:,}, not 9,999" in said(page)
    assert step_of_stage(page) == last
    assert not opened(part=part, step=str(last)).warning


def test_link_of_an_own_list_keeps_its_lines():
    assert params(LINKS[2])["list"] == "2x600+20;1x100+10"
    assert json.dumps(params(Inputs())) == '{"v": "1", "part": "limit"}'
