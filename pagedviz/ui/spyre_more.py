"""The quieter parts of the Spyre page: encoder-only models, and published beside actual."""

import html
from collections.abc import Mapping
from typing import Any

import streamlit as st

from pagedviz.stage.component import stage
from pagedviz.stage.payload import payload
from pagedviz.timeline.spyre.differences import DIFFERENCES, Difference
from pagedviz.timeline.spyre.encoder import encoder_scene
from pagedviz.timeline.spyre.encoder_wire import encode_encoder
from pagedviz.timeline.wire import pack
from pagedviz.ui import spyre_link as link
from pagedviz.ui.layers import badge, layer
from pagedviz.ui.spyre_runs import plain_run
from pagedviz.ui.spyre_state import desk
from pagedviz.ui.take import take
from pagedviz.ui.words import register, remember_register

LAYOUT = (("caption",), ("batch", "figures"), ("turns",), ("door",), ("transport",))
SOURCE = "sendnn-inference 2.6.3, files of 2026-10-01: static batching by warm-up shapes."


@st.cache_resource(show_spinner=False)
def _encoder() -> tuple[Mapping[str, Any], str]:
    wire = encode_encoder(encoder_scene())
    return wire, pack(wire)


def encoder_part(words: Mapping[str, Any]) -> None:
    """Fixed shapes, one block a text, no growth, no prefix cache."""
    wire, packed = _encoder()
    opening = desk().opening
    with layer("plugin", SOURCE, register(), "encoder", "2.6.3"):
        st.markdown(words["encoder_lead"])
        stage(
            payload(
                [packed],
                opening,
                layout=LAYOUT,
                url=link.params(desk().inputs),
                known=link.NAMES,
                plain=plain_run(wire, min(opening.step, wire["last"])),
                panels=take("spyre"),
            ),
            key="stage",
            on_register=remember_register,
        )


def differ_part() -> None:
    """Where the published picture and the software differ, side by side, each with its source."""
    rows = "".join(_row(difference) for difference in DIFFERENCES)
    st.html(
        '<table class="pv-differ"><thead><tr>'
        f'<th scope="col">{badge("published")}</th>'
        f'<th scope="col">{badge("plugin")}</th>'
        f"</tr></thead><tbody>{rows}</tbody></table>"
    )


def _row(difference: Difference) -> str:
    said = register()
    according = "according to " if difference.unconfirmed else ""
    sides = (
        (getattr(difference.published, said), according + difference.published_by),
        (getattr(difference.actual, said), difference.actual_by),
    )
    cells = (f"<td>{_bold(text)}<small>{html.escape(by)}</small></td>" for text, by in sides)
    return f"<tr>{''.join(cells)}</tr>"


def _bold(text: str) -> str:
    """Our own words with their `**bold**` marks as HTML.

    >>> _bold("a **b** <c>")
    'a <b>b</b> &lt;c&gt;'
    """
    parts = html.escape(text).split("**")
    return "".join(f"<b>{part}</b>" if k % 2 else part for k, part in enumerate(parts))
