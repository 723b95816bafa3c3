"""The published limit on the Spyre page in a real browser: sliders, keys, a corner to drag."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.site import at_rest
from tests.browser.spyre_stage import Limit

pytestmark = pytest.mark.browser


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


def test_the_corner_is_dragged_with_a_finger(open_page):
    page = open_page("/spyre?step=95", width=390, height=844, touch=True)
    limit = Limit(page)
    picture = limit.root.locator(".area-picture")
    picture.scroll_into_view_if_needed()
    picture.tap(position={"x": 300, "y": 230})
    expect(limit.corner).not_to_have_attribute("aria-valuenow", "6144")
    at = int(limit.corner.get_attribute("aria-valuenow"))
    limit.expect_point(131_072 // at, at)
