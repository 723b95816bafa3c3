"""The pictures of the workload page as tables, and what downloads as CSV.

Leaves out: the table of results (`workload_numbers.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pagedviz.charts.workload_names import KINDS, SYSTEMS
from pagedviz.charts.workload_running import PANELS
from pagedviz.charts.workload_series import POINTS, end_of, grid, on_grid, served_at
from pagedviz.timeline.captions import Register
from pagedviz.ui.workload_numbers import seconds_per_unit
from pagedviz.workload import Simulation

STRETCHES = 12  # equal parts of the time axis, each a row


def memory_table(
    simulation: Simulation, words: Mapping[str, Any], register: Register
) -> pd.DataFrame:
    """What memory was, in shares of all of it: per system the whole run, then stretch by stretch.

    A stretch ends with the system's run, if that is within it; there is none after.
    """
    per_unit, unit = seconds_per_unit(simulation.setup.cost)
    rows: list[dict[str, object]] = []
    for one in simulation.systems.values():
        name, over = SYSTEMS[one.system].name(register), served_at(one)

        def row(
            begin: float, end: float, shares: list[float], name: str = name
        ) -> dict[str, object]:
            return {
                words["system"]: name,
                words["from"].format(unit=words[unit]): round(begin / per_unit, 4),
                words["to"].format(unit=words[unit]): round(end / per_unit, 4),
                **{kind.name(register): round(s, 4) for kind, s in zip(KINDS, shares, strict=True)},
            }

        if over:
            rows.append(row(0.0, over, [one.share(kind.key) for kind in KINDS]))
        for begin, end in pairwise(_edges(simulation).tolist()):
            if begin < over:
                edges = np.array([begin, min(end, over)])
                shares = [on_grid(one, kind.key, edges)[0] / one.num_slots for kind in KINDS]
                rows.append(row(begin, min(end, over), shares))
    return pd.DataFrame(rows)


def running_table(
    simulation: Simulation, words: Mapping[str, Any], register: Register
) -> pd.DataFrame:
    """Requests running and waiting, on average over each stretch of time; 0 after the end."""
    per_unit, unit = seconds_per_unit(simulation.setup.cost)
    edges = _edges(simulation)
    columns: dict[str, object] = {
        words[side].format(unit=words[unit]): np.round(ends / per_unit, 4)
        for side, ends in (("from", edges[:-1]), ("to", edges[1:]))
    }
    for one in simulation.systems.values():
        for panel in PANELS:
            name = f"{SYSTEMS[one.system].name(register)}: {words[f'panel_{panel}']}"
            columns[name] = np.round(on_grid(one, panel, edges), 2)
    return pd.DataFrame(columns)


def _edges(simulation: Simulation) -> NDArray[np.float64]:
    """(STRETCHES + 1,), in seconds from the first arrival; the time axis of the figures."""
    return grid(end_of(simulation))[:: POINTS // STRETCHES]


def series_table(simulation: Simulation) -> pd.DataFrame:
    """The curves of all systems, one below the other, for a CSV."""
    parts = [
        one.series.assign(system=one.system)[["system", *one.series.columns]]
        for one in simulation.systems.values()
    ]
    return pd.concat(parts, ignore_index=True)


def requests_table(simulation: Simulation) -> pd.DataFrame:
    """Every request in every system, for a CSV; `row` is its row in the file."""
    parts = [
        one.requests.reset_index().assign(system=one.system) for one in simulation.systems.values()
    ]
    table = pd.concat(parts, ignore_index=True)
    return table[["system", *(name for name in table.columns if name != "system")]]
