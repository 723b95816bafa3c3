"""The prefix page in a real browser: typing on the stage, order, hits, and what ends them."""

import re

import pytest
from playwright.sync_api import Page, expect

from pagedviz.ui.prefix_link import to_text
from pagedviz.ui.prefix_state import Setup, Typed
from tests.browser.site import at_rest
from tests.browser.stage import Stage

pytestmark = pytest.mark.browser


def prompt(stage: Stage, letter: str):
    return stage.root.get_by_role("textbox", name=f"What visitor {letter} brings", exact=True)


def row(stage: Stage, number: int):
    return stage.root.locator(".pr").nth(number)


def words(page: Page, *texts: str, block_size: int = 4) -> str:
    return f"/prefix?prompts={to_text(Setup(tuple(map(Typed, texts)), block_size))}"


def test_starts_with_three_of_which_one_has_a_time_stamp(open_page):
    stage = Stage(open_page("/prefix"))
    expect(stage.root.locator(".pr")).to_have_count(3)
    expect(row(stage, 1).locator(".bk.shared")).to_have_count(3)
    expect(row(stage, 1).locator(".sum")).to_contain_text("12 of 24 boxes found")
    expect(row(stage, 1).locator(".df")).to_have_text("·What")
    expect(row(stage, 1).locator(".why")).to_contain_text("where A says “·How”")
    expect(row(stage, 2).locator(".sum")).to_contain_text("0 of 26 boxes found")
    expect(row(stage, 2).locator(".df")).to_have_text("14")
    plates = row(stage, 0).locator(".bk .lab").all_inner_texts()
    assert stage.root.locator(".room .lab").all_inner_texts()[: len(plates)] == plates


def test_typing_changes_what_is_shared(open_page):
    page = open_page("/prefix")
    stage = Stage(page)
    text = prompt(stage, "C").input_value()
    prompt(stage, "C").fill(text.removeprefix("14:05\n"))
    expect(row(stage, 2).locator(".sum")).to_contain_text("20 of 22 boxes found")
    expect(row(stage, 2).locator(".why")).to_contain_text("last")
    expect(prompt(stage, "C")).to_be_focused()
    expect(page).to_have_url(re.compile("[?&]prompts="))
    before = page.url
    prompt(stage, "B").fill("Something else.")
    expect(row(stage, 1).locator(".bk.shared")).to_have_count(0)
    stage.press("ArrowLeft")  # in a text the arrow moves the cursor, not the time
    assert stage.step() == stage.last()
    expect(page).not_to_have_url(before)
    page.reload()
    at_rest(page)
    expect(prompt(Stage(page), "B")).to_have_value("Something else.")


def test_order_decides_who_finds_what(open_page):
    page = open_page(words(None, "You are the help desk. Hello there", "You are the help desk. No"))
    stage = Stage(page)
    expect(row(stage, 0).locator(".sum")).to_contain_text("0 of")
    expect(row(stage, 1).locator(".sum")).to_contain_text("4 of")
    stage.root.get_by_role("button", name="comes earlier: B").click()
    expect(prompt(stage, "A")).to_have_value("You are the help desk. No")
    expect(row(stage, 0).locator(".sum")).to_contain_text("0 of")
    row(stage, 0).locator(".tag").drag_to(row(stage, 1).locator(".chain"))
    expect(prompt(stage, "A")).to_have_value("You are the help desk. Hello there")


def test_prompts_are_added_up_to_six_and_removed(open_page):
    page = open_page("/prefix")
    stage = Stage(page)
    add = stage.root.get_by_role("button", name="Add a visitor")
    for count in (4, 5, 6):
        add.click()
        expect(stage.root.locator(".pr")).to_have_count(count)
    expect(add).to_be_hidden()
    expect(row(stage, 5).locator(".problem")).to_be_visible()  # nothing typed yet
    stage.root.locator(".pr").nth(5).get_by_role("button", name="remove").click()
    expect(stage.root.locator(".pr")).to_have_count(5)


