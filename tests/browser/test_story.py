"""The story in a real browser: every beat, words that light up, keys, links, sizes, registers."""

import re

import pytest
from playwright.sync_api import expect

from pagedviz.timeline.story.beat import keys
from pagedviz.timeline.story.tale import beats, places, scenes, step_of
from pagedviz.ui.story_links import story_links
from tests.browser.site import at_rest
from tests.browser.story_stage import Story
from tests.timeline.registers import ROOM_ONLY

pytestmark = pytest.mark.browser

LAST = len(beats()) - 1


def test_every_beat_draws_what_its_words_name(open_page):
    story = Story(open_page("/"))
    for register in ("room", "engine"):
        story.press("Home")
        for step, beat in enumerate(beats()):
            story.expect_step(step, register)
            carried = story.picture.locator(".nd:not(.out)").evaluate_all(
                "nodes => nodes.flatMap(node => node.dataset.hl.split(' '))"
            )
            missing = set(keys(getattr(beat.says, register))) - set(carried)
            assert not missing, f"{places()[step]}: nothing in the picture is {missing}"
            empty = story.picture.locator(".tx:not(.out)").evaluate_all(
                "nodes => nodes.filter(node => !node.textContent.trim()).length"
            )
            assert empty == 0, f"{places()[step]}: {empty} empty labels"
            story.press("ArrowRight")
        story.press("e")
    expect(story.root.locator(".failed")).to_have_count(0)


def test_nothing_in_a_picture_is_cut_off_or_lies_outside(open_page):
    page = open_page("/?view=stage", width=1280, height=720)
    story = Story(page)
    page.emulate_media(reduced_motion="reduce")
    for register in ("room", "engine"):
        story.press("Home")
        for step in range(LAST + 1):
            story.expect_step(step, register)
            outside = story.picture.evaluate(
                """picture => {
                  const box = picture.getBoundingClientRect();
                  return [...picture.querySelectorAll('.nd:not(.out)')].filter(node => {
                    const b = node.getBoundingClientRect();
                    return b.width && (b.left < box.left - 1 || b.right > box.right + 1
                      || b.top < box.top - 1 || b.bottom > box.bottom + 1);
                  }).map(node => node.className + ': ' + node.textContent);
                }"""
            )
            assert not outside, f"{places()[step]}, {register}: {outside}"
            below = page.locator(".frame").evaluate("e => e.scrollHeight - e.clientHeight")
            assert below <= 0, f"{places()[step]}, {register}: scrolls by {below}"
            story.press("ArrowRight")
        story.press("e")
        at_rest(page)


def test_shelves_are_those_of_the_engine(open_page):
    story = Story(open_page("/?scene=3&beat=6"))
    shows = beats()[step_of(3, 6)].shows
    for block, (owners, fill, mark) in enumerate(shows["shelves"], 1):
        shelf = story.picture.locator(f".store:has(.lip b:text-is('{block}'))")
        assert shelf.locator(".tag").all_inner_texts() == ["ABCD"[r] for r in owners]
        assert shelf.locator(".bx:not(.no)").count() == fill
        plate = [scenes()[2].shows["marks"][str(mark)]] if mark >= 0 else []
        assert shelf.locator(".lab").all_inner_texts() == plate
    expect(story.picture.locator(".cell")).to_have_text(["0 → 5", "1 → 8", "2 → 9", "3 → 10"])


def test_keys_and_clicker_walk_the_beats(open_page):
    page = open_page("/")
    story = Story(page)
    for key, step in [
        ("ArrowRight", 1),
        ("PageDown", 2),
        (" ", 3),
        ("PageUp", 2),
        ("ArrowLeft", 1),
        ("3", step_of(3)),
        ("PageUp", step_of(2, 6)),
        ("End", LAST),
        ("PageDown", LAST),
        (" ", LAST),
        ("7", step_of(7)),
        ("8", step_of(7)),
        ("Home", 0),
        ("ArrowLeft", 0),
    ]:
        story.press(key)
        story.expect_step(step)
    story.press("5")
    expect(page).to_have_url(re.compile(r"[?&]scene=5&beat=1(&|$)"))
    assert "step=" not in page.url


def test_buttons_stay_in_their_place(open_page):
    story = Story(open_page("/"))
    expect(story.button("Back")).to_be_disabled()
    box = story.next().bounding_box()
    for step in range(1, step_of(3)):
        story.next().click()
        story.expect_step(step)
        now = story.next().bounding_box()
        assert now is not None
        assert box is not None
        assert (now["x"], now["width"]) == (box["x"], box["width"])
        if places()[step].beat > 1:
            assert now["y"] == box["y"]
        box = now
    story.button("Back").click()
    story.expect_step(step_of(3) - 2)
    story.press("End")
    expect(story.next()).to_have_text("From the start")
    story.next().click()
    story.expect_step(0)


def test_chapters_and_beats_lead_to_their_place(open_page):
    story = Story(open_page("/"))
    story.root.get_by_role("button", name="Scene 4: A new shelf only when one is full").click()
    story.expect_step(step_of(4))
    story.root.get_by_role("list").get_by_role("button", name="box 49").click()
    story.expect_step(step_of(4, 3))
    current = story.root.locator(".beats [aria-current=step]")
    expect(current).to_have_text("box 49")
    expect(story.root.locator(".chapters [aria-current]")).to_have_count(1)


