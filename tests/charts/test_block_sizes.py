"""The chart of the block size: what is drawn are the rows, marked at 16, 64 and one's own."""

import math
import re

import pytest

from pagedviz.charts.block_sizes import LEAST, block_sizes_alt, block_sizes_figure
from pagedviz.timeline.reservation.presets import RESERVATION_PRESETS
from pagedviz.timeline.reservation.trade_off import block_size_trade_off
from tests.timeline.registers import ENGINE_ONLY, ROOM_ONLY

LENGTHS = [v.will_use for v in RESERVATION_PRESETS[0].setup.arrivals()]
ROWS = block_size_trade_off(LENGTHS)
BOTH = pytest.mark.parametrize("register", ["room", "engine"])


@BOTH
def test_every_size_can_be_read_off(register):
    tail, entries = block_sizes_figure(ROWS, 16, register).data
    assert list(tail.x) == list(entries.x) == list(range(1, 257))
    assert list(tail.customdata) == [row.wasted for row in ROWS]
    assert list(entries.customdata) == list(entries.y) == [row.entries for row in ROWS]
    for shown, row in zip(tail.y, ROWS, strict=True):
        assert shown == max(LEAST, row.wasted)
    assert tail.customdata[0] == 0  # drawn at the bottom, told as it is
    assert tail.y[0] == LEAST


def marks(own):
    layout = block_sizes_figure(ROWS, own).layout
    lines = {shape.x0: shape for shape in layout.shapes}
    texts = {note.text: note.x for note in layout.annotations}
    return lines, texts


def test_16_and_64_are_marked_and_ones_own():
    lines, texts = marks(100)
    assert set(lines) == {16, 64, 100}
    assert all(shape.x0 == shape.x1 for shape in lines.values())
    assert lines[100].line.dash is None
    assert lines[16].line.dash == lines[64].line.dash == "dot"
    assert texts == {  # an annotation stands at the logarithm
        "16": pytest.approx(math.log10(16)),
        "64": pytest.approx(math.log10(64)),
        "yours: 100": pytest.approx(2),
    }


@pytest.mark.parametrize("own", [16, 64])
def test_a_size_that_is_marked_anyway_is_marked_once(own):
    lines, texts = marks(own)
    assert set(lines) == {16, 64}
    assert set(texts) == {"16", "64"}


def test_lines_differ_by_more_than_colour():
    tail, entries = block_sizes_figure(ROWS, 16).data
    assert tail.line.color != entries.line.color
    assert (tail.line.dash, entries.line.dash) == ("solid", "dash")


def test_axes_double_and_hold_all_that_is_drawn():
    figure = block_sizes_figure(ROWS, 16)
    x = figure.layout.xaxis
    assert list(x.tickvals) == [2**k for k in range(9)]
    assert list(x.ticktext) == [str(size) for size in x.tickvals]
    assert 10 ** x.range[0] == pytest.approx(1)
    assert 10 ** x.range[1] == pytest.approx(256)
    assert figure.layout.yaxis.type == "log"
    assert min(figure.layout.yaxis.tickvals) == LEAST


@BOTH
def test_alt_tells_the_ends_and_the_usual_size(register):
    said = block_sizes_alt(ROWS, 16, register)
    usual = ROWS[15]
    for figure in (
        f"{ROWS[-1].wasted:.1f}",
        f"{ROWS[0].entries:.0f}",
        f"{ROWS[-1].entries:.1f}",
        f"{usual.wasted:.1f}",
        f"{usual.entries:.1f}",
        "256",
    ):
        assert figure in said
    assert usual.wasted < ROWS[-1].wasted
    assert usual.entries > ROWS[-1].entries


def test_registers_are_never_mixed():
    for register, wrong in (("room", ENGINE_ONLY), ("engine", ROOM_ONLY)):
        figure = block_sizes_figure(ROWS, 100, register)
        texts = [
            block_sizes_alt(ROWS, 100, register),
            figure.layout.xaxis.title.text,
            *(trace.name for trace in figure.data),
        ]
        for text in texts:
            assert not re.search(wrong, text), text
