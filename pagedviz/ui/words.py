"""Which register the viewer has chosen, kept for the whole session, and counted nouns in it."""

from typing import cast

import streamlit as st

from pagedviz.timeline.captions import Register

REGISTERS: tuple[Register, ...] = ("room", "engine")
_KEY = "words"
_NAMES: dict[Register, str] = {"room": "Storage room", "engine": "Engine"}
_NOUNS: dict[Register, dict[str, tuple[str, str]]] = {
    "room": {"shelves": ("shelf", "shelves"), "boxes": ("box", "boxes")},
    "engine": {"shelves": ("block", "blocks"), "boxes": ("token", "tokens")},
}


def register() -> Register:
    """The storage room's words unless the viewer chose the engine's."""
    return cast(Register, st.session_state.get(_KEY, "room"))


def in_register() -> dict[str, str]:
    """What a link needs so that the page it opens uses the same words."""
    return {} if register() == REGISTERS[0] else {"words": register()}


def set_register(chosen: str) -> None:
    """Keep the choice; anything but the two registers is ignored."""
    if chosen in REGISTERS:
        st.session_state[_KEY] = chosen


def remember_register(key: str = "stage") -> None:
    """Take over the choice made on the stage with this key (its callback)."""
    set_register(str(st.session_state[key].get("register", "")))


def words_switch() -> None:
    """The choice of words for a part of a page without a stage, which has it otherwise."""
    key = f"words.switch.{register()}"
    st.segmented_control(
        "Words",
        REGISTERS,
        default=register(),
        key=key,
        format_func=_NAMES.__getitem__,
        on_change=_switch,
        args=(key,),
        label_visibility="collapsed",
    )


def _switch(key: str) -> None:
    set_register(str(st.session_state.get(key) or ""))


def counted(n: int, noun: str, in_words: Register | None = None) -> str:
    """A number with its noun in the register: "31 shelves", "1 block"."""
    one, many = _NOUNS[in_words or register()][noun]
    return f"{n:,} {one if n == 1 else many}"
