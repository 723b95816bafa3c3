"""Read a file or run a load, here or in a process of its own: tasks, what they find, how large.

Everything in this module can be pickled, and nothing knows of Streamlit.

Leaves out: processes (`workload_worker.py`, `workload_jobs.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pagedviz.workload import Simulation, SimulationSetup, Trace, generate, read_trace, simulate
from pagedviz.workload.generate import LoadSetup
from pagedviz.workload.hits import PrefixHits, prefix_hits

# What is done at once, in the server itself: about a second's work.
AT_ONCE_REQUESTS = 1_000
AT_ONCE_TOKENS = 120_000  # of answers: each is one step of one request
AT_ONCE_PROMPTS = 1_500_000  # tokens of prompts: they are cut into blocks
AT_ONCE_BYTES = 300_000  # of a file


@dataclass(frozen=True)
class Found:
    """A simulation, and what is to be said of its load."""

    simulation: Simulation
    form: str
    notes: tuple[str, ...]
    endless: PrefixHits | None = None  # what a cache without end would find, if it is known
    block_tokens: int = 0  # tokens per hash of the file


@dataclass(frozen=True)
class ReadTask:
    """Read a file; finds a Trace."""

    data: bytes
    name: str
    columns: tuple[tuple[str, str], ...] | None = None  # ours, the file's

    def work(self, progress: Callable[[int, int], object]) -> Trace:
        """Read it; how far reading is cannot be told. Raises WorkloadError."""
        del progress
        return read_trace(self.data, self.name, dict(self.columns) if self.columns else None)


@dataclass(frozen=True)
class RunTask:
    """Make up a load, or take a trace, and run it; finds a Found."""

    load: LoadSetup | Trace
    setup: SimulationSetup

    def work(self, progress: Callable[[int, int], object]) -> Found:
        """Run it. Raises WorkloadError."""
        trace = generate(self.load) if isinstance(self.load, LoadSetup) else self.load
        simulation = simulate(trace, self.setup, progress)
        if "block_hashes" not in trace.requests or trace.hash_block_size is None:
            return Found(simulation, trace.form, trace.notes)
        return Found(simulation, trace.form, trace.notes, prefix_hits(trace), trace.hash_block_size)


Task = ReadTask | RunTask


def part_of(trace: Trace, first: int, count: int) -> Trace:
    """Requests `first` to `first + count - 1` of a trace, counted from 1; count 0: to the end.

    >>> from pagedviz.workload import LoadSetup, generate
    >>> len(part_of(generate(LoadSetup(num_requests=10)), 9, 5).requests)
    2
    """
    rows = trace.requests.iloc[first - 1 : first - 1 + count if count else None]
    if len(rows) == len(trace.requests):
        return trace
    rows = rows.assign(arrival_s=rows["arrival_s"] - rows["arrival_s"].min())
    said = f"Requests {first:,} to {first + len(rows) - 1:,} of {len(trace.requests):,} are used."
    return replace(trace, requests=rows, notes=(*trace.notes, said))


def at_once(trace: Trace) -> bool:
    """Whether running it takes about a second at most."""
    rows = trace.usable
    return (
        len(rows) <= AT_ONCE_REQUESTS
        and int(rows["output_tokens"].sum()) <= AT_ONCE_TOKENS
        and int(rows["prompt_tokens"].sum()) <= AT_ONCE_PROMPTS
    )
