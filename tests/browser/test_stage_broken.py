"""The stage when it cannot draw, is too old a browser's, or has lost its server; and two of it."""

import pytest
from playwright.sync_api import expect

from pagedviz.timeline.build import add_visitor, new_run
from pagedviz.timeline.captions import caption
from pagedviz.timeline.link import to_link
from pagedviz.timeline.play import play
from pagedviz.timeline.presets import DEFAULT
from tests.browser.site import at_rest, start_server
from tests.browser.stage import Stage

pytestmark = pytest.mark.browser

TIMELINE = play(DEFAULT.run)


def said(step: int) -> str:
    return caption(TIMELINE.steps[step], "room").replace("**", "")


def test_panel_that_fails_says_so_and_gives_the_step_as_a_table(browser, server):
    run = add_visitor(new_run(num_blocks=300), tokens=40)  # so many shelves are painted
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(
        "HTMLCanvasElement.prototype.getContext = () => { throw new Error('out of paint') }"
    )
    page = context.new_page()
    page.goto(f"{server.url}/allocator?run={to_link(run)}&step=2")
    at_rest(page)
    stage = Stage(page)
    failed = stage.root.locator(".failed")
    expect(failed).to_contain_text("cannot be drawn")
    expect(failed).to_contain_text("out of paint")
    expect(stage.root.locator(".steptable")).to_contain_text("1 2 3")
    stage.press("ArrowLeft")
    expect(stage.root.locator(".steptable")).to_contain_text("Step 1 of 2")  # it keeps in step
    expect(stage.caption).to_contain_text("arrives")  # and so do the other panels
    context.close()


def test_old_browser_is_told(browser, server):
    context = browser.new_context()
    context.add_init_script("delete window.DecompressionStream")
    page = context.new_page()
    page.goto(server.url + "/allocator")
    at_rest(page)
    expect(page.locator(".failed")).to_contain_text("The picture cannot be drawn here")
    expect(page.locator(".steptable")).to_contain_text(said(DEFAULT.opening))
    table = TIMELINE.state(DEFAULT.opening).tables[0]
    expect(page.locator(".steptable tbody tr").first).to_contain_text(" ".join(map(str, table)))
    context.close()


def test_lost_server_is_told_and_the_run_still_plays(browser):
    server = start_server()
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url + "/allocator")
    at_rest(page)
    stage = Stage(page)
    server.stop()
    expect(stage.root.locator(".notice")).to_contain_text("connection", timeout=20_000)
    page.keyboard.press("Escape")
    stage.root.get_by_role("button", name="Step back").click(force=True)
    stage.expect_step(DEFAULT.opening - 1)
    context.close()


def test_two_rooms_share_one_clock(browser):
    server = start_server("tests/apps/two_rooms.py")
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(server.url)
    stage = Stage(page)
    rooms = stage.root.locator(".room")
    expect(rooms).to_have_count(2)
    expect(rooms.nth(0).locator(".sh.used")).to_have_count(3)  # 20 and 9 boxes on shelves of 16
    expect(rooms.nth(1).locator(".sh.used")).to_have_count(8)  # on shelves of 4
    stage.press("End")
    expect(rooms.nth(0).locator(".sh.used")).to_have_count(1)
    expect(rooms.nth(1).locator(".sh.used")).to_have_count(3)
    stage.press("ArrowLeft")
    expect(rooms.nth(1).locator(".sh.used")).to_have_count(9)
    context.close()
    server.stop()
