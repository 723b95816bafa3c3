"""The step shown as SVG, as PNG on the clipboard, and the story as a handout on paper."""

import base64
import io
import re
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Page, expect

from pagedviz.timeline.story.beat import plain
from pagedviz.timeline.story.tale import scenes
from pagedviz.ui.take import TELLING
from tests.browser.stage import Stage
from tests.browser.taken import STAGES, choose, offline, run_of, saved_page, sentence, taken, text

pytestmark = pytest.mark.browser

SVG = "{http://www.w3.org/2000/svg}"
LOOKS = {"svg", "title", "desc", "defs", "clipPath", "g", "rect", "path", "text", "image"} | {
    "circle",  # what a drawing inside of the stage is made of
    "line",
    "polyline",
    "polygon",
    "tspan",
}


def said_in(root: ElementTree.Element) -> str:
    return " ".join("".join(node.itertext()) for node in root.iter(f"{SVG}text"))


def words(of: str) -> list[str]:
    return re.findall(r"\w+", of)


@pytest.mark.parametrize("name", STAGES)
def test_drawing_is_plain_svg_and_has_the_sentence(name, open_page):
    page = open_page(STAGES[name][0])
    said = sentence(page)
    before = page.locator(".stage").inner_text()
    drawing = text(page, "svg")
    root = ElementTree.fromstring(drawing)
    used = {node.tag.removeprefix(SVG) for node in root.iter()}
    assert used <= LOOKS
    assert {"rect", "text"} <= used
    shown = words(said_in(root))
    assert [word for word in words(said) if word not in shown] == []
    assert root.find(f"{SVG}title") is not None
    assert "NaN" not in drawing
    assert "undefined" not in drawing
    for node in root.iter():
        assert not any(key.startswith("on") for key in node.attrib)
        for key in ("href", "fill", "stroke", "clip-path"):
            value = node.get(key, "#")
            assert not value.startswith("url(") or key == "clip-path"
            assert key != "href" or value.startswith(("#", "data:image/png"))
    width, height = page.evaluate(
        """async svg => {
             const image = new Image();
             image.src = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
             await image.decode();
             return [image.naturalWidth, image.naturalHeight];
           }""",
        drawing,
    )
    assert (width, height) == (int(root.get("width", 0)), int(root.get("height", 0)))
    assert width > 1100
    assert height > 300
    assert page.locator(".stage").inner_text() == before  # the stage is as it was


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["allocator", "reservation", "attention", "start"])
def test_picture_looks_like_the_stage(name, scheme, open_page):
    page = open_page(STAGES[name][0], scheme=scheme)
    Stage(page)
    page.emulate_media(reduced_motion="reduce")
    drawn = on_clipboard(page)
    page.locator(".frame").evaluate(
        "e => { e.classList.add('posed'); e.style.setProperty('--posed-width', '1240px') }"
    )
    page.set_viewport_size({"width": 1700, "height": 1200})
    page.keyboard.press("Escape")
    shot = page.locator(".stage .body").screenshot(animations="disabled")
    stage = Image.open(io.BytesIO(shot)).convert("RGB")
    width, height = (side // 2 for side in drawn.size)
    picture = drawn.resize((width, height)).crop((20, 20, 20 + stage.width, 20 + stage.height))
    # Letters are laid on the pixels in another way: compared is what is seen from a step away.
    small = (stage.width // 4, stage.height // 4)
    apart = ImageChops.difference(picture.resize(small, 4), stage.resize(small, 4)).convert("L")
    far = sum(apart.histogram()[48:]) / (small[0] * small[1])
    print("FAR", far)
    assert far < 0.012, f"{far:.1%} of the picture is another"


def on_clipboard(page: Page) -> Image.Image:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    choose(page, "png")
    expect(page.locator(".takemenu [role=status]")).to_contain_text("Copied", timeout=15_000)
    page.keyboard.press("Escape")
    packed = page.evaluate(
        """async () => {
          const [item] = await navigator.clipboard.read();
          const bytes = new Uint8Array(await (await item.getType('image/png')).arrayBuffer());
          return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
        }"""
    )
    return Image.open(io.BytesIO(base64.b64decode(packed))).convert("RGB")


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


def test_picture_of_a_room_on_a_canvas_and_of_a_phone(open_page):
    page = open_page(run_of("A", 4096), width=390, height=844, touch=True)
    Stage(page)
    root = ElementTree.fromstring(text(page, "svg"))
    assert int(root.get("width", 0)) > 1100
    canvas = root.findall(f".//{SVG}image")
    assert canvas
    assert all(node.get("href", "").startswith("data:image/png;base64,iVBOR") for node in canvas)


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


def test_only_the_story_has_a_handout(open_page, browser, tmp_path):
    page = open_page("/allocator")
    Stage(page)
    page.locator(".key.take").click()
    expect(page.locator("[role=menuitem]")).to_have_count(4)
    expect(page.locator("[data-take=handout]")).to_have_count(0)
    story = open_page("/")
    with offline(browser, saved_page(story, tmp_path)) as away:
        Stage(away)
        away.locator(".key.take").click()
        expect(away.locator("[data-take=handout]")).to_have_count(0)
