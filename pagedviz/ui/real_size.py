"""The section "Run it at real size": choose a size, see what it needs, run it, watch it, read it.

The form and the watching are fragments: neither draws the rest of the page again. The run is
a process of its own, one at a time on this server (`real_size_jobs.py`).

Leaves out: how a result is shown (`real_size_shown.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from pagedviz.engine.real_size import KV_DTYPES, SHAPES, RealSizeError, RealSizeSpec
from pagedviz.engine.real_size_memory import MOST, Estimate, estimate
from pagedviz.engine.real_size_result import RealSizeResult
from pagedviz.timeline.captions import Register
from pagedviz.ui.plain_text import warning
from pagedviz.ui.real_size_jobs import FORGET_AFTER, MOST_SECONDS, JobView, RealSizeQueue
from pagedviz.ui.real_size_shown import show_result
from pagedviz.ui.real_size_words import (
    LIMIT_HALF,
    LIMIT_MOST,
    LIMIT_UNKNOWN,
    TITLE,
    WORDS,
    counted,
    in_bytes,
    in_time,
)

OWN: Final = "own"
BLOCK_SIZES: Final = (16, 64, OWN)
EVERY: Final = 0.5  # seconds between two looks at a run
JOB, LAST = "real_size.job", "real_size.last"
_BY_ID: Final = {shape.id: shape for shape in SHAPES}


@dataclass(frozen=True, slots=True)
class Asked:
    """A run that this viewer has asked for."""

    ticket: str
    shape: str  # name of the model, "" for an own one


@dataclass(frozen=True, slots=True)
class Last:
    """What became of this viewer's last run: a result or a failure."""

    shape: str
    result: RealSizeResult | None
    failure: str


@st.cache_resource(show_spinner=False, on_release=RealSizeQueue.close)
def real_size_queue() -> RealSizeQueue:
    """The one queue of this server."""
    return RealSizeQueue()


def real_size_section(register: Register) -> None:
    """Draw the section, heading included, in one register."""
    st.header(TITLE, anchor=False)
    st.markdown(WORDS[register]["lead"])
    _ask(register)
    if JOB in st.session_state:
        st.fragment(_watch, run_every=EVERY)(register)
    elif LAST in st.session_state:
        _show_last(register)


@st.fragment
def _ask(register: Register) -> None:
    words = WORDS[register]
    given = _form(words)
    spec = None
    if None in given.values():
        warning(words["missing"])
    else:
        try:
            spec = RealSizeSpec(**given)
        except RealSizeError as error:
            warning(f"{words.get(error.field, error.field)} {error.said}.")
    if spec is not None and not _estimate(spec, register):
        spec = None
    shape = _BY_ID.get(st.session_state["real_size.shape"])
    busy = JOB in st.session_state
    ready = spec is not None and not busy
    if st.button(
        words["run"],
        type="primary" if ready else "secondary",
        icon=":material/timer:",
        key="real_size.run",
        disabled=not ready,
    ):
        # a second click that came before the button was drawn as off counts for nothing
        if spec is not None and not busy:
            _start(spec, shape.name if shape else "")
        st.rerun()


def _form(words: dict[str, str]) -> dict[str, Any]:
    """The levers, as arguments of a spec; None where a field is empty."""
    given: dict[str, Any] = {}
    with st.container(horizontal=True, vertical_alignment="bottom", key="real_size.form"):
        chosen = st.selectbox(
            words["shape"],
            [*_BY_ID, OWN],
            key="real_size.shape",
            format_func=lambda key: _BY_ID[key].name if key in _BY_ID else words["own"],
            width=180,
        )
        if chosen in _BY_ID:
            shape = _BY_ID[chosen]
            given["num_heads"] = shape.num_heads
            given["num_kv_heads"] = shape.num_kv_heads
            given["head_size"] = shape.head_size
        else:
            given["num_heads"] = _number(words, "num_heads", 32)
            given["num_kv_heads"] = _number(words, "num_kv_heads", 8)
            given["head_size"] = _number(words, "head_size", 128)
        given["context"] = _number(words, "context", 2_048, step=1_024)
        given["num_seqs"] = _number(words, "num_seqs", 8)
        size = st.selectbox(
            words["block_size"],
            BLOCK_SIZES,
            key="real_size.block",
            format_func=lambda size: words["own"] if size == OWN else str(size),
            width=130,
        )
        given["block_size"] = _number(words, "block_size", 32) if size == OWN else size
        given["kv_dtype"] = st.selectbox(
            words["kv_dtype"], KV_DTYPES, key="real_size.dtype", width=140
        )
        ahead = st.toggle(words["ahead"], key="real_size.ahead", help=words["ahead_help"])
    return {**given, "cores": 2 if ahead else 1}


