"""The same requests on stock vLLM: blocks of 16 tokens, no product limit, preemption.

The prompts, answers and arrivals (in engine steps) are those of the scenario; the pool has as
many token slots, a step computes as many tokens as a Spyre chunk, and as many requests may run.
A step takes decodes and prompt chunks together, so the two clocks run at their own pace.

Leaves out: how long a step takes on either machine.
"""

from __future__ import annotations

from typing import Any

from pagedviz.engine.spyre.chunks import BLOCK_SIZE as SPYRE_BLOCK
from pagedviz.timeline.spyre import beside_words
from pagedviz.timeline.spyre.beside_run import BLOCK_SIZE, Length, steps_of
from pagedviz.timeline.spyre.beside_words import VllmStep
from pagedviz.timeline.spyre.play import play
from pagedviz.timeline.spyre.scenario import Scenario
from pagedviz.timeline.spyre.wire import VERSION, request


def beside(scenario: Scenario) -> dict[str, Any]:
    """The run in wire format 1, kind "vllm", with the letters and hues of the Spyre run.

    >>> from pagedviz.timeline.spyre.presets import DEFAULT
    >>> wire = beside(DEFAULT.make())
    >>> wire["usable"], wire["block"], wire["last"], wire["turns"][0][:5]
    (140, 16, 44, ' PPdd')
    """
    limits = scenario.limits
    context = limits.max_model_len
    lengths = [Length.of(one, context) for one in scenario.requests]
    steps = steps_of(scenario, lengths)
    visitors = play(scenario).visitors
    wire: dict[str, Any] = {
        "v": VERSION,
        "kind": "vllm",
        "title": scenario.title,
        "last": len(steps),
        "limit": None,
        "max_seqs": limits.max_num_seqs,
        "context": context,
        "usable": limits.usable_blocks * SPYRE_BLOCK // BLOCK_SIZE,
        "block": BLOCK_SIZE,
        "chunk": limits.chunk_size,
        "release": "vLLM 0.33.0",
        "requests": [],
    }
    for visitor, length in zip(visitors, lengths, strict=True):
        own = request(visitor) | {"max": length.max_tokens, "out": length.output}
        own.pop("refused", None)
        if not length.fits(visitor.prompt, context):
            own |= {"refused": {"max": max(0, context - visitor.prompt)}, "out": 0}
        wire["requests"].append(own)
    letters = [visitor.letter for visitor in visitors]
    start = beside_words.start(wire["usable"], limits.max_num_seqs, limits.chunk_size)
    wire["steps"] = [{"k": "start", "c": list(start), "m": [0, 0, wire["usable"]]}]
    wire["steps"] += [_wire_step(step, letters, wire["usable"]) for step in steps]
    wire["turns"] = [_turns(number, steps) for number in range(len(visitors))]
    return wire


def _wire_step(step: VllmStep, letters: list[str], usable: int) -> dict[str, Any]:
    kinds = {
        "arrive": step.arrived,
        "preempt": step.preempted,
        "leave": step.finished,
    }
    out: dict[str, Any] = {
        "k": "both",
        "t": step.clock,
        "c": list(beside_words.caption(step, letters)),
        "kinds": [kind for kind, there in kinds.items() if there],
        "n": [[number, tokens] for number, (tokens, _) in step.given.items()],
        "run": [list(one) for one in step.running],
        "wait": [[number, *why] for number, why in step.waits],
        "fin": [number for number, _ in step.finished],
        "pre": [number for number, _ in step.preempted],
        "m": [usable - step.free, 0, step.free],
    }
    return {key: value for key, value in out.items() if value != []}


def _turns(number: int, steps: list[VllmStep]) -> str:
    marks = [" "]
    for step in steps:
        lost = {one for one, _ in step.preempted}
        given = step.given.get(number)
        if number in lost:
            marks.append("x")
        elif given is not None:
            marks.append("P" if given[1] else "d")
        elif any(one == number for one, _ in step.waits):
            marks.append(".")
        elif any(one[0] == number for one in step.running):
            marks.append("~")
        else:
            marks.append(" ")
    return "".join(marks)
