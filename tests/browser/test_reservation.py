"""The reservation page in a real browser: both sides on one clock, levers, sizes, links, phones."""

import re

import pytest
from playwright.sync_api import Locator, expect

from pagedviz.timeline.reservation.play import play
from pagedviz.timeline.reservation.presets import reservation_preset
from pagedviz.timeline.reservation.setup import ReservationSetup
from pagedviz.timeline.reservation.wire import encode
from tests.browser.axe import violations
from tests.browser.site import at_rest, change, sideways
from tests.browser.stage import Stage, until

pytestmark = pytest.mark.browser

WIRE = encode(play(ReservationSetup()))
LETTERS = [one["letter"] for one in WIRE["visitors"]]


class Sides(Stage):
    """The stage with the old way left and the new way right."""

    def side(self, key: str) -> Locator:
        return self.root.locator(f".side.{key}")

    def at_the_door(self, key: str) -> list[str]:
        return self.side(key).locator(".atdoor .tag").all_inner_texts()

    def gone(self, key: str) -> list[str]:
        return self.side(key).locator(".gonehome .tag").all_inner_texts()

    def inside(self, key: str) -> set[str]:
        """Whose letters stand in the memory."""
        tags = self.side(key).locator(".mem .tag[data-v]")
        return set(tags.all_inner_texts())

    def expect_step_of(self, wire: dict, step: int) -> None:
        """All that is shown on both sides is what was computed for this step."""
        self.expect_step(step)
        for key in "LR":
            at = wire["steps"][step][key]
            empty, given, share = at["e"]
            gauge = self.side(key).locator(".gaugew")
            expect(gauge.locator(".big")).to_have_text(f"{share} %")
            expect(gauge.locator("p b")).to_have_text(f"{empty:,} of {given:,}")
            waits = [LETTERS[v] for v, _ in at.get("waits", ())]
            assert self.at_the_door(key) == waits[::-1][-12:]
            assert self.gone(key) == [LETTERS[v] for v in at.get("gone", ())]
            inside = {LETTERS[entry[0]] for entry in at.get("runs" if key == "L" else "blocks", ())}
            assert self.inside(key) == inside
            widths = gauge.locator(".waste i").evaluate_all("all => all.map(e => e.style.width)")
            shares = [float(width.rstrip("%")) for width in widths]
            assert shares == pytest.approx([100 * m / wire["slots"] for m in at["m"]], abs=0.01)


def test_a_cold_link_opens_at_its_step_and_keys_walk_from_there(cold_server, open_page):
    stage = Sides(open_page("/reservation?step=40", server=cold_server()))
    stage.expect_step_of(WIRE, 40)
    for key, step in (
        ("ArrowRight", 41),
        ("ArrowLeft", 40),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("End", WIRE["last"]),
        ("ArrowRight", WIRE["last"]),
    ):
        stage.press(key)
        stage.expect_step_of(WIRE, step)
    assert sorted(stage.gone("L")) == sorted(stage.gone("R")) == sorted(LETTERS)
    stage.expect_in_url(preset="mixed", step=WIRE["last"])


def test_who_waits_on_the_left_is_served_on_the_right(open_page):
    stage = Sides(open_page("/reservation"))
    stage.expect_step_of(WIRE, WIRE["opening"])
    waits = set(stage.at_the_door("L"))
    assert len(waits) >= 3
    assert stage.at_the_door("R") == []
    assert waits <= stage.inside("R") | set(stage.gone("R"))
    assert not waits & stage.inside("L")
    newest = stage.at_the_door("L")[0]
    expect(stage.caption).to_contain_text(f"{newest} arrives. On the left every aisle is promised")
    expect(stage.side("L").locator(".sideline small").first).to_have_text(f"{len(waits)} waiting")
    expect(stage.root.locator(".curvename")).to_have_text(
        [f"shelves, all home: {WIRE['home'][1]}", f"aisles, all home: {WIRE['home'][0]}"]
    )


def test_playing_moves_both_sides_and_stops_at_the_end(open_page):
    stage = Sides(open_page(f"/reservation?step={WIRE['last'] - 6}"))
    stage.press(" ")
    stage.expect_step(WIRE["last"])
    expect(stage.root.get_by_role("button", name="Play")).to_be_visible()
    stage.expect_step_of(WIRE, WIRE["last"])


def test_another_policy_changes_the_left_side(open_page):
    page = open_page("/reservation?step=30")
    stage = Sides(page)
    right = stage.side("R").locator(".gaugew").inner_text()
    page.get_by_role("combobox", name="On the left, promise each visitor").click()
    page.get_by_role("option", name="exactly what they need (nobody can know)").click()
    expect(stage.side("L").locator("h2 small")).to_contain_text("exactly what they will need")
    oracle = encode(play(ReservationSetup(policy="oracle")))
    stage.expect_step_of(oracle, oracle["opening"])
    stage.press("Home")
    for _ in range(30):
        stage.press("ArrowRight")
    stage.expect_step_of(oracle, 30)
    assert stage.side("R").locator(".gaugew").inner_text() == right
    stage.expect_in_url(preset="known-lengths", step=30)
    page.reload()
    at_rest(page)
    Sides(page).expect_step_of(oracle, 30)


