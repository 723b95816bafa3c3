"""Runs to start from: the default, the eight of the allocator page, and two bigger ones.

Each makes one claim ("here a refusal resolves itself"), said in both registers; the tests
check that it holds.

Leaves out: what happens in each run (`preset_runs.py`), and any picture of it; the stage opens
at `opening`, the step worth seeing first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from pagedviz.timeline import preset_runs
from pagedviz.timeline.run import Run


class Words(NamedTuple):
    """The same said in the storage room's words and in the engine's."""

    room: str
    engine: str


@dataclass(frozen=True, slots=True)
class Preset:
    """A run with a name and a reason. `note` is what one should know beside it, or None."""

    id: str
    title: Words
    lead: Words
    opening: int  # step
    run: Run
    note: Words | None = None


def _preset(
    key: str,
    room: str,
    engine: str,
    lead: Words,
    opening: int,
    make: Callable[[str], Run],
    note: Words | None = None,
) -> Preset:
    return Preset(key, Words(room, engine), lead, opening, make(room), note)


PRESETS: tuple[Preset, ...] = (
    _preset(
        "three-visitors",
        "Three visitors",
        "Three requests",
        Words(
            "They bring different numbers of boxes to a room of 29 shelves. One shelf serves "
            "2 of them; one visitor has to wait, and gets in when another leaves.",
            "Their prompts differ in length; the pool has 29 blocks. One block is shared, one "
            "admission is refused, and succeeds once another request is freed.",
        ),
        24,
        preset_runs.three_visitors,
    ),
    _preset(
        "one-visitor",
        "One visitor, box by box",
        "One request, token by token",
        Words(
            "A shelf is given out only when the one before it is full, so only the last "
            "shelf can have empty places.",
            "A block is allocated only when the last one is full, so at most block_size - 1 "
            "slots are unfilled.",
        ),
        8,
        preset_runs.one_visitor,
    ),
    _preset(
        "room-full",
        "The room is full",
        "The pool is full",
        Words(
            "Whoever does not fit has to wait, and so does everybody behind, even somebody "
            "small enough. Those inside have to wait too when the queue is empty.",
            "An admission that does not fit is refused and holds up the waiting line. A "
            "running request is refused as well when the free queue is empty.",
        ),
        6,
        preset_runs.room_full,
    ),
    _preset(
        "preemption",
        "Sent back, and back again",
        "Preemption and readmission",
        Words(
            "No shelf is left for somebody inside, so whoever came in last has to go back to "
            "the door. The shelves that kept their labels save work on the way back in.",
            "No block is left for a running request, so the last admitted one is preempted. "
            "Readmitted, it finds those of its blocks that are still cached.",
        ),
        39,
        preset_runs.preemption,
    ),
    _preset(
        "same-opening",
        "Same opening words",
        "Same prefix",
        Words(
            "A, B and C begin with the same boxes, which stand on the shelves only once. "
            "D differs in the very first box, and can share nothing.",
            "A, B and C have a common prefix, which is stored once. D differs in "
            "its first token: hashes are chained, so nothing after it matches.",
        ),
        4,
        preset_runs.same_opening,
    ),
    _preset(
        "same-question",
        "The same question twice",
        "The same prompt twice",
        Words(
            "B brings just what A brought, and still the last shelf is worked out anew: the "
            "last box is what an answer goes on from. The copy stays.",
            "A prompt that is cached to its last token has its last block computed again, "
            "since one token must be computed. The duplicate block stays.",
        ),
        4,
        preset_runs.same_question,
    ),
    _preset(
        "kept",
        "What is kept after leaving",
        "What stays cached after free",
        Words(
            "Shelves with a label go to the end of the queue, the last part of a visit "
            "first, and can be found again until their turn comes.",
            "Hashed blocks go to the tail of the free queue, the end of the table first, and "
            "can be hit until they are evicted from the head.",
        ),
        3,
        preset_runs.kept,
    ),
    _preset(
        "caching-off",
        "Without labels",
        "Prefix caching off",
        Words(
            'The visitors of "Same opening words", in a room without labels: each needs '
            "shelves of its own, and nothing is found again.",
            'The requests of "Same prefix" with prefix caching off: no block is shared or '
            "found again, and every freed block goes to the head of the queue.",
        ),
        6,
        lambda title: preset_runs.same_opening(title, caching=False),
    ),
    _preset(
        "design-page",
        "The example of vLLM's design page",
        "The example of vLLM's design page",
        Words(
            "The worked example from vLLM's own description: 10 shelves for 4 boxes each.",
            "The worked example of vLLM's design page on prefix caching: 10 usable blocks, "
            "block_size 4.",
        ),
        10,
        preset_runs.design_page,
        Words(
            "vLLM's page ends up with another queue here: 8, 9, 10, 5, 4, 3, 7, 6, 2, 1 (its "
            "numbers moved up by one, since it does not count shelf 0). The program itself "
            "puts shelves without a label in front: 7, 5, 8, 9, 10, 4, 3, 6, 2, 1.",
            "vLLM's design page shows the free queue 8, 9, 10, 5, 4, 3, 7, 6, 2, 1 here (ids "
            "shifted by one for the null block). The code of 0.33.0 prepends unhashed "
            "blocks: 7, 5, 8, 9, 10, 4, 3, 6, 2, 1.",
        ),
    ),
    _preset(
        "afternoon",
        "A busy afternoon",
        "A busy scheduler",
        Words(
            "16 visitors take turns at 30 small shelves. Half of them begin with the same "
            "boxes. Some wait, some are sent back, and much is thrown out.",
            "16 requests in a pool of 30 blocks of 4 tokens, half of them with a common prefix, "
            "run by the scheduler: hits, evictions, refusals and preemptions.",
        ),
        177,
        preset_runs.afternoon,
    ),
)
DEFAULT = PRESETS[0]


def preset(key: str) -> Preset | None:
    """The preset with this id, or None.

    >>> preset("kept").title.room
    'What is kept after leaving'
    """
    return next((p for p in PRESETS if p.id == key), None)
