"""The levers of the workload page: which load, how much of it, memory, limits, clock, words.

Leaves out: the form for a file (`workload_file.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import streamlit as st

from pagedviz.timeline.captions import REGISTERS
from pagedviz.ui.locks import hidden, locked
from pagedviz.ui.plain_text import warning
from pagedviz.ui.words import register, set_register
from pagedviz.ui.workload_inputs import CLOCKS, FILE, MEMORY, MODEL_BY_ID, OWN, PAPER, Inputs
from pagedviz.ui.workload_levers import OF_KIND, change, choice, key_of, number, take
from pagedviz.ui.workload_state import PROBLEM, Desk, desk, put
from pagedviz.ui.workload_work import JOB
from pagedviz.workload import SimulationSetup, WorkloadError
from pagedviz.workload.generate import KINDS

FORMS: Final = ("lengths", "limits")
SHARING: Final = ("chat", "agents")


def _set_load(key: str) -> None:
    if key != key_of("load"):
        return
    chosen = st.session_state[key]
    if chosen == FILE:
        if desk().trace is None:
            put(replace(desk().anew(), uploading=True))
        else:
            change(lambda: replace(desk().inputs, kind=FILE), lambda d: replace(d, uploading=True))
        return
    own: dict[str, Any] = dict.fromkeys(OF_KIND)
    change(
        lambda: replace(desk().inputs, kind=chosen, **own),
        lambda d: replace(d, uploading=False, pending=None),
    )


def _set_paper() -> None:
    change(lambda: PAPER, lambda d: replace(d, uploading=False, pending=None))


def _set_words() -> None:
    set_register(st.session_state["workload.words"] or register())
    put(desk().anew())  # Streamlit knows a choice by its label: other words, other levers


def row(words: Mapping[str, Any]) -> None:
    """Load, memory and block size; lengths, limits and clock in forms that open; words."""
    now = desk()
    inputs = now.inputs
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        if not hidden("load"):
            _load(words, now)
        if now.is_file:
            number(words, "first", width=130)
            number(words, "count", width=150, empty=0)
        elif not now.uploading:
            number(words, "num_requests", width=120)
            number(words, "rate", width=150, step=0.5)
        if inputs.memory == "bytes":
            number(words, "gib", width=130, step=1.0)
            choice(words, "model", (*MODEL_BY_ID, OWN), _model_name(words), 190)
            if inputs.model == OWN:
                number(words, "kv_bytes", width=150, step=1024)
        else:
            number(words, "slots", width=150, step=1024)
        number(words, "block_size", width=130)
        _forms(words, now)
        if not hidden("paper"):
            st.button(
                words["paper"],
                key="workload.paper",
                on_click=_set_paper,
                icon=":material/article:",
                disabled=locked("paper"),
            )
        st.segmented_control(
            words["words"],
            REGISTERS,
            default=register(),
            required=True,
            key="workload.words",
            format_func=words["registers"].__getitem__,
            on_change=_set_words,
            label_visibility="collapsed",
        )


def _load(words: Mapping[str, Any], now: Desk) -> None:
    options = (*KINDS, FILE)
    key = key_of("load")
    st.selectbox(
        words["load"],
        options,
        options.index(FILE if now.uploading or now.is_file else now.inputs.kind),
        key=key,
        format_func=words["loads"].__getitem__,
        on_change=_set_load,
        args=(key,),
        width=235,
        disabled=JOB in st.session_state or locked("load"),
    )


def _forms(words: Mapping[str, Any], now: Desk) -> None:
    if not (now.is_file or now.uploading or hidden("lengths")):
        place = st.popover(words["lengths"], key="workload.lengths.open", on_change="rerun")
        if place.open:
            with place:
                _lengths(words, now.inputs)
                problem(words, "lengths")
    if hidden("limits"):
        return
    place = st.popover(words["limits"], key="workload.limits.open", on_change="rerun")
    if place.open:
        with place:
            _limits(words, now.inputs)
            problem(words, "limits")


def _lengths(words: Mapping[str, Any], inputs: Inputs) -> None:
    """Two columns of three, then what only some kinds have, then the seed."""
    for part in ("prompt", "output"):
        lengths = inputs.lengths(part)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for name, step in (("mean", 10.0), ("spread", 0.1), ("ceiling", 1)):
                value = getattr(lengths, name)
                shown = float(value) if name != "ceiling" else value
                number(words, f"{part}_{name}", width=150, step=step, value=shown)
    st.caption(words["lengths_help"])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if inputs.kind in SHARING:
            number(words, "shared_tokens", width=190)
        if inputs.kind == "agents":
            number(words, "turns", width=150)
            number(words, "turn_s", width=190, step=1.0)
        number(words, "seed", width=150)


def _limits(words: Mapping[str, Any], inputs: Inputs) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choice(words, "memory", MEMORY, words["memories"].__getitem__, 230)
        number(words, "longest", width=230, empty=0)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number(words, "max_num_seqs", width=230)
        number(words, "budget", width=230)
    key = key_of("caching")
    st.toggle(
        words["caching"],
        inputs.caching,
        key=key,
        on_change=take,
        args=("caching", key),
        disabled=locked("limits"),
    )
    choice(words, "clock", CLOCKS, words["clocks"].__getitem__, 470)
    names = ("step_ms",) if inputs.clock == "steps" else ("base_ms", "prefill_us", "decode_us")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name in names:
            number(words, name, width=230 if len(names) == 1 else 150, step=1.0)
    st.caption(words[f"{inputs.clock}_help"])


def _model_name(words: Mapping[str, Any]) -> Callable[[str], str]:
    def named(key: str) -> str:
        model = MODEL_BY_ID.get(key)
        if model is None:
            return str(words["own_model"])
        return f"{model.name}: {model.bytes_per_token / 1024:,.0f} KiB"

    return named


def problem(words: Mapping[str, Any], place: str = "") -> None:
    """What the last change ran into: in the form that is open, else on the page."""
    found = st.session_state.get(PROBLEM)
    opened = next((one for one in FORMS if st.session_state.get(f"workload.{one}.open")), "")
    if not found or opened != place:
        return
    if isinstance(found, WorkloadError):
        warning(words["said"](found))
    else:
        warning(words.get(found, found))


def memory_said(setup: SimulationSetup, words: Mapping[str, Any]) -> str:
    """How much memory that is in GiB for the model that is set, if it is the one that was run."""
    inputs = desk().inputs
    if inputs.memory == "tokens" or inputs.memory_slots != setup.memory_slots:
        return ""
    model = MODEL_BY_ID.get(inputs.model)
    whose = f"{model.name}, " if model else ""
    return f" ({inputs.gib:g} GiB; {whose}{words['each'].format(bytes=inputs.bytes_per_token)})"
