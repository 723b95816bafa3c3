"""Runs to start from: the default, the eight of the allocator page, and two bigger ones.

Each makes one claim ("here a refusal resolves itself"); the tests check that it does.

Leaves out: any picture of the run; the stage opens at `opening`, the step worth seeing first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from pagedviz.timeline.build import add_visitor, leave, new_run, write
from pagedviz.timeline.drive import DriveConfig, drive
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


def _three_visitors(title: str) -> Run:
    run = add_visitor(new_run(30, 16, title=title), 150)
    run = _writes(run, 3)
    run = add_visitor(run, 40, share_with="A", share_tokens=16)
    run = _writes(run, 3)
    run = add_visitor(run, 280)  # 18 shelves; 17 are free
    run = _writes(run, 2)
    run = leave(run, "B")  # now C fits
    run = _writes(run, 4)
    run = leave(run, "A")
    return leave(_writes(run, 2), "C")


def _one_visitor(title: str) -> Run:
    return leave(_writes(add_visitor(new_run(10, 4, title=title), 6), 9), "A")


def _room_full(title: str) -> Run:
    run = new_run(12, 4, title=title)
    for tokens in (20, 16, 12):  # 5 + 4 of 11 shelves; 3 more do not fit
        run = add_visitor(run, tokens)
    run = add_visitor(run, 4)  # one shelf would be there, but C is first in line
    run = _writes(run, 2)  # A and B want one each: the last two
    run = leave(run, "B")
    run = _writes(run, 1)
    return leave(leave(leave(run, "A"), "C"), "D")


def _preemption(title: str) -> Run:
    return drive(
        DriveConfig(
            num_blocks=11,
            block_size=4,
            visitors=3,
            arrivals=0.6,
            prompt=(7, 13),
            answer=(8, 12),
            token_budget=16,
            seed=44,
        ),
        title,
    )


def _same_opening(title: str, caching: bool = True) -> Run:
    run = add_visitor(new_run(26, 8, caching, title), 44)
    run = add_visitor(run, 52, share_with="A", share_tokens=36)
    run = add_visitor(run, 38, share_with="A", share_tokens=32)
    run = _writes(run, 2)
    run = leave(run, "A")  # B and C keep the opening in use
    # The same words after another first one: nothing in front of them is the same.
    first = next(iter(run.ops[0]["tokens"]))  # type: ignore[call-overload]
    opening = list(range(first + 1, first + 32))
    run = run.extended(
        [
            {"op": "add_request", "req": "D", "tokens": [7, *opening]},
            {"op": "admit", "req": "D", "has_scheduled_reqs": True},
        ]
    )
    return leave(leave(leave(run, "C"), "B"), "D")


def _same_question(title: str) -> Run:
    run = add_visitor(new_run(16, 4, title=title), 12)
    run = add_visitor(run, 12, share_with="A")  # the very same 12
    run = add_visitor(run, 13, share_with="A")  # the same 12, and one more
    run = _writes(run, 2)
    return leave(leave(leave(run, "A"), "B"), "C")


def _kept(title: str) -> Run:
    run = add_visitor(new_run(12, 4, title=title), 14)
    run = leave(run, "A")  # 4 to the front; 3, 2, 1 to the end
    run = leave(add_visitor(run, 10), "B")
    run = add_visitor(run, 26)  # takes the front of the queue, then what was kept
    run = add_visitor(run, 14, share_with="A")  # A's words again: what is left of them
    return leave(leave(run, "C"), "D")


def _design_page(title: str) -> Run:
    """The worked example of vLLM's design page, as recorded from the real code."""
    r0 = [43, 38, 5, 39, 42, 47, 40, 32, 2, 40, 23, 28, 33, 6, 43]
    r1 = [*r0[:10], 467, 615, 814, 288]
    r2 = [
        *r0[:12],
        947,
        387,
        996,
        753,
        433,
        454,
        147,
        982,
        819,
        994,
        924,
        858,
        50,
        93,
        423,
        76,
        556,
    ]
    return Run(
        title,
        {"num_blocks": 11, "block_size": 4},
        [
            {"op": "add_request", "req": "r0", "tokens": r0},
            {"op": "admit", "req": "r0", "has_scheduled_reqs": False},
            {"op": "append", "req": "r0", "tokens": [1]},
            {"op": "allocate", "req": "r0", "num_new_tokens": 1},
            {"op": "append", "req": "r0", "tokens": [2]},
            {"op": "allocate", "req": "r0", "num_new_tokens": 1},
            {"op": "add_request", "req": "r1", "tokens": r1},
            {"op": "admit", "req": "r1", "has_scheduled_reqs": True},
            {"op": "free", "req": "r0"},
            {"op": "free", "req": "r1"},
            {"op": "add_request", "req": "r2", "tokens": r2},
            {"op": "admit", "req": "r2", "has_scheduled_reqs": False},
            {"op": "free", "req": "r2"},
        ],
    )


def _afternoon(title: str) -> Run:
    return drive(
        DriveConfig(
            num_blocks=31,
            block_size=4,
            visitors=16,
            arrivals=0.45,
            prompt=(8, 30),
            answer=(4, 12),
            shared_opening=12,
            sharing=0.5,
            token_budget=24,
            seed=0,
        ),
        title,
    )


def _writes(run: Run, times: int) -> Run:
    for _ in range(times):
        run = write(run)
    return run


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
        _three_visitors,
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
        _one_visitor,
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
        _room_full,
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
        _preemption,
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
        _same_opening,
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
        _same_question,
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
        _kept,
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
        lambda title: _same_opening(title, caching=False),
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
        _design_page,
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
        _afternoon,
    ),
)
DEFAULT = PRESETS[0]


def preset(key: str) -> Preset | None:
    """The preset with this id, or None.

    >>> preset("kept").title.room
    'What is kept after leaving'
    """
    return next((p for p in PRESETS if p.id == key), None)
