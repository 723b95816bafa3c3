"""The run behind scenes 3 and 4: A, B, C and D in a pool of 24 blocks, as vLLM has it by default.

Real operations on the real block manager, prefix caching on. Also: a pool's state as the picture
of a room wants it.

Leaves out: what is said of it (`shelves.py`, `filling.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from pagedviz.engine.block_hash import get_request_block_hasher
from pagedviz.engine.request import Request
from pagedviz.timeline.frozen import ints
from pagedviz.timeline.play import Timeline, play
from pagedviz.timeline.run import Run
from pagedviz.timeline.story.figures import BLOCK_SIZE

BLOCKS: Final = 24  # that can be lent; block 0 comes on top
LENGTHS: Final = {"A": 37, "B": 20, "C": 30, "D": 50}  # tokens of the prompts
TO_FULL: Final = 11  # tokens A writes until its third block is full


def _prompt(name: str) -> list[int]:
    """Tokens that nobody else has: no two of these prompts share anything."""
    start = 1000 * (1 + list(LENGTHS).index(name))
    return list(range(start, start + LENGTHS[name]))


def _comes(name: str) -> list[dict[str, object]]:
    return [
        {"op": "add_request", "req": name, "tokens": _prompt(name)},
        {"op": "admit", "req": name},
    ]


def _writes(name: str, number: int) -> list[dict[str, object]]:
    return [
        {"op": "append", "req": name, "tokens": [9000 + number]},
        {"op": "allocate", "req": name, "num_new_tokens": 1},
    ]


# What has been done when a moment of the story is reached.
_MOMENTS: Final[Mapping[str, list[dict[str, object]]]] = {
    "empty": [],
    "A": _comes("A"),
    "BC": _comes("B") + _comes("C"),
    "left": [{"op": "free", "req": "B"}],
    "D": _comes("D"),
    "full": [op for number in range(TO_FULL) for op in _writes("A", number)],
    "next": _writes("A", TO_FULL),
}


@cache
def room_run() -> Timeline:
    """All of it, played.

    >>> state = room_run().state(step_at("D"))
    >>> state.tables[3], state.queue[0], state.queue[-1]
    ((5, 8, 9, 10), 11, 4)
    """
    ops = [op for part in _MOMENTS.values() for op in part]
    config = {"num_blocks": BLOCKS + 1, "block_size": BLOCK_SIZE}
    return play(Run("The story: one block at a time", config, ops))


def step_at(moment: str) -> int:
    """The step of the run at which a moment of the story is reached.

    >>> step_at("empty"), step_at("left")
    (0, 7)
    """
    names = list(_MOMENTS)
    return sum(len(_MOMENTS[name]) for name in names[: names.index(moment) + 1])


def room_state(timeline: Timeline, step: int) -> dict[str, object]:
    """The pool after a step, as the picture gets it.

    Keys: shelves, one list per block from 1 (owners, fill, hash class); queue; lists
    (letter -> block ids); boxes (letter -> tokens stored).
    """
    state = timeline.state(step)
    letters = {info.number: info.letter for info in timeline.requests}
    return {
        "shelves": [
            [list(state.owners[block]), state.fill[block], state.hashes[block]]
            for block in range(1, len(state.fill))
        ],
        "queue": list(state.queue),
        "lists": {letters[r]: list(table) for r, table in state.tables.items()},
        "boxes": {
            letters[r]: view.num_computed_tokens
            for r, view in state.requests.items()
            if r in state.tables
        },
    }


def marks_of(timeline: Timeline) -> dict[str, str]:
    """Hash class -> the first digits of the hash, as it stands on a block's plate.

    >>> len(marks_of(room_run())), {len(mark) for mark in marks_of(room_run()).values()}
    (8, {5})
    """
    tokens: dict[str, list[int]] = {}
    found: dict[str, str] = {}
    hasher = get_request_block_hasher(timeline.pool.block_size)
    for step, op in enumerate(timeline.run.ops, 1):
        name = str(op["req"])
        tokens[name] = [*tokens.get(name, ()), *ints(op.get("tokens", ()))]
        state, info = timeline.state(step), timeline.info(name)
        table = state.tables.get(info.number, ()) if info is not None else ()
        hashes = Request(name, tokens[name], block_hasher=hasher).block_hashes
        for block, digest in zip(table, hashes, strict=False):  # the last may not be full
            if state.hashes[block] >= 0:
                found[str(state.hashes[block])] = f"#{digest.hex()[:4]}"
    return found


def table_of(timeline: Timeline, step: int, name: str) -> tuple[int, ...]:
    """The block table of a request after a step."""
    info = timeline.info(name)
    if info is None:
        raise KeyError(name)
    return timeline.state(step).tables[info.number]


def listed(numbers: tuple[int, ...]) -> str:
    """Numbers in a sentence.

    >>> listed((5, 8, 9, 10))
    '5, 8, 9 and 10'
    """
    *most, last = map(str, numbers)
    return f"{', '.join(most)} and {last}" if most else last
