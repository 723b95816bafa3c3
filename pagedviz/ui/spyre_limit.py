"""The published limit on the Spyre page: a stage to drag on, and a chart that follows it."""

from collections.abc import Mapping
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
from pagedviz.ui.layers import layer
from pagedviz.ui.spyre_words import PUBLISHED, WORDS
from pagedviz.ui.words import register, remember_register

POINT = "spyre.point"  # step of the trade-off: which context and batch
START = 95  # 6,144 tokens: between two of IBM's rows
LAYOUT = (("caption",), ("limits",))


@st.cache_resource(show_spinner=False)
def _wire() -> tuple[Mapping[str, Any], str]:
    found: Mapping[str, Any] = trade_off()
    return found, pack(found)


def last_point() -> int:
    """The last step of the trade-off."""
    return int(_wire()[0]["last"])


def limit_part(opening: Opening, url: Mapping[str, str], known: tuple[str, ...]) -> None:
    """Draw the part; `opening.step` is where the stage opens."""
    words = WORDS[register()]
    wire, packed = _wire()
    st.session_state.setdefault(POINT, opening.step)
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
                ),
                key="stage",
                on_register=remember_register,
                on_edit=_take_point,
            )
        with right:
            _chart(words)


def _take_point() -> None:
    value = st.session_state["stage"].get("edit")
    if not isinstance(value, Mapping):
        return
    wanted = (value.get("context"), value.get("batch"))
    for index, step in enumerate(_wire()[0]["steps"]):
        if (step["context"], step["batch"]) == wanted:
            st.session_state[POINT] = index


def _chart(words: Mapping[str, Any]) -> None:
    step = _wire()[0]["steps"][st.session_state[POINT]]
    about = (step["context"], step["batch"], register())
    st.markdown(f"**{words['chart']}**")
    st.plotly_chart(
        frontier_figure(*about),
        alt=frontier_alt(*about),
        config={"displaylogo": False, "displayModeBar": False},
        key="spyre.frontier",
    )
    with st.expander(words["numbers"]):
        table = pd.DataFrame(frontier_rows(*about)).style.format(thousands=",")
        st.dataframe(table, hide_index=True)
