"""The stage as a Streamlit component (`st.components.v2`): one call draws it on a page.

The browser gets the whole run once and plays it without the server; what comes back is only the
choice of words. Step, pinned block and view are kept in the URL by the stage itself.

An inline component brings its scripts and style with every change of its data. These are 400 kB, a
run is some 10: so they are carried by a component of their own, whose message never changes and is
therefore sent once, and the one with the data has only a door to them (assets/door.js).
"""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import streamlit as st

from pagedviz.paths import ASSETS
from pagedviz.stage.bundle import script, style

# Stands there until the scripts have drawn over it; shown only if that has not happened after
# six seconds (an old browser, a script that was blocked).
WAITING = """
<div id="stage"><p class="waiting">The animated picture has not started: the browser is too
old for it, or something blocks its scripts. The allocator page has every step as a table,
below its chart.</p></div>
"""

# Until the style is there: the text keeps quiet for six seconds, as it does with the style.
WAITING_STYLE = """
.waiting { animation: late 1ms 6s both }
@keyframes late { from { visibility: hidden } to { visibility: visible } }
"""


def _filled(name: str, **values: str) -> str:
    """A script of the assets folder with texts put in place of its marks."""
    text = (ASSETS / name).read_text("utf-8")
    for mark, value in values.items():
        text = text.replace(f'"/*{mark}*/"', json.dumps(value))
    return text


_NAME = hashlib.sha256((script() + style()).encode()).hexdigest()[:16]
_carry = st.components.v2.component(
    "pagedviz_code", js=_filled("carrier.js", NAME=_NAME, SOURCE=script(), CSS=style())
)
_render = st.components.v2.component(
    "pagedviz_stage", html=WAITING, css=WAITING_STYLE, js=_filled("door.js", NAME=_NAME)
)


def _nothing() -> None:
    """For a page that does not ask: the component reports only to callbacks."""


def stage(
    data: dict[str, Any],
    *,
    key: str,
    on_register: Callable[[], None] = _nothing,
    on_edit: Callable[[], None] = _nothing,
) -> None:
    """Draw the stage.

    Args:
        data: what `pagedviz.stage.payload.payload` returns.
        key: one per stage on a page; the same key keeps the same stage while its data changes.
        on_register: called when the viewer switches the words; they are then in
            `st.session_state[key]["register"]`.
        on_edit: called when the viewer changes a text on the stage; what is there now is in
            `st.session_state[key]["edit"]`.
    """
    with st.container(key=f"stage-code-{key}"):  # not shown: page.css
        _carry(key=f"code.{key}")
    _render(data=data, key=key, on_register_change=on_register, on_edit_change=on_edit)
