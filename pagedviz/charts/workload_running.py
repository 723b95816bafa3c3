"""Requests running and waiting over time, a line per system, told apart by dashes too.

Leaves out: text colours, which the theme of the page gives (as in `usage.py`).
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pagedviz.charts.workload_names import SYSTEMS
from pagedviz.charts.workload_series import end_of, grid, on_grid
from pagedviz.timeline.captions import Register
from pagedviz.workload import Simulation

PANELS = ("running", "waiting")
_WORDS: dict[Register, dict[str, str]] = {
    "room": {
        "running": "inside",
        "waiting": "at the door",
        "alt": "Visitors inside and at the door over time. ",
        "each": "{name}: {mean:.1f} inside on average, {most:,} at most, {waiting:,} at the door "
        "at most.",
    },
    "engine": {
        "running": "running",
        "waiting": "waiting",
        "alt": "Requests running and waiting over time. ",
        "each": "{name}: {mean:.1f} running on average, {most:,} at most, {waiting:,} waiting at "
        "most.",
    },
}


def running_figure(
    simulation: Simulation, register: Register = "room", seconds_per_unit: float = 1.0,
    unit: str = "seconds",
) -> go.Figure:  # fmt: skip
    """Two panels over time from the first arrival: requests running, requests waiting.

    >>> from pagedviz.workload import LoadSetup, SimulationSetup, generate, simulate
    >>> run = simulate(generate(LoadSetup("alpaca", 5, rate=None)), SimulationSetup(4096))
    >>> len(running_figure(run).data)
    8
    """
    words = _WORDS[register]
    edges = grid(end_of(simulation))
    middle = np.round((edges[:-1] + edges[1:]) / 2 / seconds_per_unit, 3)
    figure = make_subplots(rows=2, shared_xaxes=True, vertical_spacing=0.08)
    for row, panel in enumerate(PANELS, 1):
        for result in simulation.systems.values():
            look = SYSTEMS[result.system]
            figure.add_scatter(
                row=row,
                col=1,
                x=middle,
                y=np.round(on_grid(result, panel, edges), 2),
                name=look.name(register),
                legendgroup=result.system,
                showlegend=row == 1,
                mode="lines",
                line={"color": look.color, "dash": look.dash, "width": 2.2},
                hovertemplate="%{y:,.1f}",
            )
        figure.update_yaxes(title={"text": words[panel]}, row=row, col=1)
    figure.update_layout(
        template=go.layout.Template(),
        hovermode="x unified",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        dragmode=False,  # a finger scrolls the page
        height=380,
        margin={"l": 64, "r": 8, "t": 40, "b": 44},
        legend={"orientation": "h", "y": 1, "yref": "container", "yanchor": "top", "x": 0},
    )
    figure.update_yaxes(rangemode="tozero", zeroline=False, gridcolor="rgba(128,128,128,.25)")
    figure.update_xaxes(range=[0, float(edges[-1]) / seconds_per_unit], showgrid=False)
    figure.update_xaxes(title={"text": unit}, row=2, col=1)
    return figure


def running_alt(simulation: Simulation, register: Register = "room") -> str:
    """The essential of the figure in sentences."""
    words = _WORDS[register]
    return words["alt"] + " ".join(
        words["each"].format(
            name=SYSTEMS[one.system].name(register),
            mean=one.mean_running,
            most=one.max_running,
            waiting=one.max_waiting,
        )
        for one in simulation.systems.values()
    )
