"""Building one's own run on the allocator page, and what is said when something is wrong."""

import re

import pytest
from playwright.sync_api import Page, expect

from pagedviz.timeline.presets import PRESETS
from tests.browser.site import at_rest, change
from tests.browser.stage import Stage, until

pytestmark = pytest.mark.browser


def click(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    at_rest(page)


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()
    at_rest(page)


def test_newcomer_builds_a_run_and_walks_it(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    click(page, "Empty room")
    stage.expect_step(0)
    click(page, "Add a visitor")
    page.get_by_role("spinbutton", name="Boxes", exact=True).fill("40")
    click(page, "Let them arrive")
    stage.expect_step(2)  # it plays to the end by itself
    expect(stage.caption).to_have_text(
        "Visitor A comes in and gets shelves 1 to 3, the first in the queue."
    )
    click(page, "Add a visitor")
    choose(page, "Begins with the same boxes as", "A")
    click(page, "Let them arrive")
    stage.expect_step(4)
    expect(stage.shelf(1).locator(".tag")).to_have_text(["A", "B"])
    click(page, "Write")
    page.get_by_role("spinbutton", name="New boxes each").fill("3")
    page.get_by_role("button", name="Write", exact=True).last.click()
    at_rest(page)
    stage.expect_step(8)
    click(page, "Leave")
    click(page, "Leave the room")
    expect(stage.caption).to_contain_text("Visitor A leaves")
    stage.press("PageUp")
    expect(stage.caption).to_contain_text("B shares")

    click(page, "Undo")
    stage.expect_step(8)
    click(page, "Undo")
    stage.expect_step(4)
    click(page, "Redo")
    stage.expect_step(8)

    stage.expect_in_url(step=8)
    page.reload()  # the link holds the run
    at_rest(page)
    again = Stage(page)
    assert again.last() == 8
    expect(again.shelf(1).locator(".tag")).to_have_text(["A", "B"])


def test_text_can_be_brought_and_shares_its_beginning(open_page):
    page = open_page("/allocator")
    click(page, "Empty room")
    choose(page, "Boxes per shelf", "4")
    stage = Stage(page)
    for last_word, last_step in (("tall", 2), ("old", 4)):
        by_text = page.get_by_role("radio", name="a text")
        until(lambda: click(page, "Add a visitor"), by_text)
        by_text.click()
        at_rest(page)
        page.get_by_role("textbox", name="What the visitor brings").fill(
            f"You are a kind helper. How {last_word} is it?"
        )
        page.keyboard.press("Control+Enter")
        at_rest(page)
        click(page, "Let them arrive")
        expect(stage.root.locator(".count span").last).to_have_text(str(last_step))
    stage.press("End")
    expect(stage.shelf(1).locator(".tag")).to_have_text(["A", "B"])
    expect(stage.shelf(2).locator(".tag")).to_have_text(["A"])


def test_who_can_never_come_in_is_told_so(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    click(page, "Empty room")
    click(page, "Add a visitor")
    page.get_by_role("spinbutton", name="Boxes", exact=True).fill("2000")
    click(page, "Let them arrive")
    expect(stage.root.locator(".count span").last).to_have_text("2")
    stage.press("End")
    expect(stage.caption).to_contain_text("can never come in")
    expect(stage.root.locator(".room .sh.used")).to_have_count(0)


def test_room_of_another_size_has_the_same_visitors(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    page.get_by_role("spinbutton", name="Shelves").fill("40")
    page.keyboard.press("Enter")
    at_rest(page)
    expect(stage.root.locator(".room .sh")).to_have_count(41)
    stage.press("Home")
    for _ in range(3):
        stage.press("PageDown")
    expect(stage.root.locator(".log em", has_text="refused")).to_have_count(0)  # room for all
    page.get_by_role("spinbutton", name="Shelves").fill("400")
    page.keyboard.press("Enter")
    at_rest(page)
    expect(stage.root.locator(".tiles.medium canvas")).to_be_visible()
    stage.root.locator(".cursor").focus()
    stage.press("ArrowDown")
    expect(stage.root.locator(".cursor")).to_have_attribute("aria-label", re.compile("^Shelf 2, "))
    page.get_by_role("spinbutton", name="Shelves").fill("8191")
    page.keyboard.press("Enter")
    at_rest(page)
    expect(stage.root.locator(".tiles.tiny .lens")).to_be_visible()
    stage.root.locator(".sheet canvas").hover(position={"x": 40, "y": 40})
    expect(stage.root.locator(".lens-title")).to_contain_text("Shelf ")


def test_scheduler_drives(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    click(page, "Let the doorkeeper drive")
    page.get_by_role("spinbutton", name="Visitors", exact=True).fill("6")
    click(page, "Open the doors")
    expect(stage.root.locator(".log em", has_text="leaves")).to_have_count(6)
    click(page, "Let the doorkeeper drive")
    page.get_by_role("spinbutton", name="Boxes brought, most").fill("4000")
    before = stage.last()
    click(page, "Open the doors")
    expect(page.get_by_role("alert")).to_contain_text("never finish")
    assert stage.last() == before


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_every_preset_opens_where_it_is_worth_looking(preset, open_page):
    page = open_page(f"/allocator?preset={preset.id}")
    stage = Stage(page)
    stage.expect_step(preset.opening)
    expect(page.locator(".st-key-headline p")).to_have_text(preset.lead.room)
    assert stage.last() == len(preset.run.ops)
    boxes_stay_in_their_shelf(page, stage)


def test_boxes_of_every_size_stay_in_their_shelf(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    for size in ("4", "16", "32", "64", "128"):
        field = page.get_by_role("combobox", name="Boxes per shelf")
        field.click()
        page.get_by_role("option", name=re.compile(rf"^{size}\b")).first.click()
        expect(field.last).to_have_value(re.compile(rf"^{size}\b"))
        expect(field).to_have_count(1)  # the one before it is gone
        at_rest(page)
        boxes_stay_in_their_shelf(page, stage)


def boxes_stay_in_their_shelf(page: Page, stage: Stage) -> None:
    """At a desk's width and at a phone's."""
    outside = """(stage) => {
      const shelves = [...stage.querySelectorAll(".room .sh, .lb")];
      const boxes = shelves.flatMap((shelf) => [...shelf.querySelectorAll(".bx")].map((box) => {
        const [b, frame] = [box.getBoundingClientRect(), shelf.getBoundingClientRect()];
        return b.left < frame.left - 0.5 || b.right > frame.right + 0.5;
      }));
      return [boxes.length > 0, boxes.filter(Boolean).length];
    }"""
    for width in (390, 1440):
        change(page, "light", (width, 900))
        assert stage.root.evaluate(outside) == [True, 0], f"{width} px wide"


def test_saved_run_opens_again(open_page):
    page = open_page("/allocator?preset=same-opening")
    stage = Stage(page)
    last = stage.last()
    click(page, "Save, open, share")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this run").click()
    saved = download.value.path().read_bytes()
    page.keyboard.press("Escape")
    click(page, "Empty room")
    stage.expect_step(0)
    click(page, "Save, open, share")
    page.locator("input[type=file]").set_input_files(
        {"name": "mine.json", "mimeType": "application/json", "buffer": saved}
    )
    expect(stage.root.locator(".count span").last).to_have_text(str(last))


def test_code_and_table_follow_the_run_and_the_page_says_how_often_it_agrees(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    stage.root.get_by_text("The engine's own code for this step").click()
    expect(stage.root.locator(".source figcaption").first).to_contain_text("get_computed_blocks")
    stage.press("End")
    expect(stage.root.locator(".source figcaption").first).to_contain_text("free")
    expect(stage.root.locator(".source pre").first).to_contain_text("def free")
    page.get_by_text("Numbers and files").click()
    expect(page.get_by_role("region", name="The room over time: numbers")).to_be_visible()
    expect(
        page.get_by_text(re.compile(r"Agrees with vLLM 0\.33\.0 on [\d,]+ recorded steps"))
    ).to_be_visible(timeout=60_000)
