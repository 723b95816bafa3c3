"""The levers of the Spyre page: which part, the list of requests, server, release, scene."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pagedviz.engine.spyre.releases import RELEASES
from pagedviz.timeline.captions import Register
from pagedviz.timeline.spyre import presets
from pagedviz.timeline.spyre.mix import MIX_PRESETS, mix_preset
from pagedviz.timeline.spyre.mix_text import parse_mix
from pagedviz.ui.locks import hidden, locked
from pagedviz.ui.plain_text import warning
from pagedviz.ui.spyre_say import reworded
from pagedviz.ui.spyre_state import OWN, PARTS, PROBLEM, SERVER_BY_KEY, SHOP, desk
from pagedviz.ui.words import register as said_register


def _key(name: str) -> str:
    """Key of a lever: another state has other levers, so that an older one counts for nothing."""
    return f"spyre.{name}.{desk().revision}"


def _change(**changes: Any) -> None:
    try:
        st.session_state[SHOP] = desk().changed(**changes)
        st.session_state[PROBLEM] = ""
    except ValueError as error:  # MixError, ScenarioError, the engine's own
        st.session_state[PROBLEM] = ("change", str(error))
        st.session_state[SHOP] = desk().anew()


def _set(name: str, key: str) -> None:
    if key == _key(name) and st.session_state[key] is not None:
        _change(**{name: st.session_state[key]})


def _set_preset(key: str) -> None:
    preset = mix_preset(st.session_state[key])
    if key == _key("mix") and preset:
        _change(mix=preset.id, groups=preset.groups)


def _set_list(key: str) -> None:
    if key != _key("list"):
        return
    try:
        groups = parse_mix(st.session_state[key])
        st.session_state[SHOP] = desk().changed(mix=None, groups=groups)
        st.session_state[PROBLEM] = ""
    except ValueError as error:  # not a list, or one that this server cannot have
        # what was typed stays, so that it can be mended; so does what was there before
        st.session_state[PROBLEM] = ("list", str(error))


def parts(words: Mapping[str, Any]) -> None:
    """The parts of the page, one of which is shown."""
    if hidden("part"):
        return
    key = _key("part")
    st.segmented_control(
        "Part",
        PARTS,
        default=desk().inputs.part,
        required=True,
        key=key,
        format_func=words["parts"].__getitem__,
        on_change=_set,
        args=("part", key),
        label_visibility="collapsed",
        disabled=locked("part"),
    )


def mix_row(words: Mapping[str, Any], register: Register) -> None:
    """Preset, list, server, release."""
    inputs = desk().inputs
    with st.container(horizontal=True, vertical_alignment="top", key="tools"):
        if not hidden("mix"):
            key = _key("mix")
            options = [*([] if inputs.mix else [OWN]), *(preset.id for preset in MIX_PRESETS)]
            titles = {p.id: getattr(p.title, register) for p in MIX_PRESETS} | {OWN: words["own"]}
            st.selectbox(
                words["preset"],
                options,
                options.index(inputs.mix or OWN),
                key=key,
                format_func=titles.__getitem__,
                on_change=_set_preset,
                args=(key,),
                width=220,
                disabled=locked("mix"),
            )
        if not hidden("list"):
            key = _key("list")
            st.text_area(
                words["list"],
                "\n".join(map(str, inputs.groups)),
                key=key,
                on_change=_set_list,
                args=(key,),
                help=words["list_help"],
                height=98,
                width=290,
                disabled=locked("list"),
            )
        server_and_release(words)


def server_and_release(words: Mapping[str, Any]) -> None:
    """What the server was set up for, and which release decides."""
    inputs = desk().inputs
    if not hidden("server"):
        key = _key("server")
        st.selectbox(
            words["server"],
            list(SERVER_BY_KEY),
            list(SERVER_BY_KEY).index(inputs.server),
            key=key,
            format_func=server_name,
            on_change=_set,
            args=("server", key),
            help=words["server_help"],
            width=300,
            disabled=locked("server"),
        )
    if not hidden("release"):
        key = _key("release")
        st.selectbox(
            words["release"],
            list(RELEASES),
            list(RELEASES).index(inputs.release),
            key=key,
            format_func=lambda name: RELEASES[name].name,
            on_change=_set,
            args=("release", key),
            width=240,
            disabled=locked("release"),
        )


def scene_row(words: Mapping[str, Any], register: Register) -> None:
    """Scene, its one thing changed, stock vLLM beside it; the server for an own list."""
    inputs = desk().inputs
    with st.container(horizontal=True, vertical_alignment="bottom", key="tools"):
        if not hidden("scene"):
            _scene(words, register)
        preset = presets.spyre_preset(inputs.scene)
        if preset is None:
            server_and_release(words)
        elif preset.other is not None and not hidden("other"):
            key = _key("other")
            st.toggle(
                getattr(preset.other_title, register),
                inputs.other,
                key=key,
                on_change=_set,
                args=("other", key),
                disabled=locked("other"),
            )
        if not hidden("beside"):
            key = _key("beside")
            st.toggle(
                words["beside"],
                inputs.beside,
                key=key,
                on_change=_set,
                args=("beside", key),
                disabled=locked("beside"),
            )


def _scene(words: Mapping[str, Any], register: Register) -> None:
    inputs = desk().inputs
    key = _key("scene")
    options = [*(preset.id for preset in presets.PRESETS), OWN]
    titles = {p.id: getattr(p.title, register) for p in presets.PRESETS}
    st.selectbox(
        words["scene"],
        options,
        options.index(inputs.scene),
        key=key,
        format_func=(titles | {OWN: words["own"]}).__getitem__,
        on_change=_set_scene,
        args=(key,),
        width=360,
        disabled=locked("scene"),
    )


def _set_scene(key: str) -> None:
    if key == _key("scene"):
        _change(scene=st.session_state[key], other=False)


def server_name(key: str) -> str:
    """A server as a line of a list.

    >>> server_name("4-32768-32")
    'Granite 3.3 8B, 4 cards: 32 x 32,768'
    """
    server = SERVER_BY_KEY[key]
    cards = "1 card" if server.cards == 1 else f"{server.cards} cards"
    return f"{server.name}, {cards}: {server.requests} x {server.context:,}"


def problem() -> None:
    """What the last change ran into, if it did, and what is shown instead."""
    if found := st.session_state.get(PROBLEM):
        what, text = found
        warning(problem_text(what, text, said_register()))


def problem_text(what: str, text: str, register: Register) -> str:
    """The message of a list that was not taken, or of another change that could not be made.

    >>> problem_text("list", "66 requests are more than the 64 that can be shown", "room")
    'The list was not taken: 66 visitors are more than the 64 that can be shown; the picture still
     shows the one before.'
    """
    text = reworded(text, register).rstrip(".")
    if what == "list":
        return f"The list was not taken: {text}; the picture still shows the one before."
    return f"Nothing was changed: {text}."
