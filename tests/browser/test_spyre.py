"""The Spyre page in a real browser: the mix, the scheduler at work, its parts and links."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.site import at_rest, sideways, still
from tests.browser.spyre_stage import Run
from tests.browser.stage import until

pytestmark = pytest.mark.browser

PARTS = {
    "limit": "How many fit",
    "mix": "Your own mix",
    "run": "Door and table at work",
    "cards": "Cards and models",
    "encoder": "Embedding models",
    "differ": "Published and actual",
}


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


def test_a_phone_shows_each_part_in_the_words_of_the_engine(open_page):
    """In those of the room, and at other widths, test_accessible opens each part."""
    page = open_page("/spyre?part=limit&words=engine", width=390, height=844, touch=True)
    names = page.get_by_test_id("stMain").get_by_test_id("stButtonGroup").first.get_by_role("radio")
    expect(names).to_have_count(len(PARTS))
    broken = []
    for place, part in enumerate(PARTS):
        until(names.nth(place).tap, page.locator(SHOWS[part]))
        at_rest(page)
        still(page)
        broken += [f"{part}: scrolls sideways by {px}" for px in sideways(page)]
        broken += [f"{part}: {line}" for line in violations(page)]
    assert not broken, "\n".join(broken)


def test_a_finger_steps_two_runs_beside_each_other(open_page):
    page = open_page(
        "/spyre?part=run&beside=1&scene=row-32&words=engine", width=390, height=844, touch=True
    )
    run = Run(page)
    before = run.step()
    run.root.get_by_role("button", name="Step forward").tap()
    run.expect_step(before + 1)
    assert sideways(page) == []
    broken = violations(page)
    assert not broken, "\n".join(broken)
    run.press("e")
    expect(run.root.get_by_role("heading", name="The same visitors on stock vLLM")).to_be_visible()
    at_rest(page)
    assert sideways(page) == []
