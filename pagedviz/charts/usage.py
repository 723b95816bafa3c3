"""How the pool is used over the steps, as stacked areas.

From the bottom: shared, in use by one request, unfilled places at the ends of tables, kept
for reuse, empty. In blocks; together they are the pool without the null block. Hues are told
apart by patterns too: crosses are shared, dots are waste, hatching is kept.

Leaves out: text colours, which the theme of the page gives (the template set here is empty,
because importing Streamlit changes Plotly's default one).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from pagedviz.timeline.captions import Register
from pagedviz.timeline.play import Timeline
from pagedviz.timeline.state import Counts
from pagedviz.timeline.step import PoolInfo


class Layer(NamedTuple):
    """One area: its names in both registers and how it is drawn."""

    key: str
    room: str
    engine: str
    line: str  # edge; at least 3:1 on white and on near-black
    fill: str
    pattern: str


LAYERS = (
    Layer("shared", "shared", "shared (ref_cnt > 1)", "#2f7fc1", "rgba(47,127,193,.55)", "x"),
    Layer("used", "in use by one", "in use (ref_cnt 1)", "#2f7fc1", "rgba(47,127,193,.55)", ""),
    Layer("wasted", "empty places", "unfilled slots", "#b38600", "rgba(230,167,0,.45)", "."),
    Layer("kept", "kept for reuse", "free, cached", "#808080", "rgba(128,128,128,.2)", "/"),
    Layer("empty", "free, empty", "free, no hash", "#808080", "rgba(0,0,0,0)", ""),
)


_ALT: dict[Register, str] = {
    "room": "How the {pool} shelves of the room are used over {last} steps: at most {most} in use, "
    "at step {at}; at most {shared} shared at once, at most {waste} empty places on shelves in "
    "use. At the end {used} are in use and {kept} kept for reuse.",
    "engine": "How the {pool} blocks of the pool are used over {last} steps: at most {most} in "
    "use, at step {at}; at most {shared} shared at once, at most {waste} unfilled slots. At the "
    "end {used} are in use and {kept} free but cached.",
}


def usage_figure(timeline: Timeline, register: Register = "room") -> go.Figure:
    """The figure for a whole timeline; the same bytes for the same timeline.

    A stretch in which nothing changes is drawn by its first and last step alone: nothing is
    lost, and pointing anywhere in it finds the same values.

    >>> from pagedviz.timeline.presets import DEFAULT
    >>> from pagedviz.timeline.play import play
    >>> [trace.name for trace in usage_figure(play(DEFAULT.run), "engine").data][-1]
    'free, no hash'
    """
    pool = timeline.pool
    counts = [step.counts for step in timeline.steps]
    steps = turning_points(counts)
    unit = "shelves" if register == "room" else "blocks"
    figure = go.Figure()
    for layer in LAYERS:
        blocks = [layer_blocks(counts[i], pool)[layer.key] for i in steps]
        name = layer.room if register == "room" else layer.engine
        figure.add_trace(
            go.Scatter(
                x=steps,
                y=blocks,
                name=name,
                mode="lines",
                stackgroup="pool",
                line={"shape": "hv", "width": 1, "color": layer.line},
                fillcolor=layer.fill,
                fillpattern={
                    "shape": layer.pattern,
                    "size": 6,
                    "solidity": 0.3,
                    "fgcolor": layer.line,
                    "bgcolor": layer.fill,
                },
                customdata=[_told(name, value, pool, register) for value in blocks],
                hovertemplate="%{customdata}<extra></extra>",
            )
        )
    figure.update_layout(
        template=go.layout.Template(),
        hovermode="x unified",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        dragmode=False,  # a finger scrolls the page
        height=280,
        margin={"l": 48, "r": 8, "t": 8, "b": 40},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
        xaxis={
            "title": {"text": "step"},
            "range": [0, max(1, timeline.last)],
            "showgrid": False,
            "hoverformat": "d",
            "unifiedhovertitle": {"text": "step %{x}"},
        },
        yaxis={
            "title": {"text": unit},
            "range": [0, pool.usable],
            "zeroline": False,
            "gridcolor": "rgba(128,128,128,.25)",
        },
    )
    return figure


def usage_alt(timeline: Timeline, register: Register = "room") -> str:
    """The essential of the figure in a sentence.

    >>> from pagedviz.timeline.presets import DEFAULT
    >>> from pagedviz.timeline.play import play
    >>> usage_alt(play(DEFAULT.run), "engine").split(":")[0]
    'How the 29 blocks of the pool are used over 56 steps'
    """
    counts = [step.counts for step in timeline.steps]
    most = max(range(len(counts)), key=lambda at: counts[at].used)
    waste = max(one.unfilled for one in counts)
    return _ALT[register].format(
        pool=f"{timeline.pool.usable:,}",
        last=f"{timeline.last:,}",
        most=f"{counts[most].used:,}",
        at=f"{most:,}",
        shared=f"{max(one.shared for one in counts):,}",
        waste=f"{waste:,}",
        used=f"{counts[-1].used:,}",
        kept=f"{counts[-1].kept:,}",
    )


def turning_points(counts: Sequence[Counts]) -> list[int]:
    """First and last step of every stretch of equal meters.

    >>> a, b = Counts(1, 0, 0, 3, 0, 4), Counts(2, 0, 0, 2, 0, 8)
    >>> turning_points([a, a, a, a, b, a])
    [0, 3, 4, 5]
    """
    last = len(counts) - 1
    return [
        i
        for i in range(last + 1)
        if i in (0, last) or counts[i] != counts[i - 1] or counts[i] != counts[i + 1]
    ]


def layer_blocks(counts: Counts, pool: PoolInfo) -> dict[str, float]:
    """The layers in blocks; unfilled places count as parts of a block.

    >>> layer_blocks(Counts(4, 8, 2, 3, 1, 56), PoolInfo(10, 16, True, 8192))
    {'shared': 1, 'used': 2.5, 'wasted': 0.5, 'kept': 2, 'empty': 3}
    """
    wasted = counts.unfilled / pool.block_size
    return {
        "shared": counts.shared,
        "used": max(0.0, counts.used - counts.shared - wasted),
        "wasted": wasted,
        "kept": counts.kept,
        "empty": counts.empty,
    }


def _told(name: str, blocks: float, pool: PoolInfo, register: Register) -> str:
    """'in use by one: 12 shelves, 192 boxes, 41 %'."""
    block, token = ("shelf", "box") if register == "room" else ("block", "token")
    many, tokens = ("shelves", "boxes") if register == "room" else ("blocks", "tokens")
    places = round(blocks * pool.block_size)
    shown = f"{blocks:,.1f}" if blocks % 1 else f"{blocks:,.0f}"
    return (
        f"{name}: {shown} {block if blocks == 1 else many}, "
        f"{places:,} {token if places == 1 else tokens}, {blocks / pool.usable:.0%}"
    )
