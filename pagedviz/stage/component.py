"""The stage as a Streamlit component (`st.components.v2`): one call draws it on a page.

The browser gets the whole run once and plays it without the server; what comes back is only the
choice of words. Step, pinned block and view are kept in the URL by the stage itself.
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pagedviz.stage.bundle import script, style

# Stands there until the scripts have drawn over it; shown only if that has not happened after
# six seconds (an old browser, a script that was blocked).
WAITING = """
<div id="stage"><p class="waiting">The animated picture has not started: the browser is too
old for it, or something blocks its scripts. The allocator page has every step as a table,
below its chart.</p></div>
"""

_render = st.components.v2.component("pagedviz_stage", html=WAITING, css=style(), js=script())


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
    _render(data=data, key=key, on_register_change=on_register, on_edit_change=on_edit)
