"""The pictures of the workload page as tables, and what downloads as CSV.

Leaves out: the table of results (`workload_numbers.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from pagedviz.charts.workload_names import KINDS, SYSTEMS
from pagedviz.charts.workload_series import end_of, served_at
from pagedviz.timeline.captions import Register
from pagedviz.ui.workload_numbers import percent, seconds_per_unit
from pagedviz.workload import Simulation


def kinds_table(
    simulation: Simulation, words: Mapping[str, Any], register: Register
) -> pd.DataFrame:
    """What memory was, a row per kind of slot, a column per system."""
    columns = {
        SYSTEMS[one.system].name(register): {
            kind.name(register): percent(one.share(kind.key), 1) if one.busy_s else ""
            for kind in KINDS
        }
        for one in simulation.systems.values()
    }
    return pd.DataFrame(columns).rename_axis(words["kind"])


def running_table(
    simulation: Simulation, words: Mapping[str, Any], register: Register, rows: int = 13
) -> pd.DataFrame:
    """Requests running and waiting at `rows` moments from the first arrival to the end."""
    end = end_of(simulation)
    per_unit, unit = seconds_per_unit(simulation.setup.cost)
    times = np.linspace(0.0, end, rows)
    columns: dict[str, object] = {words[unit]: [f"{time / per_unit:,.0f}" for time in times]}
    for one in simulation.systems.values():
        series = one.series
        at = np.searchsorted(series["time_s"].to_numpy(), times, side="right") - 1
        over = times >= served_at(one)
        said = [
            "0; 0" if done else f"{series['running'].iat[i]:,.0f}; {series['waiting'].iat[i]:,.0f}"
            for i, done in zip(np.maximum(at, 0).tolist(), over.tolist(), strict=True)
        ]
        columns[SYSTEMS[one.system].name(register)] = said
    return pd.DataFrame(columns).set_index(words[unit])


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
