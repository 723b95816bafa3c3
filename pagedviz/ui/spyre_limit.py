"""The published limit on the Spyre page: a stage to drag on, and a chart that follows it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from pagedviz.charts.frontier import frontier_figure
from pagedviz.charts.frontier_text import frontier_alt, frontier_rows
from pagedviz.stage.component import stage
from pagedviz.stage.payload import Opening, payload
from pagedviz.timeline.captions import REGISTERS
from pagedviz.timeline.spyre.tradeoff import trade_off
from pagedviz.timeline.wire import pack
from pagedviz.ui.chart import Chart, chart
from pagedviz.ui.layers import layer
from pagedviz.ui.spyre_words import PUBLISHED, WORDS
from pagedviz.ui.take import take
from pagedviz.ui.words import register, remember_register

POINT = "spyre.point"  # (token of the opening, step of the trade-off): which context and batch
LAYOUT = (("caption",), ("limits",))
LIMIT_BY = "IBM's product documentation, Spyre Enablement Stack 1.1, March 2026"


@st.cache_resource(show_spinner=False)
def _wire() -> tuple[Mapping[str, Any], str]:
    found: Mapping[str, Any] = trade_off()
    return found, pack(found)


def limit_part(opening: Opening, url: Mapping[str, str], known: tuple[str, ...]) -> None:
    """Draw the part; `opening.step` is where the stage opens."""
    words = WORDS[register()]
    wire, packed = _wire()
    if _point()[0] != opening.token:  # the stage goes to where this opening wants it
        st.session_state[POINT] = (opening.token, opening.step)
    opening = replace(opening, step=_point()[1])  # a stage that is made anew stands there again
    plain = wire["steps"][opening.step]["c"]
    with layer("published", PUBLISHED, register(), "limit"):
        left, right = st.columns([2.55, 1], gap="medium")
        with left:
            stage(
                payload(
                    [packed],
                    opening,
                    layout=LAYOUT,
                    url=url,
                    known=known,
                    plain={
                        "step": opening.step,
                        "last": wire["last"],
                        "words": [plain[k] for k, _ in enumerate(REGISTERS)],
                        "rows": [],
                        "queue": [],
                        "more": 0,
                    },
                    panels=take("spyre", LIMIT_BY),
                ),
                key="stage",
                on_register=remember_register,
                on_edit=_take_point,
            )
        with right:
            _chart(words, url)


def _take_point() -> None:
    value = st.session_state["stage"].get("edit")
    if not isinstance(value, Mapping):
        return
    wanted = (value.get("context"), value.get("batch"))
    for index, step in enumerate(_wire()[0]["steps"]):
        if (step["context"], step["batch"]) == wanted:
            st.session_state[POINT] = (_point()[0], index)


def _point() -> tuple[str, int]:
    found: tuple[str, int] = st.session_state.get(POINT, ("", 0))
    return found


def _chart(words: Mapping[str, Any], url: Mapping[str, str]) -> None:
    step = _wire()[0]["steps"][_point()[1]]
    about = (step["context"], step["batch"], register())
    st.markdown(f"**{words['chart']}**")
    chart(
        Chart(
            "spyre.frontier",
            frontier_figure(*about),
            frontier_alt(*about),
            words["chart"],
            lambda: pd.DataFrame(frontier_rows(*about, edge=True)),
            {**url, "step": str(_point()[1])},
            PUBLISHED,
        )
    )
