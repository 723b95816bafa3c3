"""The frame around every page, in a real browser: links, menu, history, light, dark, widths."""

import re

import pytest
from playwright.sync_api import Page, expect

from pagedviz.ui.shell import PAGES, SIDEBAR_PX
from tests.browser.site import at_rest

pytestmark = pytest.mark.browser

every_page = pytest.mark.parametrize("key", PAGES)
both_schemes = pytest.mark.parametrize("scheme", ["light", "dark"])
BACKGROUND = {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 21, 21)"}
INK = {"light": "rgb(27, 27, 27)", "dark": "rgb(241, 241, 241)"}


def expect_page(page: Page, key: str) -> None:
    """The tab's title and the mark in the menu say that this is page `key`."""
    expect(page).to_have_title(f"{PAGES[key].title} - pagedviz")
    menu = page.locator(".st-key-pages")
    expect(menu.locator("[aria-current=page]")).to_have_text(PAGES[key].title)
    others = [other.title for other in PAGES.values() if other.key != key]
    expect(menu.get_by_role("link")).to_have_text(others)


@every_page
def test_link_to_a_page_is_right_on_a_server_that_has_just_started(key, cold_server, open_page):
    page = open_page(f"/{PAGES[key].url_path}?step=3&words=engine", server=cold_server())
    expect_page(page, key)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)  # Streamlit's own menu


def test_link_to_the_start_page_can_be_opened_in_a_new_tab(open_page):
    page = open_page("/allocator")
    link = page.locator(".st-key-pages").get_by_role("link", name="Start")
    link.hover()
    expect(link).to_have_attribute("href", "./")


def test_back_and_forward_follow_the_menu(open_page):
    page = open_page("/")
    for key in list(PAGES)[1:]:
        page.locator(".st-key-pages").get_by_role("link", name=PAGES[key].title).click()
        expect_page(page, key)
        expect(page).to_have_url(re.compile(f"/{PAGES[key].url_path}([?].*)?$"))
    for key in reversed(list(PAGES)[:-1]):
        page.go_back()
        expect_page(page, key)
    page.go_forward()
    expect_page(page, list(PAGES)[1])


@both_schemes
def test_colours_follow_the_scheme(scheme, open_page):
    page = open_page("/", scheme=scheme)
    colour = "(e, name) => getComputedStyle(e)[name]"
    app = page.get_by_test_id("stApp")
    assert app.evaluate(colour, "backgroundColor") == BACKGROUND[scheme]
    assert page.locator(".st-key-brand svg path").first.evaluate(colour, "stroke") == INK[scheme]
    assert page.get_by_role("heading", level=1).evaluate(colour, "color") == INK[scheme]


@every_page
def test_no_sideways_scroll(key, open_page):
    page = open_page(f"/{PAGES[key].url_path}")
    for width in (2560, 1920, 1280, 1100, 820, 720, 390, 360):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(250)  # the sidebar folds with a transition
        wider = page.evaluate(
            """() => [document.documentElement, document.querySelector('[data-testid=stMain]')]
                 .map(e => e.scrollWidth - e.clientWidth)"""
        )
        assert wider == [0, 0], f"{width} px wide: scrolls sideways by {wider}"


def test_sidebar_is_narrow(open_page):
    box = open_page("/").get_by_test_id("stSidebar").bounding_box()
    assert box is not None
    assert box["width"] == SIDEBAR_PX


def test_menu_stays_out_of_the_way_on_a_phone(open_page):
    page = open_page("/", 390, 844, touch=True)
    sidebar = page.get_by_test_id("stSidebar")
    for key in [*list(PAGES)[1:], "start"]:
        expect(sidebar).to_have_attribute("data-collapsed", "true")
        page.get_by_role("button", name="Expand sidebar").tap()
        expect(sidebar).to_have_attribute("data-collapsed", "false")
        page.locator(".st-key-pages").get_by_role("link", name=PAGES[key].title).tap()
        expect_page(page, key)
    expect(sidebar).to_have_attribute("data-collapsed", "true")

    page.get_by_role("button", name="Expand sidebar").tap()
    page.reload()
    at_rest(page)
    expect(sidebar).to_have_attribute("data-collapsed", "true")


def test_viewer_can_choose_light_or_dark(open_page):
    page = open_page("/")
    page.get_by_role("button", name="Main menu").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", BACKGROUND["dark"])
    stroke = page.locator(".st-key-brand svg path").first
    expect(stroke).to_have_css("stroke", INK["dark"])
