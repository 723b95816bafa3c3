"""The attention page in a real browser: walking, moving, breaking, pointing, links, numbers."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.attention_stage import AttentionStage
from tests.browser.site import at_rest

pytestmark = pytest.mark.browser


def test_a_cold_link_opens_at_its_step_and_keys_walk_from_there(cold_server, open_page):
    page = open_page("/attention?step=12&head=1&zoom=1", server=cold_server())
    stage = AttentionStage(page)
    stage.expect_step(12)
    stage.expect_head(1)
    stage.expect_zoom(1)
    expect(stage.lines).to_have_count(5)
    expect(stage.root.locator(".ln.cur > span").first).to_have_text("2")
    expect(stage.root.locator(".hand")).to_be_visible()
    for key, step in (
        ("ArrowRight", 13),
        ("ArrowRight", 14),
        ("ArrowLeft", 13),
        ("PageDown", 14),
        ("PageUp", 13),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("End", 21),
        ("ArrowRight", 21),
    ):
        stage.press(key)
        stage.expect_step(step)
    stage.expect_answer(same=True)
    expect(stage.root.locator(".answerw th").first).to_contain_text("all read")
    stage.expect_in_url(step=21, head=1, zoom=1)


def test_captions_follow_the_hand_and_the_words(open_page):
    page = open_page("/attention?step=0")
    stage = AttentionStage(page)
    expect(stage.caption).to_contain_text("A's 18 boxes lie on 5 shelves")
    for line, block in enumerate(stage.table()):
        stage.press("ArrowRight")
        expect(stage.caption).to_contain_text(f"Line {line} of the slip says shelf {block}.")
        expect(stage.root.locator(".ln.cur .pick b")).to_have_text(block)
        for _ in range(3):
            stage.press("ArrowRight")
    expect(stage.caption).to_contain_text("no shelf")
    stage.press("e")
    expect(page.get_by_role("heading", level=1)).to_contain_text("attention over scattered blocks")
    expect(stage.caption).to_contain_text("acc = α · acc + p · V")
    expect(stage.root.get_by_label("Break the table")).to_be_visible()


def test_zoom_and_heads_by_key_and_by_button(open_page):
    page = open_page("/attention?step=21")
    stage = AttentionStage(page)
    for zoom in (0, 1, 2, 0):
        stage.expect_zoom(zoom)
        stage.press("z")
    stage.expect_zoom(1)
    answers = []
    for head in (0, 1, 2, 3, 0):
        stage.expect_head(head)
        answers.append(stage.answer())
        stage.press("h")
    assert answers[0] == answers[4]
    assert len({tuple(answer) for answer in answers}) == 4
    stage.expect_head(1)
    stage.head(3).click()
    stage.expect_head(3)
    expect(stage.head(3)).to_be_focused()
    stage.root.locator(".attrow").get_by_role("button", name="numbers").click()
    stage.expect_zoom(2)
    stage.root.locator("summary").get_by_text("All readers, both ways").click()
    stage.root.locator("table.heads tbody tr").nth(2).get_by_role("button").click()
    stage.expect_head(2)
    stage.expect_step(21)
    stage.expect_in_url(head=2, zoom=2, step=21)


def test_moving_the_boxes_changes_the_slip_and_nothing_else(open_page):
    page = open_page("/attention?step=21&head=2&zoom=1")
    stage = AttentionStage(page)
    before, digits = stage.table(), stage.answer()
    expect(stage.notes).to_be_empty()
    tables = [before]
    for moves in (1, 2):
        stage.press("m")
        stage.expect_in_url(moves=moves)
        expect(stage.notes).to_contain_text("All 32 numbers of the answer are the same")
        expect(stage.notes).to_contain_text(f"The slip said {', '.join(before)} and now says")
        tables.append(stage.table())
        assert stage.answer() == digits
        stage.expect_step(21)
        stage.expect_head(2)
        stage.expect_zoom(1)
        stage.expect_answer(same=True, told="All 32 numbers of the answer are the same")
    assert len({tuple(table) for table in tables}) == 3
    stage.root.get_by_role("button", name="Move the boxes").click()
    stage.expect_in_url(moves=3)
    stage.root.locator(".attrow").get_by_role("button", name="the room").click()
    for line, block in enumerate(stage.table()):
        expect(stage.shelf(int(block)).locator("em")).to_have_text(f"line {line}")


BROKEN = {
    "somebody else's shelf": (False, "Nothing stops the hand"),
    "read too far": (False, "6 places too far"),
    "swap two full shelves": (True, "nothing changes"),
    "swap in the last shelf": (False, "old ones are read"),
}


def test_breaking_the_slip_shows_what_comes_of_it(open_page):
    page = open_page("/attention?step=21")
    stage = AttentionStage(page)
    stage.expect_answer(same=True)
    whole, digits = stage.table(), stage.answer()
    for option, (same, said) in BROKEN.items():
        stage.break_slip(option)
        expect(stage.notes).to_contain_text(said)
        expect(stage.caption).to_contain_text(said)  # where one looks
        stage.press("ArrowLeft")
        stage.press("End")  # one line more was read, maybe
        stage.expect_answer(same=same)
        assert stage.table() != whole
        assert (stage.answer() == digits) <= same
        expect(stage.root.locator(".ln.off").first).to_be_visible()
    stage.break_slip("as it is")
    expect(stage.notes).to_be_empty()
    stage.press("End")
    stage.expect_answer(same=True)
    assert (stage.table(), stage.answer()) == (whole, digits)
    expect(stage.root.locator(".ln.off")).to_have_count(0)


def test_what_cannot_be_broken_says_why_in_the_list(open_page):
    stage = AttentionStage(open_page("/attention?tokens=4"))
    for option in stage.root.get_by_label("Break the slip").locator("option").all():
        text = option.inner_text()
        expect(option).to_be_enabled(enabled="needs" not in text)
    expect(stage.root.locator("option", has_text="(needs 2 full shelves)")).to_have_count(1)


def test_a_line_can_be_pointed_at_another_shelf_and_back(open_page):
    page = open_page("/attention?step=5")
    stage = AttentionStage(page)
    own = stage.table()[1]
    pick = stage.root.get_by_label("Line 1 leads to shelf")
    other = pick.locator("option", has_text=re.compile("C$")).first.inner_text()
    pick.select_option(other)
    block = other.split()[0]
    expect(stage.caption).to_contain_text("Line 1 leads to boxes that are visitor C's")
    stage.press("ArrowLeft")
    stage.press("ArrowRight")
    expect(stage.caption).to_contain_text(f"shelf {block}. Those boxes are visitor C's")
    expect(stage.lines.nth(1)).to_contain_text("C")
    expect(stage.notes).to_contain_text("Line 1 leads to boxes that are visitor C's")
    expect(stage.root.get_by_label("Break the slip").locator("option:checked")).to_have_text(
        "line by line"
    )
    stage.expect_step(5)
    stage.press("End")  # the list has let the keys go
    stage.expect_answer(same=False)
    stage.root.get_by_label("Line 1 leads to shelf").select_option(f"{own} A")
    expect(stage.notes).to_be_empty()
    stage.press("End")
    stage.expect_answer(same=True)


def test_the_link_keeps_what_was_done(open_page):
    page = open_page("/attention?step=21")
    stage = AttentionStage(page)
    stage.press("m")
    stage.expect_in_url(moves=1)
    stage.break_slip("swap in the last shelf")
    stage.expect_in_url(reads="0.4.2.3.1")
    for key in "hzz":
        stage.press(key)
    stage.press("ArrowLeft")
    stage.expect_in_url(step=20, head=1, zoom=2, moves=1)
    seen = (stage.table(), stage.answer(), stage.caption.inner_text(), stage.notes.inner_text())
    page.reload()
    at_rest(page)
    again = AttentionStage(page)
    again.expect_step(20)
    again.expect_head(1)
    again.expect_zoom(2)
    kept = (again.table(), again.answer(), again.caption.inner_text(), again.notes.inner_text())
    assert kept == seen
    page.locator(".st-key-pages").get_by_role("link", name="Allocator").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("hand out memory")
    page.locator(".st-key-pages").get_by_role("link", name="Attention").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("scattered memory")
    at_rest(page)
    assert AttentionStage(page).table() == seen[0]


def test_a_sentence_is_cut_read_and_kept(open_page):
    page = open_page("/attention")
    box = page.get_by_role("textbox", name="A sentence of your own")
    box.fill("The <b>cat</b> sat.")
    box.press("Enter")
    tokens = AttentionStage(page).root.locator(".strip .tok span")
    expect(tokens.first).to_have_text("The")
    at_rest(page)
    shown = tokens.all_inner_texts()
    assert "".join(shown).replace("·", " ") == "The <b>cat</b> sat."
    expect(page.get_by_role("spinbutton", name="A's boxes")).to_be_disabled()
    expect(page).to_have_url(re.compile("[?&]text=The"))
    page.reload()
    at_rest(page)
    stage = AttentionStage(page)
    expect(stage.root.locator(".strip .tok")).to_have_count(len(shown))
    page.get_by_role("textbox", name="A sentence of your own").fill("word " * 60)
    page.keyboard.press("Enter")
    expect(page.get_by_text("at most 48 can be read here")).to_be_visible()
    at_rest(page)  # what was typed stays, to be shortened; what is shown stays too
    expect(page.get_by_role("textbox", name="A sentence of your own")).to_have_value(
        re.compile("^word word")
    )
    assert stage.root.locator(".strip .tok span").all_inner_texts() == shown


def test_levers_say_what_cannot_be_and_keep_what_was_there(open_page):
    page = open_page("/attention")
    stage = AttentionStage(page)
    table = stage.table()
    page.get_by_role("spinbutton", name="Readers").fill("3")
    page.keyboard.press("Enter")
    expect(page.get_by_text("3 readers cannot share 2 cards per box")).to_be_visible()
    at_rest(page)  # the inputs as they were are gone
    expect(page.get_by_role("spinbutton", name="Readers")).to_have_value("4")
    assert stage.table() == table
    page.get_by_role("spinbutton", name="A's boxes").fill("48")
    page.keyboard.press("Enter")
    expect(stage.lines).to_have_count(12)
    expect(page.get_by_text("3 readers cannot share")).to_be_hidden()
