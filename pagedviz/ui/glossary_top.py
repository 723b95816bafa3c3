"""The glossary page's style, and the choice of its part."""

from dataclasses import replace

import streamlit as st

from pagedviz.paths import ASSETS
from pagedviz.ui.glossary_link import DESK, desk
from pagedviz.ui.glossary_words import PARTS


def style() -> None:
    """The tables and lists of this page."""
    st.html(f"<style>{(ASSETS / 'glossary.css').read_text(encoding='utf-8')}</style>")


def _set_part(key: str) -> None:
    if chosen := st.session_state[key]:
        st.session_state[DESK] = replace(desk(), part=chosen, term=None)


def parts() -> None:
    """The parts of the page, one of which is shown."""
    key = f"glossary.part.{st.session_state['shell.arrival'].number}"
    st.segmented_control(
        "Part",
        tuple(PARTS),
        default=desk().part,
        required=True,
        key=key,
        format_func=PARTS.__getitem__,
        on_change=_set_part,
        args=(key,),
        label_visibility="collapsed",
    )
