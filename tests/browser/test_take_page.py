"""A stage as one HTML file: opened from the disk without a network, it is the same stage."""

import csv
import io
import re

import pytest
from playwright.sync_api import expect

from pagedviz.timeline.captions import caption
from pagedviz.timeline.play import play
from pagedviz.timeline.presets import DEFAULT
from pagedviz.ui.prefix_link import to_text
from pagedviz.ui.prefix_state import Setup, Typed
from pagedviz.ui.shell import PAGES
from pagedviz.ui.take import RULES, VLLM
from tests.browser.stage import Stage
from tests.browser.taken import STAGES, offline, run_of, saved_page, sentence, taken, text

pytestmark = pytest.mark.browser

MOST = 1_000_000  # bytes of a file made of a default run
NASTY = "</script><img src=x onerror=alert(1)><!-- ]]> & \"quoted\" 'too'"


@pytest.mark.parametrize("name", STAGES)
def test_plays_from_the_disk_with_the_network_cut(name, open_page, browser, tmp_path):
    path, key = STAGES[name]
    page = open_page(path)
    stage = Stage(page)
    said = sentence(page)
    stage.press("e")
    expect(stage.caption.first).not_to_have_text(said)
    engine = sentence(page)
    stage.press("e")
    expect(stage.caption.first).to_have_text(said)
    file = saved_page(page, tmp_path)
    here = page.url
    assert file.stat().st_size < MOST
    with offline(browser, file) as away:
        shown = Stage(away)
        expect(shown.caption.first).to_have_text(said)
        title = PAGES[name.split("-")[0]].title
        expect(away).to_have_title(re.compile(rf"^{title}, .* - pagedviz$"))
        shown.press("e")
        expect(shown.caption.first).to_have_text(engine)
        expect(away.locator("h1")).to_have_text(PAGES[name.split("-")[0]].engine)
        shown.press("e")
        shown.press(key)
        expect(shown.caption.first).not_to_have_text(said)
        shown.press("?")
        expect(shown.page.locator("dialog dt", has_text=re.compile("^T$"))).to_be_visible()
        shown.press("Escape")
        link = away.locator("#foot a").get_attribute("href")
        assert link is not None
        assert link.split("?")[0] == here.split("?")[0]
        assert set(link.split("?")[1].split("&")) == set(here.split("?")[1].split("&"))
        expect(away.locator("#foot")).to_contain_text("Where this is from")
        expect(away.locator("#foot")).to_contain_text("What this is, and is not.")
        expect(away.locator(".failed")).to_have_count(0)


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


def test_a_file_on_a_phone_does_not_scroll_sideways(open_page, browser, tmp_path):
    file = saved_page(open_page("/allocator"), tmp_path)
    with offline(browser, file) as away:
        away.set_viewport_size({"width": 390, "height": 844})
        Stage(away).press("End")
        over = away.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert over <= 0


def test_what_needs_the_server_is_not_in_a_file(open_page, browser, tmp_path):
    with offline(browser, saved_page(open_page("/prefix"), tmp_path)) as away:
        root = Stage(away).root
        assert root.locator("textarea").count() == 3
        assert root.locator("textarea").evaluate_all("all => all.every(e => e.readOnly)")
        for control in (".mini", ".addrow button"):
            assert root.locator(f"{control}:visible").count() == 0
        root.locator(".levers summary").first.click()
        expect(root.locator(".levers input").first).to_be_disabled()
    page = open_page("/attention")
    expect(Stage(page).root.get_by_role("button", name="Move the boxes")).to_be_visible()
    with offline(browser, saved_page(page, tmp_path)) as away:
        stage = Stage(away)
        expect(stage.root.get_by_role("button", name="Move the boxes")).to_be_hidden()
        expect(stage.root.locator(".slip-lines select").first).to_be_disabled()
        stage.press("h")  # what needs no server works
        expect(stage.root.locator(".headsel [aria-pressed=true]")).to_have_text("1")
        expect(away.locator("#foot")).to_contain_text("changing the run needs the app")


def test_links_out_of_the_story_lead_to_the_app(open_page, browser, tmp_path):
    page = open_page("/?scene=3&beat=4")
    Stage(page)
    wanted = page.locator(".deeper").evaluate("e => e.href")
    with offline(browser, saved_page(page, tmp_path)) as away:
        Stage(away)
        assert away.locator(".deeper").get_attribute("href") == wanted
        Stage(away).press("End")
        doors = away.locator(".picture a").evaluate_all("all => all.map(e => e.href)")
        assert doors
        assert all(door.startswith(page.url.split("?")[0]) for door in doors)


def test_a_file_gives_away_drawing_and_table_but_not_itself(open_page, browser, tmp_path):
    page = open_page("/allocator")
    Stage(page)
    with offline(browser, saved_page(page, tmp_path)) as away:
        Stage(away)
        assert text(away, "csv") == text(page, "csv")
        assert text(away, "svg").count("<rect") == text(page, "svg").count("<rect")
        away.locator(".key.take").click()
        expect(away.locator("[role=menuitem]")).to_have_count(3)


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
            rows = list(csv.DictReader(io.StringIO(text(away, "csv"))))
            assert [row["request"] for row in rows] == ["", NASTY, NASTY]
        else:
            expect(stage.root.locator("textarea").first).to_have_value(NASTY)
        drawing = taken(away, "svg")
        drawing.save_as(tmp_path / "a.svg")
        assert "<img" not in (tmp_path / "a.svg").read_text("utf-8")
