"""The lower half of the sizing page: the formula, the chart, the old rule, what is taken away.

Leaves out: the upper half (`sizing_parts.py`), the sheet itself (`sizing_sheet.py`).
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pagedviz.charts.sizing_lengths import Curve, sizing_alt, sizing_figure, sizing_rows
from pagedviz.sizing.gpu_plan import GpuPlan
from pagedviz.sizing.models import models
from pagedviz.sizing.units import gib
from pagedviz.timeline.captions import Register
from pagedviz.ui.chart import Chart
from pagedviz.ui.chart import chart as draw
from pagedviz.ui.plain_text import plain
from pagedviz.ui.sizing_answer import MISSING, Answer
from pagedviz.ui.sizing_changes import key_of, taken
from pagedviz.ui.sizing_curves import curves_of
from pagedviz.ui.sizing_figures import Row, inputs_of, rows_of, shape_of
from pagedviz.ui.sizing_inputs import MOST_BESIDE
from pagedviz.ui.sizing_link import complete, params, query
from pagedviz.ui.sizing_say import signs, told
from pagedviz.ui.sizing_sheet import csv_text, sheet
from pagedviz.ui.words import register

LENGTHS = 4  # rows of the inputs that stand in the levers already: model, prompt, answer, both


def formula_of(found: Answer) -> str:
    """Bytes per token with the numbers in it, in the words of the register."""
    text = found.chosen.geometry.formula_for(found.sizing.dtype)
    return signs(told(text, register()))


def sums_of(found: Answer) -> list[str]:
    """From memory to blocks, line by line; nothing on Spyre, whose blocks follow from limits."""
    plan = found.plan
    if not isinstance(plan, GpuPlan):
        return []
    inputs = plan.inputs
    lines = [
        f"{gib(inputs.memory)} x {inputs.utilization:g} = {gib(plan.budget)}",
        f"{gib(plan.budget)} - {gib(plan.weights)} weights - {gib(plan.room)} room for activations "
        f"and graphs = {gib(plan.available)}",
    ]
    if plan.blocks is not None:
        lines.append(
            f"{max(plan.available, 0):,} bytes / {plan.blocks.bytes_per_block:,} bytes a block = "
            f"{plan.num_blocks:,} blocks of {plan.blocks.block_size:,} tokens"
        )
    if inputs.num_blocks is not None:
        lines[-1] = f"{inputs.num_blocks:,} blocks, set by hand"
    return [signs(told(line, register())) for line in lines]


def formula(found: Answer, words: Mapping[str, Any]) -> None:
    """The formula with its numbers, and where each number comes from."""
    st.markdown(f"## {words['formula']}")
    st.code(formula_of(found), language=None, wrap_lines=True)
    if lines := sums_of(found):
        st.markdown(f"**{words['sum']}**")
        st.code("\n".join(lines), language=None, wrap_lines=True)
    notes = [*found.chosen.geometry.notes, *getattr(found.plan, "notes", ())]
    if notes:
        st.markdown("\n".join(f"- {plain(told(note, register()))}" for note in notes))
    st.markdown(words["formula_lead"])
    st.html(_sources([*shape_of(found), *inputs_of(found)[LENGTHS:]]))


def _sources(rows: Sequence[Row]) -> str:
    body = "".join(
        f'<tr><th scope="row">{_cell(row.name)}<small>{_cell(row.source)}</small></th>'
        f"<td>{_cell(row.shown)}</td></tr>"
        for row in rows
    )
    return f'<div class="pv-sources"><table class="pv-three">{body}</table></div>'


def _cell(text: str) -> str:
    return html.escape(told(text, register()))


def chart(found: Answer, words: Mapping[str, Any]) -> None:
    """Concurrency against length, for the model and those beside it."""
    sizing = found.sizing
    st.markdown(f"## {words['chart']}")
    st.markdown(words["chart_lead_spyre" if sizing.where == "spyre" else "chart_lead"])
    names = {one.id: one.name for one in models()}
    key = key_of("beside")
    st.multiselect(
        words["beside"],
        list(names),
        default=list(sizing.beside),
        max_selections=MOST_BESIDE,
        format_func=names.__getitem__,
        key=key,
        on_change=_set_beside,
        args=(key,),
        help=words["beside_help"],
        width=560,
    )
    drawn = curves_of(sizing)
    if drawn.curves:
        mean = max(1, round(found.lengths.mean))
        about = (drawn.curves, mean, drawn.limit, register())
        draw(
            Chart(
                "sizing.chart",
                sizing_figure(*about),
                sizing_alt(*about),
                words["chart"],
                partial(_curves_table, drawn.curves, register()),
                params(sizing) if complete(sizing) else None,
                words["chart_source"],
            )
        )
    for name, why in drawn.missing:
        said = words["parts"]["weights"] if why == MISSING else told(why, register())
        st.caption(plain(words["missing"].format(name=names.get(name, name), why=said)))


def _curves_table(curves: Sequence[Curve], in_words: Register) -> pd.DataFrame:
    # whole numbers with gaps: a model takes none longer than its context
    return pd.DataFrame(sizing_rows(curves, in_words)).convert_dtypes()


def _set_beside(key: str) -> None:
    if key == key_of("beside"):
        st.session_state[key] = tuple(st.session_state[key])
        taken("beside", key)


def old(found: Answer, words: Mapping[str, Any]) -> None:
    """The same memory, under maximum reservation and under paging."""
    if found.old is None:
        return
    was = found.old
    st.markdown(f"## {words['old']}")
    times = was.paged / was.reserved if was.reserved else 0
    more = words["times"].format(n=f"{times:,.0f}") if times >= 2 else ""
    said = {"old": f"{was.reserved:,}", "paged": f"{was.paged:,}", "times": more}
    st.markdown(words["old_line"].format_map(said))
    rows = (
        ("reserved", was.reserved, was.reserved_used, " class='pv-old'"),
        ("power", was.power_of_two, was.power_of_two_used, " class='pv-old'"),
        ("paged", was.paged, was.paged_used, ""),
    )
    most = max(was.paged, was.reserved, was.power_of_two, 1)
    body = "".join(
        f"<div>{html.escape(words['old_rows'][name])}</div>"
        f"<span><i{kind} style='width:{60 * n / most:.2f}%'></i><b>{n:,}</b>"
        f"<em>{used:.1%} {html.escape(words['old_used'])}</em></span>"
        for name, n, used, kind in rows
    )
    st.html(f'<div class="pv-rule">{body}</div>')
    limits = f" {words['old_spyre']}" if found.sizing.where == "spyre" else ""
    st.caption(words["old_source"] + limits)


def take(found: Answer, line: str, words: Mapping[str, Any]) -> None:
    """The sheet and the table, to take away."""
    base = st.context.url or ""
    link = (base or "sizing") + query(found.sizing)
    if not complete(found.sizing):
        link = ""
    st.markdown(f"## {words['take']}")
    lead = words["take_lead"].format(base=words["base" if base else "base_relative"])
    st.markdown(lead)
    rows = rows_of(found)
    sums = sums_of(found)
    when = datetime.now(UTC).date().isoformat()
    lines = () if not isinstance(found.plan, GpuPlan) else getattr(found.plan.startup, "lines", ())
    page = sheet(
        found.chosen.name, line, rows, formula_of(found), sums, tuple(lines), when, link, register()
    )
    with st.container(horizontal=True, key="sizing-take"):
        st.download_button(
            words["sheet"],
            page,
            f"sizing-{when}.html",
            "text/html",
            key="sizing.sheet",
            on_click="ignore",
        )
        st.download_button(
            words["csv"],
            csv_text(rows, register()).encode("utf-8-sig"),  # a spreadsheet then reads it as UTF-8
            f"sizing-{when}.csv",
            "text/csv",
            key="sizing.csv",
            on_click="ignore",
        )
