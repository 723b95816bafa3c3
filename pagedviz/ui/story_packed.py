"""The story as the stage gets it, made once for all viewers, and one beat as a plain table."""

from functools import cache
from typing import Any

from pagedviz.timeline.story.beat import plain
from pagedviz.timeline.story.tale import beats
from pagedviz.timeline.story.wire import encode
from pagedviz.timeline.wire import pack


@cache
def packed_story() -> str:
    """All scenes and beats, packed: the story is the same for everybody."""
    return pack(encode())


def plain_beat(step: int) -> dict[str, Any]:
    """A beat for a browser that cannot draw: its sentence in both registers, its calculation.

    >>> plain_beat(4)["words"][1]
    'For LLaMA-13B each token takes 819,200 bytes of cache. 2 × 40 layers × 40 heads × 128 × 2 B
     = 819,200 B'
    """
    beat = beats()[step]
    pairs = zip(beat.says, beat.calc, strict=True)
    words = [" ".join(filter(None, (plain(says), calc))) for says, calc in pairs]
    return {"step": step, "last": len(beats()) - 1, "words": words, "rows": [], "queue": []} | {
        "more": 0
    }
