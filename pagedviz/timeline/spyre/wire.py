"""A run on Spyre as the browser gets it: one JSON object, compact, everything looked up.

Top level: limit (batch x tkv), max_seqs, context, usable (blocks), chunk, release, requests,
turns, steps. Of a step: k, t (engine clock), c (captions), kinds; for a decode step rows, w, tkv,
vol, carry, more, most; for a prefill step pre; pa, np, re, fin, wait, pw, run, m. Absent keys are
empty or do not apply.

Leaves out: block ids; this picture shows how many, not which.
"""

from __future__ import annotations

from typing import Any

from pagedviz.engine.spyre.chunks import BLOCK_SIZE
from pagedviz.engine.spyre.padding import Rectangle
from pagedviz.engine.spyre.step_result import PrefillStep, StepResult
from pagedviz.timeline.spyre import words_engine, words_room
from pagedviz.timeline.spyre.moments import Moment, Played, Visitor
from pagedviz.timeline.spyre.reasons import why

VERSION = 1


def encode(played: Played) -> dict[str, Any]:
    """The run in wire format 1, kind "spyre"."""
    limits = played.limits
    numbers = {visitor.request_id: visitor.number for visitor in played.visitors}
    wire: dict[str, Any] = {
        "v": VERSION,
        "kind": "spyre",
        "title": played.title,
        "last": len(played.moments) - 1,
        "limit": limits.batch_tkv_limit,
        "max_seqs": limits.max_num_seqs,
        "context": limits.max_model_len,
        "usable": limits.usable_blocks,
        "chunk": limits.chunk_size,
        "release": played.release.name,
        "requests": [request(visitor) for visitor in played.visitors],
        "turns": list(played.turns()),
        "steps": [_step(played, moment, numbers) for moment in played.moments],
    }
    if played.is_mix:
        wire["mix"] = True
    return wire


def request(visitor: Visitor) -> dict[str, Any]:
    """A request as all steps share it."""
    found: dict[str, Any] = {
        "id": visitor.request_id,
        "letter": visitor.letter,
        "hue": visitor.hue,
        "prompt": visitor.prompt,
        "max": visitor.max_tokens,
        "out": visitor.output,
        "arrive": visitor.arrival,
    }
    if (check := visitor.refused) is not None:
        found["refused"] = {"max": check.max_tokens_that_fit, "prompt": check.prompt_that_fits}
    return found


def _step(played: Played, moment: Moment, numbers: dict[str, int]) -> dict[str, Any]:
    result = moment.result
    out: dict[str, Any] = {
        "k": "start" if result is None or moment.is_start else result.kind,
        "c": [words_room.caption(played, moment), words_engine.caption(played, moment)],
    }
    if moment.kinds:
        out["kinds"] = list(moment.kinds)
    if moment.refused:
        out["no"] = list(moment.refused)
    if result is None:
        out["m"] = [0, 0, played.limits.usable_blocks]
        return out
    out["t"] = result.step
    if result.rectangle is not None:
        out |= _rectangle(result.rectangle, moment, result.volume_limit, numbers)
    if result.prefill is not None:
        out["pre"] = _prefill(result.prefill, numbers)
    lists = {
        "pa": [numbers[name] for name in result.paused],
        "np": [numbers[name] for name in result.newly_paused],
        "re": [numbers[name] for name in result.resumed],
        "fin": [numbers[one.request_id] for one in result.finished],
        "wait": [[numbers[one.request_id], *why(one, played.limits)] for one in result.waiting],
        "run": _running(result, numbers),
    }
    out |= {key: value for key, value in lists.items() if value}
    if (one := result.prefill_waits) is not None:
        out["pw"] = [numbers[one.request_id], *why(one, played.limits)]
    blocks = result.blocks
    out["m"] = [blocks.held, blocks.promised, blocks.available]
    return out


def _running(result: StepResult, numbers: dict[str, int]) -> list[list[int]]:
    return [
        [
            numbers[one.request_id],
            one.stored,
            one.generated,
            one.held_blocks,
            one.promised_blocks,
        ]
        for one in result.running
    ]


def _rectangle(
    rectangle: Rectangle, moment: Moment, limit: int, numbers: dict[str, int]
) -> dict[str, Any]:
    out: dict[str, Any] = {
        "rows": [
            [numbers[row.request_id], row.left_blocks, row.held_blocks, row.tokens]
            for row in rectangle.rows
        ],
        "w": rectangle.width_blocks,
        "tkv": rectangle.tkv,
        "vol": rectangle.volume,
        "carry": rectangle.tokens,
        "most": limit // rectangle.tkv,
    }
    if moment.one_more is not None:
        out["more"] = moment.one_more
    return out


def _prefill(step: PrefillStep, numbers: dict[str, int]) -> dict[str, Any]:
    return {
        "r": numbers[step.request_id],
        "chunk": step.chunk + 1,
        "of": step.chunks_total,
        "skipped": step.chunks_skipped,
        "left": step.left_padding,
        "right": step.right_padding,
        "from": step.start,
        "to": step.end,
        "reused": step.reused_blocks * BLOCK_SIZE,
        "len": step.prompt_len,
    }