def test_words_light_up_what_they_name_and_the_picture_the_words(open_page):
    story = Story(open_page("/?scene=3&beat=6"))
    word = story.said.get_by_text("a slip of paper")
    word.hover()
    lit = story.picture.locator(".lit")
    expect(lit).to_have_count(5)
    expect(story.picture.locator(".dimmed")).to_have_count(0)
    expect(story.picture).to_have_class(re.compile("dimmed"))
    story.root.locator(".q").hover()
    expect(story.picture).not_to_have_class(re.compile("dimmed"))
    word.focus()
    expect(lit).to_have_count(5)
    shelf = story.picture.locator(".store").nth(7)
    shelf.hover()
    expect(story.said.locator(".lw.on")).to_have_text("D")
    expect(story.root.locator(".line")).to_contain_text("Shelf 8, 16 of 16 boxes, visitor D")
    story.press("ArrowLeft")
    expect(story.root.locator(".line")).not_to_contain_text("Shelf 8, 16")


def test_registers_switch_and_never_mix(open_page):
    page = open_page("/?scene=3&beat=5")
    story = Story(page)
    story.press("e")
    story.expect_step(step_of(3, 5), "engine")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "What is PagedAttention, and why should I care?"
    )
    expect(page).to_have_url(re.compile("words=engine"))
    story.press("Home")
    for step in range(LAST + 1):
        story.expect_step(step, "engine")
        shown = story.root.inner_text().replace("Storage room", "")
        shown = shown if places()[step].scene != 7 else shown.replace("the page", "")
        assert not re.search(rf"{ROOM_ONLY}|\baisle", shown), f"{places()[step]}: {shown}"
        story.press("ArrowRight")
    story.button("Storage room").click()
    story.expect_step(LAST)
    expect(story.root.locator(".line")).to_have_text("")


def test_link_to_a_beat_on_a_server_that_has_just_started(cold_server, open_page):
    page = open_page("/?scene=6&beat=11&words=engine", server=cold_server())
    story = Story(page)
    story.expect_step(step_of(6, 11), "engine")
    expect(story.picture.locator(".tx.big")).to_have_text("4 × 32,768 = 131,072")
    page.reload()
    at_rest(page)
    Story(page).expect_step(step_of(6, 11), "engine")


def test_story_leads_to_the_allocator_in_the_same_state(open_page):
    page = open_page("/?scene=4&beat=3")
    story = Story(page)
    story.root.get_by_role("link", name="This room on the allocator page").click()
    expect(page).to_have_title("Allocator - pagedviz")
    shelf = page.locator(".stage .room [data-b='11']")
    expect(shelf.locator(".tag")).to_have_text("A")
    expect(shelf.locator(".bx:not(.no)")).to_have_count(1)


def test_doors_lead_to_the_pages_in_the_words_one_reads(open_page):
    page = open_page(f"/?scene=7&beat={len(scenes()[6].beats)}")
    doors = Story(page).picture.get_by_role("link")
    expect(doors).to_have_count(len(story_links()["doors"]))
    page.keyboard.press("e")
    expect(doors.first).to_contain_text("block manager")
    page.set_viewport_size({"width": 360, "height": 740})
    expect(doors.first).to_have_class(re.compile("slim"))
    for door in doors.all():
        cut = "e => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight + 2"
        assert not door.evaluate(cut), door.inner_text()
    doors.first.click()
    expect(page).to_have_title("Allocator - pagedviz")


def test_going_back_and_jumping_gives_the_same_picture(open_page):
    page = open_page("/?scene=3&beat=3")
    page.emulate_media(reduced_motion="reduce")
    story = Story(page)
    look = """picture => [...picture.querySelectorAll('.nd')].map(node => {
      const b = node.getBoundingClientRect();
      return [node.className, node.textContent, b.x, b.y, b.width, b.height].join('|');
    }).sort()"""
    before = story.picture.evaluate(look)
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"):
        story.press(key)
    assert story.picture.evaluate(look) == before
    story.press("6")
    story.press("3")
    story.press("ArrowRight")
    story.press("ArrowRight")
    assert story.picture.evaluate(look) == before


def test_alone_and_its_keys(open_page):
    page = open_page("/")
    story = Story(page)
    story.press("f")
    expect(page.locator(".frame.alone")).to_be_visible()
    story.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("go to a scene")
    for told in ("presenter view, and back", "black screen; any key brings the picture back"):
        expect(dialog).to_contain_text(told)
    expect(dialog).not_to_contain_text("shelf, and back")
    dialog.get_by_role("button", name="Close").click()
    story.press("Escape")
    expect(page.locator(".frame.alone")).to_have_count(0)


def test_phone_has_the_way_on_in_sight_and_no_sideways_scroll(open_page):
    page = open_page("/", width=390, height=844, touch=True)
    story = Story(page)
    for step in range(LAST + 1):
        story.expect_step(step)
        expect(story.next()).to_be_in_viewport()
        wider = page.get_by_test_id("stMain").evaluate("e => e.scrollWidth - e.clientWidth")
        assert wider == 0, places()[step]
        if step < LAST:
            story.next().tap()
    page.goto(page.url.split("?")[0] + "?scene=3&beat=6")
    at_rest(page)
    story.said.get_by_text("a slip of paper").tap()
    expect(story.picture).to_have_class(re.compile("dimmed"))
    story.picture.locator(".store").nth(7).tap()
    expect(story.root.locator(".line")).to_contain_text("Shelf 8, 16 of 16 boxes, visitor D")
    expect(story.said.locator(".lw.on")).to_have_text("D")
