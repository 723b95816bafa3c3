"""The Spyre page in a real browser: the limit to drag, the mix, the scheduler at work, links."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations
from tests.browser.site import at_rest
from tests.browser.stage import Stage, until

pytestmark = pytest.mark.browser

SIDEWAYS = """() => [document.documentElement, document.querySelector('[data-testid=stMain]'),
  ...document.querySelectorAll('.stage')].map(e => e.scrollWidth - e.clientWidth)"""
PARTS = {
    "limit": "How many fit",
    "mix": "Your own mix",
    "run": "Door and table at work",
    "cards": "Cards and models",
    "encoder": "Embedding models",
    "differ": "Published and actual",
}


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


def sideways(page: Page) -> list[int]:
    return [width for width in page.evaluate(SIDEWAYS) if width > 0]


# ---- how many fit


def test_sliders_by_keyboard_and_the_row_that_forms_between_ibms(cold_server, open_page):
    limit = Limit(open_page("/spyre?step=95", server=cold_server()))
    limit.expect_point(21, 6_144)
    expect(limit.rows).to_have_count(4)
    expect(limit.rows.nth(1)).to_contain_class("me")  # between 32 x 4,096 and 16 x 8,192
    limit.expect_chart("21 x 6,144 = 129,024")
    limit.context.focus()
    limit.press("ArrowRight")
    limit.expect_point(21, 6_208)
    for _ in range(3):
        limit.press("ArrowLeft")
    limit.expect_point(21, 6_016)
    limit.press("End")
    limit.expect_point(4, 32_768)
    expect(limit.rows).to_have_count(3)
    expect(limit.rows.nth(2)).to_contain_class("on")
    expect(limit.root.locator(".binds > .b")).to_have_count(2)
    limit.expect_chart(
        "4 x 32,768 = 131,072. The number of boxes each and the number of places bind."
    )
    limit.press("Home")
    limit.expect_point(32, 64)
    for key, context in (("ArrowRight", 128), ("ArrowUp", 192), ("ArrowLeft", 128)):
        limit.press(key)  # short contexts move by a block, and do not stick
        limit.expect_point(32, context)
    expect(limit.rows.first).to_contain_class("me")
    expect(limit.root.locator(".binds > .b")).to_have_text(re.compile("^visitors"))


def test_fewer_than_would_fit_by_the_slider_of_the_batch(open_page):
    limit = Limit(open_page("/spyre"))
    limit.batch.focus()
    limit.press("Home")
    for batch in (1, 2, 3):
        limit.expect_point(batch, 32_768)
        expect(limit.rows).to_have_count(4)
        expect(limit.rows.last).to_contain_class("me")
        expect(limit.caption).to_contain_text("Nobody may bring more boxes")
        limit.press("ArrowRight")
    limit.expect_point(4, 32_768)
    limit.press("ArrowRight")
    limit.expect_point(5, 26_176)
    limit.press("End")
    limit.expect_point(32, 4_096)
    limit.expect_in_url(part="limit", step=63)


def test_keys_of_the_stage_and_ibms_rows(open_page):
    page = open_page("/spyre?step=95")
    limit = Limit(page)
    limit.press("ArrowRight")
    limit.expect_point(21, 6_208)
    limit.press("PageDown")
    limit.expect_point(16, 8_192)
    expect(limit.caption).to_contain_text("One of IBM's 3 rows.")
    limit.press("PageUp")
    limit.expect_point(32, 4_096)
    limit.press("End")
    limit.expect_point(1, 32_768)
    limit.rows.nth(1).get_by_role("button", name="IBM's").click()
    limit.expect_point(16, 8_192)
    limit.expect_chart("16 x 8,192 = 131,072")
    limit.corner.focus()
    limit.press("ArrowRight")
    limit.expect_point(15, 8_576)
    expect(limit.corner).to_be_focused()


def test_the_corner_is_dragged_along_the_limit(open_page):
    page = open_page("/spyre?step=95")
    limit = Limit(page)
    box = limit.corner.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 60, steps=4)
    expect(limit.corner).not_to_have_attribute("aria-valuenow", "6144")
    page.mouse.move(x + 500, y + 500, steps=4)
    page.mouse.up()
    at = int(limit.corner.get_attribute("aria-valuenow"))
    assert at > 8_192
    assert at % 64 == 0
    limit.expect_point(131_072 // at, at)
    limit.expect_chart(f"{131_072 // at} x {at:,}")
    page.mouse.move(x, y)  # the hand is off it
    limit.expect_point(131_072 // at, at)
    limit.expect_in_url(step=at // 64 - 1)
    page.reload()
    at_rest(page)
    Limit(page).expect_point(131_072 // at, at)


def test_words_are_switched_and_the_page_follows(open_page):
    page = open_page("/spyre?step=127")
    limit = Limit(page)
    limit.press("e")
    expect(limit.caption).to_contain_text("Context 8,192: 16 requests at once")
    expect(page.get_by_role("radio", name="Batch × context")).to_be_visible()
    limit.expect_chart("The product binds.")
    limit.expect_in_url(words="engine", step=127)
    limit.expect_point(16, 8_192)


# ---- your own mix


def test_one_long_lets_4_or_31_write_and_advice_is_said(open_page):
    page = open_page("/spyre?part=mix")
    mix = Run(page)
    mix.expect_step(1)
    for count in (4, 31, 4):
        expect(mix.decoding).to_have_count(count)
        expect(mix.paused).to_have_count(32 - count)
        expect(mix.root.locator(".grouphead").first).to_have_text(f"{count} write")
        mix.press("ArrowRight")
    mix.expect_step(4)
    mix.press("ArrowLeft")
    expect(mix.figure("widest row")).to_have_text("30,002")
    expect(page.get_by_role("heading", name="What would help")).to_be_visible()
    expect(page.get_by_text("with 4,072 instead of 30,000 all 32 write together")).to_be_visible()


def test_a_list_is_typed_without_stepping_and_mended(open_page):
    page = open_page("/spyre?part=mix")
    mix = Run(page)
    box = page.get_by_role("textbox", name="Who sits at the table")
    box.focus()
    for key in ("ArrowRight", "End", "Home", " ", "e", "Backspace"):
        mix.press(key)
    mix.expect_step(1)
    expect(mix.root.get_by_role("button", name="Play")).to_be_visible()
    box.fill("2 x 9000 + 100\nfour")
    box.press("Control+Enter")
    expect(page.get_by_text("line 2 ('four')")).to_be_visible()
    expect(box).to_have_value("2 x 9000 + 100\nfour")
    expect(mix.decoding).to_have_count(4)  # what was there stays
    box.fill("2 x 9000 + 100\n4 x 200 + 100")
    box.press("Control+Enter")
    expect(mix.decoding).to_have_count(6)
    expect(page.get_by_text("line 2 ('four')")).to_be_hidden()
    mix.expect_in_url(part="mix", step=1)
    expect(page).to_have_url(re.compile("list=2x9000%2B100(%3B|;)4x200%2B100"))
    page.reload()
    at_rest(page)
    expect(page.get_by_role("textbox", name="Who sits at the table")).to_have_value(
        "2 x 9000 + 100\n4 x 200 + 100"
    )
    expect(Run(page).decoding).to_have_count(6)


# ---- the scheduler at work


def test_a_run_is_stepped_with_pauses_and_reasons_at_the_door(open_page):
    run = Run(open_page("/spyre?part=run&scene=four"))
    run.expect_step(23)
    expect(run.decoding).to_have_count(3)
    expect(run.paused).to_have_count(1)
    expect(run.root.locator(".grouphead.low")).to_have_text("1 sits out")
    expect(run.caption).to_contain_text("A sits out and keeps the shelves")
    run.press("ArrowRight")
    expect(run.caption).to_contain_text("A is back at the table, B sits out")
    run.press("Home")
    expect(run.waiting).to_have_count(0)
    run.press("ArrowRight")
    expect(run.waiting).to_have_text([re.compile("being worked out")] * 3)
    expect(run.root.locator(".brow:not(.gone) .track.chunks")).to_have_count(1)
    run.press("ArrowRight")
    run.press("ArrowRight")
    expect(run.waiting).to_have_text([re.compile("those at the table write first")] * 3)
    run.press("e")
    expect(run.waiting.first).to_contain_text("a decode step comes between chunks")
    run.press("End")
    expect(run.caption).to_contain_text("C leaves after 40 tokens")
    expect(run.root.locator(".brow:not(.gone)")).to_have_count(1)


def test_a_click_on_the_turns_goes_there_and_the_link_keeps_it(open_page):
    page = open_page("/spyre?part=run&scene=promised")
    run = Run(page)
    expect(run.turns).to_have_count(1)
    page.get_by_text("Beside it, the same visitors on stock vLLM").click()
    expect(run.turns).to_have_count(2)
    expect(run.root.get_by_role("heading", name="The same visitors on stock vLLM")).to_be_visible()
    expect(run.turns.nth(1).locator(".turnlegend")).to_contain_text("sent back")
    expect(run.turns.nth(0).locator(".turnlegend")).not_to_contain_text("sent back")
    frame = run.turns.nth(1).locator(".turnframe")
    wide = frame.bounding_box()["width"]
    frame.click(position={"x": 30 + (wide - 32) / 2, "y": 10})
    run.expect_step(124)  # the middle of 0 to 247
    run.expect_in_url(part="run", scene="promised", beside=1, step=124)
    said = run.caption.inner_text()
    page.reload()
    at_rest(page)
    again = Run(page)
    again.expect_step(124)
    expect(again.turns).to_have_count(2)
    assert again.caption.inner_text() == said


def test_the_one_thing_changed(open_page):
    page = open_page("/spyre?part=run&scene=chunks")
    run = Run(page)
    decoding = run.decoding.count()
    last = run.last()
    page.get_by_text("The same, all 8 cartloads in a row").click()
    run.expect_in_url(other=1)
    at_rest(page)
    assert (run.decoding.count(), run.last()) != (decoding, last)


def test_embedding_models_batch_by_batch(open_page):
    run = Run(open_page("/spyre?part=encoder"))
    run.expect_step(1)
    expect(run.decoding).to_have_count(4)
    expect(run.root.locator(".grouphead").first).to_have_text("4 at this table")
    expect(run.waiting.first).to_contain_text("no table is long and wide enough")
    expect(run.figure("paid for")).to_have_text("512")
    expect(run.figure("boxes that carry something")).to_have_text("310")
    run.press("End")
    expect(run.caption).to_contain_text("G goes to the table of 2 x 512 with 1 empty row")
    expect(run.decoding).to_have_count(2)  # G, and the row nobody has
    expect(run.figure("paid for")).to_have_text("1,024")


SHOWS = {
    "limit": ".st-key-layer-published-limit .stage",
    "mix": ".st-key-layer-plugin-mix .stage",
    "run": ".st-key-layer-plugin-run .stage",
    "cards": ".st-key-layer-plugin-cards",
    "encoder": ".st-key-layer-plugin-encoder .stage",
    "differ": ".pv-differ",
}


def test_parts_are_chosen_by_hand_and_both_layers_are_told_apart(open_page):
    page = open_page("/spyre?part=differ")
    for part, name in PARTS.items():
        radio = page.get_by_role("radio", name=name)
        until(radio.first.click, page.locator(SHOWS[part]))
        at_rest(page)
        expect(radio).to_be_checked()
        expect(page).to_have_url(re.compile(rf"[?&]part={part}(&|$)"))
        shown = page.locator(".pv-badge").all_inner_texts()
        names = {"limit": ["As published"], "differ": ["As published", "As the plugin decides"]}
        wanted = names.get(part, ["As the plugin decides"])
        assert [text.split(" (")[0] for text in shown] == wanted
    expect(page.locator(".pv-differ tbody td")).to_have_count(16)
    page.reload()
    at_rest(page)
    expect(page.locator(".pv-differ tbody tr")).to_have_count(8)


# ---- for everybody


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("part", [*PARTS, "run&beside=1&scene=promised"])
def test_each_part_is_accessible(part, scheme, open_page):
    page = open_page(f"/spyre?part={part}", scheme=scheme)
    if part not in ("cards", "differ"):
        Stage(page)
    broken = violations(page)
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("words", ["room", "engine"])
@pytest.mark.parametrize("part", [*PARTS, "run&beside=1&scene=row-32"])
def test_a_phone_shows_each_part_without_sideways_scroll(part, words, open_page):
    page = open_page(f"/spyre?part={part}&words={words}", width=390, height=844, touch=True)
    if part not in ("cards", "differ"):
        Stage(page)
    assert sideways(page) == []
    if part.startswith("run"):
        run = Run(page)
        before = run.step()
        run.root.get_by_role("button", name="Step forward").tap()
        run.expect_step(before + 1)
        assert sideways(page) == []
    broken = violations(page)
    assert not broken, "\n".join(broken)


def test_the_corner_is_dragged_with_a_finger(open_page):
    page = open_page("/spyre?step=95", width=390, height=844, touch=True)
    limit = Limit(page)
    picture = limit.root.locator(".area-picture")
    picture.scroll_into_view_if_needed()
    picture.tap(position={"x": 300, "y": 230})
    expect(limit.corner).not_to_have_attribute("aria-valuenow", "6144")
    at = int(limit.corner.get_attribute("aria-valuenow"))
    limit.expect_point(131_072 // at, at)
