"""Two layers, always told apart: what is published, and what the software does.

Published: a single blue rule and badge. The plugin: grey ground, a double rule and badge. Each
names its source and date. Leaves out: what stands in them.
"""

import html
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import streamlit as st

from pagedviz.timeline.captions import Register

Layer = Literal["published", "plugin"]
BADGES: dict[Layer, dict[Register, str]] = {
    "published": {"room": "As published", "engine": "As published"},
    "plugin": {"room": "As the software decides", "engine": "As the plugin decides"},
}


def badge(kind: Layer, register: Register) -> str:
    """The badge as HTML; its words are ours."""
    return f'<span class="pv-badge pv-{kind}">{BADGES[kind][register]}</span>'


@contextmanager
def layer(kind: Layer, source: str, register: Register, key: str) -> Iterator[None]:
    """A part of the page that belongs to one layer; `source` with its date, as plain text.

    `key` must be unique on the page.
    """
    with st.container(key=f"layer-{kind}-{key}"):
        st.html(
            f'<p class="pv-source">{badge(kind, register)} <span>{html.escape(source)}</span></p>'
        )
        yield
