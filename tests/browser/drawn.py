"""What a drawing and a picture of a stage must be, as a viewer sees them beside the stage."""

import base64
import io
import re
from xml.etree import ElementTree

from PIL import Image, ImageChops
from playwright.sync_api import Page, expect

from tests.browser.taken import choose, sentence, text

SVG = "{http://www.w3.org/2000/svg}"
LOOKS = {"svg", "title", "desc", "defs", "clipPath", "g", "rect", "path", "text", "image"} | {
    "circle",  # what a drawing inside of the stage is made of
    "line",
    "polyline",
    "polygon",
    "tspan",
}


def said_in(root: ElementTree.Element) -> str:
    """All letters of a drawing."""
    return " ".join("".join(node.itertext()) for node in root.iter(f"{SVG}text"))


def _words(of: str) -> list[str]:
    return re.findall(r"\w+", of)


def drawing_is_plain_svg_and_has_the_sentence(page: Page) -> None:
    """It is made of shapes and letters alone, a browser decodes it, the stage stays as it was."""
    said = sentence(page)
    before = page.locator(".stage").inner_text()
    drawing = text(page, "svg")
    root = ElementTree.fromstring(drawing)
    used = {node.tag.removeprefix(SVG) for node in root.iter()}
    assert used <= LOOKS
    assert {"rect", "text"} <= used
    shown = _words(said_in(root))
    assert [word for word in _words(said) if word not in shown] == []
    assert "Quiz" not in shown  # a button
    lines = [node for node in root.iter(f"{SVG}text") if node.get("text-anchor") is None]
    assert all(node.get("textLength") for node in lines)  # a wider font takes no gap away
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


def on_clipboard(page: Page) -> Image.Image:
    """The picture that the choice puts on the clipboard."""
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


def picture_looks_like_the_stage(page: Page) -> None:
    """Copied, it is what a photograph of the stage of the same width is; in the theme shown."""
    size = page.viewport_size
    assert size is not None
    drawn = on_clipboard(page)
    frame = page.locator(".frame")
    before = frame.get_attribute("style") or ""
    frame.evaluate(
        "e => { e.classList.add('posed'); e.style.setProperty('--posed-width', '1240px') }"
    )
    page.set_viewport_size({"width": 1700, "height": 1200})
    shot = page.locator(".stage .body").screenshot(animations="disabled")
    stage = Image.open(io.BytesIO(shot)).convert("RGB")
    width, height = (side // 2 for side in drawn.size)
    picture = drawn.resize((width, height)).crop((20, 20, 20 + stage.width, 20 + stage.height))
    # Letters are laid on the pixels in another way: compared is what is seen from a step away.
    small = (stage.width // 4, stage.height // 4)
    apart = ImageChops.difference(picture.resize(small, 4), stage.resize(small, 4)).convert("L")
    far = sum(apart.histogram()[48:]) / (small[0] * small[1])
    assert far < 0.012, f"{far:.1%} of the picture is another"
    frame.evaluate("(e, style) => { e.classList.remove('posed'); e.style.cssText = style }", before)
    page.set_viewport_size(size)
