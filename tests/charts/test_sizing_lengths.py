"""Concurrency against length: what is drawn, said and listed are the same figures."""

import pytest

from pagedviz.charts.sizing_lengths import (
    HUES,
    Curve,
    doublings,
    lengths_up_to,
    sizing_alt,
    sizing_figure,
    sizing_rows,
)
from pagedviz.timeline.captions import REGISTERS

LONG = Curve("Long", tuple((x, 65_536 // x) for x in lengths_up_to(4_096)))
SHORT = Curve("Short, FP8", tuple((x, 32_768 // x) for x in lengths_up_to(1_024)), 1, dashed=True)
NONE = Curve("None", tuple((x, 0) for x in lengths_up_to(1_024)), 2)


def test_lengths_double_in_four_steps_and_end_at_the_longest():
    for longest in (64, 100, 4_096, 131_072, 10_485_760):
        found = lengths_up_to(longest)
        assert found == sorted(set(found))
        assert found[-1] == longest
        assert set(doublings(longest)) <= set(found) | {longest}
    assert lengths_up_to(10) == [10]  # a server for shorter requests than the axis begins with


def test_a_line_for_each_curve_and_one_for_the_limit():
    figure = sizing_figure([LONG, SHORT], 500, 100, "engine")
    traces = {trace.name: trace for trace in figure.data}
    assert set(traces) == {"at most 100 requests", "Long", "Short, FP8"}
    assert list(zip(traces["Long"].x, traces["Long"].y, strict=True)) == list(LONG.points)
    assert traces["Short, FP8"].line.dash == "dash"
    assert max(traces["Short, FP8"].x) == 1_024  # ends at the longest it takes
    assert traces["at most 100 requests"].y == (100, 100)
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert "500" in figure.layout.annotations[0].text


def test_marks_stand_at_every_doubling():
    line = sizing_figure([LONG], 500, None).data[0]
    marked = [x for x, size in zip(line.x, line.marker.size, strict=True) if size]
    assert marked == doublings(4_096)


def test_none_at_once_has_no_place_on_a_log_scale():
    assert [trace.name for trace in sizing_figure([LONG, NONE], 500, None).data] == ["Long"]
    assert sizing_figure([], 500, None).data == ()
    partly = Curve("Partly", ((64, 3), (128, 0)))
    assert sizing_figure([partly], 64, None).data[0].x == (64,)


def test_the_first_curve_lies_on_top_and_stands_first_in_the_legend():
    data = sizing_figure([LONG, SHORT], 500, None).data
    assert [trace.name for trace in data] == ["Short, FP8", "Long"]
    assert data[-1].legendrank < data[0].legendrank


def test_same_arguments_same_bytes():
    assert sizing_figure([LONG], 500, 9).to_json() == sizing_figure([LONG], 500, 9).to_json()


@pytest.mark.parametrize("register", REGISTERS)
def test_words_and_rows_say_the_figures_of_both_ends(register):
    said = sizing_alt([LONG, SHORT], 500, 100, register)
    for figure in ("Long: 1,024 at 64", "16 at 4,096", "Short, FP8: 512", "100"):
        assert figure in said
    rows = sizing_rows([LONG, SHORT], register)
    unit = next(iter(rows[0]))
    assert ("boxes" if register == "room" else "tokens") in unit
    assert [row[unit] for row in rows] == doublings(4_096)
    assert rows[-1]["Long"] == 16
    assert rows[-1]["Short, FP8"] is None  # it takes none so long


def test_more_models_than_hues_are_refused():
    with pytest.raises(ValueError, match="hue must be below 4"):
        Curve("Fifth", ((64, 1),), len(HUES))
    with pytest.raises(ValueError, match="mean must be a whole number"):
        sizing_figure([LONG], 0, None)
