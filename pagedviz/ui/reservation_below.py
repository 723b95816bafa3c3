"""Below the reservation stage: totals beside published figures, kinds of places, block sizes."""

import html
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pagedviz.charts.block_sizes import block_sizes_alt, block_sizes_figure
from pagedviz.timeline.captions import Register
from pagedviz.timeline.reservation.setup import ReservationSetup
from pagedviz.timeline.reservation.trade_off import BlockSizeRow, block_size_trade_off
from pagedviz.ui.chart import Chart, chart


@st.cache_data(max_entries=64, show_spinner=False)
def _rows(lengths: tuple[int, ...]) -> tuple[BlockSizeRow, ...]:
    return tuple(block_size_trade_off(lengths))


def totals(wire: Mapping[str, Any], words: Mapping[str, Any]) -> None:
    """Both sides over the whole run, as a table, and what was published."""
    st.header(words["totals"])
    sides = [wire["totals"][side] for side in ("L", "R")]
    figures: dict[str, Callable[[Mapping[str, Any]], str]] = {
        "share": lambda found: percent(found["shares"][0]),
        "empty": lambda found: percent(found["empty"]),
        "most": lambda found: f"{found['most']:,}",
        "mean": lambda found: f"{found['mean_wait']:.1f}",
        "longest": lambda found: f"{found['longest_wait']:,}",
        "home": lambda found: f"{found['home']:,}",
        "preempted": lambda found: f"{found['preemptions']:,}",
    }
    # Two columns of figures: a phone shows them without scrolling.
    rows = "".join(
        f'<tr><th scope="row">{html.escape(words["columns"][name])}</th>'
        + "".join(f"<td>{figure(found)}</td>" for found in sides)
        + "</tr>"
        for name, figure in figures.items()
    )
    heads = (words["system"], words["L"], words["R"])
    st.html(
        '<table class="pv-totals"><thead><tr>'
        + "".join(f'<th scope="col">{html.escape(head)}</th>' for head in heads)
        + f"</tr></thead><tbody>{rows}</tbody></table>"
    )
    st.caption(words["published"].format(gap=words["gap"].format(**_gap(wire))))


def _gap(wire: Mapping[str, Any]) -> dict[str, str]:
    """Why the paged side wastes what it does here: how long a visit is, and what a tail costs."""
    lengths = [v["prompt"] + v["output"] - 1 for v in wire["visitors"]]
    size = wire["block_size"]
    tails = [-length % size for length in lengths]
    return {
        "empty": percent(wire["totals"]["R"]["empty"]),
        "mean": f"{sum(lengths) / len(lengths):.0f}",
        "size": f"{size:,}",
        "tail": f"{sum(tails) / len(tails):.1f}",
    }


def percent(share: float) -> str:
    """A share as the page writes it.

    >>> percent(0.2784)
    '27.8 %'
    """
    return f"{100 * share:.1f} %"


def kinds(wire: Mapping[str, Any], words: Mapping[str, Any], register: Register) -> None:
    """Definitions, one line each; every place is exactly one of them."""
    at = 1 if register == "engine" else 0
    with st.expander(words["kinds"]):
        for side in ("L", "R"):
            lines = [f"- **{k['name'][at]}**: {k['line'][at]}" for k in wire["kinds"][side]]
            st.markdown(f"**{words[side]}**\n" + "\n".join(lines))


def block_sizes(
    wire: Mapping[str, Any],
    setup: ReservationSetup,
    words: Mapping[str, Any],
    register: Register,
    url: Mapping[str, str],
) -> None:
    """Wasted tail against table entries per request, 16 and 64 marked; `url`: of this view."""
    lengths = tuple(v["prompt"] + v["output"] - 1 for v in wire["visitors"])
    rows = _rows(lengths)
    st.header(words["trade"])
    st.markdown(words["trade_lead"])
    about = (rows, setup.block_size, register)
    chart(
        Chart(
            "reservation.sizes",
            block_sizes_figure(*about),
            block_sizes_alt(*about),
            words["trade"],
            partial(_sizes_table, rows, words),
            url,
            words["trade_source"],
            formats={words["sizes_columns"][1]: ".1%"},
        )
    )


def _sizes_table(rows: Sequence[BlockSizeRow], words: Mapping[str, Any]) -> pd.DataFrame:
    wasted, share, entries = words["sizes_columns"]
    return pd.DataFrame(
        {
            words["size"]: row.block_size,
            wasted: round(row.wasted, 2),
            share: round(row.share, 4),
            entries: round(row.entries, 2),
        }
        for row in rows
        if row.block_size.bit_count() == 1  # every doubling
    )
