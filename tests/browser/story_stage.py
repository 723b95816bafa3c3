"""What tests ask of the story, as a viewer sees it."""

from playwright.sync_api import Locator, Page, expect

from pagedviz.timeline.story.beat import plain
from pagedviz.timeline.story.tale import beats


class Story:
    """The story on an open page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator(".stage")
        self.said = self.root.locator(".said")
        self.picture = self.root.locator(".picture")
        expect(self.said).not_to_be_empty()

    def expect_step(self, step: int, register: str = "room") -> None:
        expect(self.said).to_have_text(plain(getattr(beats()[step].says, register)))

    def button(self, name: str) -> Locator:
        return self.root.get_by_role("button", name=name, exact=True)

    def next(self) -> Locator:
        return self.root.locator(".go .next")

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
