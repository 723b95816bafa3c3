"""Speaker notes: folded below a page, and as a second window that follows the first.

The window is any page with `notes=1` in its address. It holds all notes; `assets/notes.js` shows
those of the view that the other window tells it of. Nothing of it is drawn in the presenter view.
Leaves out: the notes themselves (`pagedviz.talks.notes`).
"""

import html

import streamlit as st

from pagedviz.paths import ASSETS
from pagedviz.talks.notes import FIRST, NOTES, Note, notes_of
from pagedviz.ui import walk

LABEL = "Speaker notes"


def asked_for() -> bool:
    """Whether this is the window of notes."""
    return "notes" in st.query_params


def below(page: str) -> None:
    """The notes of a page, folded; `page` as in an address."""
    found = notes_of(page)
    place = walk.place()
    if not found:
        return
    with st.container(key="notes"):
        fold = st.expander(LABEL, key=f"notes.{page}", on_change="rerun")
        if not fold.open:
            return
        with fold:
            if place is not None and place.stop.note:
                st.html(_talk(place))
            st.html("".join(_section(key, note) for key, note in found.items()))


def window() -> None:
    """All notes, of which the script shows those of the other window's view."""
    sections = "".join(_section(key, note, True) for key, note in NOTES.items())
    first = html.escape(";".join(f"{page}={part}" for page, part in FIRST.items()))
    st.html(
        f'<div class="pv-notes" data-first="{first}"><h1>{LABEL}</h1>'
        '<p class="pv-heard" role="status">Waiting '
        "for a window of pagedviz in this browser. Until then: the notes of this address.</p>"
        '<section class="pv-talk" aria-label="This talk" hidden><h2></h2><p class="say"></p>'
        '<p class="then"></p></section>'
        f"{sections}"
        '<p class="none" hidden>There are no notes on this page.</p></div>'
    )
    script = (ASSETS / "notes.js").read_text(encoding="utf-8")
    st.html(f"<script>/* window */ {script}</script>", unsafe_allow_javascript=True)


def _talk(place: walk.Place) -> str:
    stop = place.stop
    return (
        f'<section class="pv-spoken"><h2>{place.at} of {len(place.talk.stops)}: '
        f"{html.escape(stop.title)}</h2><p>{html.escape(stop.note)}</p></section>"
    )


def _section(key: str, note: Note, folded: bool = False) -> str:
    asked = "".join(
        f"<dt>{html.escape(question)}</dt><dd>{html.escape(answer)}</dd>"
        for question, answer in note.asked
    )
    return (
        f'<section class="pv-spoken" data-for="{html.escape(key)}"{" hidden" if folded else ""}>'
        f"<h2>{html.escape(note.title)}</h2><p>{html.escape(note.say)}</p>"
        + (f"<dl>{asked}</dl>" if asked else "")
        + "</section>"
    )
