"""Small work at once, large work in a process of its own: the result that belongs to what is set.

A load of about a second's work is run as soon as it is set; a larger one when the viewer says so,
with a bar that counts requests, and a button that ends it. While it runs, and until it has run,
the last result stays.

Leaves out: the queue (`workload_jobs.py`), what becomes of a file (`workload_file.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import streamlit as st

from pagedviz.ui.plain_text import warning
from pagedviz.ui.workload_jobs import FORGET_AFTER, MOST_SECONDS, JobView, WorkQueue
from pagedviz.ui.workload_run import (
    AT_ONCE_PROMPTS,
    AT_ONCE_REQUESTS,
    AT_ONCE_TOKENS,
    Found,
    ReadTask,
    RunTask,
    Task,
    at_once,
)
from pagedviz.ui.workload_state import PROBLEM, Desk, Key, desk, put
from pagedviz.workload import LoadSetup, SimulationSetup, Trace, WorkloadError
from pagedviz.workload.generate import LENGTHS
from pagedviz.workload.simulate import MAX_REQUESTS

JOB: Final = "workload.job"
EVERY: Final = 0.5  # seconds between two looks
Take = Callable[[ReadTask, JobView], None]


@dataclass(frozen=True)
class Asked:
    """Work that this viewer has asked for; `key`: what the result will be the result of."""

    ticket: str
    key: Key
    reading: ReadTask | None = None


@st.cache_resource(show_spinner=False, on_release=WorkQueue.close)
def work_queue() -> WorkQueue:
    """The one queue of this server."""
    return WorkQueue()


@st.cache_data(max_entries=32, show_spinner=False)
def _made_up(load: LoadSetup, setup: SimulationSetup) -> Found:
    return RunTask(load, setup).work(lambda done, total: None)


def is_light(desk: Desk) -> bool:
    """Whether what is set can be run at once.

    >>> from pagedviz.ui.workload_inputs import PAPER, Inputs
    >>> is_light(Desk(Inputs())), is_light(Desk(PAPER))
    (True, False)
    """
    load = desk.load
    if isinstance(load, Trace):
        return at_once(load)
    prompt, output = (
        own or base
        for own, base in zip((load.prompt, load.output), LENGTHS[load.kind], strict=True)
    )
    turns = load.turns if load.kind == "agents" else 1  # the mean turn quotes half of them
    prompts = load.shared_tokens + prompt.mean * (turns + 1) / 2 + output.mean * (turns - 1) / 2
    return (
        load.num_requests <= AT_ONCE_REQUESTS
        and load.num_requests * output.mean <= AT_ONCE_TOKENS
        and load.num_requests * prompts <= AT_ONCE_PROMPTS
    )


def settle(words: Mapping[str, Any]) -> None:
    """Run what is set if it is light and not yet run; say so if it cannot be."""
    now = desk()
    if now.found_key == now.key or not is_light(now) or JOB in st.session_state:
        return
    try:
        load = now.load
        with st.spinner(words["running"]):
            if isinstance(load, Trace):
                found = now.task.work(lambda done, total: None)
            else:
                found = _made_up(load, now.inputs.simulation_setup())
    except WorkloadError as error:
        warning(words["said"](error))
        return
    put(replace(now, found=found, found_key=now.key))


def run_row(words: Mapping[str, Any], take: Take) -> None:
    """The button for a large load, or how the work that goes on goes on."""
    if JOB in st.session_state:
        st.fragment(_watch, run_every=EVERY)(words, take)
        return
    now = desk()
    if now.found_key == now.key or is_light(now):
        return
    load = now.load
    count = len(load.usable) if isinstance(load, Trace) else load.num_requests
    if count > MAX_REQUESTS:  # before a large file goes to a process for nothing
        warning(words["too_many"].format(count=count, most=MAX_REQUESTS))
        return
    with st.container(horizontal=True, vertical_alignment="center", key="workload.ask"):
        st.button(
            words["run"],
            type="primary",
            icon=":material/play_arrow:",
            key="workload.run",
            on_click=_run,
            args=(now.key,),
        )
        st.markdown(words["large"].format(count=count))


def _run(key: Key) -> None:
    now = desk()
    if now.key == key and JOB not in st.session_state:
        start(now.task, key)


def start(task: Task, key: Key = ()) -> None:
    """Ask for work; what it finds is taken when the viewer's page looks."""
    ticket = work_queue().ask(task)
    if ticket is None:
        st.session_state[PROBLEM] = "full"
    else:
        st.session_state[PROBLEM] = ""
        reading = task if isinstance(task, ReadTask) else None
        st.session_state[JOB] = Asked(ticket, key, reading)


def _watch(words: Mapping[str, Any], take: Take) -> None:
    """How the work goes on; ends with a run of the whole page, which ends the watching too."""
    asked: Asked | None = st.session_state.get(JOB)
    if asked is None:  # cancelled
        st.rerun()
    view = work_queue().look(asked.ticket)
    if view.over:
        del st.session_state[JOB]
        _over(asked, view, words, take)
        st.rerun()
    share = view.done / view.total if view.total else 0.0
    st.progress(share, text=going_on(asked, view, words))
    st.button(words["cancel"], key="workload.cancel", on_click=_cancel, icon=":material/close:")


def going_on(asked: Asked, view: JobView, words: Mapping[str, Any]) -> str:
    """How the work stands, in words."""
    if view.state == "waiting":
        return str(words["waiting"].format(n=view.ahead))
    if asked.reading is not None:
        return str(words["reading"].format(size=len(asked.reading.data) / 1e6))
    if not view.total:
        return str(words["starting"])
    return str(words["done"].format(done=view.done, total=view.total))


def _over(asked: Asked, view: JobView, words: Mapping[str, Any], take: Take) -> None:
    if asked.reading is not None:
        take(asked.reading, view)
    elif isinstance(view.found, Found):
        put(replace(desk(), found=view.found, found_key=asked.key))
    elif view.error is not None:
        st.session_state[PROBLEM] = words["said"](view.error)
    if view.failure is not None:
        st.session_state[PROBLEM] = words[f"fail_{view.failure}"].format(
            seconds=f"{MOST_SECONDS:,.0f}", away=f"{FORGET_AFTER:.0f}"
        )


def _cancel() -> None:
    asked: Asked | None = st.session_state.pop(JOB, None)
    if asked is not None:
        work_queue().cancel(asked.ticket)
