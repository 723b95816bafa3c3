"""What a simulation found: shares of memory, waiting, refusals, as numbers and as tables.

What it does: turns sums into means and shares. "Share" is of memory times time: a share of 0.4
means that over the time in question four slots in ten were of that kind on average. Three times
are told apart: while any step ran ("busy"), while the first in line waited for memory
("pressed"), and, as a share of what was not free, while any step ran.

What it leaves out: drawing (charts) and words (the page).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pagedviz.workload.batching import Batching
from pagedviz.workload.load_request import LoadRequest
from pagedviz.workload.setup import NS, SimulationSetup, System
from pagedviz.workload.trace import Trace

KINDS = ("token", "later", "never", "external", "tail", "kept", "free")
"""Every slot is exactly one of: holds a token; reserved and used later; reserved and never used;
free but unusable; unfilled tail of a block; kept for reuse; free. A system has five of them."""


@dataclass(frozen=True)
class SystemResult:
    """One system's run. Treat the tables as read-only.

    `series` has at most 2,000 rows: time_s (start of the bin, after the first arrival), the mean
    slots of every kind, and the mean number of requests running and waiting.
    `requests` has the trace's row numbers as index: arrival_s, waiting_s (from arrival to first
    admission), finished_s, preemptions, hit_tokens (None if not known), refused (reason or "").
    """

    system: System
    num_slots: int
    slot_seconds: dict[str, float]  # kind -> slots x seconds while steps ran
    pressed_slot_seconds: dict[str, float]  # of it: while the first in line waited for memory
    busy_s: float
    pressed_s: float
    steps: int
    max_running: int
    mean_running: float
    max_waiting: int
    preemptions: int
    recomputed_tokens: int  # computed, lost by a preemption, and computed again
    hit_tokens: int | None  # None: cannot be known, or there is no cache
    queried_tokens: int
    series: pd.DataFrame
    requests: pd.DataFrame

    def share(self, *kinds: str, pressed: bool = False) -> float:
        """Share of the whole memory that was of these kinds; 0 if no time passed."""
        sums = self.pressed_slot_seconds if pressed else self.slot_seconds
        return _ratio(sum(sums[kind] for kind in kinds), sum(sums.values()))

    def share_of_taken(self, kind: str) -> float:
        """Share of what was neither free nor kept for reuse, while steps ran.

        Free slots that the first in line cannot use count as taken: they are waste.
        """
        taken = sum(self.slot_seconds[k] for k in KINDS if k not in ("free", "kept"))
        return _ratio(self.slot_seconds[kind], taken)

    @property
    def hit_rate(self) -> float | None:
        """Tokens of prompts found in the cache, of all that were looked up; None: not known."""
        return None if self.hit_tokens is None else _ratio(self.hit_tokens, self.queried_tokens)

    @property
    def num_refused(self) -> int:
        """Requests turned away at the door because they could never fit."""
        return int((self.requests["refused"] != "").sum())

    @property
    def num_finished(self) -> int:
        """Requests served to their last token."""
        return len(self.requests) - self.num_refused


@dataclass(frozen=True)
class Simulation:
    """The same load in every system, in the order of the setup."""

    name: str
    setup: SimulationSetup
    max_model_len: int
    systems: dict[System, SystemResult]
    notes: tuple[str, ...]

    def summary(self) -> pd.DataFrame:
        """One row per system; shares from 0 to 1, times in seconds."""
        return pd.DataFrame([_summary(one) for one in self.systems.values()])


def system_result(
    system: System,
    batching: Batching,
    requests: Sequence[LoadRequest],
    trace: Trace,
    knows_hits: bool,
) -> SystemResult:
    """The result of a run that has ended."""
    account, kinds = batching.account, batching.memory.kinds
    served = [request for request in requests if not request.refusal]
    return SystemResult(
        system=system,
        num_slots=batching.memory.num_slots,
        slot_seconds=_by_kind(account.busy, kinds),
        pressed_slot_seconds=_by_kind(account.pressed, kinds),
        busy_s=account.busy[0] / NS,
        pressed_s=account.pressed[0] / NS,
        steps=batching.step,
        max_running=account.max_running,
        mean_running=_ratio(account.busy[6], account.busy[0]),
        max_waiting=account.max_waiting,
        preemptions=batching.num_preemptions,
        recomputed_tokens=batching.num_recomputed,
        hit_tokens=sum(request.hit_tokens for request in served) if knows_hits else None,
        queried_tokens=sum(request.num_prompt_tokens for request in served),
        series=_series(batching, kinds),
        requests=_request_table(requests, trace, knows_hits),
    )


def _by_kind(sums: Sequence[int], kinds: Sequence[str]) -> dict[str, float]:
    found = dict.fromkeys(KINDS, 0.0)
    for at, kind in enumerate(kinds, 1):
        if kind in found:
            found[kind] = sums[at] / NS
    return found


def _series(batching: Batching, kinds: Sequence[str]) -> pd.DataFrame:
    points = batching.account.points()
    columns: dict[str, list[float]] = {
        "time_s": [(start - batching.account.start) / NS for start, _ in points]
    }
    for kind in KINDS:
        at = kinds.index(kind) + 1 if kind in kinds else 0
        columns[kind] = [sums[at] / sums[0] if at else 0.0 for _, sums in points]
    columns["running"] = [sums[6] / sums[0] for _, sums in points]
    columns["waiting"] = [sums[7] / sums[0] for _, sums in points]
    return pd.DataFrame(columns)


def _request_table(requests: Sequence[LoadRequest], trace: Trace, knows_hits: bool) -> pd.DataFrame:
    usable = trace.usable
    in_file = sorted(requests, key=lambda request: request.index)
    refused = np.array([bool(request.refusal) for request in in_file])
    arrival = np.array([request.arrival_ns for request in in_file], dtype=np.int64)
    admitted = np.array([request.admitted_ns for request in in_file], dtype=np.int64)
    finished = np.array([request.finished_ns for request in in_file], dtype=np.int64)
    table = usable[["arrival_s", "prompt_tokens", "output_tokens"]].copy()
    table["waiting_s"] = np.where(refused, np.nan, (admitted - arrival) / NS)
    table["finished_s"] = np.where(refused, np.nan, finished / NS)
    table["preemptions"] = [request.num_preemptions for request in in_file]
    if knows_hits:
        hits = [pd.NA if request.refusal else request.hit_tokens for request in in_file]
        table["hit_tokens"] = pd.array(hits, dtype="Int64")
    table["refused"] = pd.Series(
        [request.refusal for request in in_file], index=table.index, dtype=object
    )
    return table


def _summary(one: SystemResult) -> dict[str, object]:
    waiting = one.requests["waiting_s"].dropna()
    row: dict[str, object] = {"system": one.system, "memory_slots": one.num_slots}
    row |= {f"{kind}_share": one.share(kind) for kind in KINDS}
    row |= {f"{kind}_share_while_waiting": one.share(kind, pressed=True) for kind in KINDS}
    return row | {
        "token_share_of_taken": one.share_of_taken("token"),
        "busy_s": one.busy_s,
        "waited_for_memory_s": one.pressed_s,
        "steps": one.steps,
        "max_running": one.max_running,
        "mean_running": one.mean_running,
        "max_waiting": one.max_waiting,
        "mean_waiting_s": float(waiting.mean()) if len(waiting) else 0.0,
        "p95_waiting_s": float(waiting.quantile(0.95)) if len(waiting) else 0.0,
        "finished": one.num_finished,
        "refused": one.num_refused,
        "preemptions": one.preemptions,
        "recomputed_tokens": one.recomputed_tokens,
        "hit_tokens": one.hit_tokens,
        "hit_rate": one.hit_rate,
    }


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
