"""Attention weights as heat maps below the stage, with their numbers as a table."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from pagedviz.charts.attention_weights import triangle_figure, weights_figure
from pagedviz.charts.attention_weights_text import (
    triangle_alt,
    triangle_rows,
    weights_alt,
    weights_rows,
)
from pagedviz.timeline.attention.reading import read, triangle
from pagedviz.timeline.attention.setup import AttentionSetup
from pagedviz.timeline.captions import Register
from pagedviz.ui.chart import Chart, chart


@st.cache_data(max_entries=64, show_spinner=False)
def _weights(setup: AttentionSetup) -> Any:
    return read(setup.intact()).weights()


@st.cache_data(max_entries=64, show_spinner=False)
def _triangle(setup: AttentionSetup, head: int) -> Any:
    return triangle(setup, head)


def heat_section(
    setup: AttentionSetup, words: Mapping[str, Any], register: Register, url: Mapping[str, str]
) -> None:
    """All heads for the newest token, then one head for every token; `url`: of this view."""
    labels = setup.pieces or None
    st.header(words["heat"])
    st.markdown(words["heat_lead"] if setup == setup.intact() else words["heat_whole"])
    weights = _weights(setup)
    about = (weights, setup.block_size, labels, register)
    shares = {"": ".1%"}
    chart(
        Chart(
            "attention.weights",
            weights_figure(*about, num_kv_heads=setup.kv_heads),
            weights_alt(*about),
            words["heat"],
            lambda: pd.DataFrame(weights_rows(*about, num_kv_heads=setup.kv_heads)),
            url,
            words["heat_source"],
            formats=shares,
        )
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        head = st.selectbox(
            words["which"], range(setup.heads), key=f"attention.which.{setup.heads}", width=120
        )
        st.markdown(words["triangle"])
    cells = (_triangle(setup, head), setup.block_size, labels, register)
    chart(
        Chart(
            "attention.triangle",
            triangle_figure(*cells),
            triangle_alt(*cells),
            words["triangle_title"].format(head=head),
            lambda: pd.DataFrame(triangle_rows(*cells)),
            url,
            words["heat_source"],
            formats=shares,
        )
    )
