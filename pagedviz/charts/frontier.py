"""Batch against context, doubling by doubling: here a constant product is a straight line.

The region that fits is filled; its three edges are the ceilings, and the one that binds at the
reader's point is thicker, in the accent, with its figure in bold. Squares are IBM's rows,
diamonds the reader's own, the disc is the reader's point.

Leaves out: text colours, which the theme of the page gives (as in `usage.py`); words and rows
(`frontier_text.py`); where the edges run (`frontier_edges.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Any, Final

import plotly.graph_objects as go

from pagedviz.charts.frontier_edges import Edge, doublings, edges_of
from pagedviz.charts.frontier_text import LEFT, PUBLISHED, WORDS, Ceilings
from pagedviz.engine.errors import ConfigError, check_int
from pagedviz.engine.spyre.limits import MAX_MODEL_LEN, MAX_NUM_SEQS
from pagedviz.engine.spyre.trade_off import PUBLISHED_ROWS, Ceiling, PublishedRow
from pagedviz.timeline.captions import Register

HEIGHT: Final = 420  # px
# At least 3:1 on white and on near-black.
ACCENT: Final = "#3d7eff"
PLAIN: Final = "#808080"
FITS: Final = "rgba(47,127,193,.16)"
GRID: Final = "rgba(128,128,128,.25)"
LETTERS: Final = {"size": 13}
NAMED: Final = {256: "256", 1024: "1 Ki", 4096: "4 Ki", 8192: "8 Ki", 32_768: "32 Ki"}


def frontier_figure(
    context: int,
    batch: int,
    register: Register = "room",
    ceilings: Ceilings = PUBLISHED,
    rows: Sequence[PublishedRow] = PUBLISHED_ROWS,
    own_rows: Sequence[PublishedRow] = (),
    label: str = "",
) -> go.Figure:
    """The figure with the reader's point at `context` tokens and `batch` requests.

    A point that does not fit is drawn as a cross; one left of the axis at its left end. The
    same bytes for the same arguments. Both numbers from 1; ConfigError (a ValueError) else.

    ceilings: of another configuration, for instance Ceilings(16, 3_072, 49_152) of one card.
    label: what the point is called instead of "you".

    >>> [trace.name for trace in frontier_figure(6144, 21, "engine").data]
    ['fits', 'requests', 'context', 'product', "IBM's rows", 'you']
    """
    check_int("context", context, 1, ConfigError)
    check_int("batch", batch, 1, ConfigError)
    words = WORDS[register]
    left = min(LEFT, max(1, ceilings.context // 8))
    binding = ceilings.binding(batch, context)
    edges = edges_of(ceilings, left)
    figure = go.Figure()
    figure.add_trace(_region(edges, left))
    for edge in edges:
        figure.add_trace(_line(edge, edge.name in binding, words))
    for name, symbol, some in (
        (words["published"], "square-open", rows),
        (words["own"], "diamond-open", own_rows),
    ):
        if some:
            figure.add_trace(_marks(some, name, symbol, words))
    figure.add_trace(_you(context, batch, left, ceilings, words, label or words["you"]))
    for note in _labels(ceilings, left, binding, words):
        figure.add_annotation(**note)
    figure.update_layout(
        template=go.layout.Template(),
        hovermode="closest",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        dragmode=False,  # a finger scrolls the page
        height=HEIGHT,
        font=LETTERS,
        margin={"l": 32, "r": 18, "t": 26, "b": 46},
        legend={
            "x": 0.03,
            "y": 0.02,
            "xanchor": "left",
            "yanchor": "bottom",
            "font": LETTERS,
            "bgcolor": "rgba(0,0,0,0)",
            "itemclick": False,
            "itemdoubleclick": False,
        },
        xaxis=_axis(left, MAX_MODEL_LEN, 0.1) | {"title": _title(words["x axis"])},
        yaxis=_axis(1, MAX_NUM_SEQS, 0.13),
    )
    return figure


def _region(edges: list[Edge], left: int) -> go.Scatter:
    shape = {edge.name: edge for edge in edges}
    product = shape.get("product")
    xs = [*shape["requests"].xs, *(product.xs if product else ()), *shape["context"].xs]
    ys = [*shape["requests"].ys, *(product.ys if product else ()), *shape["context"].ys]
    return go.Scatter(
        x=[*xs, left],
        y=[*ys, 1],
        name="fits",
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=FITS,
        hoverinfo="skip",
        showlegend=False,
    )


def _line(edge: Edge, binds: bool, words: dict[str, str]) -> go.Scatter:
    return go.Scatter(
        x=edge.xs,
        y=edge.ys,
        name=edge.name,
        mode="lines",
        line={"width": 4.5 if binds else 2, "color": ACCENT if binds else PLAIN},
        showlegend=False,
        customdata=[_point(words, *point) for point in edge.points],
        hovertemplate="%{customdata}<extra></extra>",
        cliponaxis=False,
    )


def _marks(
    rows: Sequence[PublishedRow], name: str, symbol: str, words: dict[str, str]
) -> go.Scatter:
    return go.Scatter(
        x=[row.context for row in rows],
        y=[row.requests for row in rows],
        name=name,
        mode="markers",
        marker={"symbol": symbol, "size": 17, "color": PLAIN, "line": {"width": 2.5}},
        customdata=[_point(words, row.requests, row.context) for row in rows],
        hovertemplate=f"{name}: %{{customdata}}<extra></extra>",
        cliponaxis=False,
    )


def _you(
    context: int, batch: int, left: int, ceilings: Ceilings, words: dict[str, str], name: str
) -> go.Scatter:
    fits = ceilings.fits(batch, context)
    x = min(max(context, left), MAX_MODEL_LEN)
    y = min(batch, MAX_NUM_SEQS)
    said = name if fits else words["too much"].format(name=name)
    if x != context or y != batch:  # stands at the edge of the chart: its place is said
        said = f"{said}, {batch:,} x {context:,}"
    above = y < 2 or not fits  # else in the region, clear of its edge
    right = x < 4 * left or (not fits and x <= MAX_MODEL_LEN // 4)
    where = f"{'top' if above else 'bottom'} {'right' if right else 'left'}"
    return go.Scatter(
        x=[x],
        y=[y],
        name=name,
        mode="markers+text",
        marker={
            "symbol": "circle" if fits else "x",
            "size": 13,
            "color": ACCENT,
            "line": {"width": 0},
        },
        text=[f"<b>{said}</b>"],
        textposition=where,
        textfont=LETTERS,
        customdata=[_point(words, batch, context)],
        hovertemplate=f"{name}: %{{customdata}}<extra></extra>",
        showlegend=False,
        cliponaxis=False,
    )


def _labels(
    ceilings: Ceilings, left: int, binding: tuple[Ceiling, ...], words: dict[str, str]
) -> list[dict[str, Any]]:
    """A figure at each ceiling, bold if it binds, and the name of the upright axis."""
    most, longest, product = ceilings.requests, ceilings.context, ceilings.product

    def note(name: Ceiling, n: int, x: float, y: float, **more: Any) -> dict[str, Any]:
        text = words[f"{name} label"].format(n=f"{n:,}")
        return {
            "text": f"<b>{text}</b>" if name in binding else text,
            "x": log10(x),
            "y": log10(y),
            "showarrow": False,
            "font": LETTERS,
        } | more

    outside = longest <= MAX_MODEL_LEN // 2  # to the right of a short context there is room
    found = [
        note("requests", most, left, most, xanchor="left", yanchor="bottom", xshift=2),
        note(
            "context",
            longest,
            longest,
            1,
            xanchor="left" if outside else "right",
            yanchor="bottom",
            textangle=-90,
            xshift=4 if outside else -4,
            yshift=6,
        ),
    ]
    if product < most * longest:
        middle = (max(product / most, left) * longest) ** 0.5
        found.append(
            note("product", product, middle, product / middle, xanchor="left", yanchor="bottom")
        )
    upright = {
        "text": words["y axis"],
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "y": 1,
        "xanchor": "left",
        "yanchor": "bottom",
        "xshift": -26,
        "showarrow": False,
        "font": LETTERS,
    }
    return [*found, upright]


def _point(words: dict[str, str], requests: int, context: int) -> str:
    return words["point"].format(
        requests=f"{requests:,}", context=f"{context:,}", product=f"{requests * context:,}"
    )


def _axis(first: int, last: int, room: float) -> dict[str, Any]:
    """A log axis with a line at each doubling; `room` is free past the last, in decades."""
    ticks = doublings(first, last)
    named = {tick: f"{tick:,}" for tick in ticks} if last <= MAX_NUM_SEQS else NAMED
    return {
        "type": "log",
        "range": [log10(first), log10(last) + room],
        "tickvals": ticks,
        "ticktext": [named.get(tick, "") for tick in ticks],
        "tickfont": LETTERS,
        "showgrid": True,
        "gridcolor": GRID,
        "zeroline": False,
        "fixedrange": True,
    }


def _title(text: str) -> dict[str, Any]:
    return {"text": text, "font": LETTERS, "standoff": 6}
