"""The steps as a table: what stands under the stage, and instead of it if it cannot draw.

One row per step, in the words and units of one register. `used`, `kept` and `free` (empty,
without a hash) together are the pool without the null block; `wasted` and `shared` are parts
of `used`.

Leaves out: the blocks one by one.
"""

from __future__ import annotations

import pandas as pd

from pagedviz.timeline.captions import Register, caption
from pagedviz.timeline.play import Timeline
from pagedviz.timeline.step import Step

MEASURES = ("used", "wasted", "shared", "kept", "free")
UNITS: dict[Register, tuple[str, str]] = {
    "room": ("shelves", "boxes"),
    "engine": ("blocks", "tokens"),
}


def steps_table(timeline: Timeline, register: Register = "room") -> pd.DataFrame:
    """One row per step, step 0 included: its words, then each measure in each unit.

    In boxes or tokens, `used` are the filled places and `wasted` the empty ones beside them.
    The engine's table has a column "tick" if a scheduler drove the run.

    >>> from pagedviz.timeline.presets import DEFAULT
    >>> from pagedviz.timeline.play import play
    >>> list(steps_table(play(DEFAULT.run)).columns[:5])
    ['step', 'visitor', 'what happened', 'used (shelves)', 'used (boxes)']
    >>> list(steps_table(play(DEFAULT.run), "engine").columns[:5])
    ['step', 'operation', 'request', 'what happened', 'used (blocks)']
    """
    size = timeline.pool.block_size
    block, token = UNITS[register]
    rows = []
    for step in timeline.steps:
        row = _words(step, register)
        c = step.counts
        blocks = (c.used, c.unfilled / size, c.shared, c.kept, c.empty)
        tokens = (c.tokens, c.unfilled, c.shared * size, c.kept * size, c.empty * size)
        for name, b, t in zip(MEASURES, blocks, tokens, strict=True):
            row |= {f"{name} ({block})": round(b, 2), f"{name} ({token})": t}
        rows.append(row)
    table = pd.DataFrame(rows)
    if register == "room":
        return table
    if all(step.tick is None for step in timeline.steps):
        return table.drop(columns="tick")
    return table.astype({"tick": "Int64"})  # whole numbers with a gap: step 0 has none


def _words(step: Step, register: Register) -> dict[str, object]:
    who = step.request.letter if step.request else ""
    said = caption(step, register).replace("**", "")
    if register == "room":
        return {"step": step.index, "visitor": who, "what happened": said}
    return {
        "step": step.index,
        "tick": step.tick,
        "operation": step.name,
        "request": who,
        "what happened": said,
    }
