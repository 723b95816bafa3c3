"""What memory held over time, one small picture per system, all on the same axes.

From the bottom: filled, promised and filled later, wasted (promised for nothing, or the end of a
last block), free but unusable, kept for reuse, free. Together always the whole memory. A dotted
line marks the share of filled memory that the paper publishes for that system.

Leaves out: text colours, which the theme of the page gives (as in `usage.py`).
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pagedviz.charts.workload_names import KINDS, SYSTEMS
from pagedviz.charts.workload_series import end_of, grid, on_grid
from pagedviz.timeline.captions import Register
from pagedviz.workload import Simulation
from pagedviz.workload.published import TOKEN_SHARE, token_share

ROW_HEIGHT = 118
ABOUT = ("pow2", "paged")  # figures that are published as "about"
_WORDS: dict[Register, dict[str, str]] = {
    "room": {
        "title": "<b>{name}</b>: {share:.1%} held boxes, published {about}{published:.1%}",
        "nobody": "<b>{name}</b>: nobody could come in, published {about}{published:.1%}",
        "alt": "Memory over time, {count} small pictures on the same axes. ",
        "each": "{name}: {share:.1%} held boxes, {waste:.1%} was empty but gone.",
    },
    "engine": {
        "title": "<b>{name}</b>: {share:.1%} held tokens, published {about}{published:.1%}",
        "nobody": "<b>{name}</b>: none admitted, published {about}{published:.1%}",
        "alt": "Memory over time, {count} small multiples on the same axes. ",
        "each": "{name}: {share:.1%} held tokens, {waste:.1%} was wasted.",
    },
}


def memory_figure(
    simulation: Simulation, register: Register = "room", seconds_per_unit: float = 1.0,
    unit: str = "seconds",
) -> go.Figure:  # fmt: skip
    """Stacked shares of memory, in percent, over time counted from the first arrival.

    seconds_per_unit, unit: of the time axis ("steps" if the clock counts steps).

    >>> from pagedviz.workload import LoadSetup, SimulationSetup, generate, simulate
    >>> run = simulate(generate(LoadSetup("alpaca", 5, rate=None)), SimulationSetup(4096))
    >>> figure = memory_figure(run)
    >>> round(sum(trace.y[0] for trace in figure.data if trace.stackgroup == "paged"))
    100
    """
    systems = list(simulation.systems.values())
    figure = make_subplots(rows=len(systems), shared_xaxes=True, vertical_spacing=0.075)
    edges = grid(end_of(simulation))
    middle = np.round((edges[:-1] + edges[1:]) / 2 / seconds_per_unit, 3)
    seen: set[str] = set()
    for row, result in enumerate(systems, 1):
        for kind in KINDS:
            share = 100 * on_grid(result, kind.key, edges) / result.num_slots
            if not share.any() and kind.key != "token":
                continue
            figure.add_scatter(
                row=row,
                col=1,
                x=middle,
                y=np.round(share, 2),
                name=kind.name(register),
                legendgroup=kind.key,
                legendrank=[one.key for one in KINDS].index(kind.key),
                showlegend=kind.key not in seen,
                mode="lines",
                stackgroup=result.system,
                line={"width": 0.8, "color": kind.line},
                fillcolor=kind.fill,
                fillpattern={
                    "shape": kind.pattern, "size": 6, "solidity": 0.3,
                    "fgcolor": kind.line, "bgcolor": kind.fill,
                },
                hovertemplate="%{y:.1f} %",
            )  # fmt: skip
            seen.add(kind.key)
        held = token_share(result) if result.num_finished else None
        _mark(figure, row, result.system, register, held)
    figure.update_layout(
        template=go.layout.Template(),
        hovermode="x unified",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        dragmode=False,  # a finger scrolls the page
        height=ROW_HEIGHT * len(systems) + 110,
        margin={"l": 48, "r": 8, "t": 62, "b": 44},
        # above the title of the first picture, however many rows it needs
        legend={"orientation": "h", "y": 1.06, "yanchor": "bottom", "x": 0},
    )
    figure.update_yaxes(
        range=[0, 100], tickvals=[0, 50, 100],
        ticktext=["0 %", "50 %", "100 %"], zeroline=False,
        gridcolor="rgba(128,128,128,.25)",
    )  # fmt: skip
    figure.update_xaxes(range=[0, float(edges[-1]) / seconds_per_unit], showgrid=False)
    figure.update_xaxes(title={"text": unit}, row=len(systems), col=1)
    return figure


def memory_alt(simulation: Simulation, register: Register = "room") -> str:
    """The essential of the figure in sentences."""
    words = _WORDS[register]
    said = [
        words["each"].format(
            name=SYSTEMS[one.system].name(register),
            share=token_share(one),
            waste=one.share("never", "external", "tail"),
        )
        for one in simulation.systems.values()
    ]
    return words["alt"].format(count=len(said)) + " ".join(said)


def _mark(
    figure: go.Figure, row: int, system: str, register: Register, share: float | None
) -> None:
    """Title of a small picture, and the published share as a dotted line."""
    words = _WORDS[register]
    look = next(look for key, look in SYSTEMS.items() if key == system)
    published = next(value for key, value in TOKEN_SHARE.items() if key == system)
    axis = "" if row == 1 else str(row)
    about = "about " if system in ABOUT else ""
    text = words["title" if share is not None else "nobody"].format(
        name=look.name(register), share=share, about=about, published=published
    )
    figure.add_annotation(
        x=0, y=1, xanchor="left", yanchor="bottom", text=text, showarrow=False,
        xref=f"x{axis} domain", yref=f"y{axis} domain",
    )  # fmt: skip
    figure.add_hline(
        y=100 * published, row=row, col=1, line={"dash": "dot", "width": 2, "color": "#8a8a8a"}
    )
