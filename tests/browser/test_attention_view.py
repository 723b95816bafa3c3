"""The attention page as it is shown: numbers to copy, axe, phones, motion."""

import pytest
from playwright.sync_api import expect

from tests.browser.attention_stage import AttentionStage
from tests.browser.axe import violations
from tests.browser.site import change, sideways

pytestmark = pytest.mark.browser

COUNT_ANIMATIONS = """() => {
  window.animations = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) {
    window.animations += 1;
    return animate.apply(this, given);
  };
}"""


def test_numbers_can_be_copied_and_are_the_formula(open_page):
    page = open_page("/attention?step=3&zoom=2")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    stage = AttentionStage(page)
    stage.root.get_by_role("button", name="Copy as a table").click()
    expect(stage.root.get_by_role("button", name="Copied")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    question, *rows = [line.split("\t") for line in text.split("\n")]
    assert [row[0] for row in rows] == ["card"] * 4 + ["content"] * 4
    query = [float(cell) for cell in question[2:]]
    scores = [float(row[-1]) for row in rows[:4]]
    for row, score in zip(rows, scores, strict=False):
        key = [float(cell) for cell in row[2:-1]]
        product = sum(q * k for q, k in zip(query, key, strict=True)) / 8**0.5
        assert product == pytest.approx(score, abs=1e-3)
    most = max(scores)
    for row, score in zip(rows[4:], scores, strict=True):
        assert float(row[-1]) == pytest.approx(2.718281828 ** (score - most), abs=1e-3)


def test_each_zoom_is_accessible(open_page):
    page = open_page("/attention?zoom=0&step=24&past=1&moves=1")
    stage = AttentionStage(page)
    for zoom in (0, 1, 2):
        stage.expect_zoom(zoom)
        for scheme in ("light", "dark"):
            change(page, scheme, (1440, 900))
            broken = violations(page)
            assert not broken, f"zoom {zoom}, {scheme}:\n" + "\n".join(broken)
        stage.press("z")


@pytest.mark.parametrize("sizes", ["", "&dim=16&tokens=40", "&tokens=48&size=2&heads=8&kv=8"])
def test_a_phone_shows_all_of_it_without_sideways_scroll(sizes, open_page):
    page = open_page(f"/attention?step=11{sizes}", width=390, height=844, touch=True)
    stage = AttentionStage(page)
    for zoom, name in enumerate(["the room", "scores", "numbers"]):
        stage.root.locator(".attrow").get_by_role("button", name=name).tap()
        stage.expect_zoom(zoom)
        assert sideways(page) == [], name
    tables = stage.root.locator(".numbers-view > div")
    hidden = tables.evaluate("e => e.scrollWidth - e.clientWidth")
    if "dim" in sizes:  # too many to fit: they scroll in their own frame, by keys too
        assert hidden > 0
        assert tables.get_attribute("tabindex") == "0"
        broken = violations(page)
        assert not broken, "\n".join(broken)
    else:
        assert hidden <= 1
    stage.root.get_by_role("button", name="Step forward").tap()
    stage.expect_step(12)
    stage.press("End")
    stage.expect_answer(same=True)
    assert sideways(page) == []


def test_boxes_travel_unless_motion_is_not_wanted(open_page):
    page = open_page("/attention?step=21")
    stage = AttentionStage(page)
    page.evaluate(COUNT_ANIMATIONS)
    for moves, motion in ((1, "reduce"), (2, "no-preference")):
        page.emulate_media(reduced_motion=motion)
        stage.press("m")
        stage.expect_in_url(moves=moves)
        expect(stage.notes).to_contain_text("the same to the last bit")
        assert (page.evaluate("window.animations") > 0) == (motion == "no-preference")
        stage.expect_answer(same=True, told="All 32 numbers of the answer are the same")
