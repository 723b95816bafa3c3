"""The steps as a table: what stands under the stage, and instead of it if it cannot draw.

One row per step. `used`, `kept` and `free` (empty, without a hash) together are the pool
without the null block; `wasted` and `shared` are parts of `used`. Percent are of the pool.

Leaves out: the blocks one by one.
"""

from __future__ import annotations

import pandas as pd

from pagedviz.timeline.captions import caption
from pagedviz.timeline.play import Timeline

WORDS = ("step", "tick", "operation", "visitor", "what happened", "engine's words")
MEASURES = ("used", "wasted", "shared", "kept", "free")
UNITS = ("blocks", "tokens", "%")


def steps_table(timeline: Timeline) -> pd.DataFrame:
    """One row per step, step 0 included; columns WORDS, then each measure in each unit.

    In tokens, `used` are the filled places and `wasted` the empty ones beside them.

    >>> from pagedviz.timeline.presets import DEFAULT
    >>> from pagedviz.timeline.play import play
    >>> table = steps_table(play(DEFAULT.run))
    >>> list(table.columns[:4]), int(table["used blocks"].max())
    (['step', 'tick', 'operation', 'visitor'], 29)
    """
    size, usable = timeline.pool.block_size, timeline.pool.usable
    rows = []
    for step in timeline.steps:
        c = step.counts
        row: dict[str, object] = {
            "step": step.index,
            "tick": step.tick,
            "operation": step.name,
            "visitor": step.request.letter if step.request else "",
            "what happened": caption(step, "room").replace("**", ""),
            "engine's words": caption(step, "engine").replace("**", ""),
        }
        blocks = (c.used, c.unfilled / size, c.shared, c.kept, c.empty)
        tokens = (c.tokens, c.unfilled, c.shared * size, c.kept * size, c.empty * size)
        for name, b, t in zip(MEASURES, blocks, tokens, strict=True):
            row |= {
                f"{name} blocks": round(b, 2),
                f"{name} tokens": t,
                f"{name} %": round(100 * b / usable, 1),
            }
        rows.append(row)
    # Int64: whole numbers with gaps; most runs have no scheduler and hence no ticks.
    return pd.DataFrame(rows).astype({"tick": "Int64"})
