"""How much a run may move: a budget that is spent while it is played.

Few operations can mean much: somebody with 8,191 blocks who is sent back and let in again a
thousand times is a short link and would be 192 MB for the browser. What is counted is what a
step makes the timeline hold and the wire carry, before the next step is played.

Leaves out: the limits on what a run may say (`ops.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pagedviz.timeline.errors import RunError
from pagedviz.timeline.frozen import ints
from pagedviz.timeline.state import NO_HASH, Change

# Measured: a full 2,000 x 8,192 run spends 60 % of it; at the end of it the packed wire
# has 3 to 4.5 MB and playing takes 1 to 2 seconds.
MAX_WORK = 800_000
_OWNERS_PER_UNIT = 4  # a shared block lists its owners again whenever it changes
_TOKENS_PER_UNIT = 16  # events repeat the tokens of blocks that are stored


class Work:
    """Adds up what the steps of a run move."""

    def __init__(self) -> None:
        self.spent = 0

    def spend(
        self,
        step: int,
        op: str,
        change: Change,
        result: Mapping[str, object],
        events: Sequence[Mapping[str, object]],
    ) -> None:
        """Count one step; RunError once all steps together move too much."""
        owners = sum(len(block.owners) for block in change.blocks)
        stored = sum(len(ints(event.get("token_ids"))) for event in events)
        self.spent += (
            len(change.blocks)
            # A hash is written once more where it is stored and where it is lost.
            + sum(block.hash_class != NO_HASH for block in change.blocks)
            + len(ints(result.get("hit_blocks")))
            + (len(change.table.appended) if change.table else 0)
            + sum(map(len, change.queue[1:]))
            + owners // _OWNERS_PER_UNIT
            + stored // _TOKENS_PER_UNIT
        )
        if self.spent > MAX_WORK:
            raise RunError(
                "moves more blocks than a picture can follow: "
                f"all steps up to here together make {self.spent:,} changes, and the limit is "
                f"{MAX_WORK:,}",
                source="run",
                step=step,
                op=op,
                advice="Use fewer steps, shorter requests or larger blocks.",
            )
