"""The levers of the sizing page: model, place, card, lengths, and the words.

Leaves out: taking a change over (`sizing_changes.py`), what has a value by itself
(`sizing_more.py`), files (`sizing_drop.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from pagedviz.engine.spyre.known_configs import configs_of
from pagedviz.ui.locks import hidden, locked
from pagedviz.ui.plain_text import plain, warning
from pagedviz.ui.sizing_changes import change, choose, key_of, taken
from pagedviz.ui.sizing_chosen import by_family, chosen, family
from pagedviz.ui.sizing_gpus import GPUS, OWN
from pagedviz.ui.sizing_inputs import FILE, TYPED, Sizing
from pagedviz.ui.sizing_say import told
from pagedviz.ui.sizing_state import NOTE, PROBLEM, SHOP, desk
from pagedviz.ui.words import REGISTERS, register, set_register

# Field -> its name in a trainer's link; all others stand in the form that opens.
LOCKS = {"where": "where", "memory": "card"}
LEVERS = ("prompt", "prompt_spread", "answer", "answer_spread")


def row(words: Mapping[str, Any]) -> None:
    """The levers that everybody needs."""
    sizing = desk().sizing
    with st.container(horizontal=True, vertical_alignment="bottom", key="sizing-place"):
        if not hidden("model"):
            _model(words, sizing)
        pick(words["where"], "where", ("gpu", "spyre"), words["wheres"].__getitem__, 190)
        if hidden("card"):
            pass
        elif sizing.where == "gpu":
            _gpu(words, sizing)
        else:
            _configuration(words, sizing)
    with st.container(horizontal=True, vertical_alignment="bottom", key="sizing-lengths"):
        for name in LEVERS:
            number(words[name], name, width=150, help_text=_about(name, words))
        key = key_of("words")
        st.segmented_control(
            words["register"],
            REGISTERS,
            default=register(),
            required=True,
            key=key,
            format_func=words["registers"].__getitem__,
            on_change=_set_words,
            args=(key,),
        )


def _about(name: str, words: Mapping[str, Any]) -> str | None:
    return words["spread_help"] if name.endswith("spread") else None


def _model(words: Mapping[str, Any], sizing: Sizing) -> None:
    names = {one.id: f"{family(one.id)}: {one.name}" for one in by_family()}
    label = sizing.name or words["your"]
    if sizing.config:
        names = {FILE: words["dropped"].format(name=label)} | names
    if sizing.layers is not None:
        names = {TYPED: words["typed"].format(name=label)} | names
    key = key_of("model")
    options = list(names)
    st.selectbox(
        words["model"],
        options,
        options.index(sizing.model),
        key=key,
        format_func=names.__getitem__,
        on_change=_set_model,
        args=(key,),
        help=words["model_help"],
        width=330,
        disabled=locked("model"),
    )


def _set_model(key: str) -> None:
    if key == key_of("model") and st.session_state[key]:
        choose(st.session_state[key])


def _gpu(words: Mapping[str, Any], sizing: Sizing) -> None:
    names = {gpu.key: gpu.name for gpu in GPUS} | {OWN: words["own"]}
    key = key_of("gpu")
    options = list(names)
    st.selectbox(
        words["gpu"],
        options,
        options.index(sizing.gpu),
        key=key,
        format_func=names.__getitem__,
        on_change=_set_gpu,
        args=(key,),
        width=260,
        disabled=locked("card"),
    )
    if sizing.gpu == OWN:
        number(words["memory"], "memory", step=8.0)


def _set_gpu(key: str) -> None:
    if key != key_of("gpu"):
        return
    gpu = st.session_state[key]
    memory = desk().sizing.memory
    # a card to be typed begins with a usual size, so that there is always an answer
    change(gpu=gpu, memory=80.0 if gpu == OWN and memory is None else memory)


def _configuration(words: Mapping[str, Any], sizing: Sizing) -> None:
    rows = configs_of(chosen(sizing).spyre_name)
    known = [(row.cards, row.context, row.requests) for row in rows]
    here = (sizing.spyre_cards, sizing.spyre_context, sizing.spyre_requests)
    options: list[tuple[int, int, int] | None] = [*known]
    if here not in known:
        options = [None, *known]
    key = key_of("config")
    st.selectbox(
        words["config"],
        options,
        options.index(here if here in known else None),
        key=key,
        format_func=lambda one: words["own_config"] if one is None else configuration(*one),
        on_change=_set_configuration,
        args=(key,),
        width=260,
        disabled=locked("card"),
    )


def configuration(cards: int, context: int, requests: int) -> str:
    """A configuration as a line of a list.

    >>> configuration(4, 32_768, 32)
    '4 cards: 32 x 32,768'
    """
    return f"{'1 card' if cards == 1 else f'{cards} cards'}: {requests:,} x {context:,}"


def _set_configuration(key: str) -> None:
    if key == key_of("config") and st.session_state[key]:
        cards, context, requests = st.session_state[key]
        change(
            spyre_cards=cards,
            spyre_context=context,
            spyre_requests=requests,
            limit=None,
            spyre_blocks=None,
        )


def _set_words(key: str) -> None:
    if key == key_of("words") and st.session_state[key]:
        set_register(st.session_state[key])
        st.session_state[SHOP] = desk().anew()


def pick(
    label: str, name: str, options: Sequence[Any], shown: Callable[[Any], str], width: int
) -> None:
    """A list of a few values for one field."""
    if hidden(_lock_of(name)):
        return
    key = key_of(name)
    st.selectbox(
        label,
        options,
        options.index(getattr(desk().sizing, name)),
        key=key,
        format_func=shown,
        on_change=taken,
        args=(name, key),
        width=width,
        disabled=locked(_lock_of(name)),
    )


def _lock_of(field: str) -> str:
    return "lengths" if field in LEVERS else LOCKS.get(field, "more")


def number(
    label: str,
    name: str,
    step: float = 1,
    width: int = 140,
    help_text: str | None = None,
    placeholder: str | None = None,
) -> None:
    """A number for one field; it takes anything, and what cannot be is answered in words."""
    if hidden(_lock_of(name)):
        return
    key = key_of(name)
    value = getattr(desk().sizing, name)
    fine = type(step) is float  # Streamlit wants value and step of one type
    if value is not None and key not in st.session_state:
        # Given as `value=` it could not be emptied: Streamlit would put it back.
        st.session_state[key] = float(value) if fine else value
    st.number_input(
        label,
        value=None,
        step=step,
        key=key,
        on_change=taken,
        args=(name, key),
        width=width,
        help=help_text,
        placeholder=placeholder,
        format="%g" if fine else None,
        disabled=locked(_lock_of(name)),
    )


def problem() -> None:
    """What the last change ran into, or what gave way to it."""
    if text := st.session_state.get(PROBLEM):
        warning(told(text, register()))
    if note := st.session_state.get(NOTE):
        st.info(plain(told(note, register())))
