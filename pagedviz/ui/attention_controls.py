"""The row of levers on the attention page, and what came from the stage."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from pagedviz.timeline.attention.setup import NUMBERS, AttentionSetup, SetupError, with_text
from pagedviz.timeline.attention.trials import TRIALS, Missing, point, trial
from pagedviz.tokens import TextError, default_tokenizer
from pagedviz.ui.attention_say import said
from pagedviz.ui.attention_state import SHOP, bench
from pagedviz.ui.locks import hidden, locked
from pagedviz.ui.plain_text import warning
from pagedviz.ui.words import register

PROBLEM = "attention.problem"
NUMBER_LEVERS = (
    ("tokens", "tokens"),
    ("size", "block_size"),
    ("heads", "heads"),
    ("kv", "kv_heads"),
    ("dim", "head_size"),
    ("seed", "seed"),
)


def _key(name: str) -> str:
    """Key of a lever: another setup has other levers, so that an older one counts for nothing.

    So have other words: Streamlit knows a choice by its label.
    """
    return f"attention.{name}.{bench().revision}.{register()}"


def _change(make: Any, keep_typed: bool = False) -> None:
    """Put what `make(setup)` gives on the stage; say so if it cannot be.

    keep_typed: leave what was typed in its field, to be mended.
    """
    try:
        st.session_state[SHOP] = bench().changed(make(bench().setup))
        st.session_state[PROBLEM] = ""
    except (SetupError, TextError) as error:
        st.session_state[PROBLEM] = f"Nothing was changed. {error}"
        if not keep_typed:
            st.session_state[SHOP] = bench().anew()


def _set_number(name: str, field: str, key: str) -> None:
    if key != _key(name):  # of a setup that is gone by now
        return
    value = st.session_state[key]
    mend = {"reads": None, "past": False}  # lines and contents are others then
    _change(lambda setup: replace(setup, **{field: value}, **mend))


def _set_numbers(key: str) -> None:
    if key == _key("numbers"):
        _change(lambda setup: replace(setup, numbers=st.session_state[key]))


def _set_text(key: str) -> None:
    if key == _key("text"):
        text = st.session_state[key]
        _change(lambda setup: with_text(setup, text, default_tokenizer()), keep_typed=True)


def take_edit() -> None:
    """What the viewer moved, broke or pointed elsewhere on the stage (its callback)."""
    value = st.session_state["stage"].get("edit")
    if not isinstance(value, Mapping) or value.get("of") != bench().revision:
        return
    try:
        setup = edited(value)
        if setup is not None:
            st.session_state[SHOP] = bench().altered(setup)
        st.session_state[PROBLEM] = ""
    except SetupError as error:
        st.session_state[PROBLEM] = str(error)


def edited(value: Mapping[str, Any]) -> AttentionSetup | None:
    """The setup after what came from the stage; None for what means nothing."""
    setup, room = bench().setup, bench().reading.room
    if "moves" in value:
        return replace(setup, moves=setup.moves % 9999 + 1)
    if value.get("trial") in TRIALS:
        found = trial(setup, room, value["trial"])
        return None if isinstance(found, Missing) else found
    where = value.get("point")
    if isinstance(where, list) and len(where) == 2 and all(isinstance(n, int) for n in where):
        return point(setup, room, *where)
    return None


def row(words: Mapping[str, Any]) -> None:
    """Sentence, sizes, seed, and how the cache keeps a number."""
    setup = bench().setup
    with st.container(horizontal=True, vertical_alignment="bottom", key="tools"):
        if not hidden("text"):
            key = _key("text")
            st.text_input(
                words["text"],
                setup.text,
                key=key,
                on_change=_set_text,
                args=(key,),
                placeholder=words["text_hint"],
                help=words["text_help"],
                width=250,
                disabled=locked("text"),
            )
        for name, field in NUMBER_LEVERS:
            if hidden(name):
                continue
            key = _key(name)
            st.number_input(
                words[name],
                value=getattr(setup, field),
                step=2 if name == "dim" else 1,
                key=key,
                on_change=_set_number,
                args=(name, field, key),
                width=114,
                disabled=locked(name) or (name == "tokens" and bool(setup.text)),
                help=words["kv_help"] if name == "kv" else None,
            )
        if not hidden("numbers"):
            key = _key("numbers")
            st.selectbox(
                words["numbers"],
                NUMBERS,
                NUMBERS.index(setup.numbers),
                key=key,
                on_change=_set_numbers,
                args=(key,),
                format_func=words["numbers_names"].__getitem__,
                help=words["numbers_help"],
                width=130,
                disabled=locked("numbers"),
            )


def problem() -> None:
    """What the last change ran into, if it did."""
    if text := st.session_state.get(PROBLEM):
        warning(said(text, register()))