def test_salt_ends_the_sharing_and_leaving_does_not(open_page):
    page = open_page(
        words(None, "You are the help desk of Hill Bank", "You are the help desk of Hill Bank")
    )
    stage = Stage(page)
    expect(row(stage, 1).locator(".sum")).to_contain_text("4 of 8 boxes found")
    row(stage, 1).locator(".levers summary").click()
    row(stage, 1).get_by_label("secret word").fill("mine")
    expect(row(stage, 1).locator(".sum")).to_contain_text("0 of 8 boxes found")
    row(stage, 1).get_by_label("secret word").fill("")
    expect(row(stage, 1).locator(".sum")).to_contain_text("4 of 8 boxes found")
    row(stage, 0).locator(".levers summary").click()
    row(stage, 0).get_by_label("leaves").select_option("as soon as all is in place")
    expect(row(stage, 1).locator(".sum")).to_contain_text("4 of 8 boxes found")
    expect(stage.root.locator(".room .sh").nth(1).locator(".tag")).to_have_text(["B"])


NASTY = {
    "emoji and families": "👩‍👩‍👧‍👦 and 🇫🇷 are here",
    "right to left": "שלום עולם, مرحبا بالعالم",
    "not to be run": "<img src=x onerror=alert(1)> **bold** [x](javascript:1)",
    "combining": "e\u0301 a\u0300 ñ",
}


def test_any_text_is_shown_as_it_is(open_page):
    page = open_page(words(None, *NASTY.values(), "plain"))
    stage = Stage(page)
    for number, (letter, text) in enumerate(zip("ABCD", NASTY.values(), strict=True)):
        expect(prompt(stage, letter)).to_have_value(text)
        assert row(stage, number).locator(".bk").count() >= 1
    assert page.locator("img[src=x]").count() == 0


def test_hundred_thousand_characters_stay_usable(open_page):
    page = open_page("/prefix")
    stage = Stage(page)
    page.get_by_role("spinbutton", name="Shelves").fill("8000")
    page.keyboard.press("Enter")
    at_rest(page)
    prompt(stage, "A").fill("All the words of a long book. " * 4_000)
    expect(row(stage, 0).locator(".problem")).to_contain_text("100,000")
    expect(row(stage, 0).locator(".gap").first).to_contain_text("more shelves")
    stage.root.get_by_role("button", name="First step").click()
    stage.expect_step(0)


def test_chunks_of_the_last_prompt_beside_the_blocks(open_page):
    page = open_page("/prefix?preset=chunks-3000&words=engine")
    stage = Stage(page)
    strips = stage.root.locator(".chunks .strip")
    expect(strips).to_have_count(2)
    expect(strips.nth(0).locator(".num")).to_contain_text("2,496")
    expect(strips.nth(1).locator(".num")).to_contain_text("1,984")
    expect(strips.nth(1).locator(".ch")).to_have_count(3)
    expect(strips.nth(1).locator(".ch.run")).to_have_count(1)
    stage.press("Home")
    expect(strips).to_have_count(0)


def test_phone_shows_prompts_without_sideways_scroll(open_page):
    page = open_page("/prefix", width=390, height=844, touch=True)
    stage = Stage(page)
    wide = stage.root.evaluate("e => e.scrollWidth - e.clientWidth")
    assert wide <= 0
    stage.root.get_by_role("button", name="Step back").tap()
    stage.expect_step(5)


def test_nothing_typed_is_lost_when_the_words_are_switched(open_page):
    page = open_page("/prefix")
    stage = Stage(page)
    prompt(stage, "A").press_sequentially(" Quick", delay=20)
    stage.root.get_by_role("button", name="Engine").click()
    box = stage.root.get_by_role("textbox", name="Prompt of request A", exact=True)
    expect(page.get_by_role("heading", level=1)).to_contain_text("share a prefix")
    at_rest(page)
    expect(box).to_have_value(re.compile("Quick"))
    expect(row(stage, 0).locator(".chain")).to_contain_text("Quick")


def test_page_can_be_left_while_one_types_and_has_the_text_on_return(open_page):
    page = open_page("/prefix")
    stage = Stage(page)
    prompt(stage, "A").press_sequentially(" Quick", delay=20)
    expect(row(stage, 0).locator(".chain")).to_contain_text("Quick")
    prompt(stage, "A").press_sequentially(" more", delay=20)
    page.locator(".st-key-pages").get_by_role("link", name="Allocator").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("hand out memory")
    page.locator(".st-key-pages").get_by_role("link", name="Prefix sharing").click()
    expect(prompt(Stage(page), "A")).to_have_value(re.compile("Quick"))
