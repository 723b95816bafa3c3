"""The stage in a real browser: time, place, words, the link, and when it cannot draw."""

import csv
import io
import re

import pytest
from playwright.sync_api import expect

from pagedviz.timeline.captions import caption
from pagedviz.timeline.play import play
from pagedviz.timeline.presets import DEFAULT
from tests.browser.site import at_rest
from tests.browser.stage import Stage

pytestmark = pytest.mark.browser

TIMELINE = play(DEFAULT.run)
NOTABLE = [s.index for s in TIMELINE.steps if s.effects.kinds - {"new"}]


def said(step: int, register: str = "room") -> str:
    return caption(TIMELINE.steps[step], register).replace("**", "")


def test_keys_are_time_and_every_panel_shows_the_same_step(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    stage.expect_step(DEFAULT.opening)
    for key, step in [
        ("Home", 0),
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("PageDown", next(i for i in NOTABLE if i > 1)),
        ("PageUp", max([i for i in NOTABLE if i < next(j for j in NOTABLE if j > 1)], default=0)),
        ("End", TIMELINE.last),
        ("ArrowRight", TIMELINE.last),
        ("PageUp", max(i for i in NOTABLE if i < TIMELINE.last)),
    ]:
        stage.press(key)
        stage.expect_step(step)
        expect(stage.caption).to_have_text(said(step))
        slider = stage.root.get_by_role("slider", name="Step")
        expect(slider).to_have_value(str(step))
        expect(slider).to_have_attribute("aria-valuetext", f"step {step}: {said(step)}")
        here = stage.root.locator(".log [aria-current=step]")
        if TIMELINE.steps[step].effects.kinds:
            expect(here.locator("> b")).to_have_text(str(step))
        else:
            expect(here).to_have_count(0)
        stage.expect_in_url(step=step)


def test_every_shelf_shows_what_the_engine_says(open_page):
    stage = Stage(open_page("/allocator"))
    for step in (0, 7, DEFAULT.opening, TIMELINE.last):
        stage.press("Home")
        slider = stage.root.get_by_role("slider", name="Step")
        slider.fill(str(step))
        state = TIMELINE.state(step)
        for block in range(1, DEFAULT.run.num_blocks):
            shelf = stage.shelf(block)
            letters = [TIMELINE.requests[r].letter for r in state.owners[block]]
            assert shelf.locator(".tag").all_inner_texts() == letters
            assert shelf.locator(".bx:not(.no)").count() == state.fill[block]
            label = [f"#{state.hashes[block]}"] if state.hashes[block] >= 0 else []
            assert shelf.locator(".lab").all_inner_texts() == label
        assert stage.root.locator(".q .chip[data-b]").all_inner_texts() == list(
            map(str, state.queue)
        )
        for number, table in state.tables.items():
            row = stage.root.locator(f".vr[data-r='{number}'] .lb[data-b]")
            assert row.locator(".cell").all_inner_texts() == list(map(str, table))


def test_play_stops_at_the_end_and_space_pauses(open_page):
    page = open_page("/allocator?step=50")
    stage = Stage(page)
    stage.root.get_by_label("Speed").select_option("16x")
    stage.root.get_by_role("button", name="Play").click()
    stage.expect_step(TIMELINE.last)
    expect(stage.root.get_by_role("button", name="Play")).to_be_visible()
    stage.root.get_by_label("Speed").select_option("0.5x")
    stage.press("Home")
    page.locator("h1").click(position={"x": 9, "y": 9})
    stage.press(" ")
    expect(stage.root.get_by_role("button", name="Pause")).to_be_visible()
    stage.expect_step(1)
    stage.press(" ")
    expect(stage.root.get_by_role("button", name="Play")).to_be_visible()


def test_link_to_a_step_and_a_shelf_on_a_server_that_has_just_started(cold_server, open_page):
    page = open_page("/allocator?step=31&pin=11&words=engine", server=cold_server())
    stage = Stage(page)
    stage.expect_step(31)
    expect(stage.caption).to_have_text(said(31, "engine"))
    expect(stage.root.get_by_role("heading", name="History of block 11")).to_be_visible()
    expect(stage.shelf(11)).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("heading", level=1)).to_contain_text("KV blocks")


