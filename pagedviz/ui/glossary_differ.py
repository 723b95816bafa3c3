"""Where published and actual behaviour differ: vLLM here, Spyre as on its own page."""

import html

import streamlit as st

from pagedviz.facts.gaps import GAPS, Gap
from pagedviz.facts.sources import SOURCES
from pagedviz.ui.glossary_words import TEXT
from pagedviz.ui.layers import badge
from pagedviz.ui.spyre_more import differ_part as spyre_differ_part
from pagedviz.ui.words import register, words_switch


def _row(gap: Gap) -> str:
    said = register()
    according = "according to " if gap.unconfirmed else ""
    sides = (
        (getattr(gap.published, said), according + gap.published_by),
        (getattr(gap.actual, said), gap.actual_by),
    )
    cells = (f"<td>{html.escape(text)}<small>{html.escape(by)}</small></td>" for text, by in sides)
    return f"<tr>{''.join(cells)}</tr>"


def differ_part() -> None:
    """Both tables, each with its heading."""
    words_switch()
    release = SOURCES["vllm"].date.removeprefix("release ")
    actual = f'<span class="pv-badge pv-plugin">As vLLM {html.escape(release)} does</span>'
    st.header(TEXT["vllm"])
    st.html(
        '<table class="pv-differ"><thead><tr>'
        f'<th scope="col">{badge("published")}</th><th scope="col">{actual}</th>'
        f"</tr></thead><tbody>{''.join(map(_row, GAPS))}</tbody></table>"
    )
    st.header(TEXT["spyre"])
    spyre_differ_part()
