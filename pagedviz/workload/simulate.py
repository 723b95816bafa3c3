"""A load through one system after the other: the paged one and those that reserve.

What it does: puts the usable rows of a trace in order of arrival, builds each system's memory
(all of the same size), lets it serve the load, and reports on the way. The same trace and setup
give the same result, number for number.

What it leaves out: running in parallel. It is one loop in one thread; a page runs it in a
process of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

import numpy as np

from pagedviz.workload.batching import Batching
from pagedviz.workload.content import Segment, hash_segments
from pagedviz.workload.errors import SimulationCancelledError, WorkloadError
from pagedviz.workload.load_request import LoadRequest
from pagedviz.workload.memory import Memory
from pagedviz.workload.paged_memory import PagedMemory
from pagedviz.workload.reserved_memory import ReservedMemory
from pagedviz.workload.results import Simulation, SystemResult, system_result
from pagedviz.workload.setup import NS, SimulationSetup, System
from pagedviz.workload.trace import Trace

MAX_REQUESTS = 200_000
Progress = Callable[[int, int], object]
"""Called with (requests done in all systems, all there are); False stops the simulation."""

_LOOK_UP = 512  # steps between two looks at the clock's user: some milliseconds


def simulate(
    trace: Trace,
    setup: SimulationSetup,
    progress: Progress | None = None,
    cancel: Event | None = None,
) -> Simulation:
    """Serve a load with every system of the setup.

    `progress` is told how many requests are done (finished, or refused) of all, a request
    counting once per system; it may answer False to stop. `cancel` stops from another thread.
    Raises SimulationCancelledError when stopped, WorkloadError if there is nothing to simulate.

    >>> from pagedviz.workload.read import read_trace
    >>> from pagedviz.workload.setup import StepCost
    >>> trace = read_trace(b"arrival_s,prompt_tokens,output_tokens\\n0,40,10\\n0,30,20\\n", "x.csv")
    >>> setup = SimulationSetup(128, max_model_len=64, cost=StepCost.in_steps(0.02))
    >>> result = simulate(trace, setup)
    >>> [one.max_running for one in result.systems.values()]
    [2, 2, 2, 2]
    >>> round(result.systems["max"].share("token"), 3)
    0.482
    """
    usable = trace.usable
    if usable.empty:
        raise WorkloadError(trace.name, "has no request with an answer", "Load another file.")
    if len(usable) > MAX_REQUESTS:
        raise WorkloadError(
            trace.name,
            f"has {len(usable):,} requests; at most {MAX_REQUESTS:,} are simulated",
            "Take a part of it.",
        )
    max_model_len = setup.max_model_len or _longest(trace)
    total = len(usable) * len(setup.systems)
    results: dict[System, SystemResult] = {}
    for number, system in enumerate(setup.systems):
        before = number * len(usable)
        requests = load_requests(trace)
        memory = _memory(system, setup, max_model_len, trace.knows_prefixes)
        batching = Batching(requests, memory, setup)

        def report(done: int, before: int = before) -> None:
            stop = progress is not None and progress(before + done, total) is False
            if stop or (cancel is not None and cancel.is_set()):
                raise SimulationCancelledError(before + done, total)

        _serve(batching, report)
        knows = trace.knows_prefixes and setup.prefix_caching and system == "paged"
        results[system] = system_result(system, batching, requests, trace, knows)
    return Simulation(trace.name, setup, max_model_len, results, _notes(trace, setup))


def _serve(batching: Batching, report: Callable[[int], None]) -> None:
    report(0)
    told = 0
    while batching.advance():
        if batching.step - told >= _LOOK_UP or batching.num_done == len(batching.requests):
            told = batching.step
            report(batching.num_done)
    report(batching.num_done)


def _memory(
    system: System, setup: SimulationSetup, max_model_len: int, knows_prefixes: bool
) -> Memory:
    if system != "paged":
        return ReservedMemory(setup.memory_slots, system, max_model_len)
    return PagedMemory(
        setup.num_blocks,
        setup.block_size,
        caching=setup.prefix_caching,
        max_model_len=max_model_len,
        knows_prefixes=knows_prefixes,
    )


def load_requests(trace: Trace) -> list[LoadRequest]:
    """The usable rows in the order of arrival, each with what is known of its content."""
    usable = trace.usable
    order = np.argsort(usable["arrival_s"].to_numpy(), kind="stable")
    arrival = np.rint(usable["arrival_s"].to_numpy() * NS).astype(np.int64)
    prompt = usable["prompt_tokens"].tolist()
    output = usable["output_tokens"].tolist()
    known = _known_segments(trace)
    quoted = _quoted_answers(trace)
    requests = []
    for at in order.tolist():
        # Nobody else's: numbers below zero, which no file has.
        segments = known[at] if known else [(-2 * at - 1, prompt[at])]
        answer = quoted[at] if quoted[at] >= 0 else -2 * at - 2
        requests.append(
            LoadRequest(
                at,
                int(arrival[at]),
                prompt[at],
                output[at],
                [*segments, (answer, output[at])],
                shares_answer=quoted[at] >= 0,
            )
        )
    return requests


def _known_segments(trace: Trace) -> list[list[Segment]] | None:
    usable = trace.usable
    if "segments" in usable:
        return [list(segments) for segments in usable["segments"]]
    if "block_hashes" in usable and trace.hash_block_size is not None:
        rows = zip(usable["block_hashes"], usable["prompt_tokens"].tolist(), strict=True)
        return [hash_segments(ids, trace.hash_block_size, prompt) for ids, prompt in rows]
    return None


def _quoted_answers(trace: Trace) -> list[int]:
    """The id of each answer that some prompt quotes, else -1."""
    usable = trace.usable
    if "answer_id" not in usable or "segments" not in usable:
        return [-1] * len(usable)
    in_prompts = {segment for segments in usable["segments"] for segment, _ in segments}
    return [one if one in in_prompts else -1 for one in usable["answer_id"].tolist()]


def _longest(trace: Trace) -> int:
    usable = trace.usable
    longest = int((usable["prompt_tokens"] + usable["output_tokens"]).max())
    return max(2, 1 << (longest - 1).bit_length())


def _notes(trace: Trace, setup: SimulationSetup) -> tuple[str, ...]:
    notes = []
    if left_out := len(trace.requests) - len(trace.usable):
        rows = "1 request" if left_out == 1 else f"{left_out:,} requests"
        notes.append(f"{rows} without an answer: left out.")
    if rest := setup.memory_slots - setup.num_blocks * setup.block_size:
        notes.append(f"{rest:,} slots at the end of the memory fill no block: never used.")
    if not setup.prefix_caching:
        notes.append("Prefix caching is off: no request finds blocks of another.")
    elif not trace.knows_prefixes:
        notes.append(
            "Prefix hits cannot be known from this load: it has no text and no hashes. Every "
            "prompt is taken to be unlike all others."
        )
    return tuple(notes)
