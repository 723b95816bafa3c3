"""A stage as one HTML file: it opens as it was left, and texts of others stay text in it."""

import pytest
from playwright.sync_api import expect

from pagedviz.timeline.captions import caption
from pagedviz.timeline.play import play
from pagedviz.timeline.presets import DEFAULT
from pagedviz.ui.prefix_link import to_text
from pagedviz.ui.prefix_state import Setup, Typed
from pagedviz.ui.take import RULES, VLLM
from tests.browser.stage import Stage
from tests.browser.taken import offline, run_of, saved_page, table, taken

pytestmark = pytest.mark.browser

NASTY = "</script><img src=x onerror=alert(1)><!-- ]]> & \"quoted\" 'too'"


def test_opens_at_step_pin_and_words_in_light_and_dark(open_page, browser, tmp_path):
    page = open_page("/allocator?step=31&pin=11&words=engine", scheme="dark")
    Stage(page).expect_step(31)
    file = saved_page(page, tmp_path)
    assert file.name == "pagedviz-allocator-step-31.html"
    grounds = []
    for scheme in ("light", "dark"):
        with offline(browser, file, scheme) as away:
            stage = Stage(away)
            stage.expect_step(31)
            expected = caption(play(DEFAULT.run).steps[31], "engine").replace("**", "")
            expect(stage.caption).to_have_text(expected)
            expect(stage.shelf(11)).to_have_attribute("aria-selected", "true")
            expect(stage.root.get_by_role("heading", name="History of block 11")).to_be_visible()
            expect(away.locator("#foot")).to_contain_text(RULES["allocator"])
            expect(away.locator("#foot")).to_contain_text(f"Agrees with {VLLM} on")
            grounds += [
                away.locator(each).evaluate("e => getComputedStyle(e).backgroundColor")
                for each in ("html", ".stage")
            ]
            stage.press("PageDown")
            stage.press(" ")
            expect(stage.root.get_by_role("button", name="Pause")).to_be_visible()
    assert grounds == ["rgb(255, 255, 255)"] * 2 + ["rgb(21, 21, 21)"] * 2


@pytest.mark.parametrize("where", ["name", "prompt"])
def test_names_and_texts_of_others_stay_text(where, open_page, browser, tmp_path):
    if where == "name":
        path = run_of(NASTY) + "&step=1&words=engine"
    else:
        path = f"/prefix?prompts={to_text(Setup((Typed(NASTY), Typed(NASTY)), 4))}"
    page = open_page(path)
    Stage(page)
    file = saved_page(page, tmp_path)
    with offline(browser, file) as away:
        stage = Stage(away)
        assert away.locator("img").count() == 0
        if where == "name":
            expect(stage.caption).to_contain_text("add_request")
            rows = table(away)
            assert [row["request"] for row in rows] == ["", NASTY, NASTY]
        else:
            expect(stage.root.locator("textarea").first).to_have_value(NASTY)
        drawing = taken(away, "svg")
        drawing.save_as(tmp_path / "a.svg")
        assert "<img" not in (tmp_path / "a.svg").read_text("utf-8")
