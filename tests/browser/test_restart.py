"""The server ends and comes back: an open page says so, plays on, and finds its way by itself."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.site import at_rest, start_server
from tests.browser.stage import Stage, until

pytestmark = pytest.mark.browser

BACK = 60_000  # ms; Streamlit tries again after ever longer waits


def shown(page: Page) -> tuple[bool, list[str]]:
    """Whether finished boxes are kept, and who is where, by the picture."""
    tags = page.locator(".stage .room [data-b]").all_inner_texts()
    return page.get_by_role("switch", name="Keep finished boxes").is_checked(), tags


def test_open_page_survives_a_restart(browser: Browser):
    server = start_server()
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    try:
        page.goto(f"{server.url}/allocator?preset=preemption&step=20")
        at_rest(page)
        stage = Stage(page)
        page.get_by_text("Keep finished boxes").click()
        expect(page).to_have_url(re.compile(r"[?&]run="))
        at_rest(page)
        stage.root.focus()
        stage.press("ArrowRight")
        stage.expect_step(21)
        before = shown(page)
        assert not before[0]

        server.stop()
        notice = stage.root.locator(".notice")
        expect(notice).to_contain_text("The connection to the server is lost", timeout=BACK)
        expect(notice).to_contain_text("anything that changes it needs the server")
        page.get_by_role("dialog").get_by_role("button", name="Close").click(timeout=BACK)
        stage.root.focus()
        stage.press("ArrowRight")  # what is in the window goes on
        stage.press("ArrowLeft")
        stage.expect_step(21)

        server = start_server(port=int(server.url.rpartition(":")[2]))
        expect(notice).to_be_hidden(timeout=BACK)
        expect(page.get_by_role("button", name="Empty room")).to_be_enabled(timeout=BACK)
        at_rest(page)
        stage.expect_step(21)
        assert shown(page) == before
        empty = stage.root.locator(".count", has_text="of 0")
        until(page.get_by_role("button", name="Empty room").click, empty)
        expect(page).to_have_url(re.compile(r"[?&]run="))
    finally:
        page.close()
        server.stop()
