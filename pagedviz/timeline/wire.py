"""A timeline as the browser gets it: one JSON object, compact, everything looked up.

The scripts of the stage draw and compute nothing, so each value they show is in here: per
step the blocks that changed, the turn of the queue, the table, the numbers of the request,
the meter, the effects and both captions. Absent keys mean empty, zero or unchanged.

Leaves out: the tokens themselves and the events; the stage shows neither.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable, Mapping

from pagedviz.timeline.captions import caption
from pagedviz.timeline.play import Timeline
from pagedviz.timeline.step import Effects, Step

VERSION = 1
KINDS = ("new", "share", "evict", "refuse", "preempt", "leave", "clear")


def encode(timeline: Timeline) -> dict[str, object]:
    """The timeline in wire format 1.

    Top level: v, title, num_blocks, block_size, caching, last, requests, parents, steps.
    Of a step: op, r (request number), n (tokens of the operation), tick; no (refused),
    need, free, wm, never; b, w, f, h (blocks, their owners, fill, hash class); q (popped
    from the head, removed, prepended, appended); t (tables); k (numbers of a request);
    x (effects); m (meter); kinds; c (captions: room, engine).
    """
    pool = timeline.pool
    return {
        "v": VERSION,
        "title": timeline.run.title,
        "num_blocks": pool.num_blocks,
        "block_size": pool.block_size,
        "caching": pool.caching,
        "last": timeline.last,
        "requests": [
            {"id": r.request_id, "letter": r.letter, "hue": r.hue, "step": r.step}
            for r in timeline.requests
        ],
        "parents": {str(cls): parent for cls, parent in enumerate(timeline.parents)},
        "steps": [_step(step) for step in timeline.steps],
    }


def pack(wire: Mapping[str, object]) -> str:
    """base64(gzip(json)), the same text for the same timeline.

    >>> pack({"v": 1}) == pack({"v": 1})
    True
    """
    text = json.dumps(wire, separators=(",", ":"), ensure_ascii=False)
    # mtime=0: no clock in the bytes. Level 6 is half as slow as 9 and 2 % larger.
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode("ascii")


def _step(step: Step) -> dict[str, object]:
    out: dict[str, object] = {}
    if step.op is not None:
        out["op"] = step.name
    if step.request is not None:
        out["r"] = step.request.number
    if n := step.num_tokens_of_op:
        out["n"] = n
    if step.tick is not None:
        out["tick"] = step.tick
    if step.refused:
        out["no"] = 1
    if (refusal := step.effects.refusal) is not None:
        out["need"], out["free"] = refusal.need, refusal.free
        if refusal.watermark:
            out["wm"] = refusal.watermark
    if step.effects.never:
        out["never"] = step.effects.never
    out |= _changes(step)
    if effects := _effects(step.effects):
        out["x"] = effects
    out["m"] = list(step.counts)
    if step.effects.kinds:
        out["kinds"] = [kind for kind in KINDS if kind in step.effects.kinds]
    out["c"] = [caption(step, "room"), caption(step, "engine")]
    return out


def _changes(step: Step) -> dict[str, object]:
    out: dict[str, object] = {}
    change = step.change
    if step.index == 0:
        out["q"] = [0, [], [], list(range(1, step.pool.num_blocks))]
    if change.blocks:
        out["b"] = [c.block for c in change.blocks]
        out["w"] = [_owners(c.owners) for c in change.blocks]
        out["f"] = [c.fill for c in change.blocks]
        out["h"] = [c.hash_class for c in change.blocks]
    popped, *lists = change.queue
    if popped or any(lists):
        out["q"] = [popped, *([*blocks] for blocks in lists)]
    if (table := change.table) is not None:
        out["t"] = {
            str(table.request): None if table.keep is None else [table.keep, list(table.appended)]
        }
    if change.request is not None:
        number, view = change.request
        out["k"] = {str(number): list(view)}
    return out


def _owners(owners: tuple[int, ...]) -> int | list[int]:
    if len(owners) > 1:
        return list(owners)
    return owners[0] if owners else -1


def _effects(e: Effects) -> dict[str, object]:
    lists: dict[str, Iterable[object]] = {
        "new": e.new,
        "hit": e.hit,
        "ev": map(list, e.evict),
        "front": e.freed_front,
        "back": e.freed_back,
        "stay": e.stay,
        "fill": e.fills,
        "lab": map(list, e.stored),
        "unlab": map(list, e.unlabelled),
    }
    return {key: full for key, values in lists.items() if (full := list(values))}
