"""The frame around every page, in a real browser: links, menu, history, light, dark, widths."""

import re
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from pagedviz.ui.shell import PAGES, SIDEBAR_PX
from tests.browser.site import GROUND, at_rest

pytestmark = pytest.mark.browser

INK = {"light": "rgb(27, 27, 27)", "dark": "rgb(241, 241, 241)"}


def expect_page(page: Page, key: str) -> None:
    """The tab's title and the mark in the menu say that this is page `key`."""
    expect(page).to_have_title(f"{PAGES[key].title} - pagedviz")
    menu = page.locator(".st-key-pages")
    expect(menu.locator("[aria-current=page]")).to_have_text(PAGES[key].title)
    others = [other.title for other in PAGES.values() if other.key != key]
    expect(menu.get_by_role("link")).to_have_text(others)


# The other pages have a link of their own to a server that has just started, beside their tests.
@pytest.mark.parametrize("key", ["prefix", "workload", "talks"])
def test_link_to_a_page_is_right_on_a_server_that_has_just_started(key, cold_server, open_page):
    page = open_page(f"/{PAGES[key].url_path}?step=3&words=engine", server=cold_server())
    expect_page(page, key)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)  # Streamlit's own menu


def test_back_and_forward_follow_the_menu(open_page):
    page = open_page("/")
    for key in list(PAGES)[1:]:
        page.locator(".st-key-pages").get_by_role("link", name=PAGES[key].title).click()
        expect_page(page, key)
        expect(page).to_have_url(re.compile(f"/{PAGES[key].url_path}([?].*)?$"))
        expect(page.get_by_role("heading", level=1)).to_be_visible()
    start = page.locator(".st-key-pages").get_by_role("link", name="Start")
    start.hover()
    expect(start).to_have_attribute("href", "./")  # it can be opened in a new tab
    for key in reversed(list(PAGES)[:-1]):
        page.go_back()
        expect_page(page, key)
    page.go_forward()
    expect_page(page, list(PAGES)[1])


def test_sidebar_is_narrow_and_colours_follow_the_scheme_and_the_viewers_choice(open_page):
    page = open_page("/")
    box = page.get_by_test_id("stSidebar").bounding_box()
    assert box is not None
    assert box["width"] == SIDEBAR_PX

    def expect_scheme(scheme: Literal["light", "dark"]) -> None:
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", GROUND[scheme])
        stroke = page.locator(".st-key-brand svg path").first
        expect(stroke).to_have_css("stroke", INK[scheme])
        expect(page.get_by_role("heading", level=1)).to_have_css("color", INK[scheme])

    expect_scheme("light")
    page.emulate_media(color_scheme="dark")
    expect_scheme("dark")
    page.emulate_media(color_scheme="light")
    expect_scheme("light")
    page.get_by_role("button", name="Main menu").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    expect_scheme("dark")


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
