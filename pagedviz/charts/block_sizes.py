"""Block size: empty places at the end of a request, and entries in its table.

The larger the block, the longer the tail; the smaller, the longer the table. Both are drawn over
the block size, on doubling scales. vLLM's 16, Spyre's 64 and the size set are marked.

Leaves out: text colours, which the theme of the page gives (as in `usage.py`); the computation
(`pagedviz.timeline.reservation.trade_off`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from pagedviz.timeline.captions import Register
from pagedviz.timeline.reservation.trade_off import BlockSizeRow

MARKED = (16, 64)  # vLLM's default, the Spyre plugin's
TAIL, ENTRIES, MARK, OWN = "#c2571a", "#2f7fc1", "#8a8a8a", "#b38600"
LEAST = 0.1  # a tail of 0 has no place on a log scale: drawn at the bottom
TICKS = (1, 2, 4, 8, 16, 32, 64, 128, 256)

_WORDS: dict[Register, dict[str, str]] = {
    "room": {
        "x": "boxes per shelf",
        "tail": "empty places on a visitor's last shelf, mean",
        "entries": "lines on a visitor's slip, mean",
        "own": "yours: {size}",
        "alt": "From shelves of 1 to shelves of {last}: empty places grow from {first_tail:.1f} to "
        "{last_tail:.1f} for each visitor, lines on the slip shrink from {first_entries:.0f} to "
        "{last_entries:.1f}. At 16: {tail16:.1f} empty, {entries16:.1f} lines.",
    },
    "engine": {
        "x": "block_size, tokens",
        "tail": "unfilled slots of the last block per request, mean",
        "entries": "block table entries per request, mean",
        "own": "yours: {size}",
        "alt": "From block_size 1 to {last}: the unfilled tail grows from {first_tail:.1f} to "
        "{last_tail:.1f} slots per request, table entries shrink from {first_entries:.0f} to "
        "{last_entries:.1f}. At 16: {tail16:.1f} slots, {entries16:.1f} entries.",
    },
}


def block_sizes_figure(
    rows: Sequence[BlockSizeRow], own: int, register: Register = "room"
) -> go.Figure:
    """Wasted tail (slots) and table entries over the block sizes in `rows`.

    own: the block size set, marked with a line.

    >>> rows = (BlockSizeRow(1, 0.0, 0.0, 20.0), BlockSizeRow(16, 6.0, 0.2, 1.6))
    >>> [tuple(trace.y) for trace in block_sizes_figure(rows, 1).data]
    [(0.1, 6.0), (20.0, 1.6)]
    """
    words = _WORDS[register]
    figure = go.Figure()
    sizes = [row.block_size for row in rows]
    for name, values, color, dash in (
        ("tail", [row.wasted for row in rows], TAIL, "solid"),
        ("entries", [row.entries for row in rows], ENTRIES, "dash"),
    ):
        figure.add_scatter(
            x=sizes,
            y=[max(LEAST, value) for value in values],
            customdata=values,
            name=words[name],
            mode="lines",
            line={"color": color, "width": 2.5, "dash": dash},
            hovertemplate="%{customdata:.1f}",
        )
    for size in MARKED:
        _mark(figure, size, str(size), {"color": MARK, "width": 1.5, "dash": "dot"})
    if own not in MARKED:
        _mark(figure, own, words["own"].format(size=own), {"color": OWN, "width": 2})
    figure.update_layout(
        template=go.layout.Template(),
        hovermode="x unified",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        dragmode=False,  # a finger scrolls the page
        height=340,
        margin={"l": 56, "r": 16, "t": 44, "b": 48},
        legend={"orientation": "h", "y": 1.1, "yanchor": "bottom", "x": 0},
        xaxis={
            "title": {"text": words["x"]},
            "type": "log",
            "tickvals": TICKS,
            "ticktext": [str(size) for size in TICKS],
            "range": [0, math.log10(TICKS[-1])],
            "showgrid": False,
        },
        yaxis={
            "type": "log",
            "tickvals": (0.1, 1, 10, 100, 1000),
            "ticktext": ("0 to 0.1", "1", "10", "100", "1,000"),
            "gridcolor": "rgba(128,128,128,.25)",
        },
    )
    return figure


def block_sizes_alt(rows: Sequence[BlockSizeRow], own: int, register: Register = "room") -> str:
    """The essential of the figure in a sentence."""
    by_size = {row.block_size: row for row in rows}
    first, last, usual = rows[0], rows[-1], by_size.get(16, rows[0])
    return _WORDS[register]["alt"].format(
        last=last.block_size,
        first_tail=first.wasted,
        last_tail=last.wasted,
        first_entries=first.entries,
        last_entries=last.entries,
        tail16=usual.wasted,
        entries16=usual.entries,
    )


def _mark(figure: go.Figure, size: int, text: str, line: dict[str, object]) -> None:
    figure.add_vline(x=size, line=line)
    # on a log axis a shape stands at the value, an annotation at its logarithm
    figure.add_annotation(
        x=math.log10(size), y=1, yref="paper", text=text, showarrow=False, yanchor="bottom"
    )
