"""The levers of the workload page: which load, how much of it, memory, limits, clock, words.

Leaves out: the form for a file (`workload_file.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import streamlit as st

from pagedviz.timeline.captions import REGISTERS
from pagedviz.ui.shell import warning
from pagedviz.ui.words import register, set_register
from pagedviz.ui.workload_inputs import CLOCKS, FILE, MEMORY, MODEL_BY_ID, OWN, PAPER, Inputs
from pagedviz.ui.workload_state import PROBLEM, Desk, desk, put
from pagedviz.ui.workload_work import JOB
from pagedviz.workload import SimulationSetup, WorkloadError
from pagedviz.workload.generate import KINDS

FORMS: Final = ("lengths", "limits")
OF_KIND: Final = tuple(
    f"{part}_{name}" for part in ("prompt", "output") for name in ("mean", "spread", "ceiling")
)
SHARING: Final = ("chat", "agents")
# Fields that may be empty: the value they have then.
EMPTY: Final[Mapping[str, Any]] = {"longest": 0, "count": 0, "rate": 0.0} | dict.fromkeys(OF_KIND)


def _key(name: str) -> str:
    """Key of a lever: another state has other levers, so that an older one counts for nothing."""
    return f"workload.{name}.{desk().revision}"


def _change(inputs_of: Callable[[], Inputs], then: Callable[[Desk], Desk] = lambda d: d) -> None:
    try:
        put(then(desk().changed(inputs_of())))
        st.session_state[PROBLEM] = ""
    except WorkloadError as error:
        st.session_state[PROBLEM] = error
        put(desk().anew())


def _set(name: str, key: str) -> None:
    if key != _key(name):  # of a state that is gone by now
        return
    value = st.session_state[key]
    if value is None:
        if name not in EMPTY:
            put(desk().anew())
            return
        value = EMPTY[name]
    _change(lambda: replace(desk().inputs, **{name: value}))


def _set_load(key: str) -> None:
    if key != _key("load"):
        return
    chosen = st.session_state[key]
    if chosen == FILE:
        if desk().trace is None:
            put(replace(desk().anew(), uploading=True))
        else:
            _change(lambda: replace(desk().inputs, kind=FILE), lambda d: replace(d, uploading=True))
        return
    own: dict[str, Any] = dict.fromkeys(OF_KIND)
    _change(
        lambda: replace(desk().inputs, kind=chosen, **own),
        lambda d: replace(d, uploading=False, pending=None),
    )


def _set_paper() -> None:
    _change(lambda: PAPER, lambda d: replace(d, uploading=False, pending=None))


def _set_words() -> None:
    set_register(st.session_state["workload.words"] or register())


def row(words: Mapping[str, Any]) -> None:
    """Load, memory and block size; lengths, limits and clock in forms that open; words."""
    now = desk()
    inputs = now.inputs
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        options = (*KINDS, FILE)
        key = _key("load")
        st.selectbox(
            words["load"],
            options,
            options.index(FILE if now.uploading or now.is_file else inputs.kind),
            key=key,
            format_func=words["loads"].__getitem__,
            on_change=_set_load,
            args=(key,),
            width=235,
            disabled=JOB in st.session_state,
        )
        if now.is_file:
            _number(words, "first", width=130)
            _number(words, "count", width=150, empty=0)
        elif not now.uploading:
            _number(words, "num_requests", width=120)
            _number(words, "rate", width=150, step=0.5)
        if inputs.memory == "bytes":
            _number(words, "gib", width=130, step=1.0)
            _choice(words, "model", (*MODEL_BY_ID, OWN), _model_name(words), 190)
            if inputs.model == OWN:
                _number(words, "kv_bytes", width=150, step=1024)
        else:
            _number(words, "slots", width=150, step=1024)
        _number(words, "block_size", width=130)
        _forms(words, now)
        st.button(
            words["paper"], key="workload.paper", on_click=_set_paper, icon=":material/article:"
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


def _forms(words: Mapping[str, Any], now: Desk) -> None:
    if not (now.is_file or now.uploading):
        place = st.popover(words["lengths"], key="workload.lengths.open", on_change="rerun")
        if place.open:
            with place:
                _lengths(words, now.inputs)
                problem(words, "lengths")
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
                _number(words, f"{part}_{name}", width=150, step=step, value=shown)
    st.caption(words["lengths_help"])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if inputs.kind in SHARING:
            _number(words, "shared_tokens", width=190)
        if inputs.kind == "agents":
            _number(words, "turns", width=150)
            _number(words, "turn_s", width=190, step=1.0)
        _number(words, "seed", width=150)


def _limits(words: Mapping[str, Any], inputs: Inputs) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _choice(words, "memory", MEMORY, words["memories"].__getitem__, 230)
        _number(words, "longest", width=230, empty=0)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _number(words, "max_num_seqs", width=230)
        _number(words, "budget", width=230)
    key = _key("caching")
    st.toggle(words["caching"], inputs.caching, key=key, on_change=_set, args=("caching", key))
    _choice(words, "clock", CLOCKS, words["clocks"].__getitem__, 470)
    names = ("step_ms",) if inputs.clock == "steps" else ("base_ms", "prefill_us", "decode_us")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name in names:
            _number(words, name, width=230 if len(names) == 1 else 150, step=1.0)
    st.caption(words[f"{inputs.clock}_help"])


def _number(
    words: Mapping[str, Any],
    name: str,
    *,
    width: int,
    step: float = 1,
    value: float | None = None,
    empty: object = None,
) -> None:
    """`empty`: a value that is shown as nothing."""
    key = _key(name)
    value = getattr(desk().inputs, name) if value is None else value
    st.number_input(
        words[name],
        value=None if empty is not None and value == empty else value,
        step=step,
        format="%d" if isinstance(step, int) else "%g",
        key=key,
        on_change=_set,
        args=(name, key),
        width=width,
        placeholder=words["empty"].get(name),
    )


def _choice(
    words: Mapping[str, Any],
    name: str,
    options: tuple[str, ...],
    named: Callable[[str], str],
    width: int,
) -> None:
    key = _key(name)
    st.selectbox(
        words[name],
        options,
        options.index(getattr(desk().inputs, name)),
        key=key,
        format_func=named,
        on_change=_set,
        args=(name, key),
        width=width,
    )


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
