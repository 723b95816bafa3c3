"""Replaying a recorded trace on the engine, up to the first difference.

Two forms are known: operations on vLLM's KVCacheManager with the state after each, and
steps of vLLM's Scheduler. `recorded_agreement` replays all that the app ships, which is
what the line "agrees with vLLM on N recorded steps" rests on.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pagedviz.conformance.compare import (
    Difference,
    Pairing,
    compare_events,
    compare_fields,
)
from pagedviz.conformance.files import (
    ALLOCATOR_FORMAT,
    SCHEDULER_FORMAT,
    find_trace_files,
    read_json,
    trace_format,
)
from pagedviz.conformance.schedule import schedule
from pagedviz.engine.cache_session import CacheSession
from pagedviz.engine.errors import EngineError
from pagedviz.paths import GOLDEN

OPERATIONS = (
    "add_request",
    "admit",
    "allocate",
    "append",
    "rollback",
    "free",
    "preempt",
    "reset_prefix_cache",
    "evict_blocks",
)


class UnknownFormError(ValueError):
    """A file that is well and good, but not of a form this release replays."""


class DamagedTraceError(ValueError):
    """A trace that lacks something its form promises."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The outcome for one trace."""

    steps: int  # steps that agree
    difference: Difference | None  # the first that does not


@dataclass(frozen=True, slots=True)
class Agreement:
    """The outcome for all traces that the app ships."""

    files: int
    steps: int  # steps that agree
    differing: tuple[str, ...]  # names of the traces in which something differs

    @property
    def agree(self) -> bool:
        """Whether there are traces, and all of them agree."""
        return self.files > 0 and not self.differing


def replay(content: Any) -> Replay:
    """Replay one trace, whichever of the two forms it has.

    Raises UnknownFormError for anything else, DamagedTraceError for a trace with holes.
    """
    replays = {ALLOCATOR_FORMAT: replay_allocator, SCHEDULER_FORMAT: replay_scheduler}
    form = trace_format(content)
    if form not in replays:
        said = f"its format is {form!r}" if form else "it names no format"
        raise UnknownFormError(f"not a form this release replays: {said}")
    try:
        return replays[form](content)
    except EngineError as error:
        raise DamagedTraceError(f"cannot be replayed: {error}") from error
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise DamagedTraceError(f"is damaged: {what}") from error


def replay_allocator(trace: Mapping[str, Any]) -> Replay:
    """Play the operations; compare result, events and state of each."""
    session = CacheSession(trace["config"])
    pairing = Pairing()
    found = compare_fields(session.state(), trace["initial_state"], pairing)
    if found is not None:
        return Replay(0, Difference(-1, f"state.{found[0]}", found[1]))
    for number, step in enumerate(trace["steps"]):
        arguments = dict(step["op"])
        name = arguments.pop("op")
        if name not in OPERATIONS:
            raise DamagedTraceError(f"is damaged: step {number} has no operation {name!r}")
        try:
            result = getattr(session, name)(**arguments)
        except EngineError as error:
            return Replay(number, Difference(number, "op", f"{name} is refused: {error}"))
        for part, found in (
            ("result.", compare_fields(result, step["result"], pairing)),
            ("", compare_events(session.take_events(), step["events"], pairing)),
            ("state.", compare_fields(session.state(), step["state"], pairing)),
        ):
            if found is not None:
                return Replay(number, Difference(number, part + found[0], found[1]))
    return Replay(len(trace["steps"]), None)


def replay_scheduler(trace: Mapping[str, Any]) -> Replay:
    """Let the scheduler decide; compare its decisions, events and state of each step."""
    pairing = Pairing()
    steps = schedule(trace)
    for number, (ours, step) in enumerate(zip(steps, trace["steps"], strict=True)):
        decisions = {k: v for k, v in step.items() if k not in _COMPARED_BY_PART}
        for part, found in (
            ("", compare_fields(ours, decisions, pairing)),
            (
                "after_schedule.",
                compare_fields(ours["after_schedule"], step["after_schedule"], pairing),
            ),
            ("", compare_events(ours["events"], step["events"], pairing)),
            (
                "after_update.",
                compare_fields(ours["after_update"], step["after_update"], pairing),
            ),
        ):
            if found is not None:
                return Replay(number, Difference(number, part + found[0], found[1]))
    return Replay(len(steps), None)


_COMPARED_BY_PART = ("after_schedule", "events", "after_update")


def recorded_agreement(folder: Path = GOLDEN) -> Agreement:
    """Replay every trace in `folder`, by default those that come with the app."""
    files = steps = 0
    differing = []
    for path in find_trace_files([folder]):
        outcome = replay(read_json(path))
        files += 1
        steps += outcome.steps
        if outcome.difference is not None:
            differing.append(path.name.split(".")[0])
    return Agreement(files, steps, tuple(differing))
