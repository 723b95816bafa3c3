"""One lever of the workload page: its key, what a change of it does, and whether it is locked.

Leaves out: which levers there are (`workload_controls.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import streamlit as st

from pagedviz.ui.locks import hidden, locked
from pagedviz.ui.workload_inputs import Inputs
from pagedviz.ui.workload_state import PROBLEM, Desk, desk, put
from pagedviz.workload import WorkloadError

OF_KIND: Final = tuple(
    f"{part}_{name}" for part in ("prompt", "output") for name in ("mean", "spread", "ceiling")
)
# Fields that may be empty: the value they have then.
EMPTY: Final[Mapping[str, Any]] = {"longest": 0, "count": 0, "rate": 0.0} | dict.fromkeys(OF_KIND)


def key_of(name: str) -> str:
    """Key of a lever: another state has other levers, so that an older one counts for nothing."""
    return f"workload.{name}.{desk().revision}"


def change(inputs_of: Callable[[], Inputs], then: Callable[[Desk], Desk] = lambda d: d) -> None:
    """Take a change whole, or say what is wrong and change nothing."""
    try:
        put(then(desk().changed(inputs_of())))
        st.session_state[PROBLEM] = ""
    except WorkloadError as error:
        st.session_state[PROBLEM] = error
        put(desk().anew())


def take(name: str, key: str) -> None:
    """What was set in a lever (its callback)."""
    if key != key_of(name):  # of a state that is gone by now
        return
    value = st.session_state[key]
    if value is None:
        if name not in EMPTY:
            put(desk().anew())
            return
        value = EMPTY[name]
    change(lambda: replace(desk().inputs, **{name: value}))


# Field -> its name in a trainer's link; lengths and limits are the rest.
LOCKS = {
    **dict.fromkeys(("first", "count", "num_requests", "rate"), "many"),
    **dict.fromkeys(("gib", "model", "kv_bytes", "slots"), "memory"),
    "block_size": "size",
}
LIMITS = ("memory", "longest", "max_num_seqs", "budget", "clock", "step_ms", "base_ms")


def _lock_of(field: str) -> str:
    limit = field in LIMITS or field.endswith("_us")
    return LOCKS.get(field, "limits" if limit else "lengths")


def number(
    words: Mapping[str, Any],
    name: str,
    *,
    width: int,
    step: float = 1,
    value: float | None = None,
    empty: object = None,
) -> None:
    """A number for one field; `empty`: a value that is shown as nothing."""
    if hidden(_lock_of(name)):
        return
    key = key_of(name)
    value = getattr(desk().inputs, name) if value is None else value
    st.number_input(
        words[name],
        value=None if empty is not None and value == empty else value,
        step=step,
        format="%d" if isinstance(step, int) else "%g",
        key=key,
        on_change=take,
        args=(name, key),
        width=width,
        placeholder=words["empty"].get(name),
        disabled=locked(_lock_of(name)),
    )


def choice(
    words: Mapping[str, Any],
    name: str,
    options: tuple[str, ...],
    named: Callable[[str], str],
    width: int,
) -> None:
    """A list of a few values for one field."""
    if hidden(_lock_of(name)):
        return
    key = key_of(name)
    st.selectbox(
        words[name],
        options,
        options.index(getattr(desk().inputs, name)),
        key=key,
        format_func=named,
        on_change=take,
        args=(name, key),
        width=width,
        disabled=locked(_lock_of(name)),
    )
