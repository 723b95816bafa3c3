"""What tests ask of the attention page's stage, as a viewer sees it."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.stage import Stage


class AttentionStage(Stage):
    """The stage with its slip, its answer and what is done to the table."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.notes = self.root.locator(".notes")
        self.lines = self.root.locator(".slip-lines .ln")
        self.difference = self.root.locator(".answerw tr.d")

    def table(self) -> list[str]:
        """The blocks on the slip, from the first line on."""
        return self.lines.locator(".pick b").all_inner_texts()

    def answer(self) -> list[str]:
        """The digits of the paged answer, as they are shown."""
        return self.root.locator(".answerw tr").first.locator("td").all_inner_texts()

    def head(self, number: int) -> Locator:
        return self.root.locator(".headsel button").nth(number)

    def expect_head(self, number: int) -> None:
        expect(self.root.locator(".headsel [aria-pressed=true]")).to_have_text(str(number))

    def expect_zoom(self, zoom: int) -> None:
        """What each zoom shows, and what it leaves out."""
        visible = {".room": zoom < 2, ".scores": zoom == 1, ".numbers-view": zoom == 2}
        visible |= {".fml": True, ".roww": zoom == 0}
        for selector, shown in visible.items():
            expect(self.root.locator(selector)).to_be_visible(visible=shown)

    def break_slip(self, option: str) -> None:
        self.root.get_by_label("Break the slip").select_option(option)

    def expect_answer(self, same: bool, told: str = "") -> None:
        """At the last step: the caption, the colour of the row and its digits say so.

        told: what the caption tells instead, just after something was moved or broken.
        """
        said = "the same answer" if same else "another answer"
        expect(self.caption).to_contain_text(told or said)
        row = self.difference
        (expect(row).to_contain_class if same else expect(row).not_to_contain_class)("same")
        (expect(row).not_to_contain_class if same else expect(row).to_contain_class)("other")
        shown = row.locator("td").all_inner_texts()
        small = [text == "0" or "10⁻" in text for text in shown]
        assert all(small) if same else not all(small), shown
