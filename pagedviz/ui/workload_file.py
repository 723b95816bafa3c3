"""A file of the viewer's own as the load: read it, name its columns, decide on rows left out.

What was loaded before stays until a file has been read and, if rows of it cannot be used, until
the viewer has said to go on without them. A file of more than some hundred kilobytes is read in a
process of its own.

Leaves out: the forms of files (`pagedviz.workload.read`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pandas as pd
import streamlit as st

from pagedviz.ui.plain_text import plain, warning
from pagedviz.ui.workload_jobs import JobView
from pagedviz.ui.workload_run import AT_ONCE_BYTES, ReadTask
from pagedviz.ui.workload_state import PROBLEM, Pending, desk, put
from pagedviz.ui.workload_work import JOB, start
from pagedviz.workload import Trace, TraceError, WorkloadError, read_trace, to_csv
from pagedviz.workload.forms import ARRIVAL_UNITS

MAX_FILE_MB: Final = 64
SHOWN_ROWS: Final = 12
NONE: Final = ""


def panel(words: Mapping[str, Any]) -> None:
    """The form for a file, what was read from it, and what is to be decided."""
    now = desk()
    if not (now.uploading or now.is_file):
        return
    with st.container(border=True, key="workload.file-panel"):
        key = f"workload.file.{now.session}"
        st.file_uploader(
            words["file"],
            key=key,
            on_change=_take,
            args=(key,),
            max_upload_size=MAX_FILE_MB,
            help=words["file_help"],
            disabled=JOB in st.session_state,
        )
        if now.pending is not None:
            _pending(words, now.pending)
        if now.is_file and now.trace is not None:
            _loaded(words, now.trace)
            if now.pending is None:
                st.button(
                    words["recolumn"], key="workload.recolumn", on_click=_recolumn, type="tertiary"
                )


def _take(key: str) -> None:
    file = st.session_state[key]
    if file is None:  # taken away: the load stays
        put(replace(desk(), pending=None))
        return
    _read(ReadTask(file.getvalue(), file.name))


def _read(task: ReadTask) -> None:
    if len(task.data) > AT_ONCE_BYTES:
        start(task)
        return
    try:
        found = task.work(lambda done, total: None)
    except WorkloadError as error:
        take_read(task, JobView("refused", error=error))
    else:
        take_read(task, JobView("done", found=found))


def take_read(task: ReadTask, view: JobView) -> None:
    """What became of reading a file: the load, or something to decide."""
    st.session_state[PROBLEM] = ""
    if isinstance(view.found, Trace):
        trace = view.found
        if trace.num_rejected_rows:
            put(replace(desk(), pending=Pending(task.name, task.data, trace=trace), uploading=True))
        else:
            put(desk().loaded(trace, task.data))
    elif view.error is not None:
        columns = view.error.columns if isinstance(view.error, TraceError) else ()
        if task.columns is not None and (before := desk().pending) is not None and not columns:
            columns = before.columns  # chosen wrongly: choose again
        put(
            replace(
                desk(),
                pending=Pending(task.name, task.data, str(view.error), columns),
                uploading=True,
            )
        )


def _loaded(words: Mapping[str, Any], trace: Trace) -> None:
    usable = len(trace.usable)
    st.markdown(
        words["loaded"].format(
            name=plain(trace.name), form=plain(trace.form), rows=trace.num_rows, usable=usable
        )
        + "".join(f"\n- {plain(note)}" for note in trace.notes)
    )
    st.caption(words["link_file"])


def _pending(words: Mapping[str, Any], pending: Pending) -> None:
    kept = words["kept_file"] if desk().is_file else words["kept"]
    if pending.trace is None:
        if pending.said:
            warning(f"{pending.said} {kept}")
        if pending.columns:
            _choose(words, pending)
        return
    trace = pending.trace
    st.warning(
        words["rejected"].format(
            name=plain(pending.name),
            form=plain(trace.form),
            bad=trace.num_rejected_rows,
            rows=trace.num_rows,
            good=len(trace.requests),
        )
        + f" {kept}",
        icon=":material/rule:",
    )
    rejected_table(words, trace.rejected)
    with st.container(horizontal=True):
        st.button(
            words["go_on"].format(good=len(trace.requests), rows=trace.num_rows),
            type="primary",
            key="workload.go_on",
            on_click=_go_on,
        )
        st.button(words["drop"], key="workload.drop", on_click=_drop)
        st.download_button(
            words["rejected_csv"],
            lambda: to_csv(trace.rejected),
            "pagedviz-rows-left-out.csv",
            "text/csv",
            on_click="ignore",
            key="workload.rejected_csv",
        )


def rejected_table(words: Mapping[str, Any], rejected: pd.DataFrame) -> None:
    """The first faults, one a line; cells of the file are shown as they are."""
    shown = rejected.head(SHOWN_ROWS)
    table = pd.DataFrame(
        {
            words["row"]: shown["row"].map("{:,}".format),
            words["column"]: [plain(str(name)) or words["whole_row"] for name in shown["column"]],
            words["reason"]: [plain(str(reason)) for reason in shown["reason"]],
        }
    )
    st.table(table.set_index(words["row"]))
    if len(rejected) > len(shown):
        st.caption(words["more_faults"].format(n=len(rejected) - len(shown)))


def _go_on() -> None:
    pending = desk().pending
    if pending is not None and pending.trace is not None:
        put(desk().loaded(pending.trace, pending.data))


def _drop() -> None:
    put(replace(desk(), pending=None, uploading=desk().is_file))


def _choose(words: Mapping[str, Any], pending: Pending) -> None:
    """Which column is which."""
    columns = list(dict.fromkeys(pending.columns))
    st.markdown(words["choose"])
    with st.container(key="workload.columns"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for name, least in (("prompt_tokens", 0), ("output_tokens", 0), ("arrival_s", 1)):
                st.selectbox(
                    words[f"column_{name}"],
                    [NONE, *columns],
                    index=_likely(name, columns) if not least else 0,
                    key=f"workload.column.{name}",
                    format_func=lambda one: one or words["no_column"],
                    width=220,
                )
            st.selectbox(
                words["unit"],
                ARRIVAL_UNITS,
                key="workload.column.arrival_unit",
                format_func=words["units"].__getitem__,
                width=170,
            )
            st.selectbox(
                words["column_block_hashes"],
                [NONE, *columns],
                key="workload.column.block_hashes",
                format_func=lambda one: one or words["no_column"],
                width=220,
            )
            st.number_input(
                words["hash_size"], value=512, step=1, key="workload.column.hash_size", width=150
            )
        with st.container(horizontal=True):
            st.button(words["read_so"], type="primary", on_click=_read_so, key="workload.read_so")
            st.button(words["drop"], on_click=_drop, key="workload.drop_columns")


def _likely(name: str, columns: list[str]) -> int:
    """Index of a column that has the very name, else none: nothing is guessed."""
    return columns.index(name) + 1 if name in columns else 0


def _read_so() -> None:
    pending = desk().pending
    if pending is None:
        return
    state = st.session_state
    chosen = {
        name: state[f"workload.column.{name}"]
        for name in ("prompt_tokens", "output_tokens", "arrival_s", "block_hashes")
        if state[f"workload.column.{name}"]
    }
    if "arrival_s" in chosen:
        chosen["arrival_unit"] = state["workload.column.arrival_unit"]
    if "block_hashes" in chosen:
        chosen["hash_block_size"] = str(state["workload.column.hash_size"])
    _read(ReadTask(pending.data, pending.name, tuple(chosen.items()) or (("prompt_tokens", ""),)))


def _recolumn() -> None:
    """Ask for the columns of the file that is loaded: asking for none names all there are."""
    now = desk()
    if now.trace is None:
        return
    try:
        read_trace(now.trace_data, now.trace.name, {"prompt_tokens": ""})
    except TraceError as error:
        said = "" if error.columns else str(error)
        put(replace(now, pending=Pending(now.trace.name, now.trace_data, said, error.columns)))
