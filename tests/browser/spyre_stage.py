"""What tests ask of the Spyre page's stages, as a viewer sees them."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.stage import Stage


class Limit(Stage):
    """The stage of the part "limit": sliders, table, area."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.context = self.root.locator("#limit-context")
        self.batch = self.root.locator("#limit-batch")
        self.corner = self.root.locator(".corner")
        self.rows = self.root.locator(".ibm tbody tr:not(.spare)")

    def expect_point(self, batch: int, context: int) -> None:
        """Sliders, table, picture and caption all say the same."""
        expect(self.root.locator("output")).to_have_text([f"{context:,}", str(batch)])
        expect(self.root.locator(".ibm :is(.me, .on) td").nth(0)).to_have_text(str(batch))
        expect(self.root.locator(".ibm :is(.me, .on) td").nth(1)).to_have_text(f"{context:,}")
        expect(self.root.locator(".ibm :is(.me, .on) td").nth(2)).to_have_text(
            f"{batch * context:,}"
        )
        expect(self.corner).to_have_attribute("aria-valuetext", f"{batch} × {context:,}")
        expect(self.caption).to_contain_text(f"{batch} x {context:,} = {batch * context:,}")

    def expect_chart(self, said: str) -> None:
        """The page's own chart has followed."""
        charts = self.page.get_by_test_id("stPlotlyChart")
        expect(charts.and_(self.page.get_by_label(said))).to_be_visible()
        expect(charts).to_have_count(1)  # the one before it is gone


class Run(Stage):
    """The stage of a run: rows of the batch, the door, who does what when."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.decoding = self.root.locator(".brow:not(.gone) .track.on")
        self.paused = self.root.locator(".brow:not(.gone) .track.paused")
        self.waiting = self.root.locator(".doorlist li")
        self.turns = self.root.locator(".turnsw")

    def figure(self, name: str) -> Locator:
        row = self.root.locator(".figuresw dl > div").filter(has_text=re.compile(f"^{name}"))
        return row.locator("dd span")
