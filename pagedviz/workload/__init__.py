"""Loads of requests: read from files, made up, and run through every memory.

Reading order. Files: `trace` (what comes out), `text`, `csv_table`, `record_table`, `forms`,
`cells`, `checked_columns`, `bench_result`, `conversations`, `read` (the door). Made-up loads:
`lengths`, `generate`. Simulation: `setup`, `content` (which blocks are alike), `load_request`,
`memory` with `paged_memory` and `reserved_memory`, `account`, `batching` (the loop), `results`,
`simulate` (the door). Then `published` (the paper's figures) and `export` (CSV).

Leaves out: the page, its words and its charts.
"""

from pagedviz.workload.errors import SimulationCancelledError, TraceError, WorkloadError
from pagedviz.workload.export import to_csv
from pagedviz.workload.generate import LoadSetup, generate
from pagedviz.workload.lengths import Lengths
from pagedviz.workload.read import read_trace
from pagedviz.workload.results import Simulation, SystemResult
from pagedviz.workload.setup import SimulationSetup, StepCost, slots_of
from pagedviz.workload.simulate import simulate
from pagedviz.workload.trace import Trace

__all__ = [
    "Lengths",
    "LoadSetup",
    "Simulation",
    "SimulationCancelledError",
    "SimulationSetup",
    "StepCost",
    "SystemResult",
    "Trace",
    "TraceError",
    "WorkloadError",
    "generate",
    "read_trace",
    "simulate",
    "slots_of",
    "to_csv",
]
