"""The presenter view in a real browser, the black screen, and the keys for both."""

import re

import pytest
from playwright.sync_api import expect

from pagedviz.ui.shell import PAGES
from tests.browser.axe import violations
from tests.browser.site import at_rest, change, sideways
from tests.browser.stage import Stage

pytestmark = pytest.mark.browser

STAGES = {
    "start": "/?scene=4&beat=4",
    "allocator": "/allocator",
    "reservation": "/reservation",
    "prefix": "/prefix",
    "attention": "/attention",
    "spyre-limit": "/spyre?part=limit",
    "spyre-mix": "/spyre?part=mix",
    "spyre-run": "/spyre?part=run",
}
PLAIN = [
    page.url_path for page in PAGES.values() if page.key not in {k.split("-")[0] for k in STAGES}
]
SCREEN = (1280, 720)


@pytest.mark.parametrize("path", [*STAGES.values(), *(f"/{path}" for path in PLAIN)])
def test_p_leaves_the_picture_and_its_sentence_large(path, open_page):
    page = open_page(path, *SCREEN)
    has_stage = path in STAGES.values()
    if has_stage:
        Stage(page)
    page.keyboard.press("p")
    expect(page).to_have_url(re.compile(r"[?&]present=1(&|$)"))
    for gone in ("stSidebar", "stHeader"):
        expect(page.get_by_test_id(gone)).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for lever in ('[class*="st-key-tools"]', '[class*="st-key-controls"]', ".st-key-headline p"):
        for one in page.locator(lever).all() if has_stage else ():
            expect(one).to_be_hidden()
    broken = []
    for scheme in ("light", "dark"):
        change(page, scheme, SCREEN)
        broken += [f"{scheme}: {line}" for line in violations(page)]
    assert not broken, "\n".join(broken)
    assert sideways(page, stages=False) == []
    if has_stage:
        stage = Stage(page)
        expect(stage.caption).to_be_in_viewport(ratio=1)
        size = stage.caption.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
        assert 28 <= size <= 30
        box = stage.root.bounding_box()
        assert box is not None
        assert box["width"] >= (800 if "part=limit" in path else 1_150)
    page.keyboard.press("p")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    expect(page).not_to_have_url(re.compile("present="))


def test_presenter_view_stays_on_other_pages_and_the_link_wins(open_page):
    page = open_page("/spyre?present=1&part=limit")
    page.goto(page.url.replace("/spyre?present=1&", "/spyre?"))
    at_rest(page)
    expect(page).to_have_url(re.compile("present=1"))
    page.goto(re.sub(r"/spyre.*", "/reservation?present=0", page.url))
    at_rest(page)
    expect(page.get_by_test_id("stSidebar")).to_be_visible()


def test_a_hand_without_keys_gets_in_and_out(open_page):
    page = open_page("/allocator")
    page.get_by_role("button", name="Presenter view").click()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    leave = page.get_by_role("button", name="Leave presenter view")
    expect(leave).to_have_css("opacity", "0", timeout=8_000)
    page.mouse.move(300, 300)
    page.mouse.move(320, 310)
    expect(leave).to_have_css("opacity", "1")
    leave.click()
    expect(page.get_by_test_id("stSidebar")).to_be_visible()


def test_b_makes_the_screen_black_until_any_key(open_page):
    page = open_page("/allocator?step=3", 1280, 720)
    stage = Stage(page)
    black = page.locator("dialog.pv-blank")
    page.keyboard.press("b")
    expect(black).to_have_css("background-color", "rgb(0, 0, 0)")
    box = black.bounding_box()
    assert box is not None
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 1280, 720)
    page.keyboard.press("ArrowRight")
    expect(black).to_have_count(0)
    stage.expect_step(3)  # the key that brings it back does nothing else
    page.keyboard.press("ArrowRight")
    stage.expect_step(4)


def test_keys_are_letters_while_one_types(open_page):
    page = open_page("/attention")
    field = page.locator(".st-key-tools input[type=text]").first
    field.click()
    page.keyboard.type("bp")
    expect(field).to_have_value(re.compile("bp"))
    expect(page.locator("dialog.pv-blank")).to_have_count(0)
    expect(page.get_by_test_id("stSidebar")).to_be_visible()


def test_the_list_of_keys_has_those_for_presenting(open_page):
    page = open_page("/glossary")  # of pages with a stage, the stage's own list has them too
    page.keyboard.press("?")
    keys = page.locator("dialog[open]")
    expect(keys).to_contain_text("presenter view, and back")
    expect(keys).to_contain_text("black screen; any key brings the picture back")
    keys.get_by_role("button", name="Close").click()
    expect(page.locator("dialog[open]")).to_have_count(0)
