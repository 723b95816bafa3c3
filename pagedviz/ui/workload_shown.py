"""A result of the workload page: pictures, published figures beside ours, tables, downloads.

Leaves out: the numbers (`workload_numbers.py`) and the figures (`charts/workload_*.py`).
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pagedviz.charts.numbers import PLAIN
from pagedviz.charts.workload_lengths import lengths_alt, lengths_figure, lengths_rows, tails
from pagedviz.charts.workload_memory import memory_alt, memory_figure
from pagedviz.charts.workload_names import KINDS
from pagedviz.charts.workload_running import running_alt, running_figure
from pagedviz.timeline.captions import Register
from pagedviz.ui.chart import Chart, chart
from pagedviz.ui.plain_text import plain
from pagedviz.ui.workload_inputs import PAPER
from pagedviz.ui.workload_link import params
from pagedviz.ui.workload_numbers import (
    about,
    arrivals,
    hits_sentence,
    percent,
    published_table,
    results_table,
    seconds_per_unit,
    sentence,
)
from pagedviz.ui.workload_run import Found
from pagedviz.ui.workload_state import desk
from pagedviz.ui.workload_tables import (
    memory_table,
    requests_table,
    running_table,
    series_table,
)
from pagedviz.workload import to_csv


def top(found: Found, words: Mapping[str, Any], register: Register, *, stale: bool) -> None:
    """The sentence, large; `stale`: of the setting before."""
    said = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", html.escape(sentence(found, words, register)))
    st.html(f'<p style="margin: 0; font-size: 23px; line-height: 1.35">{said}</p>')
    if stale:
        st.info(words["earlier"], icon=":material/history:")


def result(found: Found, words: Mapping[str, Any], register: Register, gib: str) -> None:
    """Everything below the levers."""
    run = found.simulation
    st.caption(plain(about(found, words, gib)))
    per_unit, unit = seconds_per_unit(run.setup.cost)
    axis = (per_unit, words[unit])
    st.header(words["memory_title"])
    st.markdown(words["memory_lead"])
    table = partial(memory_table, run, words, register)
    drawn = memory_figure(run, register, *axis)
    shares = {kind.name(register): ".1%" for kind in KINDS}
    _chart("memory", drawn, memory_alt(run, register), table, words, shares)
    _published(found, words, register)
    st.header(words["running_title"])
    table = partial(running_table, run, words, register)
    drawn = running_figure(run, register, *axis)
    _chart("running", drawn, running_alt(run, register), table, words)
    _lengths(found, words, register)
    _table(found, words, register)


def _published(found: Found, words: Mapping[str, Any], register: Register) -> None:
    run = found.simulation
    st.header(words["published"])
    st.table(published_table(run, words, register))
    st.caption(words["published_source"])
    with st.expander(words["why"]):
        reasons = [reason.format(arrivals=arrivals(run, register)) for reason in words["reasons"]]
        if run.setup != PAPER.simulation_setup() or not run.name.startswith("sharegpt"):
            reasons.insert(0, words["not_paper"].format(paper=words["paper"]))
        st.markdown("\n".join(f"- {reason}" for reason in reasons))


def _lengths(found: Found, words: Mapping[str, Any], register: Register) -> None:
    run = found.simulation
    given = (run.systems["paged"].requests, run.setup.block_size)
    sums = tails(*given)
    st.header(words["lengths_title"])
    st.markdown(
        words["lengths_lead"].format(size=given[1], mean=sums.mean, share=percent(sums.share, 1))
    )
    table = partial(lengths_rows, *given, register)
    drawn, alt = lengths_figure(*given, register), lengths_alt(*given, register)
    _chart("lengths", drawn, alt, table, words, {"": ".1%"})


def _table(found: Found, words: Mapping[str, Any], register: Register) -> None:
    run = found.simulation
    st.header(words["table_title"])
    st.table(results_table(found, words, register))
    st.markdown(hits_sentence(found, words))
    with st.container(horizontal=True, key="workload.downloads"):
        for name, table in (
            ("summary", run.summary),
            ("series", lambda: series_table(run)),
            ("requests", lambda: requests_table(run)),
        ):
            st.download_button(
                words[f"csv_{name}"],
                lambda table=table: to_csv(table()),  # type: ignore[misc]
                f"pagedviz-workload-{name}.csv",
                "text/csv",
                on_click="ignore",
                key=f"workload.csv.{name}",
                icon=":material/download:",
            )
    # the load's own remarks stand beside a file; of the run's, the hits have a sentence already
    notes = [note for note in run.notes if "refix" not in note]
    notes = [*(found.notes if found.form == "made up" else ()), *notes]
    if notes and register == "engine":
        st.caption("  \n".join(plain(note) for note in notes))


def _chart(
    name: str,
    figure: Any,
    alt: str,
    table: Callable[[], pd.DataFrame],
    words: Mapping[str, Any],
    formats: Mapping[str, str] = PLAIN,
) -> None:
    chart(
        Chart(
            f"workload.{name}",
            figure,
            alt,
            words[f"{name}_title"],
            table,
            None if desk().is_file else params(desk()),
            words["charts_source"],
            words[f"{name}_table"],
            formats,
        )
    )
