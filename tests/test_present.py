"""Trainer's links without a browser: what is locked, hidden and refused; QR codes; notes."""

import re
from dataclasses import replace

import pytest
import segno
from streamlit.testing.v1 import AppTest

from pagedviz.paths import ROOT
from pagedviz.ui.locks import LEVERS, read
from pagedviz.ui.prefix_state import SHOP
from pagedviz.ui.shell import PAGES
from pagedviz.ui.trainer import qr


def opened(key: str, **link: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if key != "start":
        page.switch_page(PAGES[key].file)
    for name, value in link.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def said(page: AppTest) -> str:
    return " ".join(box.value for box in page.warning).replace("\\", "")


KINDS = ("selectbox", "number_input", "text_input", "text_area", "toggle", "button")


def drawn(page: AppTest) -> dict[str, bool]:
    """Name of each control of the page, as in a link -> whether it is disabled."""
    found = {}
    for kind in KINDS:
        for widget in getattr(page, kind):
            parts = (widget.key or "").split(".")
            if len(parts) > 1:
                found[parts[1]] = widget.disabled
    for group in page.get("button_group"):
        parts = group.key.split(".") if hasattr(group, "key") and group.key else ["", ""]
        found[parts[1]] = group.disabled
    return found


# Page, parameters that bring the control, its name in a link.
CASES = [
    *(("allocator", {}, name) for name in ("preset", "shelves", "size", "keep", "clear", "empty")),
    *(("reservation", {}, name) for name in ("preset", "policy", "slots", "longest", "size")),
    *(("prefix", {}, name) for name in ("preset", "size", "shelves", "chunk", "keep")),
    *(("attention", {}, name) for name in LEVERS["attention"]),
    *(("spyre", {"part": "mix"}, name) for name in ("mix", "list", "server", "release")),
    *(("spyre", {"part": "run"}, name) for name in ("scene", "beside")),
    ("spyre", {"part": "run", "scene": "chunks"}, "other"),
]


@pytest.mark.parametrize(("key", "link", "name"), CASES)
def test_a_control_is_there_locked_or_not_drawn(key, link, name):
    assert drawn(opened(key, **link))[name] is False
    locked = opened(key, **link, lock=name)
    assert drawn(locked)[name] is True
    assert said(locked) == ""
    hidden = opened(key, **link, hide=name)
    assert name not in drawn(hidden)
    assert said(hidden) == ""


@pytest.mark.parametrize("key", LEVERS)
@pytest.mark.parametrize("how", ["lock", "hide"])
def test_all_controls_of_a_page_can_be_locked_or_left_out(key, how):
    page = opened(key, **{how: ",".join(LEVERS[key])})
    assert said(page) == ""
    names = drawn(page)
    for name in LEVERS[key]:
        assert names.get(name, True) is True, name


def test_a_locked_control_shows_what_the_link_sets():
    page = opened("reservation", slots="640", lock="slots")
    slots = next(one for one in page.number_input if one.key.startswith("reservation.slots."))
    assert (slots.value, slots.disabled) == (640, True)


def test_other_levers_still_work_beside_hidden_ones():
    page = opened("allocator", preset="one-visitor", hide="size,keep")
    before = page.session_state["allocator.workshop"].run
    shelves = next(one for one in page.number_input if one.key.startswith("allocator.shelves."))
    shelves.set_value(12).run()
    assert not page.exception
    run = page.session_state["allocator.workshop"].run
    assert run.num_blocks == 13
    assert (run.block_size, run.caching) == (before.block_size, before.caching)

    page = opened("prefix", hide="size,shelves,keep")
    before = page.session_state[SHOP].played.setup
    chunk = next(one for one in page.number_input if one.key.startswith("prefix.chunk."))
    chunk.set_value(512).run()
    assert not page.exception
    setup = page.session_state[SHOP].played.setup
    assert setup == replace(before, chunk=512, preset=None)


def test_what_a_link_cannot_lock_is_said_and_the_rest_counts():
    page = opened("prefix", lock="size,nonsense", hide="size,chunk")
    assert 'lock: there is no control "nonsense" here; there are preset, size' in said(page)
    assert "lock and hide: both name size; it is hidden" in said(page)
    names = drawn(page)
    assert "size" not in names
    assert "chunk" not in names
    assert names["shelves"] is False
    assert "this page has no controls that can be locked" in said(opened("glossary", lock="x"))


def test_a_lock_is_of_its_page_and_stays_until_a_link_says_otherwise():
    page = opened("prefix", lock="size")
    del page.query_params["lock"]
    page.switch_page(PAGES["reservation"].file).run()
    assert drawn(page)["size"] is False
    page.switch_page(PAGES["prefix"].file).run()
    assert drawn(page)["size"] is True


def test_a_long_list_of_names_is_cut():
    held, problems = read("prefix", {"lock": ",".join(f"n{k}" for k in range(5_000))})
    assert held == {}
    assert len(problems) == 50


# The QR code


@pytest.mark.parametrize(
    "link",
    [
        "http://127.0.0.1:8501/",
        "https://example.org/app/allocator?v=1&preset=three-visitors&step=24&lock=size,seed",
        "http://127.0.0.1:8501/prefix?prompts=1." + "aB-_9" * 250,
    ],
)
def test_the_picture_of_the_code_is_the_code_of_the_link(link):
    """The SVG is painted onto a grid, and the grid compared with segno's own matrix."""
    picture, problem = qr(link)
    assert problem == ""
    want = [list(map(bool, row)) for row in segno.make(link, micro=False).matrix]
    assert matrix(picture, 4, len(want)) == want


def matrix(picture: str, border: int, size: int) -> list[list[bool]]:
    """The dark modules of a code that is drawn in horizontal strokes of width 1."""
    box = re.search(r'viewBox="0 0 (\d+) (\d+)"', picture)
    assert box
    assert int(box[1]) == int(box[2]) == size + 2 * border
    path = re.search(r'd="([^"]*)"[^>]*class="qrline"|class="qrline"[^>]*d="([^"]*)"', picture)
    assert path
    found = [[False] * size for _ in range(size)]
    x, y = 0.0, 0.0
    for kind, text in re.findall(r"([Mmh])([^Mmh]*)", path[1] or path[2]):
        numbers = [float(one) for one in re.findall(r"-?\d*\.?\d+", text)]
        if kind == "M":
            x, y = numbers
        elif kind == "m":
            x, y = x + numbers[0], y + numbers[1]
        else:
            for column in range(int(x), int(x + numbers[0])):
                found[int(y) - border][column - border] = True
            x += numbers[0]
    return found


def test_a_link_that_is_too_long_has_no_code_and_says_so():
    assert qr("x" * 2_954) == (
        "",
        "The link is too long for a QR code (2,954 characters): copy it instead.",
    )


# Notes


@pytest.mark.parametrize("key", PAGES)
def test_every_page_has_its_notes_below_it_folded(key):
    page = opened(key)
    body = " ".join(block.proto.body for block in page.get("html"))
    assert '<section class="pv-spoken"' not in body
    fold = [one for one in page.expander if one.label == "Speaker notes"]
    assert len(fold) == 1


def test_the_window_of_notes_holds_all_notes_and_nothing_else():
    page = opened("spyre", notes="1")
    body = " ".join(block.proto.body for block in page.get("html"))
    assert 'class="pv-notes"' in body
    assert body.count('<section class="pv-spoken"') >= 20
    assert not page.button
    assert "shell.arrival" not in page.session_state
