"""The stage in the hand: keys after each control, a picture that stands still, wrong numbers."""

import re

import pytest
from playwright.sync_api import expect

from pagedviz.timeline.play import play
from pagedviz.timeline.presets import DEFAULT
from tests.browser.axe import violations
from tests.browser.site import at_rest, change
from tests.browser.stage import Stage, until

pytestmark = pytest.mark.browser

NOTABLE = [s.index for s in play(DEFAULT.run).steps if s.effects.kinds - {"new"}]


def test_clicker_goes_on_after_every_control(open_page):
    page = open_page("/allocator")
    stage = Stage(page)

    def page_down() -> None:
        before = stage.step()
        stage.press("PageDown")
        stage.expect_step(next(i for i in [*NOTABLE, stage.last()] if i > before))

    stage.press("Home")
    page_down()
    stage.root.locator(".scrub").click(position={"x": 120, "y": 10})
    page_down()
    stage.root.locator(".tracks").click(position={"x": 150, "y": 10})
    page_down()
    stage.root.get_by_label("Speed").select_option("2x")
    page_down()
    assert stage.root.get_by_label("Speed").input_value() == "2"
    stage.root.locator(".log button.jump").first.click()
    page_down()
    stage.press("Home")
    stage.root.locator(".log button.jump").first.click()
    stage.press(" ")  # plays, and does not jump back to the line
    expect(stage.root.get_by_role("button", name="Pause")).to_be_visible()
    stage.press(" ")
    stage.press("Home")
    stage.root.get_by_role("button", name="Keys").click()
    page.keyboard.press("Escape")
    page_down()


