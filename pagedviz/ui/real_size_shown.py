"""A result of "Run it at real size": the sentence, the figures, the paper's beside them, a table.

Leaves out: the run.
"""

from __future__ import annotations

import streamlit as st

from pagedviz.engine.real_size_result import RealSizeResult
from pagedviz.timeline.captions import Register
from pagedviz.ui.real_size_words import WORDS, counted, in_bytes, in_tens, in_time

PUBLISHED = "20 to 26 %"  # Kwon et al., SOSP 2023, section 7


def show_result(found: RealSizeResult, shape: str, register: Register) -> None:
    """Draw it; `shape` names the model, "" for one of the viewer's own."""
    words = WORDS[register]
    st.markdown(f"### {sentence(found, register)}")
    spec = found.spec
    st.markdown(
        words["of"].format(
            shape=shape or words["own"],
            heads=spec.num_heads,
            kv=spec.num_kv_heads,
            size=spec.head_size,
            seqs=counted(spec.num_seqs, words["seqs"]),
            context=f"{spec.context:,}",
            block=f"{spec.block_size:,}",
            dtype=spec.kv_dtype,
        )
    )
    with st.container(horizontal=True, key="real_size.figures"):
        st.metric(words["cost"], f"{found.cost_percent:+,.0f} %", width="content")
        st.metric(words["difference"], in_tens(found.max_difference), width="content")
        st.metric(words["published"], PUBLISHED, width="content")
    st.markdown(table(found, register))
    where = words["one_core" if found.one_core else "two_cores"]
    st.caption(words["here"].format(where=where) + "  \n" + words["source"])


def sentence(found: RealSizeResult, register: Register) -> str:
    r"""The result in one sentence, in Markdown.

    >>> from pagedviz.engine.real_size import RealSizeSpec
    >>> spec = RealSizeSpec(8, 8, 64, context=100, num_seqs=1)
    >>> found = RealSizeResult(spec, (0.011, 0.013), (0.01, 0.01), 1, 1, 0.0, 0.0, 0.0, True)
    >>> sentence(found, "engine")
    'Paged took 1.20 times as long as dense over contiguous memory: 12.0\xa0ms against
    10.0\xa0ms, 2 repetitions, 1.10 to 1.30.'
    """
    words = WORDS[register]
    return words["sentence"].format(
        ratio=f"{found.ratio:.2f}",
        paged=in_time(found.paged),
        dense=in_time(found.dense),
        n=counted(len(found.paged_s), words["repetitions"]),
        low=f"{min(found.ratios):.2f}",
        high=f"{max(found.ratios):.2f}",
    )


def table(found: RealSizeResult, register: Register) -> str:
    """Both kernels side by side, as a table in Markdown."""
    words = WORDS[register]
    paged, dense = found.paged_s, found.dense_s
    kv = in_bytes(found.kv_bytes)
    rows = [
        (words["median"], in_time(found.paged), in_time(found.dense)),
        (words["fastest"], in_time(min(paged)), in_time(min(dense))),
        (words["slowest"], in_time(max(paged)), in_time(max(dense))),
        (words["kv_read"], kv, kv),
        (words["table_read"], in_bytes(found.table_bytes), "0 bytes"),
        (words["error"], in_tens(found.paged_to_float64), in_tens(found.dense_to_float64)),
    ]
    head = (words["measure"], words["by_paged"], words["by_dense"])
    lines = ["| " + " | ".join(row) + " |" for row in (head, *rows)]
    return "\n".join([lines[0], "| --- | ---: | ---: |", *lines[1:]])
