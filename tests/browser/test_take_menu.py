"""The menu "Take away" by key and by touch, where it is not, and names in the table of steps."""

import re
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from tests.browser.drawn import SVG
from tests.browser.stage import Stage
from tests.browser.taken import run_of, run_of_all, table

pytestmark = pytest.mark.browser

NAMES = ["=1+1", "+1", "-2+3", "@SUM(A1)", "  =1", "\uff1d1", '=HYPERLINK("x")']


def test_names_are_no_formulas_in_a_spreadsheet(open_page):
    page = open_page(run_of_all(NAMES, 30))
    Stage(page)
    rows = table(page)
    names = [row["request"] for row in rows if row["request"]]
    assert names == [f"'{name}" for name in NAMES for _ in ("arrives", "comes in")]
    assert [row["step"] for row in rows] == list(map(str, range(len(rows))))  # numbers stay numbers


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


def test_menu_by_touch_and_the_drawing_of_a_room_on_a_canvas(open_page):
    page = open_page(run_of("A", 4096), width=390, height=844, touch=True)
    Stage(page)
    menu = page.locator(".takemenu")
    page.locator(".key.take").tap()
    expect(menu).to_be_visible()
    with page.expect_download() as saved:
        page.locator("[data-take=svg]").tap()
    root = ElementTree.parse(saved.value.path()).getroot()
    assert int(root.get("width", 0)) > 1100  # though the phone is narrow
    canvas = root.findall(f".//{SVG}image")
    assert canvas
    assert all(node.get("href", "").startswith("data:image/png;base64,iVBOR") for node in canvas)
    page.touchscreen.tap(195, 20)
    expect(menu).to_be_hidden()


def test_presenter_view_has_no_such_button(open_page):
    page = open_page("/allocator?present=1")
    stage = Stage(page)
    expect(page.locator("html")).to_have_class(re.compile("pagedviz-present"))
    expect(stage.root.locator(".key.take")).to_be_hidden()
    stage.press("t")
    expect(page.locator(".takemenu")).to_be_hidden()
