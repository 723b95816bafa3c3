"""Every chart of the app: drawn with its words, and under it its numbers and files.

One quiet line opens a table of the chart's numbers, the same as CSV, the chart as a file that
works without a network, and as SVG. Table and files are made when they are asked for, in a
fragment: opening the line runs nothing else of the page, and a file of 5 MB is built on a press.

The SVG is made by the browser from what it has drawn (assets/chart_svg.js): a server would need
a browser of its own for it, and Plotly's own button for it lies over the chart, is told by its
icon alone and knows neither title nor source.

Leaves out: figures, their words and their numbers (`pagedviz.charts`).
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from pagedviz.charts.numbers import PLAIN, numbers_html
from pagedviz.charts.standalone import Provenance, standalone_html
from pagedviz.ui.words import in_register
from pagedviz.workload.export import to_csv

# No buttons over the picture: what they did is below it, or goes by pointing.
CONFIG: Final = {"displaylogo": False, "displayModeBar": False, "showSendToCloud": False}
LABEL: Final = "Numbers and files"
TABLE, PAGE, PICTURE = "Numbers, CSV", "Chart, HTML file", "Chart, SVG"
MOST_CELLS: Final = 6_000  # of an HTML table; beyond it Streamlit's, which draws what is in sight
WORKED_OUT: Final = "Worked out by pagedviz; no published figure."


@dataclass(frozen=True)
class Chart:
    """A figure and what is said of it.

    key: of its widgets, "page.name", which its files are named after. title, lead and source
    are our own words; alt may hold text from elsewhere. table is called when it is looked at.
    link: the parameters of this view; None if a link cannot hold what was put in.
    """

    key: str
    figure: go.Figure
    alt: str
    title: str
    table: Callable[[], pd.DataFrame]
    link: Mapping[str, str] | None
    source: str = WORKED_OUT
    lead: str = ""  # Markdown, above the table
    formats: Mapping[str, str] = field(default_factory=lambda: PLAIN)

    @property
    def place(self) -> str:
        """Its key as part of a name of a file, and of a class in the page.

        >>> Chart("a.b", go.Figure(), "", "", pd.DataFrame, {}).place
        'a-b'
        """
        return self.key.replace(".", "-")

    def address(self) -> str:
        """The way back to this view; "" if a link cannot hold it."""
        if self.link is None:
            return ""
        query = urlencode(dict(self.link) | in_register())
        return (st.context.url or "") + (f"?{query}" if query else "")


def chart(shown: Chart) -> None:
    """Draw it, and the line below it."""
    st.plotly_chart(shown.figure, key=shown.key, alt=shown.alt, config=CONFIG)
    _below(shown)


@st.fragment
def _below(shown: Chart) -> None:
    with st.container(key=f"chart-files-{shown.place}"):
        fold = st.expander(LABEL, key=f"{shown.key}.files", on_change="rerun")
        if not fold.open:
            return
        with fold:
            if shown.lead:
                st.markdown(shown.lead)
            table = shown.table()
            if table.size > MOST_CELLS:
                st.dataframe(table, hide_index=table.index.name is None)
            else:
                st.html(numbers_html(table, shown.formats, f"{shown.title}: numbers"))
            with st.container(horizontal=True, key=f"chart-take-{shown.place}"):
                _take(shown)
            st.caption(shown.source)


def _take(shown: Chart) -> None:
    day = datetime.now(UTC).date().isoformat()
    name = f"pagedviz-{shown.place}-{day}"
    link = shown.address()  # read now: while a file is built there is no page to ask
    about = Provenance(shown.title, shown.alt, shown.source, day, link)
    st.download_button(
        TABLE,
        lambda: to_csv(shown.table()).encode("utf-8-sig"),  # a spreadsheet then reads it as UTF-8
        f"{name}.csv",
        "text/csv",
        key=f"{shown.key}.csv",
        on_click="ignore",
    )
    st.download_button(
        PAGE,
        lambda: html_file(shown, about, name).encode(),
        f"{name}.html",
        "text/html",
        key=f"{shown.key}.html",
        on_click="ignore",
    )
    told = {"title": shown.title, "source": shown.source, "link": link, "file": f"{name}.svg"}
    data = "".join(f' data-{key}="{html.escape(text)}"' for key, text in told.items())
    st.html(
        f'<button type="button" class="pv-file" data-pv-svg="{shown.place}"{data}>{PICTURE}'
        "</button>",
        width="content",
    )


def html_file(shown: Chart, about: Provenance, name: str) -> str:
    """The chart as a file that opens by itself."""
    numbers = numbers_html(shown.table(), shown.formats, shown.title)
    return standalone_html(shown.figure, about, numbers, name)