def test_step_and_pin_reach_the_link_without_running_the_page_again(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    page.evaluate(
        """() => { window.runs = 0; new MutationObserver(() => window.runs++).observe(
             document.querySelector('[data-testid=stApp]'),
             {attributes: true, attributeFilter: ['data-test-script-state']}) }"""
    )
    stage.press("ArrowLeft")
    stage.shelf(5).click()
    stage.expect_in_url(step=DEFAULT.opening - 1, pin=5)
    assert page.evaluate("window.runs") == 0
    page.reload()
    at_rest(page)
    again = Stage(page)
    again.expect_step(DEFAULT.opening - 1)
    expect(again.shelf(5)).to_have_attribute("aria-selected", "true")


def test_pointing_lights_up_and_place_keys_walk_the_shelves_and_pin(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    stage.shelf(1).hover()
    lit = stage.root.locator(".hl")  # the shelf, the list and the queue
    expect(lit.filter(has=page.locator("xpath=self::*[@data-b='1']"))).to_have_count(3)
    stage.shelf(20).hover()
    expect(stage.root.locator(".q .hl")).to_have_text("20")
    page.mouse.move(5, 5)
    stage.shelf(1).focus()
    for _ in range(3):
        stage.press("ArrowDown")
    expect(stage.shelf(4)).to_be_focused()
    stage.press("ArrowRight")  # time goes on, the focus stays
    expect(stage.shelf(4)).to_be_focused()
    stage.press("Enter")
    expect(stage.root.get_by_role("heading", name="The story of shelf 4")).to_be_visible()
    stage.press("ArrowUp")
    expect(stage.shelf(3)).to_be_focused()
    stage.press("Escape")
    expect(stage.root.locator(".sh.pin")).to_have_count(0)


def test_story_and_log_lead_to_their_steps_and_the_log_is_a_csv(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    with page.expect_download() as download:
        stage.root.get_by_role("button", name="Download as CSV").click()
    text = download.value.path().read_text("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [int(row["step"]) for row in rows] == [
        s.index for s in TIMELINE.steps if s.effects.kinds
    ]
    for row in rows:
        step = TIMELINE.steps[int(row["step"])]
        assert row["storage_room"] == said(step.index)
        assert row["engine"].removeprefix("'") == said(step.index, "engine")
        assert int(row["blocks_in_use"]) == step.counts.used

    stage.shelf(2).click()
    line = stage.root.locator(".hist button").first
    step = int(line.locator("b").inner_text())
    line.click()
    stage.expect_step(step)
    row = stage.root.locator(".log button", has_text="leaves").first
    step = int(row.locator("> b").inner_text())
    row.click()
    stage.expect_step(step)
    stage.root.get_by_role("combobox", name="Visitor").select_option("B")
    rows = stage.root.locator(".log button")
    assert all("Visitor B" in text for text in rows.all_inner_texts())


def test_words_switch_everywhere_and_never_mix(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    stage.press("e")
    expect(stage.caption).to_have_text(said(DEFAULT.opening, "engine"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("KV blocks")
    expect(page.get_by_role("button", name="Add a request")).to_be_visible()
    at_rest(page)
    expect(page.get_by_test_id("stPlotlyChart").get_by_text("blocks").first).to_be_visible()
    shown = page.get_by_test_id("stMain").inner_text() + stage.root.inner_text()
    for word in ("shelf", "shelves", "visitor", "boxes", "doorkeeper"):
        assert not re.search(rf"\b{word}", shown.lower().split("what this is")[0]), word
    stage.expect_in_url(words="engine")
    stage.root.get_by_role("button", name="Storage room").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("How does it hand out memory?")
    shown = stage.root.inner_text().lower().replace("engine\n", "")
    for word in ("ref_cnt", "popleft", "block_size", "preempt", "token"):
        assert not re.search(rf"\b{word}", shown), word


def test_keys_stay_with_the_control_that_needs_them(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    number = page.get_by_role("spinbutton", name="Shelves")
    number.focus()
    for key in ("ArrowLeft", "Home", "e", " "):
        stage.press(key)
    stage.expect_step(DEFAULT.opening)
    expect(stage.caption).to_have_text(said(DEFAULT.opening))
    page.locator("h1").click(position={"x": 9, "y": 9})
    stage.press("ArrowLeft")
    stage.expect_step(DEFAULT.opening - 1)


def test_question_mark_lists_the_keys_and_f_shows_the_stage_alone(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    stage.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_be_visible()
    for told in ("presenter view, and back", "black screen; any key brings the picture back"):
        expect(dialog).to_contain_text(told)
    stage.press("ArrowRight")
    stage.expect_step(DEFAULT.opening)
    dialog.get_by_role("button", name="Close").click()
    stage.press("f")
    box = page.locator(".frame").bounding_box()
    assert box is not None
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 1440, 900)
    over = page.evaluate("() => document.elementFromPoint(60, 300).tagName")
    assert over not in ("A", "P"), "the menu still lies over the stage"
    stage.expect_in_url(view="stage")
    stage.press("ArrowRight")
    stage.expect_step(DEFAULT.opening + 1)
    stage.press("Escape")
    expect(page.get_by_role("link", name="Start")).to_be_visible()


def test_touch_steps_and_pins_on_a_phone(open_page):
    page = open_page("/allocator", width=390, height=844, touch=True)
    stage = Stage(page)
    forward = stage.root.get_by_role("button", name="Step forward")
    expect(forward).to_be_in_viewport()
    forward.tap()
    stage.expect_step(DEFAULT.opening + 1)
    stage.shelf(3).tap()
    expect(stage.root.get_by_role("heading", name="The story of shelf 3")).to_be_visible()
    stage.expect_in_url(pin=3)


def test_motion_only_for_those_who_want_it(open_page):
    page = open_page("/allocator?step=1")
    stage = Stage(page)
    stage.press("ArrowRight")
    expect(stage.root.locator(".fly > *").first).to_be_attached()
    page.emulate_media(reduced_motion="reduce")
    stage.press("Home")
    stage.press("ArrowRight")
    stage.press("ArrowRight")
    stage.expect_step(2)
    expect(stage.root.locator(".fly > *")).to_have_count(0)
