"""A step in words, in one of two registers: the storage room's or the engine's.

One pure function, used on screen, by screen readers and in exports. A caption says what
happened and why: first in the queue, same label, needs 5 and 3 are free, came in last.
`**bold**` marks emphasis; there is no other markup. The registers never mix.

Leaves out: letters, hues and other drawing; the sentences themselves are in `room_words.py`,
`room_leaving.py` and `engine_words.py`.
"""

from __future__ import annotations

from typing import Literal

from pagedviz.timeline import engine_words, room_leaving, room_words
from pagedviz.timeline.step import Step

Register = Literal["room", "engine"]
REGISTERS: tuple[Register, Register] = ("room", "engine")

_WORDS = {
    "room": {
        "": room_words.start,
        "add_request": room_words.add_request,
        "append": room_words.append,
        "admit": room_words.admit,
        "allocate": room_words.allocate,
        "rollback": room_words.rollback,
        "free": room_leaving.leave,
        "preempt": room_leaving.leave,
        "reset_prefix_cache": room_leaving.reset,
        "evict_blocks": room_leaving.evict_blocks,
    },
    "engine": {
        "": engine_words.start,
        "add_request": engine_words.add_request,
        "append": engine_words.append,
        "admit": engine_words.admit,
        "allocate": engine_words.allocate,
        "rollback": engine_words.rollback,
        "free": engine_words.leave,
        "preempt": engine_words.leave,
        "reset_prefix_cache": engine_words.reset,
        "evict_blocks": engine_words.evict_blocks,
    },
}


def caption(step: Step, register: Register) -> str:
    """What happened in this step, and why.

    >>> from pagedviz.timeline.play import play
    >>> from pagedviz.timeline.run import Run
    >>> steps = play(Run("one", {"num_blocks": 4, "block_size": 2}, [
    ...     {"op": "add_request", "req": "A", "tokens": [7, 8, 9]},
    ...     {"op": "admit", "req": "A"}])).steps
    >>> caption(steps[2], "room")
    '**Visitor A** comes in and gets shelves **1 and 2**, the first in the queue.'
    >>> caption(steps[2], "engine")
    'get_computed_blocks(req A) -> []; allocate_slots: popleft_n(2) -> [1, 2]; caches #0'
    """
    if register not in _WORDS:
        raise ValueError(f"register must be 'room' or 'engine', not {register!r}")
    return _WORDS[register][step.name](step)
