"""What tests ask of the stage: its step, its words, its shelves; as a viewer sees them."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect


def until(act: Callable[[], None], seen: Locator) -> None:
    """Act until this is to be seen: Streamlit can lose a click in the moment it redraws a page."""
    for _ in range(4):
        act()
        try:
            expect(seen).to_be_visible(timeout=4_000)
            return
        except AssertionError:
            continue
    expect(seen).to_be_visible()


class Stage:
    """The stage of an open page. Playwright looks into its shadow root by itself."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator(".stage")
        self.caption = self.root.locator(".said")
        expect(self.caption).not_to_be_empty()

    def step(self) -> int:
        return int(self.root.locator(".count b").inner_text())

    def last(self) -> int:
        return int(self.root.locator(".count span").last.inner_text())

    def expect_step(self, step: int) -> None:
        expect(self.root.locator(".count b")).to_have_text(str(step))

    def shelf(self, block: int) -> Locator:
        return self.root.locator(f".room [data-b='{block}']")

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def expect_in_url(self, **params: str | int) -> None:
        """The URL has these parameters: it is written when playback rests."""
        for name, value in params.items():
            expect(self.page).to_have_url(re.compile(rf"[?&]{name}={re.escape(str(value))}(&|$)"))
