"""Replaying a recorded trace on the engine, up to the first difference.

Two forms come from vLLM: operations on its KVCacheManager with the state after each, and steps
of its Scheduler. Four come from the Spyre plugin: cases of its chunk rule, of its admission and
of its decode sets, and the steps of whole runs. `recorded_agreement` replays all that the app
ships, which is what the line "agrees with vLLM on N recorded steps" rests on.
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
    SPYRE_FORMS,
    find_trace_files,
    read_json,
    trace_format,
)
from pagedviz.conformance.replay_spyre import SPYRE_REPLAYS
from pagedviz.conformance.result import DamagedTraceError, Replay, UnknownFormError
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


# what Python raises when a value is missing, or is of another kind than expected
_SIGNS_OF_DAMAGE = (LookupError, TypeError, AttributeError, OverflowError, RecursionError)


@dataclass(frozen=True, slots=True)
class Tally:
    """The outcome for all files of one kind."""

    files: int = 0
    agreeing: int = 0  # steps or cases
    differing: tuple[str, ...] = ()  # names of the files in which something differs

    def with_file(self, name: str, outcome: Replay) -> "Tally":
        """The tally with one more file in it."""
        return Tally(
            self.files + 1,
            self.agreeing + outcome.steps,
            self.differing if outcome.difference is None else (*self.differing, name),
        )


@dataclass(frozen=True, slots=True)
class Agreement:
    """The outcome for all recordings that the app ships, by the system they come from."""

    vllm: Tally  # traces of vLLM's block manager and scheduler, in steps
    spyre: Tally  # answers of the Spyre plugin, in cases
    spyre_runs: Tally  # whole runs of the Spyre plugin, in steps

    @property
    def agree(self) -> bool:
        """Whether there are recordings, and all of them agree."""
        tallies = (self.vllm, self.spyre, self.spyre_runs)
        return any(one.files for one in tallies) and not any(one.differing for one in tallies)


def replay(content: Any) -> Replay:
    """Replay one recording, whichever of the six forms it has.

    Raises UnknownFormError for anything else, DamagedTraceError for a trace with holes.
    """
    replays = {
        ALLOCATOR_FORMAT: replay_allocator,
        SCHEDULER_FORMAT: replay_scheduler,
        **SPYRE_REPLAYS,
    }
    form = trace_format(content)
    if form not in replays:
        said = f"its format is {form!r}" if form else "it names no format"
        raise UnknownFormError(f"not a form this release replays: {said}")
    try:
        return replays[form](content)
    except EngineError as error:
        raise DamagedTraceError(f"cannot be replayed: {error}") from error
    except _SIGNS_OF_DAMAGE as error:
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
        if not isinstance(step["op"], Mapping):
            raise DamagedTraceError(f"is damaged: the op of step {number} is not an object")
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
    """Replay every recording in `folder`, by default those that come with the app."""
    tallies = {"vllm": Tally(), "spyre": Tally(), "spyre_runs": Tally()}
    for path in find_trace_files([folder]):
        content = read_json(path)
        outcome = replay(content)
        kind = "vllm"
        if trace_format(content) in SPYRE_FORMS:
            kind = "spyre" if outcome.unit == "case" else "spyre_runs"
        tallies[kind] = tallies[kind].with_file(path.name.split(".")[0], outcome)
    return Agreement(**tallies)
