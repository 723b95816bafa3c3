"""The menu "Take away" by hand, by key and by touch, and the table of steps."""

import csv
import io
import re

import pytest
from playwright.sync_api import expect

from pagedviz.timeline.captions import caption
from pagedviz.timeline.play import play
from pagedviz.timeline.presets import DEFAULT
from pagedviz.timeline.story.beat import plain
from pagedviz.timeline.story.tale import beats
from tests.browser.axe import violations
from tests.browser.stage import Stage
from tests.browser.taken import STAGES, run_of, text

pytestmark = pytest.mark.browser

COLUMNS = {  # of each stage, beside the step and both sentences
    "start": {"scene", "beat", "source", "calculation_engine"},
    "allocator": {"operation", "request", "letter", "event", "blocks_in_use", "unfilled_places"},
    "reservation": {"engine_step", "reserved_inside", "paged_inside", "paged_slots_given"},
    "prefix": {"operation", "request", "event", "blocks_shared"},
    "attention": {"query_head", "phase", "block", "running_max", "correction", "sum"},
    "spyre-limit": {"context", "requests", "product", "limit", "binds"},
    "spyre-mix": {"decoding", "tkv", "batch_x_tkv", "limit", "paused"},
    "spyre-run": {"decoding", "tkv", "batch_x_tkv", "blocks_held", "blocks_free", "waiting"},
    "spyre-encoder": {"decoding", "tkv", "batch_x_tkv"},
}


def table(page) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text(page, "csv"))))


@pytest.mark.parametrize("name", STAGES)
def test_every_stage_has_its_steps_as_a_table(name, open_page):
    page = open_page(STAGES[name][0])
    stage = Stage(page)
    rows = table(page)
    assert set(rows[0]) >= {"step", "storage_room", "engine"} | COLUMNS[name]
    assert [int(row["step"]) for row in rows] == list(range(len(rows)))
    here = [
        row for row in rows if row["storage_room"].removeprefix("'") == stage.caption.inner_text()
    ]
    assert here
    assert all(row["engine"] for row in rows)
    numbers = [row[name] for row in rows for name in row if row[name]]
    assert not any(value in ("undefined", "null", "NaN", "[object Object]") for value in numbers)


def test_table_of_the_allocator_is_what_the_engine_did(open_page):
    page = open_page("/allocator")
    Stage(page)
    timeline = play(DEFAULT.run)
    rows = table(page)
    assert len(rows) == len(timeline.steps)
    for row, step in zip(rows, timeline.steps, strict=True):
        for column, register in (("storage_room", "room"), ("engine", "engine")):
            assert row[column].removeprefix("'") == caption(step, register).replace("**", "")
        assert int(row["blocks_in_use"]) == step.counts.used


def test_table_of_the_story_has_every_beat_in_both_words(open_page):
    page = open_page("/")
    Stage(page)
    rows = table(page)
    assert [row["storage_room"] for row in rows] == [plain(beat.says.room) for beat in beats()]
    assert [row["engine"] for row in rows] == [plain(beat.says.engine) for beat in beats()]


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-2+3", "@SUM(A1)", "  =1", "\uff1d1", '=HYPERLINK("x")']
)
def test_names_are_no_formulas_in_a_spreadsheet(name, open_page):
    page = open_page(run_of(name))
    Stage(page)
    rows = table(page)
    names = {row["request"] for row in rows if row["request"]}
    assert names == {f"'{name}"}
    assert {row["step"] for row in rows} == set(map(str, range(len(rows))))  # numbers stay numbers


def test_menu_by_key(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    before = stage.step()
    stage.press("t")
    items = page.locator(".takemenu [role=menuitem]")
    expect(items.first).to_be_focused()
    for key, at in (("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", 3), ("Home", 0), ("End", 3)):
        stage.press(key)
        expect(items.nth(at)).to_be_focused()
    with page.expect_download() as saved:
        stage.press("Enter")
    assert saved.value.suggested_filename == "pagedviz-allocator-steps.csv"
    expect(page.locator(".takemenu [role=status]")).to_contain_text("Saved")
    stage.press("Escape")
    expect(page.locator(".takemenu")).to_be_hidden()
    expect(stage.root.get_by_role("button", name="Take away")).to_be_focused()
    stage.expect_step(before)
    stage.press("ArrowLeft")
    stage.expect_step(before - 1)
    stage.press("?")
    listed = page.locator("dialog[open] dd", has_text="take away")
    expect(listed).to_be_visible()


@pytest.mark.parametrize("name", STAGES)
def test_menu_is_on_every_stage_within_the_screen_and_accessible(name, open_page):
    page = open_page(STAGES[name][0], width=390, height=844, touch=True)
    Stage(page)
    page.locator(".key.take").tap()
    menu = page.locator(".takemenu")
    expect(menu).to_be_visible()
    box = menu.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 844
    for item in menu.locator("[role=menuitem]").all():
        size = item.bounding_box()
        assert size is not None
        assert size["height"] >= 44  # a finger
    found = [line for line in violations(page) if "take" in line]
    assert not found, "\n".join(found)
    page.touchscreen.tap(195, 20)
    expect(menu).to_be_hidden()


def test_presenter_view_has_no_such_button(open_page):
    page = open_page("/allocator?present=1")
    stage = Stage(page)
    expect(page.locator("html")).to_have_class(re.compile("pagedviz-present"))
    expect(stage.root.locator(".key.take")).to_be_hidden()
    stage.press("t")
    expect(page.locator(".takemenu")).to_be_hidden()
