"""Presenting in a real browser: talks, class links, notes; test_present_view has the view."""

import json
import re

import pytest
import segno
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.site import GROUND, at_rest, still
from tests.browser.stage import Stage, until

pytestmark = pytest.mark.browser

OPACITY = """e => {
  let seen = 1;
  for (; e; e = e.parentElement) seen *= getComputedStyle(e).opacity;
  return seen;
}"""


def walks(page: Page, count: str) -> None:
    """The bar says that this is view "3 of 8", and the page is at rest."""
    expect(page.locator(".pv-walk b")).to_have_text(count)
    at_rest(page)


def test_a_clicker_walks_a_talk_across_pages_and_back(open_page):
    page = open_page("/spyre?part=run&scene=no-max-tokens&step=1&talk=spyre-sizing&at=5")
    stage = Stage(page)
    walks(page, "5 of 8")
    for _ in range(4):  # inside the view, as often as the talk says
        before = stage.step()
        page.keyboard.press("PageDown")
        expect(stage.root.locator(".count b")).not_to_have_text(str(before))
    walks(page, "5 of 8")
    page.keyboard.press("PageDown")
    walks(page, "6 of 8")
    expect(page).to_have_url(re.compile("/prefix.*talk=spyre-sizing.*at=6"))
    page.keyboard.press("PageDown")
    walks(page, "7 of 8")
    expect(page).to_have_url(re.compile("/sizing"))
    page.keyboard.press("PageUp")
    walks(page, "6 of 8")
    page.get_by_role("link", name="Next").click()
    walks(page, "7 of 8")
    page.get_by_role("link", name="Next").click()
    walks(page, "8 of 8")
    page.keyboard.press("PageDown")  # there is no other
    walks(page, "8 of 8")


def test_views_of_one_page_follow_each_other_and_the_browsers_back(open_page):
    page = open_page("/?scene=1&beat=1&talk=three-minutes&at=1", 1280, 720)
    count = page.locator(".kick .count")
    expect(count).to_have_text("Scene 1 of 7, 1 of 6")
    page.get_by_role("link", name="Next").click()
    walks(page, "2 of 7")
    expect(count).to_have_text("Scene 2 of 7, 1 of 6")
    expect(page).to_have_url(re.compile("at=2"))
    page.go_back()
    walks(page, "1 of 7")
    expect(count).to_have_text(re.compile("Scene 1 of 7"))


def test_a_look_at_another_page_does_not_lose_the_talk(open_page):
    page = open_page("/spyre?part=mix&mix=documents&step=1&talk=spyre-sizing&at=4")
    walks(page, "4 of 8")
    page.locator(".st-key-pages").get_by_role("link", name="Reservation").click()
    expect(page).to_have_title("Reservation - pagedviz")
    walks(page, "4 of 8")
    expect(page).to_have_url(re.compile("talk=spyre-sizing"))
    page.get_by_role("link", name="Back to this view").click()
    expect(page).to_have_title("Spyre - pagedviz")
    expect(page).to_have_url(re.compile("mix=documents"))
    page.get_by_role("link", name="Leave the talk").click()
    expect(page).to_have_title("Talks - pagedviz")
    expect(page.locator(".pv-walk")).to_have_count(0)


def test_the_bar_is_not_on_the_projector(open_page):
    page = open_page("/spyre?part=mix&step=1&talk=spyre-sizing&at=4&present=1", 1280, 720)
    Stage(page)
    expect(page.locator("html")).not_to_have_class(re.compile("pv-awake"), timeout=8_000)
    assert page.locator(".st-key-walk").evaluate(OPACITY) == 0


