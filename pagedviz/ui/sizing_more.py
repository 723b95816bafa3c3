"""Everything else that can be set: open fields whose value stands in them, with its source below.

An open field is empty and shows the value that counts; typing takes it over, emptying gives it
back.

Leaves out: the levers that everybody needs (`sizing_controls.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pagedviz.sizing.gpu_inputs import TYPICAL_ROOM, UTILIZATION
from pagedviz.sizing.units import GIB
from pagedviz.ui.locks import hidden, locked
from pagedviz.ui.sizing_answer import NO_CONTEXT, Answer
from pagedviz.ui.sizing_changes import key_of, taken
from pagedviz.ui.sizing_controls import number
from pagedviz.ui.sizing_figures import Row, figures_of, inputs_of
from pagedviz.ui.sizing_say import told
from pagedviz.ui.sizing_state import desk
from pagedviz.ui.words import register

COLUMNS = 4
DTYPES = (0, 1, 2, 4)
# Field, step, and the row of the inputs that says where it comes from.
MODEL = (("parameters", 0.5, "weights"), ("each", 0.5, "weights"), ("weights", 0.5, "weights"))
GPU = (
    ("cards", 1, "cards (tensor parallel size)"),
    ("utilization", 0.01, "gpu_memory_utilization"),
    ("room", 0.5, "room for activations and graphs"),
    ("longest", 1024, "max_model_len"),
    ("block_size", 16, "block size"),
    ("seqs", 1, "max_num_seqs"),
    ("batched", 256, "tokens a step"),
    ("num_blocks", 100, "blocks, by hand"),
)
SPYRE = (
    ("spyre_cards", 1, "cards (tensor parallel size)"),
    ("spyre_context", 64, "max_model_len"),
    ("spyre_requests", 1, "max_num_seqs"),
    ("limit", 1024, "product limit"),
    ("spyre_blocks", 32, "KV blocks"),
)
BY_HAND = "only if set by hand"


def more(found: Answer, words: Mapping[str, Any]) -> None:
    """The form that opens; four fields a row."""
    if hidden("more"):
        return
    sizing = found.sizing
    fields = [*MODEL, ("dtype", 1, "bytes per value"), *(GPU if sizing.where == "gpu" else SPYRE)]
    rows = {row.name: row for row in inputs_of(found)}
    if found.plan is not None and sizing.where == "spyre":
        rows |= {row.name: row for row in figures_of(found)}
    with st.expander(words["more"], key="sizing.more", expanded=found.why == "weights"):
        for begin in range(0, len(fields), COLUMNS):
            for place, (name, step, source) in zip(
                st.columns(COLUMNS), fields[begin : begin + COLUMNS], strict=False
            ):
                with place:
                    _field(found, words, name, step, rows.get(source))


def _field(
    found: Answer, words: Mapping[str, Any], name: str, step: float, row: Row | None
) -> None:
    if name == "dtype":
        _dtype(words)
    else:
        shown = open_value(found, name)
        number(words[name], name, step, width=250, placeholder=shown)
    value = getattr(found.sizing, name)
    source = BY_HAND if row is None else row.source
    if name in ("parameters", "each") and value is None and found.sizing.weights is not None:
        source = "not used: the weights were typed"
    st.caption(told(source, register()) if value is None or row is not None else "typed")


def _dtype(words: Mapping[str, Any]) -> None:
    key = key_of("dtype")
    value = desk().sizing.dtype or 0
    st.selectbox(
        words["dtype"],
        DTYPES,
        DTYPES.index(value),
        key=key,
        format_func=words["dtypes"].__getitem__,
        on_change=_set_dtype,
        args=(key,),
        width=250,
        disabled=locked("more"),
    )


def _set_dtype(key: str) -> None:
    st.session_state[key] = st.session_state[key] or None
    taken("dtype", key)


def open_value(found: Answer, name: str) -> str:
    """What counts while the field is empty, as text; "" if nothing does.

    >>> from pagedviz.ui.sizing_answer import answer
    >>> from pagedviz.ui.sizing_inputs import Sizing
    >>> open_value(answer(Sizing()), "utilization"), open_value(answer(Sizing()), "longest")
    ('0.92', '131,072')
    """
    model, plan = found.chosen, found.plan
    context = model.geometry.context or NO_CONTEXT
    inputs: Any = getattr(plan, "inputs", None)
    limits: Any = getattr(getattr(plan, "resolved", None), "limits", None)
    values: dict[str, object] = {
        "parameters": None if model.parameters is None else f"{model.parameters / 1e9:,.4g}",
        "each": None if model.each is None else f"{model.each:g}",
        "weights": None if model.weights is None else f"{model.weights.value / GIB:,.4g}",
        "utilization": f"{UTILIZATION:g}",
        "room": f"{TYPICAL_ROOM / GIB:g}",
        "longest": f"{context:,}",
        "block_size": "16",
        "seqs": f"{inputs.seqs:,}" if hasattr(inputs, "seqs") else None,
        "batched": f"{inputs.batched_tokens:,}" if hasattr(inputs, "batched_tokens") else None,
        "limit": f"{limits.batch_tkv_limit:,}" if limits else None,
        "spyre_blocks": f"{limits.num_blocks:,}" if limits else None,
    }
    return str(values.get(name) or "")
