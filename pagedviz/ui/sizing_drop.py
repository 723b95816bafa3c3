"""Bringing a model of one's own: a dropped config, or its shape typed by hand.

A file that cannot be read changes nothing but the message. One whose architecture is not known
fills the form below with the sizes that were found in it, so that nothing is typed twice.

Leaves out: reading the file (`pagedviz.sizing`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pagedviz.engine.errors import shown
from pagedviz.sizing import ConfigError, UnknownArchitectureError, kv_geometry, read_config
from pagedviz.ui.locks import hidden, locked
from pagedviz.ui.plain_text import plain
from pagedviz.ui.sizing_changes import choose
from pagedviz.ui.sizing_config import as_text, deciding
from pagedviz.ui.sizing_inputs import FILE, TYPED
from pagedviz.ui.sizing_link import MOST_NAME, complete
from pagedviz.ui.sizing_state import PROBLEM, desk

MOST_BYTES = 1_000_000
FOUND, DROPS = "sizing.found", "sizing.drops"
SHAPE = ("layers", "kv_heads", "head_size", "heads")
_FOUND_AS = {"heads": "heads", "layers": "layers", "kv_heads": "kv_heads", "head_size": "head_size"}


def drop(words: Mapping[str, Any]) -> None:
    """The place to drop a file, and the form for a shape."""
    found: dict[str, Any] = st.session_state.get(FOUND, {})
    if not hidden("own"):
        _own(words, found)
    sizing = desk().sizing
    if not complete(sizing):
        st.info(plain(words["not_in_link"].format(name=sizing.name)))


def _own(words: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    with st.expander(words["drop"], key="sizing.own", expanded=bool(found)):
        # A fresh key after each file: the same one, mended, can be dropped again.
        key = f"sizing.file.{st.session_state.get(DROPS, 0)}"
        st.file_uploader(
            words["upload"],
            key=key,
            help=words["upload_help"],
            max_upload_size=1,
            disabled=locked("own"),
            on_change=_dropped,
            args=(key, words["too_big"]),
        )
        _form(words, found)


def _dropped(key: str, too_big: str) -> None:
    file = st.session_state.get(key)
    if file is None:
        return
    st.session_state[DROPS] = st.session_state.get(DROPS, 0) + 1
    take_file(file.getvalue(), file.name, too_big)


def take_file(data: bytes, name: str, too_big: str) -> None:
    """Read a file; on success it is the model, else the message says why and nothing changes."""
    try:
        if len(data) > MOST_BYTES:
            size = too_big.format(name=shown(name), size=len(data), most=MOST_BYTES)
            raise ConfigError(size)
        config = read_config(data, name)
        kv_geometry(config)
        text = as_text(deciding(config))
    except UnknownArchitectureError as error:
        st.session_state[PROBLEM] = f"{named(name, error)}. Type its shape below to go on"
        st.session_state[FOUND] = {**error.found, "name": name}
        return
    except ConfigError as error:
        st.session_state[PROBLEM] = named(name, error)
        return
    if choose(FILE, {"config": text, "name": short(name, config)}):
        st.session_state[FOUND] = {}


def named(name: str, error: ConfigError) -> str:
    """The message with the file's name before it, unless it is there already.

    >>> named("a.json", ConfigError("is empty"))
    'a.json: is empty'
    """
    text = str(error)
    return text if name in text else f"{name[:MOST_NAME]}: {text}"


def short(name: str, config: Mapping[str, Any]) -> str:
    """What the model is called: the config's own name for itself, else the file's.

    >>> short("config.json", {"_name_or_path": "ibm/granite"}), short("config.json", {})
    ('ibm/granite', 'config.json')
    """
    own = config.get("_name_or_path")
    found = own if isinstance(own, str) and own.strip() else name
    return found.strip()[:MOST_NAME]


def _form(words: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    sizing = desk().sizing
    known = {name: found.get(_FOUND_AS[name]) or getattr(sizing, name) for name in SHAPE}
    version = f"{st.session_state.get(DROPS, 0)}.{desk().revision}"
    with st.form(f"sizing.shape.{version}", border=False):
        st.markdown(f"**{words['typed_title']}**")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = found.get("name") or (sizing.name if sizing.model == TYPED else "")
            st.text_input(words["name"], name, key=f"sizing.name.{version}", width=180)
            for part in SHAPE:
                st.number_input(
                    words[part],
                    value=known[part],
                    step=1,
                    key=f"sizing.{part}.{version}",
                    width=130,
                )
            st.number_input(
                words["parameters"],
                value=sizing.parameters,
                step=0.5,
                format="%g",
                key=f"sizing.billions.{version}",
                width=150,
            )
            st.form_submit_button(
                words["use"], on_click=_typed, args=(version,), disabled=locked("own")
            )


def _typed(version: str) -> None:
    state = st.session_state
    shape = {part: state[f"sizing.{part}.{version}"] for part in SHAPE}
    changes: dict[str, Any] = {
        **shape,
        "name": state[f"sizing.name.{version}"].strip()[:MOST_NAME],
        "parameters": state[f"sizing.billions.{version}"],
        "config": "",
    }
    if choose(TYPED, changes):
        state[FOUND] = {}
    else:
        state[FOUND] = {**shape, "name": changes["name"]}