def test_sizes_from_1_to_256_and_the_gauges_follow(open_page):
    page = open_page("/reservation?preset=block-sizes")
    stage = Sides(page)
    preset = reservation_preset("block-sizes")
    for size in preset.sizes:
        radio = page.get_by_role("radio", name=str(size), exact=True)
        said = stage.side("R").locator("h2 small", has_text=f"a shelf of {size} when")
        until(radio.first.click, said)
        wire = encode(play(ReservationSetup(block_size=size)))
        expect(stage.root.locator(".mem.shelves2 .cell")).to_have_count(512 // size)
        stage.expect_step_of(wire, wire["opening"])
        at_rest(page)
    stage.expect_in_url(preset="block-sizes", size=256)
    page.reload()
    at_rest(page)
    expect(page.get_by_role("radio", name="256", exact=True)).to_be_checked()


def test_levers_say_what_cannot_be_and_keep_what_was_there(open_page):
    page = open_page("/reservation?step=20")
    stage = Sides(page)
    size = page.get_by_role("spinbutton", name="Boxes per shelf")
    size.fill("17")
    size.press("Enter")
    expect(page.get_by_text("cannot be cut into blocks of 17 without a rest")).to_be_visible()
    at_rest(page)
    expect(page.get_by_role("spinbutton", name="Boxes per shelf")).to_have_value("16")
    stage.expect_step_of(WIRE, 20)
    stage.press("ArrowRight")
    page.get_by_role("button", name="Visitors").click()
    many = page.get_by_role("spinbutton", name="How many come")
    many.fill("61")
    many.press("Enter")
    expect(page.get_by_text("can be from 1 to 60, not 61. Try 60")).to_be_visible()
    many = page.get_by_role("spinbutton", name="How many come")
    many.fill("5")
    many.press("Enter")
    expect(stage.side("L").locator(".gonehome small")).to_contain_text("of 5")
    stage.expect_in_url(visitors=5)


def test_words_are_switched_on_the_stage_and_the_page_follows(open_page):
    page = open_page("/reservation?step=30")
    stage = Sides(page)
    stage.press("e")
    expect(stage.side("L").locator("h2")).to_contain_text("Contiguous reservation")
    expect(stage.side("R").locator("h2")).to_contain_text("block_size 16")
    expect(page.get_by_role("spinbutton", name="max_model_len")).to_have_value("128")
    expect(page.locator(".pv-totals thead")).to_contain_text("paged")
    stage.expect_in_url(words="engine", step=30)
    stage.expect_step_of(WIRE, 30)


@pytest.mark.parametrize("link", ["?step=53", "?preset=block-sizes&words=engine"])
def test_page_is_accessible_while_it_shows_a_line(link, open_page):
    page = open_page(f"/reservation{link}")
    Stage(page)
    page.get_by_text(
        "What each place can be" if "step" in link else "What each slot can be"
    ).click()
    for scheme in ("light", "dark"):
        change(page, scheme, (1440, 900))
        broken = violations(page)
        assert not broken, f"{scheme}:\n" + "\n".join(broken)


@pytest.mark.parametrize("preset", ["mixed", "block-sizes", "chats"])
def test_a_phone_shows_both_sides_without_sideways_scroll(preset, open_page):
    page = open_page(f"/reservation?preset={preset}", width=390, height=844, touch=True)
    stage = Sides(page)
    assert sideways(page) == []
    before = stage.step()
    stage.root.get_by_role("button", name="Step forward").tap()
    stage.expect_step(before + 1)
    assert sideways(page) == []
    table = page.locator(".pv-totals")
    assert table.evaluate("e => e.getBoundingClientRect().right <= innerWidth")
    left, right = (stage.side(key).bounding_box() for key in "LR")
    assert left["y"] + left["height"] <= right["y"] + 1  # one below the other
    broken = violations(page)
    assert not broken, "\n".join(broken)


def test_who_comes_in_walks_unless_motion_is_not_wanted(open_page):
    page = open_page("/reservation?step=0")
    stage = Sides(page)
    page.evaluate(
        """() => { window.flights = 0; const animate = Element.prototype.animate;
        Element.prototype.animate = function (...given) {
          window.flights += 1; return animate.apply(this, given); } }"""
    )
    for motion in ("reduce", "no-preference"):
        page.emulate_media(reduced_motion=motion)
        stage.press("Home")
        stage.expect_step_of(WIRE, 0)
        stage.press("ArrowRight")  # A comes in on both sides
        stage.expect_step_of(WIRE, 1)
        assert (page.evaluate("window.flights") > 0) == (motion == "no-preference")
    expect(page).to_have_url(re.compile("step=1"))
