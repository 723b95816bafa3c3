"""The step shown as SVG and PNG in special cases, and the story as a handout on paper."""

import re
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from pagedviz.timeline.story.beat import plain
from pagedviz.timeline.story.tale import scenes
from pagedviz.ui.take import TELLING
from tests.browser.drawn import SVG, said_in
from tests.browser.stage import Stage
from tests.browser.taken import choose, offline, sentence, taken, text

pytestmark = pytest.mark.browser


def test_picture_is_saved_where_the_clipboard_is_closed(open_page):
    page = open_page("/allocator")
    Stage(page)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    with page.expect_download() as saved:
        choose(page, "png")
    assert saved.value.suggested_filename == "pagedviz-allocator-step-24.png"
    expect(page.locator(".takemenu [role=status]")).to_contain_text("Not copied")
    with Image.open(saved.value.path()) as picture:
        assert picture.format == "PNG"
        assert picture.width == 2 * int(
            ElementTree.fromstring(text_after(page, "svg")).get("width", 0)
        )


def text_after(page: Page, name: str) -> str:
    page.keyboard.press("Escape")
    return text(page, name)


def test_words_and_pin_are_in_the_drawing(open_page):
    page = open_page("/allocator?step=31&pin=11&words=engine")
    Stage(page).expect_step(31)
    shown = said_in(ElementTree.fromstring(text(page, "svg")))
    assert "History of block 11" in shown
    assert "step 31 of" in shown
    assert "vLLM 0.33.0" in shown


def test_handout_has_a_page_for_each_scene(open_page, browser, tmp_path):
    page = open_page("/?scene=2&beat=3", scheme="dark")
    said = sentence(page)
    before = page.url
    handout = taken(page, "handout")
    file = tmp_path / handout.suggested_filename
    handout.save_as(file)
    assert sentence(page) == said
    assert page.url == before
    with offline(browser, file) as paper:
        sections = paper.locator("section")
        expect(sections).to_have_count(len(scenes()))
        for number, (scene, telling) in enumerate(zip(scenes(), TELLING, strict=True)):
            section = sections.nth(number)
            expect(section.get_by_role("heading")).to_have_text(scene.title.room)
            beat = scene.beats[telling - 1]
            expect(section.locator(".said")).to_have_text(plain(beat.says.room))
            expect(section.locator("li")).to_have_text([plain(b.says.room) for b in scene.beats])
            for source in {plain(b.source.room) for b in scene.beats if b.source.room}:
                expect(section.locator(".from")).to_contain_text(source)
            expect(section.locator(".foot a")).to_have_attribute("href", re.compile("scene=2"))
            image = section.locator("img")
            assert image.evaluate("async e => { await e.decode(); return e.naturalHeight }") > 100
            drawn = image.evaluate("e => decodeURIComponent(e.src.slice(e.src.indexOf(',') + 1))")
            ground = ElementTree.fromstring(drawn).find(f"{SVG}rect")
            assert ground is not None
            assert ground.get("fill") == "#ffffff"  # black on white, though the screen is dark
        for format in ("A4", "Letter"):
            pdf = paper.pdf(format=format)
            assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == len(scenes())