def test_keys_are_time_again_after_choosing_a_run(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    page.get_by_role("combobox", name="Start from").click()
    page.get_by_role("option", name="The room is full").click()
    at_rest(page)
    expect(stage.caption).not_to_contain_text("17")
    step = stage.step()
    stage.press("ArrowLeft")
    stage.expect_step(step - 1)


def test_nothing_moves_while_one_steps_through_a_run(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    tops = """stage => [".roomw", ".qw", ".mt", ".story"].map(
      (name) => stage.querySelector(name).getBoundingClientRect().top)"""
    for width in (1440, 1920):
        stage.press("Home")
        stage.expect_step(0)
        change(page, "light", (width, 1400))
        start = stage.root.evaluate(tops)
        for step in range(1, stage.last() + 1):
            stage.press("ArrowRight")
            stage.expect_step(step)
            moved = [abs(a - b) for a, b in zip(stage.root.evaluate(tops), start, strict=True)]
            assert max(moved) <= 1.5, f"{width} px, step {step}: moved by {moved} px"


def test_a_pointer_at_rest_does_not_grey_the_picture(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    box = stage.shelf(5).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    expect(stage.root).to_have_class("stage dim")
    page.mouse.move(5, 5)
    expect(stage.root).not_to_have_class("stage dim")
    stage.press(" ")
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    expect(stage.root).not_to_have_class("stage dim")  # not while it plays


def test_room_of_another_size_and_back_is_the_run_it_was(open_page):
    page = open_page("/allocator?preset=preemption")
    stage = Stage(page)
    before = (stage.step(), stage.last())
    switch = page.get_by_role("switch", name="Keep finished boxes")
    for checked in (False, True):
        until(
            page.get_by_text("Keep finished boxes").click,
            page.get_by_role("switch", name="Keep finished boxes", checked=checked),
        )
        at_rest(page)
        expect(switch).to_have_count(1)
    expect(page.get_by_role("combobox", name="Start from")).to_have_value(
        "Sent back, and back again"
    )
    expect(stage.root.locator(".count span").last).to_have_text(str(before[1]))
    stage.expect_step(before[0])


def test_wrong_numbers_are_said_in_the_form_and_change_nothing(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    last = stage.last()
    page.get_by_role("button", name="Add a visitor").click()
    for wrong in ("0", "-3", "999999"):
        page.get_by_role("spinbutton", name="Boxes", exact=True).fill(wrong)
        page.get_by_role("button", name="Let them arrive").click()
        at_rest(page)
        expect(page.get_by_role("alert")).to_contain_text(f"not {int(wrong)}")
        assert stage.last() == last
    page.keyboard.press("Escape")
    page.get_by_role("spinbutton", name="Shelves").fill("0")
    page.keyboard.press("Enter")
    at_rest(page)
    expect(page.get_by_role("alert")).to_contain_text("from 1 to 8,191")
    assert stage.last() == last


def test_run_too_long_for_a_link_says_so_when_the_link_is_used(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    page.get_by_role("button", name="Let the doorkeeper drive").click()
    page.get_by_role("spinbutton", name="Visitors", exact=True).fill("40")
    page.get_by_role("button", name="Open the doors").click()
    at_rest(page)
    expect(stage.root.locator(".count span").last).not_to_have_text("56")
    stage.root.get_by_role("button", name="Last step").click()
    stage.expect_in_url(run="-", step=stage.last())
    page.reload()
    at_rest(page)
    expect(page.get_by_role("alert")).to_contain_text("too long to be part of the link")
    Stage(page).expect_step(DEFAULT.opening)


def test_a_key_held_down_is_one_press_of_a_switch(open_page):
    page = open_page("/allocator")
    stage = Stage(page)
    page.locator("h1").click(position={"x": 9, "y": 9})
    for _ in range(31):
        page.keyboard.down("e")  # the first is a press, the others repeat it
    page.keyboard.up("e")
    expect(page.get_by_role("heading", level=1)).to_contain_text("KV blocks")
    at_rest(page)
    expect(stage.root.get_by_role("button", name="Engine")).to_have_attribute(
        "aria-pressed", "true"
    )


def test_undo_and_redo_storms_keep_the_run(open_page):
    page = open_page("/allocator?preset=room-full")
    stage = Stage(page)
    last = stage.last()
    for count in range(1, 7):
        page.get_by_role("button", name="Clear kept boxes").click()
        expect(stage.root.locator(".count span").last).to_have_text(str(last + count))
        at_rest(page)
    storm = """async (name) => {
      for (let press = 0; press < 12; press++) {
        const buttons = [...document.querySelectorAll("button")];
        const button = buttons.find((b) => b.textContent === name && !b.disabled);
        button?.click();
        await new Promise((done) => setTimeout(done, 70));
      }
    }"""
    for name, total in (("Undo", last), ("Redo", last + 6)):
        button = page.get_by_role("button", name=name)
        for _ in range(4):
            page.evaluate(storm, name)
            at_rest(page)
            if button.is_disabled():
                break
        expect(button).to_be_disabled()
        expect(stage.root.locator(".count span").last).to_have_text(str(total))


FOREIGN = "![](http://outside.example/x.png)"


def test_text_from_a_link_is_shown_and_not_fetched(open_page):
    names = ("step", "preset", "words")
    page = open_page("/allocator?" + "&".join(f"{name}={FOREIGN}" for name in names))
    alert = page.get_by_role("alert")  # a request to outside fails the test
    for name in names:
        # as it came, with the mark that keeps it from being a link
        said = re.compile(rf"^{name}: .*http:\u2060//outside\.example/x\.png", re.S)
        expect(alert.get_by_role("listitem").filter(has_text=said)).to_have_count(1)
    expect(alert.locator("a, img")).to_have_count(0)


def test_open_forms_and_warnings_are_accessible(open_page):
    page = open_page("/allocator?step=999")
    for name in ("Add a visitor", "Let the doorkeeper drive"):
        page.get_by_role("button", name=name).click()
        for scheme in ("light", "dark"):
            change(page, scheme, (1440, 900))
            expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
            broken = violations(page)
            assert not broken, f"{name}, {scheme}:\n" + "\n".join(broken)
        page.keyboard.press("Escape")
