"""The Spyre page without a browser: its parts, and the scenes of the scheduler at work."""

import pytest

from pagedviz.timeline.spyre.differences import DIFFERENCES
from pagedviz.timeline.spyre.presets import PRESETS
from pagedviz.timeline.spyre.tradeoff import step_of
from pagedviz.ui.layers import BADGES
from pagedviz.ui.spyre_limit import POINT
from pagedviz.ui.spyre_state import LIMIT_START, OWN, PARTS, Inputs, wires
from pagedviz.ui.spyre_words import ENGINE, ROOM, WORDS
from tests.spyre_page import (
    BOTH,
    MISTRAL,
    PAUSING_OFF,
    chart,
    html,
    inputs_of,
    key,
    listed,
    markdown,
    opened,
    put,
    said,
    step_of_stage,
    text,
)


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
    assert texts["lead"] in text(page)
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
