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
            "Three visitors of different length share a room of 29 shelves. One shelf "
            "serves two of them; one visitor has to wait, and gets in when another leaves.",
            "Three requests of different length in a pool of 29 blocks. One block is shared, "
            "one admission is refused, and succeeds once another request is freed.",
        ),
        24,
        preset_runs.three_visitors,
    ),
    _preset(
        "one-visitor",
        "One visitor, box by box",
        "One request, token by token",
        Words(
            "A shelf is given out only when the one before it is full, so at most the last "
            "shelf has empty places.",
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
            "Who does not fit waits, and so does everybody behind, even somebody small "
            "enough. Who is inside waits too when the queue is empty.",
            "An admission that does not fit is refused and holds up the waiting line. A "
            "running request is refused as well when the free queue is empty.",
        ),
        6,
        preset_runs.room_full,
    ),
    _preset(
        "preemption",
        "Sent back, and back again",
        "Preemption and coming back",
        Words(
            "No shelf is left for somebody inside, so the one who came in last has to go "
            "back to the door. What its labels kept makes the way back shorter.",
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
            "Three visitors begin with the same words, which stand on the shelves only once. "
            "The fourth differs in the very first word, and can share nothing.",
            "Three prompts have a common prefix, which is stored once. The fourth differs in "
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
            "A question that is known to its last box still has its last shelf worked out "
            "again: without a last box there is nothing to go on from. The copy stays.",
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
            "The worked example from vLLM's own description of its shelves: ten of them, "
            "four boxes each.",
            "The worked example of vLLM's design page on prefix caching: ten usable blocks, "
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
            "Sixteen visitors in 30 small shelves. Half of them begin with the same words. "
            "Some wait, some are sent back, much is thrown out.",
            "Sixteen requests in 30 blocks of 4, half of them with a common prefix, run by "
            "the scheduler: hits, evictions, refusals and preemptions.",
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
