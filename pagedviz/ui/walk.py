"""The walk through a talk: where it stands, and the slim bar on top of each of its pages.

The place is in the link (`talk=training&at=3`, counted from 1) and in the session, so that a look
at another page does not lose it. A viewer's own talk lives in the session alone. Leaves out: the
list of talks (`walk_page.py`), and the Page keys (`assets/walk.js`).
"""

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from pagedviz.talks.address import View, pasted_view, view_of
from pagedviz.talks.files import OWN
from pagedviz.talks.shipped import SHIPPED
from pagedviz.talks.talk import MAX_TITLE, Stop, Talk

PLACE, MINE = "walk.place", "walk.own"
EMPTY: Final = Talk(OWN, "My talk", ())


@dataclass(frozen=True)
class Place:
    """A talk and the number of the view shown, from 1."""

    talk: Talk
    at: int

    @property
    def stop(self) -> Stop:
        """The view that is shown."""
        return self.talk.stops[self.at - 1]


def own_talk() -> Talk:
    """What this viewer has put together, or opened."""
    found: Talk = st.session_state.get(MINE, EMPTY)
    return found


def talk_of(talk_id: str) -> Talk | None:
    """The talk of this name, None if there is none with a view in it."""
    found = own_talk() if talk_id == OWN else SHIPPED.get(talk_id)
    return found if found and found.stops else None


def place_of(params: Mapping[str, str]) -> tuple[Place | None, tuple[str, ...]]:
    """Where a link stands in a talk, and a sentence for what was not there.

    >>> place, problems = place_of({"talk": "training", "at": "99"})
    >>> place.at, problems
    (13, ('at: must be a whole number from 1 to 13, not "99"; view 13 is shown',))
    """
    if "talk" not in params:
        return None, ()
    name = params["talk"]
    talk = talk_of(name)
    if talk is None:
        if name == OWN:
            said = "your own talk is not in this window any more; open its file on the page Talks"
        else:
            said = f'there is no talk "{name[:40]}"; there are {", ".join(SHIPPED)}'
        return None, (f"talk: {said}",)
    last, asked = len(talk.stops), params.get("at", "1")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 0
    at = min(max(number, 1), last)
    if at == number:
        return Place(talk, at), ()
    return Place(talk, at), (
        f'at: must be a whole number from 1 to {last}, not "{asked[:20]}"; view {at} is shown',
    )


def arrive(params: Mapping[str, str]) -> tuple[str, ...]:
    """Take over where the link stands; without one the place of before stays.

    Returns a sentence for what of the link was not there.
    """
    found, problems = place_of(params)
    if found is not None:
        st.session_state[PLACE] = (found.talk.id, found.at)
    return problems


def place() -> Place | None:
    """Where this viewer stands, None if no talk is being walked."""
    talk_id, at = st.session_state.get(PLACE, ("", 0))
    talk = talk_of(talk_id)
    return Place(talk, min(at, len(talk.stops))) if talk else None


def add(address: str, titles: Mapping[str, str], name: str = "") -> str:
    """Put the view of an address at the end of the own talk.

    Args:
        address: as it stands in the browser.
        titles: the pages by their part of an address, and what each is called.
        name: what to call the view; the page's title if empty.

    Returns what is wrong, "" if nothing is.
    """
    try:
        view = pasted_view(address, list(titles))
        title = (name.strip() or titles[view.page])[:MAX_TITLE]
        st.session_state[MINE] = own_talk().with_stop(Stop(view.link, title))
    except ValueError as error:
        return f"The view was not added: the address {error}"
    return ""


def leave() -> None:
    """Walk no talk any more."""
    st.session_state.pop(PLACE, None)


def params_of(talk: Talk, at: int, pages: Mapping[str, str]) -> tuple[View, dict[str, str]]:
    """The view of stop `at`, and its parameters with the place in the talk among them."""
    view = view_of(talk.stops[at - 1].link, list(pages))
    return view, {**dict(view.params), "talk": talk.id, "at": str(at)}


def bar(pages: Mapping[str, str], talks_file: str, here: str) -> None:
    """The bar: which view of how many, back, on, out. Nothing if no talk is walked.

    Args:
        pages: the pages by their part of an address; values as Streamlit wants them.
        talks_file: the page that lists the talks, to which "out" leads.
        here: the page that is shown, as in an address.
    """
    found = place()
    if found is None or pages.get(here) == talks_file:
        return
    talk, at = found.talk, found.at
    with st.container(key="walk", horizontal=True, vertical_alignment="center"):
        st.html(_said(found))
        away = view_of(found.stop.link, list(pages)).page != here
        if away:
            _link(talk, at, "Back to this view", "again", pages)
        _link(talk, at - 1, "Previous", "back", pages)
        _link(talk, at + 1, "Next", "on", pages)
        st.page_link(talks_file, label="Leave the talk", query_params={"leave": "1"})


def _link(talk: Talk, at: int, label: str, key: str, pages: Mapping[str, str]) -> None:
    there_is = 1 <= at <= len(talk.stops)
    view, params = params_of(talk, at if there_is else 1, pages)
    with st.container(key=f"walk-{key}", width="content"):
        st.page_link(
            pages[view.page],
            label=label,
            query_params=params,
            disabled=not there_is,
        )


def _said(found: Place) -> str:
    """The title, and for the scripts what the Page keys and the window of notes need."""
    data = {
        "talk": found.talk.id,
        "at": found.at,
        "of": len(found.talk.stops),
        "presses": found.stop.presses,
        "title": found.stop.title,
        "note": found.stop.note,
        "next": found.talk.stops[found.at].title if found.at < len(found.talk.stops) else "",
    }
    attributes = " ".join(
        f'data-{name}="{html.escape(str(value), quote=True)}"' for name, value in data.items()
    )
    count = f"<b>{found.at} of {len(found.talk.stops)}</b>"
    return f'<p class="pv-walk" {attributes}>{count} {html.escape(found.stop.title)}</p>'
