"""The row of levers on the reservation page."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from pagedviz.engine.reservation import POLICIES
from pagedviz.timeline.captions import Register
from pagedviz.timeline.reservation.errors import ReservationError
from pagedviz.timeline.reservation.lengths import MIXES
from pagedviz.timeline.reservation.presets import RESERVATION_PRESETS, reservation_preset
from pagedviz.timeline.reservation.setup import ReservationSetup
from pagedviz.ui.locks import hidden, locked
from pagedviz.ui.plain_text import warning
from pagedviz.ui.reservation_state import PROBLEM, SHOP, desk, preset_of
from pagedviz.ui.words import register as current_register

OWN = "own"
MAIN = (("slots", "slots", 128), ("longest", "max_model_len", 128), ("size", "block_size", 1))
PEOPLE = (
    ("visitors", "visitors"),
    ("every", "every"),
    ("prompt", "mean_prompt"),
    ("output", "mean_output"),
    ("seed", "seed"),
    ("budget", "token_budget"),
)


def _key(name: str) -> str:
    """Key of a lever: another setup has other levers, so that an older one counts for nothing.

    So have other words: Streamlit knows a choice by its label.
    """
    return f"reservation.{name}.{desk().revision}.{current_register()}"


def _change(setup_of: Any, preset: str | None = None, sizes: bool | None = None) -> None:
    try:
        setup: ReservationSetup = setup_of()
        st.session_state[SHOP] = desk().changed(setup, preset or preset_of(setup), sizes)
        st.session_state[PROBLEM] = ""
    except ReservationError as error:
        st.session_state[PROBLEM] = f"Nothing was changed. {error}"
        st.session_state[SHOP] = desk().anew()


def _set(name: str, field: str, key: str) -> None:
    if key == _key(name):  # else: of a setup that is gone by now
        value = st.session_state[key]
        _change(lambda: replace(desk().setup, **{field: value}))


def _set_preset(key: str) -> None:
    chosen = st.session_state[key]
    if key == _key("preset") and chosen != OWN:
        preset = reservation_preset(chosen)
        _change(lambda: preset.setup, preset.id, bool(preset.sizes))


def row(words: Mapping[str, Any], register: Register) -> None:
    """Preset, policy, memory, longest length, block size; the visitors in a form that opens."""
    chosen = desk().preset
    options = [*([] if chosen else [OWN]), *(p.id for p in RESERVATION_PRESETS)]
    titles = {p.id: getattr(p.title, register) for p in RESERVATION_PRESETS} | {OWN: words["own"]}
    with st.container(horizontal=True, vertical_alignment="bottom", key="tools"):
        if not hidden("preset"):
            key = _key("preset")
            st.selectbox(
                words["preset"],
                options,
                options.index(chosen or OWN),
                key=key,
                format_func=titles.__getitem__,
                on_change=_set_preset,
                args=(key,),
                width=230,
                disabled=locked("preset"),
            )
        if not hidden("policy"):
            _choice(words["policy"], "policy", "policy", POLICIES, words["policies"], 270)
        for name, field, step in MAIN:
            if not hidden(name):
                _number(words, name, field, step)
        _people(words)
    if desk().sizes and not hidden("sizes"):
        _sizes(words)


def _people(words: Mapping[str, Any]) -> None:
    """Who comes, in a form that opens."""
    if hidden("people"):
        return
    key, off = "reservation.people.open", locked("people")
    place = st.popover(words["more"], key=key, on_change="rerun", disabled=off)
    if not place.open:
        return
    with place:
        _choice(words["mix"], "mix", "mix", tuple(MIXES), words["mixes"], 260)
        for name, field in PEOPLE:
            if field.startswith("mean_") and desk().setup.mix != "own":
                continue
            _number(words, name, field, 1)
        problem(inside=True)


def _sizes(words: Mapping[str, Any]) -> None:
    sizes = next(p.sizes for p in RESERVATION_PRESETS if p.sizes)
    key = _key("sizes")
    st.segmented_control(
        words["sizes"],
        sizes,
        default=desk().setup.block_size if desk().setup.block_size in sizes else None,
        required=desk().setup.block_size in sizes,
        key=key,
        on_change=_set_size,
        args=(key,),
        disabled=locked("sizes") or locked("size"),
    )


def _set_size(key: str) -> None:
    size = st.session_state[key]
    if key == _key("sizes") and size:
        _change(lambda: replace(desk().setup, block_size=size))


def _choice(
    label: str, name: str, field: str, options: tuple[str, ...], names: dict[str, str], width: int
) -> None:
    key = _key(name)
    st.selectbox(
        label,
        options,
        options.index(getattr(desk().setup, field)),
        key=key,
        format_func=names.__getitem__,
        on_change=_set,
        args=(name, field, key),
        width=width,
        disabled=locked(name),
    )


def _number(words: Mapping[str, Any], name: str, field: str, step: int) -> None:
    key = _key(name)
    st.number_input(
        words[name],
        value=getattr(desk().setup, field),
        step=step,
        key=key,
        on_change=_set,
        args=(name, field, key),
        width=130,
        disabled=locked(name),
        help=words.get(f"{name}_help"),
    )


def problem(inside: bool = False) -> None:
    """What the last change ran into, if it did: in the open form, else above the stage."""
    text = st.session_state.get(PROBLEM)
    if text and bool(st.session_state.get("reservation.people.open")) == inside:
        warning(text)