def test_an_own_talk_is_saved_opened_again_and_a_damaged_file_is_said(open_page, tmp_path):
    page = open_page("/talks")
    page.get_by_label("Address of a view").fill(page.url.replace("/talks", "/spyre?part=mix"))
    page.get_by_label("What to call it").fill("My mix")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("View 1: My mix (Spyre)")).to_be_visible()
    at_rest(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save to a file").click()
    path = tmp_path / "talk.json"
    saved.value.save_as(path)
    stops = json.loads(path.read_text("utf-8"))["stops"]
    assert stops == [{"link": "/spyre?part=mix", "title": "My mix", "note": "", "presses": 0}]

    other = open_page("/talks")
    upload = other.locator("input[type=file]")
    opener = other.get_by_role("button", name="Open a file")
    until(opener.click, other.get_by_text("A talk that was saved"))
    upload.set_input_files(path)
    expect(other.get_by_text("View 1: My mix (Spyre)")).to_be_visible()
    at_rest(other)
    broken = tmp_path / "broken.json"
    broken.write_text(path.read_text("utf-8").replace("/spyre?", "https://example.org/"), "utf-8")
    until(opener.click, other.get_by_text("A talk that was saved"))
    upload.set_input_files(broken)
    expect(other.get_by_text('broken.json: entry 1: link: must begin with "/"')).to_be_visible()
    expect(other.get_by_text("View 1: My mix (Spyre)")).to_be_visible()
    at_rest(other)
    start = other.get_by_role("link", name="Start: My talk")
    start.hover()
    expect(start).to_have_attribute("href", re.compile("spyre"))  # also in another tab
    start.click()
    expect(other).to_have_title("Spyre - pagedviz")
    walks(other, "1 of 1")


# Links for a class


def test_the_link_for_a_class_is_what_one_sees_and_its_code_is_that_link(open_page):
    page = open_page("/allocator?preset=one-visitor&step=5")
    Stage(page).expect_step(5)
    field = page.get_by_label("Link for the class")
    until(page.get_by_role("button", name="For a class or a talk").click, field)
    page.get_by_text("In the presenter view").click()
    page.get_by_role("radio", name="Engine").last.click()
    page.get_by_role("combobox", name="Lock these controls").click()
    page.get_by_role("option", name="Block size").click()
    expect(field).to_have_value(re.compile("lock=size"))
    expect(field).to_have_value(re.compile("words=engine.*present=1|present=1.*words=engine"))
    link = field.input_value()
    assert "step=5" in link
    assert link.startswith(page.url.split("/allocator")[0] + "/allocator?")
    want = segno.make(link, micro=False).svg_inline(
        border=4, light="#ffffff", dark="#000000", omitsize=True
    )
    path = re.search(r'd="(M[^"]*)"[^>]*class="qrline"|class="qrline"[^>]*d="(M[^"]*)"', want)
    assert path
    code = page.locator(f'.qr svg path[d="{path[1] or path[2]}"]')
    expect(code).to_be_visible()

    page.goto(link)
    at_rest(page)
    Stage(page).expect_step(5)
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    page.keyboard.press("p")
    expect(page.get_by_role("combobox", name="block_size")).to_be_disabled()


def test_the_panel_adds_a_view_to_the_own_talk(open_page):
    page = open_page("/allocator?preset=one-visitor&step=5")
    Stage(page).expect_step(5)
    code = page.locator(".qr svg")
    until(page.get_by_role("button", name="For a class or a talk").click, code)
    added = page.get_by_text("Added as view 1 of your own talk.")
    page.get_by_role("button", name="Add this view to my talk").click()
    expect(added).to_be_visible()
    broken = violations(page)
    assert not broken, "\n".join(broken)
    page.keyboard.press("Escape")
    page.locator(".st-key-pages").get_by_role("link", name="Talks").click()
    expect(page.get_by_text("View 1: Allocator (Allocator)")).to_be_visible()


# Notes


def test_notes_are_below_the_page_and_never_in_the_presenter_view(open_page):
    page = open_page("/spyre?part=mix")
    Stage(page)
    note = page.locator(".pv-spoken").first
    until(page.get_by_text("Speaker notes").click, note)
    broken = violations(page)
    assert not broken, "\n".join(broken)
    page.keyboard.press("p")
    expect(note).to_be_hidden()
    expect(page.get_by_text("Speaker notes")).to_be_hidden()


def test_a_second_window_of_notes_follows_the_first(open_page):
    page = open_page("/?scene=2&beat=1")
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Notes in a second window").click()
    notes = popup.value
    shown = notes.locator(".pv-spoken:visible h2")
    expect(shown).to_have_text("Start, scene 2: an aisle for everybody")
    page.keyboard.press("5")
    expect(shown).to_have_text("Start, scene 5: sharing")
    page.goto(re.sub(r"/\?.*", "/spyre?part=mix&step=1&talk=spyre-sizing&at=4", page.url))
    expect(shown).to_have_text("Spyre: your own mix")
    expect(notes.locator(".pv-talk")).to_contain_text("4 of 8: A mix of lengths")
    expect(notes.locator(".pv-talk")).to_contain_text("Next: Say how long an answer may be")


def test_the_window_of_notes_is_accessible(open_page):
    page = open_page("/spyre?part=run")
    page.goto(re.sub(r"[?].*", "?part=run&notes=1", page.url))
    expect(page.locator(".pv-spoken:visible h2")).to_have_text("Spyre: the scheduler at work")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", GROUND[scheme])
        still(page)
        broken = violations(page)
        assert not broken, f"{scheme}:\n" + "\n".join(broken)
