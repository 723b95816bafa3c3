"""Each stage is taken away whole, on one visit: its steps as a table, a step as a drawing and as
a picture, all of it as a file that plays without a network, and the menu on a phone."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from pagedviz.timeline.captions import caption
from pagedviz.timeline.play import play
from pagedviz.timeline.presets import DEFAULT
from pagedviz.timeline.story.beat import plain
from pagedviz.timeline.story.tale import beats
from pagedviz.ui.shell import PAGES
from tests.browser.axe import violations
from tests.browser.drawn import (
    drawing_is_plain_svg_and_has_the_sentence,
    picture_looks_like_the_stage,
)
from tests.browser.site import change
from tests.browser.stage import Stage
from tests.browser.taken import STAGES, offline, saved_page, sentence, table, text

pytestmark = pytest.mark.browser

MOST = 1_000_000  # bytes of a file made of a default run
DESK, PHONE = (1440, 900), (390, 844)
LOOKED_AT = ("allocator", "reservation", "attention", "start")
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


@pytest.mark.parametrize("name", STAGES)
def test_a_stage_is_taken_away(name, open_page, browser, tmp_path):
    page = open_page(STAGES[name][0])
    Stage(page)
    page.emulate_media(reduced_motion="reduce")
    steps_are_a_table(page, name)
    drawing_is_plain_svg_and_has_the_sentence(page)
    plays_from_the_disk_with_the_network_cut(page, name, browser, tmp_path)
    if name in LOOKED_AT:
        picture_looks_like_the_stage(page)
        change(page, "dark", DESK)
        picture_looks_like_the_stage(page)
    menu_is_within_a_phone_and_accessible(page, name)


def steps_are_a_table(page: Page, name: str) -> None:
    """Every step with both its sentences; of two stages, those that the engine has."""
    rows = table(page)
    assert set(rows[0]) >= {"step", "storage_room", "engine"} | COLUMNS[name]
    assert [int(row["step"]) for row in rows] == list(range(len(rows)))
    room = [row["storage_room"].removeprefix("'") for row in rows]
    engine = [row["engine"].removeprefix("'") for row in rows]
    assert Stage(page).caption.inner_text() in room
    assert all(engine)
    values = [value for row in rows for value in row.values() if value]
    assert not any(value in ("undefined", "null", "NaN", "[object Object]") for value in values)
    if name == "allocator":
        steps = play(DEFAULT.run).steps
        assert room == [caption(step, "room").replace("**", "") for step in steps]
        assert engine == [caption(step, "engine").replace("**", "") for step in steps]
        assert [int(row["blocks_in_use"]) for row in rows] == [s.counts.used for s in steps]
    if name == "start":
        assert room == [plain(beat.says.room) for beat in beats()]
        assert engine == [plain(beat.says.engine) for beat in beats()]


def plays_from_the_disk_with_the_network_cut(
    page: Page, name: str, browser: Browser, folder: Path
) -> None:
    """The file is the stage as it is shown, in both words, with a way back to it."""
    stage = Stage(page)
    said = sentence(page)
    stage.press("e")
    expect(stage.caption.first).not_to_have_text(said)
    engine = sentence(page)
    stage.press("e")
    expect(stage.caption.first).to_have_text(said)
    file = saved_page(page, folder)
    here = page.url
    assert file.stat().st_size < MOST
    with offline(browser, file) as away:
        shown = Stage(away)
        expect(shown.caption.first).to_have_text(said)
        title = PAGES[name.split("-")[0]].title
        expect(away).to_have_title(re.compile(rf"^{title}, .* - pagedviz$"))
        shown.press("e")
        expect(shown.caption.first).to_have_text(engine)
        expect(away.locator("h1")).to_have_text(PAGES[name.split("-")[0]].engine)
        shown.press("e")
        if name in ONLY:
            ONLY[name](page, away)
        shown.press(STAGES[name][1])
        expect(shown.caption.first).not_to_have_text(said)
        shown.press("?")
        expect(shown.page.locator("dialog dt", has_text=re.compile("^T$"))).to_be_visible()
        shown.press("Escape")
        away.locator(".key.take").click()  # a file has no other file to give, and no handout
        items = away.locator(".takemenu [data-take]")
        expect(items).to_have_count(3)
        given = items.evaluate_all("all => all.map(e => e.dataset.take)")
        assert given == ["svg", "png", "csv"]
        link = away.locator("#foot a").get_attribute("href")
        assert link is not None
        assert link.split("?")[0] == here.split("?")[0]
        assert set(link.split("?")[1].split("&")) == set(here.split("?")[1].split("&"))
        expect(away.locator("#foot")).to_contain_text("Where this is from")
        expect(away.locator("#foot")).to_contain_text("What this is, and is not.")
        expect(away.locator(".failed")).to_have_count(0)


def _gives_drawing_and_table(page: Page, away: Page) -> None:
    """The same from the file as from the app; and the file fits a phone."""
    assert text(away, "csv") == text(page, "csv")
    assert text(away, "svg").count("<rect") == text(page, "svg").count("<rect")
    size = away.viewport_size
    assert size is not None
    away.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert away.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    away.set_viewport_size(size)


def _prompts_cannot_be_changed(page: Page, away: Page) -> None:
    root = Stage(away).root
    assert root.locator("textarea").count() == 3
    assert root.locator("textarea").evaluate_all("all => all.every(e => e.readOnly)")
    for control in (".mini", ".addrow button"):
        expect(Stage(page).root.locator(f"{control}:visible")).not_to_have_count(0)
        assert root.locator(f"{control}:visible").count() == 0
    root.locator(".levers summary").first.click()
    expect(root.locator(".levers input").first).to_be_disabled()
    root.locator(".levers summary").first.click()


def _boxes_cannot_be_moved(page: Page, away: Page) -> None:
    move = {"name": "Move the boxes"}
    expect(Stage(page).root.get_by_role("button", **move)).to_be_visible()
    root = Stage(away).root
    expect(root.get_by_role("button", **move)).to_be_hidden()
    expect(root.locator(".slip-lines select").first).to_be_disabled()
    away.keyboard.press("h")  # what needs no server works
    expect(root.locator(".headsel [aria-pressed=true]")).to_have_text("1")
    expect(away.locator("#foot")).to_contain_text("changing the run needs the app")


def _links_out_of_the_story_lead_to_the_app(page: Page, away: Page) -> None:
    step = sentence(away)
    wanted = page.locator(".deeper").evaluate("e => e.href")
    assert away.locator(".deeper").get_attribute("href") == wanted
    Stage(away).press("End")
    doors = away.locator(".picture a").evaluate_all("all => all.map(e => e.href)")
    assert doors
    assert all(door.startswith(page.url.split("?")[0]) for door in doors)
    Stage(away).press("3")
    for _ in range(3):
        Stage(away).press("ArrowRight")
    expect(Stage(away).caption.first).to_have_text(step)


ONLY = {
    "allocator": _gives_drawing_and_table,
    "prefix": _prompts_cannot_be_changed,
    "attention": _boxes_cannot_be_moved,
    "start": _links_out_of_the_story_lead_to_the_app,
}


def menu_is_within_a_phone_and_accessible(page: Page, name: str) -> None:
    """A finger finds every choice; of all stages, the story alone has a handout."""
    change(page, "light", PHONE)
    page.locator(".key.take").click()
    menu = page.locator(".takemenu")
    expect(menu).to_be_visible()
    box = menu.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE[0]
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= PHONE[1]
    expect(menu.locator("[data-take=handout]")).to_have_count(int(name == "start"))
    items = menu.locator("[role=menuitem]")
    expect(items).to_have_count(5 if name == "start" else 4)
    for item in items.all():
        size = item.bounding_box()
        assert size is not None
        assert size["height"] >= 44  # a finger
    found = [line for line in violations(page) if "take" in line]
    assert not found, "\n".join(found)
    page.mouse.click(195, 20)
    expect(menu).to_be_hidden()
