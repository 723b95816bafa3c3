"""The reason at a first miss as one or two sentences, in one of the two registers.

A pure function of what `sharing.py` found out: no sentence is there before its reason.
`**bold**` marks emphasis, as in captions; pieces of text stand in quotation marks.

Leaves out: the sentences (`sharing_room_words.py`, `sharing_engine_words.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from pagedviz.timeline import sharing_engine_words, sharing_room_words
from pagedviz.timeline.captions import Register
from pagedviz.timeline.sharing_reasons import Kind, Reason
from pagedviz.timeline.sharing_view import PromptView

_Words = Callable[[PromptView, Reason], str]


def _table(words: ModuleType) -> dict[Kind, _Words]:
    return {
        "nobody_before": words.nobody,
        "token_differs": words.token,
        "block_not_full": words.not_full,
        "last_token": words.last,
        "evicted": words.evicted,
        "salt_differs": words.salt,
        "adapter_differs": words.adapter,
        "other_not_full": words.other,
        "waiting": words.waiting,
        "not_admitted": words.never,
        "caching_off": words.off,
    }


_WORDS: dict[Register, dict[Kind, _Words]] = {
    "room": _table(sharing_room_words),
    "engine": _table(sharing_engine_words),
}


def reason_words(view: PromptView, register: Register) -> str:
    """Why the sharing of this prompt ends where it does.

    Raises ValueError for a register that is not "room" or "engine".
    """
    if register not in _WORDS:
        raise ValueError(f"register must be 'room' or 'engine', not {register!r}")
    return _WORDS[register][view.reason.kind](view, view.reason)
