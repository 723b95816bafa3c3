"""The card "by block and by chunk": two lengths, the picture of what is reused, and the stairs."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from pagedviz.charts.stairs import stairs_alt, stairs_figure, stairs_rows
from pagedviz.charts.strips import STRIPS_CSS, strips_html
from pagedviz.engine.spyre.chunks import chunk_reuse
from pagedviz.timeline.captions import Register
from pagedviz.ui.chart import Chart, chart
from pagedviz.ui.prefix_state import desk

LONGEST = 8_192  # tokens on the sliders: 16 chunks of 512
START = (3_000, 2_500)  # the pair of IBM's surprise: 1,984 reused by chunks of 1,024


def chunk_card(words: dict[str, str], register: Register, url: Mapping[str, str] | None) -> None:
    """Draw the card; the chunk is the one chosen above, beside 1,024 and 512.

    url: of this view, for the chart's files; None if a link cannot hold it.
    """
    st.header(words["card"])
    chunk = desk().played.setup.chunk
    left, right = st.columns(2)
    prompt = left.slider(words["prompt_len"], 1, LONGEST, START[0], key="prefix.prompt_len")
    shared = right.slider(words["shared"], 0, LONGEST, START[1], key="prefix.shared")
    shared = min(shared, prompt)
    reuse = chunk_reuse(prompt, shared // 64, chunk)
    vllm = min(shared // 16, (prompt - 1) // 16) * 16
    st.markdown(
        words["found"].format(
            prompt=f"{prompt:,}",
            shared=f"{shared:,}",
            vllm=f"{vllm:,}",
            chunk=f"{chunk:,}",
            spyre=f"{reuse.reusable_tokens:,}",
        )
    )
    chunks = tuple(dict.fromkeys((chunk, 1024, 512)))
    st.html(f"<style>{STRIPS_CSS}</style>" + strips_html(prompt, shared, chunks, register))
    st.caption(words["encoder"])
    with st.expander(words["formula"]):
        st.code(reuse.formula(), language=None)
    st.subheader(words["stairs"])
    about = (prompt, register, chunk, shared)
    chart(
        Chart(
            "prefix.stairs",
            stairs_figure(*about),
            stairs_alt(*about),
            words["stairs"],
            lambda: pd.DataFrame(stairs_rows(*about)),
            url,
            words["stairs_source"],
            words["stairs_table"],
        )
    )
