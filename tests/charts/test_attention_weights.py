"""Heat maps of attention weights: cells, borders, what is said by pointing, words and rows."""

import numpy as np
import plotly.io as pio
import pytest

from pagedviz.charts.attention_weights import triangle_figure, weights_figure
from pagedviz.charts.attention_weights_checks import WeightsError
from pagedviz.charts.attention_weights_text import (
    triangle_alt,
    triangle_rows,
    weights_alt,
    weights_rows,
)


def softmax(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def heads(num_heads=4, tokens=10, seed=0):
    return softmax(np.random.default_rng(seed).standard_normal((num_heads, tokens)))


def causal(queries, tokens, seed=0):
    scores = np.random.default_rng(seed).standard_normal((queries, tokens))
    scores[np.triu_indices(queries, tokens - queries + 1, tokens)] = -np.inf
    return softmax(scores)


def strokes(trace):
    """Line segments of a trace with gaps, as (x0, y0, x1, y1)."""
    points = list(zip(trace.x, trace.y, strict=True))
    return [(*a, *b) for a, b, gap in zip(points[::3], points[1::3], points[2::3], strict=True)]


def test_cells_are_the_weights():
    weights = heads()
    figure = weights_figure(weights, 4, register="engine")
    np.testing.assert_array_equal(figure.data[0].z, weights)
    assert figure.data[0].zmin == 0
    assert figure.data[0].zmax == weights.max()
    assert figure.layout.yaxis.range == (3.5, -0.5)  # head 0 on top


@pytest.mark.parametrize(
    ("tokens", "size", "borders"),
    [(10, 4, [3.5, 7.5]), (8, 4, [3.5]), (4, 4, []), (3, 16, []), (3, 1, [0.5, 1.5])],
)
def test_borders_lie_between_blocks_and_nowhere_else(tokens, size, borders):
    figure = weights_figure(heads(3, tokens), size)
    assert strokes(figure.data[1]) == [(x, -0.5, x, 2.5) for x in borders]
    assert not figure.layout.shapes


def test_pointing_tells_text_position_block_and_weight():
    weights = heads()
    labels = [f"word {i}" for i in range(10)]
    figure = weights_figure(weights, 4, labels, "engine", num_kv_heads=2)
    told = figure.data[0].customdata[3][9].tolist()
    assert told == [
        "word 9",
        9,
        "logical block 2",
        "head 3 (KV 1)",
        f"{weights[3, 9]:.1%}"[:-1] + " %",
    ]
    for part in range(5):
        assert f"%{{customdata[{part}]}}" in figure.data[0].hovertemplate


def test_typed_text_is_no_markup():
    figure = weights_figure(heads(1, 2), 4, ["<b>x</b>", "<a href='http://a.io'>"])
    shown = [*figure.layout.xaxis.ticktext, *(cell[0] for cell in figure.data[0].customdata[0])]
    assert not any("<" in text for text in shown)


def test_what_lies_after_a_query_is_empty_and_borders_stop_at_the_diagonal():
    weights = causal(6, 6)
    figure = triangle_figure(weights, 4)
    above = np.triu_indices(6, 1)
    assert np.isnan(figure.data[0].z[above]).all()
    np.testing.assert_array_equal(
        np.tril(figure.data[0].z, 0)[np.tril_indices(6)], weights[np.tril_indices(6)]
    )
    assert strokes(figure.data[1]) == [(3.5, 3.5, 3.5, 5.5), (-0.5, 3.5, 3.5, 3.5)]


def test_the_last_queries_of_a_longer_context():
    figure = triangle_figure(causal(3, 10), 4, register="engine")
    assert figure.data[0].y0 == 7
    assert figure.layout.yaxis.range == (9.5, 6.5)
    # block 1 ends at 7.5, between the first and the second query; block 0 ends above them
    assert strokes(figure.data[1]) == [
        (3.5, 6.5, 3.5, 9.5),
        (7.5, 7.5, 7.5, 9.5),
        (-0.5, 7.5, 7.5, 7.5),
    ]
    assert figure.data[0].customdata[0][0].tolist()[3] == "7"


def test_the_same_arguments_give_the_same_bytes_whatever_the_default_template():
    before = pio.templates.default
    made = [weights_figure(heads(), 4).to_json(), triangle_figure(causal(5, 5), 4).to_json()]
    try:
        pio.templates.default = "plotly_dark"
        again = [weights_figure(heads(), 4).to_json(), triangle_figure(causal(5, 5), 4).to_json()]
    finally:
        pio.templates.default = before
    assert made == again


def test_the_largest_are_named_in_words():
    weights = [[0.1, 0.7, 0.2], [1 / 3, 1 / 3, 1 / 3]]
    assert weights_alt(weights, 2, ["a", "b", "c"], "engine") == (
        'Attention weights over 3 tokens in 2 blocks, by head. Head 0 gives most to token 1 "b" '
        "in logical block 0: 70 %; head 1 gives all 3 tokens the same: 33 %."
    )
    assert weights_alt(weights[:1], 2) == (
        "Shares of 3 boxes in 2 lines of the slip, one row for each reader. Reader 0 looks most at "
        "box 1 in line 0 of the slip, with 70 %."
    )
    assert "token 2, gives most to token 0 in logical block 0: 50 %" in triangle_alt(
        [[1, 0, 0], [0.5, 0.5, 0], [0.5, 0.25, 0.25]], 2, register="engine"
    )


def test_rows_hold_every_cell():
    weights = heads()
    rows = weights_rows(weights, 4, [str(i) for i in range(10)], "engine", num_kv_heads=2)
    assert [row["logical block"] for row in rows] == [0] * 4 + [1] * 4 + [2] * 2
    assert [row["head 2 (KV 1)"] for row in rows] == weights[2].tolist()
    triangle = triangle_rows(causal(3, 5), 4, list("abcde"), "engine")
    assert [row["query position"] for row in triangle] == [2, 3, 4]
    assert [row["text"] for row in triangle] == ["c", "d", "e"]
    assert [row["4"] is None for row in triangle] == [True, True, False]


@pytest.mark.parametrize(
    ("weights", "size", "labels", "said"),
    [
        (heads(9), 4, None, "8 rows of 48, not 9 of 10"),
        (heads(1, 49), 4, None, "8 rows of 48, not 1 of 49"),
        ([], 4, None, "rows and columns"),
        ([0.5, 0.5], 4, None, "rows and columns"),
        ([[1], [0.5, 0.5]], 4, None, "must be numbers"),
        ([["x"]], 4, None, "must be numbers"),
        ([[0.5, 0.4]], 4, None, "row 0 .* add up to 1"),
        ([[1, 0], [np.nan, 1]], 4, None, "row 1 "),
        ([[-0.5, 1.5]], 4, None, "row 0 "),
        (heads(), 0, None, "block_size must be at least 1, not 0"),
        (heads(), 4, ["a"], "labels must be 10, one per token, not 1"),
    ],
)
def test_what_cannot_be_drawn_is_refused(weights, size, labels, said):
    for make in (weights_figure, weights_alt, weights_rows):
        with pytest.raises(WeightsError, match=said):
            make(weights, size, labels)


def test_weights_beyond_the_query_are_refused():
    with pytest.raises(WeightsError, match="row 0 of weights looks beyond itself"):
        triangle_figure([[0.5, 0.5], [0.5, 0.5]], 2)
    with pytest.raises(WeightsError, match="3 queries but 2 tokens"):
        triangle_figure([[1, 0], [1, 0], [1, 0]], 2)
