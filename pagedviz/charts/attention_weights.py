"""What attention weights look like: heat maps over token positions with block borders drawn in.

`weights_figure` shows the newest token's weights, one row per head; `triangle_figure` those
of every token for one head, causal. One trace holds the cells, one the borders: hundreds of
layout shapes are slow, and a trace can be left out of pointing.

Leaves out: text colours, which the theme of the page gives (as in `usage.py`); the same in
words and as rows is in `attention_weights_text.py`, the checks in `attention_weights_checks.py`.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from pagedviz.charts.attention_weights_checks import WORDS, Weights, checked, head_name
from pagedviz.timeline.captions import Register

# From next to nothing to full, on whatever ground: the page may be light or dark. The strong
# end has at least 3:1 on both.
SCALE: Final = (
    (0.0, "rgba(47,127,193,0.06)"),
    (0.25, "rgba(47,127,193,0.38)"),  # above the straight line: small weights are seen
    (1.0, "rgba(47,127,193,1)"),
)
BORDER: Final = "#b38600"


def weights_figure(
    weights: object,
    block_size: int,
    labels: Sequence[str] | None = None,
    register: Register = "room",
    *,
    num_kv_heads: int | None = None,
) -> go.Figure:
    """Heads down, tokens across; the same bytes for the same arguments.

    weights: (num_heads, num_tokens), each row from softmax; at most 8 heads and 48 tokens.
    labels: the tokens as text, shown as they are. num_kv_heads: names the KV head that each
    head reads. WeightsError (a ValueError) for anything else.

    >>> figure = weights_figure([[0.5, 0.25, 0.25]], 2, ["a", "b", "c"], "engine")
    >>> figure.data[0].customdata[0][2].tolist()
    ['c', 2, 'logical block 1', 'head 0', '25.0 %']
    """
    cells, names = checked(weights, block_size, labels)
    heads, tokens = cells.shape
    rows = [head_name(head, heads, num_kv_heads, register) for head in range(heads)]
    figure = _figure(cells, rows, block_size, names, register)
    borders = [b - 0.5 for b in range(block_size, tokens, block_size)]
    xs = [x for border in borders for x in (border, border, None)]
    ys = [y for _ in borders for y in (-0.5, heads - 0.5, None)]
    _add_lines(figure, xs, ys, WORDS[register]["block"])
    _lay_out(figure, tokens, block_size, names, register, height=110 + 34 * heads)
    figure.update_yaxes(
        tickvals=list(range(heads)), ticktext=rows, range=[heads - 0.5, -0.5], automargin=True
    )
    return figure


def triangle_figure(
    weights: object,
    block_size: int,
    labels: Sequence[str] | None = None,
    register: Register = "room",
) -> go.Figure:
    """Queries down, tokens across, for one head: what each token looked at when it came.

    weights: (num_queries, num_tokens); query i of n stands at position num_tokens - n + i and
    must have nothing beyond itself. Otherwise as in `weights_figure`.

    >>> figure = triangle_figure([[1, 0], [0.5, 0.5]], 1)
    >>> figure.data[0].z[0].tolist()
    [1.0, nan]
    """
    cells, names = checked(weights, block_size, labels, causal=True)
    queries, tokens = cells.shape
    first = tokens - queries
    at = np.arange(tokens)
    cells = np.where(at[None] <= first + np.arange(queries)[:, None], cells, np.nan)
    rows = [f"{first + i}" for i in range(queries)]
    figure = _figure(cells, rows, block_size, names, register, first=first)
    xs: list[float | None] = []
    ys: list[float | None] = []
    for border in range(block_size, tokens, block_size):
        xs += [border - 0.5, border - 0.5, None]  # down, from the first row that reaches it
        ys += [max(border, first) - 0.5, tokens - 0.5, None]
        if border > first:  # across, as far as the row above it reaches
            xs += [-0.5, border - 0.5, None]
            ys += [border - 0.5, border - 0.5, None]
    _add_lines(figure, xs, ys, WORDS[register]["block"])
    _lay_out(figure, tokens, block_size, names, register, height=120 + 11 * max(queries, 16))
    figure.update_yaxes(
        range=[tokens - 0.5, first - 0.5],
        title={"text": WORDS[register]["y"]},
        dtick=max(1, tokens // 8),
    )
    return figure


def _figure(
    cells: Weights,
    rows: list[str],
    block_size: int,
    names: list[str],
    register: Register,
    first: int | None = None,
) -> go.Figure:
    words = WORDS[register]
    told: list[list[list[Any]]] = [
        [
            [html.escape(name), at, f"{words['block']} {at // block_size}", row, f"{cell:.1%}"]
            for at, (name, cell) in enumerate(zip(names, line, strict=True))
        ]
        for row, line in zip(rows, cells, strict=True)
    ]
    for line in told:
        for cell in line:
            cell[4] = cell[4].replace("%", " %")
    who = "%{customdata[3]}" if first is None else f"{words['y']} %{{customdata[3]}}"
    return go.Figure(
        go.Heatmap(
            z=cells,
            y0=first or 0,
            dy=1,
            colorscale=[list(stop) for stop in SCALE],
            zmin=0,
            zmax=float(np.nanmax(cells)),
            xgap=1,
            ygap=1,
            hoverongaps=False,
            customdata=np.array(told, dtype=object),
            hovertemplate=(
                f"<b>%{{customdata[0]}}</b><br>{who}<br>{words['x']} %{{customdata[1]}}, "
                f"%{{customdata[2]}}<br>{words['weight']} %{{customdata[4]}}<extra></extra>"
            ),
            colorbar={
                "title": {"text": words["weight"], "side": "top"},
                "tickformat": ".0%",
                "thickness": 12,
                "len": 1,
                "outlinewidth": 0,
            },
        )
    )


def _add_lines(figure: go.Figure, xs: list[Any], ys: list[Any], name: str) -> None:
    figure.add_trace(
        go.Scatter(
            x=xs,
            y=ys,
            mode="lines",
            name=name,
            line={"color": BORDER, "width": 2},
            hoverinfo="skip",
            showlegend=False,
        )
    )


def _lay_out(
    figure: go.Figure,
    tokens: int,
    block_size: int,
    names: list[str],
    register: Register,
    height: int,
) -> None:
    """Axes; the blocks are named above, as many as have room."""
    words = WORDS[register]
    blocks = range(-(-tokens // block_size))
    every = max(1, -(-len(blocks) // 8))
    for block in blocks[::every]:
        figure.add_annotation(
            x=(block * block_size + min((block + 1) * block_size, tokens) - 1) / 2,
            y=1,
            yref="paper",
            yanchor="bottom",
            text=f"{block}" if block else f"{words['block']} 0",
            showarrow=False,
            font={"size": 12},
        )
    short = [html.escape(name if len(name) <= 10 else name[:9] + "…") for name in names]
    step = -(-tokens // 24)
    figure.update_layout(
        template=go.layout.Template(),
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        dragmode=False,  # a finger scrolls the page
        height=height,
        margin={"l": 56, "r": 8, "t": 28, "b": 60},
        xaxis={
            "title": {"text": words["x"]},
            "range": [-0.5, tokens - 0.5],
            "tickvals": list(range(0, tokens, step)),
            "ticktext": short[::step],
            "showgrid": False,
            "zeroline": False,
            "automargin": True,
        },
        yaxis={"showgrid": False, "zeroline": False},
    )
