"""The glossary in a real browser: cold links, live search, dotted words, phone, accessibility."""

import re

import pytest
from playwright.sync_api import Page, expect

from pagedviz.facts.terms import TERMS
from pagedviz.ui.shell import SOURCES_LINK
from tests.browser.axe import violations
from tests.browser.site import at_rest, change

pytestmark = pytest.mark.browser

OPEN = ".pv-definition:popover-open"
DEFINED = re.escape(TERMS["pagedattention"].says[:60])


def names(page: Page) -> list[str]:
    return page.locator(".pv-terms dt").all_inner_texts()


def test_link_to_a_term_on_a_server_that_has_just_started(cold_server, open_page):
    page = open_page("/glossary?term=block-table", server=cold_server())
    card = page.locator(".st-key-term-card")
    expect(card.get_by_role("heading", name="Block table")).to_be_visible()
    expect(card).to_contain_text(TERMS["block-table"].says)
    expect(page).to_have_url(re.compile(r"/glossary\?.*term=block-table"))


def test_going_on_from_term_to_term_changes_the_link_and_a_reload_shows_the_same(open_page):
    page = open_page("/glossary?term=block-table")
    page.locator(".st-key-term-card").get_by_role("button", name="Logical block").click()
    expect(page.locator(".st-key-term-card h2")).to_have_text("Logical block")
    expect(page).to_have_url(re.compile("term=logical-block"))
    page.reload()
    at_rest(page)
    expect(page.locator(".st-key-term-card h2")).to_have_text("Logical block")


def test_typing_finds_while_one_types(open_page):
    page = open_page("/glossary")
    assert len(names(page)) == len(TERMS)
    page.get_by_label("Find a word").press_sequentially("null bl")
    expect(page.locator(".pv-terms dt").first).to_have_text("Null block")
    expect(page.locator(".pv-count")).to_contain_text(f"of {len(TERMS)} terms")
    expect(page).to_have_url(re.compile("find=null"))


def test_a_letter_and_see_also_lead_down_the_list(open_page):
    page = open_page("/glossary")
    page.get_by_role("navigation", name="Letters").get_by_role("link", name="W").click()
    expect(page.locator("#pv-letter-W")).to_be_in_viewport()
    page.locator("#pv-term-warm-up-shape").get_by_role("link", name="Padding").click()
    expect(page.locator("#pv-term-padding")).to_be_in_viewport()


def test_a_dotted_word_opens_in_place_and_leads_to_the_glossary(open_page):
    page = open_page("/")
    word = page.locator(".st-key-headline").get_by_role("button", name="PagedAttention")
    for opens in (word.click, lambda: word.press("Enter")):
        opens()
        expect(page.locator(OPEN)).to_contain_text(re.compile(DEFINED))
        page.keyboard.press("Escape")
        expect(page.locator(OPEN)).to_have_count(0)
        expect(word).to_be_focused()
    word.click()
    link = page.locator(OPEN).get_by_role("link")  # in a window of its own
    expect(link).to_have_attribute("href", re.compile(r"^glossary\?term=pagedattention"))
    expect(link).to_have_attribute("target", "_blank")


def test_an_open_definition_is_accessible_and_stands_in_the_window(open_page):
    page = open_page("/allocator?words=engine")
    words = page.locator(".st-key-this-is .pv-term")
    words.first.click()
    for scheme in ("light", "dark"):
        change(page, scheme, (1440, 900))
        expect(page.locator(OPEN)).to_be_in_viewport(ratio=1)
        broken = violations(page)
        assert not broken, f"{scheme}:\n" + "\n".join(broken)


def test_a_definition_can_be_tapped_open_on_a_phone(open_page):
    page = open_page("/allocator", 390, 844, touch=True)
    page.locator(".st-key-this-is .pv-term").first.tap()
    opened = page.locator(OPEN)
    expect(opened).to_be_in_viewport(ratio=1)
    box = opened.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.locator("h1").tap()
    expect(page.locator(OPEN)).to_have_count(0)


def test_the_sources_of_all_figures_are_one_click_from_a_page(open_page):
    page = open_page("/spyre")
    page.get_by_role("link", name=SOURCES_LINK).click()
    expect(page.get_by_role("table", name="Sources")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/glossary\?.*part=figures"))
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="up to 24x"))
    row.get_by_role("link", name="vLLM announcement, 20 June 2023").click()
    expect(page.locator("#pv-source-announcement")).to_be_in_viewport()


def test_marks_on_the_line_of_dates_do_not_cover_each_other(open_page):
    page = open_page("/glossary?part=timeline")
    for width in (1440, 390):
        change(page, "light", (width, 844))
        boxes = [mark.bounding_box() for mark in page.locator(".pv-line .pv-mark").all()]
        assert len(boxes) > 1
        for k, one in enumerate(boxes):
            for other in boxes[k + 1 :]:
                assert one is not None
                assert other is not None
                beside = one["x"] + one["width"] <= other["x"]
                above = (
                    one["y"] + one["height"] <= other["y"]
                    or other["y"] + other["height"] <= one["y"]
                )
                assert beside or above, f"{one} and {other} at {width} px"