def _number(words: dict[str, str], name: str, value: int, step: int = 1) -> int | None:
    return st.number_input(words[name], value=value, step=step, key=f"real_size.{name}", width=150)


def _estimate(spec: RealSizeSpec, register: Register) -> bool:
    """Say what the run needs; whether it may begin."""
    words = WORDS[register]
    need = estimate(spec)
    total, limit = in_bytes(need.bytes), _limit(need)
    if not need.fits:
        warning(words["too_large"].format(total=total, limit=limit, nearest=_nearest(need, words)))
        return False
    st.markdown(words["need"].format(total=total, limit=limit))
    with st.expander(words["parts"]):
        room = register == "room"
        st.markdown(
            "\n".join(
                f"- {words[part.name]}: "
                + (
                    part.formula.replace("blocks", "shelves").replace("entries", "lines")
                    if room
                    else part.formula
                )
                for part in need.parts
            )
        )
    return True


def _limit(need: Estimate) -> str:
    limit = in_bytes(need.limit)
    if need.available is None:
        return LIMIT_UNKNOWN.format(limit=limit)
    if need.limit == MOST:
        return LIMIT_MOST.format(limit=limit)
    return LIMIT_HALF.format(limit=limit, available=in_bytes(need.available))


def _nearest(need: Estimate, words: dict[str, str]) -> str:
    seqs = need.most_seqs and counted(need.most_seqs, words["seqs"])
    if need.most_context is None:
        return words["only_seqs"].format(seqs=seqs) if seqs else words["nothing_fits"]
    return words["nearest"].format(
        context=f"{need.most_context:,}",
        or_seqs=words["or_seqs"].format(seqs=seqs) if seqs else "",
    )


def _start(spec: RealSizeSpec, shape: str) -> None:
    ticket = real_size_queue().ask(spec)
    if ticket is None:
        st.session_state[LAST] = Last(shape, None, "full")
    else:
        st.session_state.pop(LAST, None)
        st.session_state[JOB] = Asked(ticket, shape)


def _watch(register: Register) -> None:
    """How the run goes on; ends with a run of the whole page, which ends the watching too."""
    words = WORDS[register]
    asked: Asked | None = st.session_state.get(JOB)
    if asked is None:  # cancelled
        st.rerun()
    view = real_size_queue().look(asked.ticket)
    if view.state in ("done", "failed"):
        st.session_state[LAST] = Last(asked.shape, view.result, view.failure or "")
        del st.session_state[JOB]
        st.rerun()
    st.progress(view.fraction, text=_going_on(view, words))
    st.button(words["cancel"], key="real_size.cancel", on_click=_cancel, icon=":material/close:")


def _going_on(view: JobView, words: dict[str, str]) -> str:
    if view.state == "waiting":
        more = words["waiting_more"].format(n=view.ahead - 1)
        return more if view.ahead > 1 else words["waiting_one"]
    paged, dense = (in_time(t) for t in view.last or (0, 0))
    return words[view.phase].format(done=view.done, of=view.of, paged=paged, dense=dense)


def _cancel() -> None:
    asked: Asked | None = st.session_state.pop(JOB, None)
    if asked is not None:
        real_size_queue().cancel(asked.ticket)


def _show_last(register: Register) -> None:
    last: Last = st.session_state[LAST]
    if last.result is not None:
        show_result(last.result, last.shape, register)
    else:
        text = WORDS[register][f"fail_{last.failure}"]
        warning(text.format(seconds=f"{MOST_SECONDS:,.0f}", away=f"{FORGET_AFTER:.0f}"))
