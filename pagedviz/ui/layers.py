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
BADGES: dict[Layer, str] = {"published": "As published", "plugin": "As the plugin decides"}


def badge(kind: Layer, release: str = "") -> str:
    """The badge as HTML, the same in both registers; `release` is the plugin's, our own text.

    >>> badge("plugin", "2.6.3")
    '<span class="pv-badge pv-plugin">As the plugin decides (2.6.3)</span>'
    """
    which = f" ({release})" if release else ""
    return f'<span class="pv-badge pv-{kind}">{BADGES[kind]}{which}</span>'


@contextmanager
def layer(
    kind: Layer, source: str, register: Register, key: str, release: str = ""
) -> Iterator[None]:
    """A part of the page that belongs to one layer; `source` with its date, as plain text.

    `key` must be unique on the page.
    """
    del register  # a badge is a name: both registers show it
    with st.container(key=f"layer-{kind}-{key}"):
        st.html(
            f'<p class="pv-source">{badge(kind, release)} <span>{html.escape(source)}</span></p>'
        )
        yield
