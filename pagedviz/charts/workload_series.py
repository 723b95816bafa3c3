"""A simulation's curves on a grid of their own, so that figures stay small and share an axis.

Leaves out: drawing.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from pagedviz.workload import Simulation, SystemResult

POINTS = 240


def end_of(simulation: Simulation) -> float:
    """Seconds from the first arrival until the last system has served all.

    >>> import pandas as pd
    >>> from pagedviz.workload import LoadSetup, SimulationSetup, generate, simulate
    >>> run = simulate(generate(LoadSetup("alpaca", 5, rate=None)), SimulationSetup(4096))
    >>> 0 < end_of(run) < 60
    True
    """
    return max(served_at(one) for one in simulation.systems.values())


def served_at(result: SystemResult) -> float:
    """Seconds from the first arrival until this system has served all."""
    requests = result.requests
    last = requests["finished_s"].max()
    if pd.isna(last):  # all refused
        return float(result.series["time_s"].max()) if len(result.series) else 0.0
    return float(last - requests["arrival_s"].min())


def on_grid(result: SystemResult, column: str, edges: np.ndarray) -> np.ndarray:
    """Mean of a column between neighbouring edges (seconds); 0 after all is served.

    A row of the series holds until the next one begins.

    edges: (points + 1,), rising, from 0. Returns (points,).
    """
    series = result.series
    start = series["time_s"].to_numpy(dtype=float)
    if not len(start):
        return np.zeros(len(edges) - 1)
    end = max(served_at(result), start[-1])
    knots = np.append(start, end)  # (rows + 1,)
    area = np.concatenate(([0.0], np.cumsum(series[column].to_numpy(dtype=float) * np.diff(knots))))
    until = np.interp(edges, knots, area, left=0.0)
    width = np.diff(edges)
    mean: np.ndarray = np.divide(np.diff(until), width, out=np.zeros(len(width)), where=width > 0)
    return mean


def grid(end: float) -> np.ndarray:
    """Edges from 0 to `end`, POINTS + 1 of them.

    >>> len(grid(10.0)), float(grid(10.0)[-1])
    (241, 10.0)
    """
    return np.linspace(0.0, end if end > 0 else 1.0, POINTS + 1)
