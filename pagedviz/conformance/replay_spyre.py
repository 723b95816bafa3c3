"""Replaying the recordings of the Spyre plugin, up to the first difference.

A case is given to the engine without its answer, which is then compared field by field. A
recording of admissions has one answer for each release, none of which may be missing; of decode
sets and runs, a list of steps, neither too few nor too many. Nothing agrees with no answer.

Source: the forms of the cases recorded from sendnn-inference 2.6.3 and vllm-spyre 1.10.0.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pagedviz.conformance.compare import Difference, Pairing, compare_fields
from pagedviz.conformance.files import (
    ADMISSION_CASES,
    CHUNK_CASES,
    DECODE_SETS,
    SPYRE_STEPS,
    spyre_cases,
)
from pagedviz.conformance.result import DamagedTraceError, Replay
from pagedviz.conformance.spyre import (
    CHUNK_INPUTS,
    spyre_admission,
    spyre_chunk_reuse,
    spyre_decode_sets,
)
from pagedviz.conformance.spyre_steps import spyre_steps
from pagedviz.engine.errors import EngineError, OperationError
from pagedviz.engine.spyre.releases import RELEASES, get_release

Found = tuple[str, str] | None  # field and message of the first difference in a case


def replay_chunk_cases(recording: Any) -> Replay:
    """Answer each case of the chunk rule; compare all that was expected."""

    def differs(case: Mapping[str, Any]) -> Found:
        inputs = {name: case[name] for name in CHUNK_INPUTS}  # all of them were recorded
        return _compare(spyre_chunk_reuse(inputs), case["expected"])

    return _replay_cases(recording, differs)


def replay_admissions(recording: Any) -> Replay:
    """Ask each release of each case; compare all that was expected, and nothing more said."""

    def differs(case: Mapping[str, Any]) -> Found:
        answers = case["expected"]
        for release in answers:
            get_release(release)  # or an error that names those there are
        for release in RELEASES:
            expected = answers[release]
            found = _compare(spyre_admission(_inputs(case, "expected"), release), expected)
            if found is not None:
                return f"{release}.{found[0]}", found[1]
        return None

    return _replay_cases(recording, differs)


def replay_decode_sets(recording: Any) -> Replay:
    """Choose the decode sets of each case; compare step by step."""

    def differs(case: Mapping[str, Any]) -> Found:
        recorded = case["steps"]
        if not recorded:
            raise OperationError("no step was recorded")
        inputs = {**_inputs(case, "steps"), "num_steps": len(recorded)}
        found = _compare_steps(spyre_decode_sets(inputs), recorded)
        return None if found is None else (f"steps[{found[0]}].{found[1]}", found[2])

    return _replay_cases(recording, differs)


def replay_spyre_steps(recording: Any) -> Replay:
    """Run each server from its first request to its last; compare step by step.

    Steps are counted through all runs of the recording.
    """
    agreeing = 0
    for number, trace in enumerate(_cases(recording)):
        recorded = trace["steps"]
        found = _compare_steps(spyre_steps(_inputs(trace, "steps")), recorded)
        if found is not None:
            step, field, message = found
            where = f"run {number}, {field}"
            return Replay(agreeing + step, Difference(step, where, message))
        agreeing += len(recorded)
    return Replay(agreeing, None)


SPYRE_REPLAYS = {
    CHUNK_CASES: replay_chunk_cases,
    ADMISSION_CASES: replay_admissions,
    DECODE_SETS: replay_decode_sets,
    SPYRE_STEPS: replay_spyre_steps,
}


def _replay_cases(recording: Any, differs: Callable[[Mapping[str, Any]], Found]) -> Replay:
    cases = _cases(recording)
    for number, case in enumerate(cases):
        try:
            found = differs(case)
        except EngineError as error:
            raise DamagedTraceError(f"case {number} cannot be replayed: {error}") from error
        except KeyError as error:
            raise DamagedTraceError(f"is damaged: {error} is missing in case {number}") from error
        if found is not None:
            return Replay(number, Difference(number, *found, unit="case"), "case")
    return Replay(len(cases), None, "case")


def _cases(recording: Any) -> Sequence[Mapping[str, Any]]:
    cases = spyre_cases(recording)
    for number, case in enumerate(cases):
        if not isinstance(case, Mapping):
            raise DamagedTraceError(f"is damaged: case {number} is not an object")
    return cases  # type: ignore[no-any-return]  # a list, or its form would not be known


def _inputs(case: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """The case without its answer, so that nothing can be read from there."""
    return {name: value for name, value in case.items() if name != answer}


def _compare(ours: Mapping[str, Any], recorded: Mapping[str, Any]) -> Found:
    found = compare_fields(ours, recorded, Pairing())
    more = sorted(ours.keys() - recorded.keys())
    return (more[0], "not recorded") if found is None and more else found


def _compare_steps(
    ours: Sequence[Mapping[str, Any]], recorded: Sequence[Mapping[str, Any]]
) -> tuple[int, str, str] | None:
    for step, (mine, theirs) in enumerate(zip(ours, recorded, strict=False)):
        found = _compare(mine, theirs)
        if found is not None:
            return step, *found
    if len(ours) != len(recorded):
        both = min(len(ours), len(recorded))
        return both, "steps", f"got {len(ours)} steps, recorded {len(recorded)}"
    return None
