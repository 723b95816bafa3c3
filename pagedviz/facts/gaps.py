"""Where what is published about vLLM and PagedAttention differs from what vLLM 0.33.0 does.

The published side is true of its time, or true in most cases; the other is the release this app
follows. Leaves out: Spyre, whose differences are worked out by `timeline.spyre.differences`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from pagedviz.facts.checks import check_text
from pagedviz.facts.sources import SOURCES


class Said(NamedTuple):
    """The same said in the storage room's words and in the engine's."""

    room: str
    engine: str


@dataclass(frozen=True, slots=True)
class Gap:
    """One statement as published, and what the software does; each with its source and date."""

    id: str
    published: Said
    published_by: str
    actual: Said
    actual_by: str
    unconfirmed: bool = False  # the published side is second-hand: "according to"

    def __post_init__(self) -> None:
        for side in (*self.published, *self.actual, self.published_by, self.actual_by):
            check_text(f"gap {self.id}", side)


_PAPER: Final = SOURCES["paper"].cited
_ANNOUNCED: Final = SOURCES["announcement"].cited
_CODE: Final = SOURCES["vllm"].cited

GAPS: Final = (
    Gap(
        "queue",
        Said(
            "In the example of 10 shelves, the free ones end up in the order 8, 9, 10, 5, 4, 3, 7, "
            "6, 2, 1: whatever is given back goes to the end.",
            "In the example of 10 blocks the free queue ends as 8, 9, 10, 5, 4, 3, 7, 6, 2, 1 "
            "(ids shifted by one): freed blocks go to the tail.",
        ),
        f"{SOURCES['design-page'].name}, {SOURCES['design-page'].date}",
        Said(
            "7, 5, 8, 9, 10, 4, 3, 6, 2, 1: shelves without a label go to the front and are taken "
            "next; only those with one go to the end.",
            "7, 5, 8, 9, 10, 4, 3, 6, 2, 1: blocks without a hash are prepended at the head, only "
            "hashed ones are appended at the tail.",
        ),
        f"{_CODE}: v1/core/block_pool.py",
    ),
    Gap(
        "copy-on-write",
        Said(
            "Visitors share a shelf until one of them writes; then that one gets a copy.",
            "Parallel samples and beams share blocks by copy-on-write, the last one included.",
        ),
        f"{_PAPER}, section 4.4",
        Said(
            "Only full shelves are shared, and nobody writes on them: each visitor has a last "
            "shelf of their own, and nothing is ever copied.",
            "Only full blocks are shared, read-only, through the prefix cache. Parallel samples "
            "are requests of their own: no fork and no copy-on-write.",
        ),
        f"{_CODE}: v1/engine/llm_engine.py",
    ),
    Gap(
        "swapping",
        Said(
            "When the shelves run out, a visitor's boxes are carried to another house and "
            "brought back later.",
            "When blocks run out, those of a victim are swapped to CPU memory, or recomputed.",
        ),
        f"{_PAPER}, section 4.5",
        Said(
            "Nothing is carried anywhere: the visitor goes back to the door, and the boxes are "
            "filled anew later.",
            "Recompute only: all blocks of the victim are freed and the request goes to the front "
            "of the waiting queue. No swapping in the scheduler.",
        ),
        f"{_CODE}: v1/core/sched/scheduler.py",
    ),
    Gap(
        "block-16",
        Said("A shelf has 16 places.", "A block has 16 slots."),
        f"{_PAPER}, section 7.2, and vLLM's default",
        Said(
            "16 as a rule. Some machines ask for other shelves: 64 or 128 for some models, 128 "
            "without a graphics card, 64 on Spyre.",
            "16 by default; the attention backend may ask for another size: FlashMLA 64, CUTLASS "
            "MLA 128, CPU 128, the Spyre plugin 64.",
        ),
        f"{_CODE}: config/cache.py, platforms/",
    ),
    Gap(
        "waste",
        Said(
            "At most the last shelf of each visitor has empty places: under 4 % in all.",
            "Only the tail of each request's last block is empty: under 4 % in all.",
        ),
        _ANNOUNCED,
        Said(
            "So it is with long visits. A short one wastes more: 20 boxes on 2 shelves of 16 leave "
            "12 of 32 places empty, 37.5 %.",
            "True of long requests. A short one wastes more: 20 tokens in 2 blocks of 16 leave 12 "
            "of 32 slots empty, 37.5 %.",
        ),
        "arithmetic; the workload page counts it for any load",
    ),
    Gap(
        "hit-all",
        Said(
            "The same words a second time need no work at all.",
            "A prompt that is cached completely needs no prefill.",
        ),
        "As it is often told",
        Said(
            "The last box is always worked out again, and with it the shelf it stands on: a "
            "visitor with 48 boxes finds 2 of 3 shelves of 16, and gets a new third one.",
            "The last token is always computed, since its output is needed: a prompt of 48 tokens "
            "hits 2 of its 3 blocks of 16, and the third is computed into a new block.",
        ),
        f"{_CODE}: v1/core/kv_cache_manager.py",
    ),
    Gap(
        "usable",
        Said(
            "A room of 25 shelves gives out 25.",
            "A pool of 25 blocks can hold 25 blocks of tokens.",
        ),
        "As it is often told",
        Said(
            "24: shelf 0 is never given out.",
            "24: block 0 is the null block, and is counted in num_blocks all the same.",
        ),
        f"{_CODE}: v1/core/block_pool.py",
    ),
)
