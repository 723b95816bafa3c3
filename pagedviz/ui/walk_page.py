"""The page of talks: those that came with the app, and the viewer's own, put together here.

Own talks are changed by callbacks that make a new one; what is refused is said and the talk stays.
Text from a file is shown as it is, never as markup. Leaves out: the bar (`walk.py`).
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import streamlit as st

from pagedviz.talks.address import view_of
from pagedviz.talks.files import from_json, to_json
from pagedviz.talks.shipped import SHIPPED
from pagedviz.talks.talk import MAX_NOTE, MAX_PRESSES, MAX_TITLE, Stop, Talk, TalkError
from pagedviz.ui.plain_text import plain, warning
from pagedviz.ui.shell import FILES, PAGES
from pagedviz.ui.walk import EMPTY, MINE, add, own_talk, params_of

PROBLEM, COUNT = "talks.problem", "talks.count"
MAX_FILE_MB: Final = 1
TITLES: Final = {page.url_path: page.title for page in PAGES.values()}


def shipped() -> None:
    """The talks that came with the app: what they are for, their views, and the way in."""
    for talk in SHIPPED.values():
        with st.container(border=True, key=f"talk-{talk.id}"):
            st.header(talk.title, anchor=False)
            st.markdown(plain(talk.about))
            with st.container(horizontal=True, vertical_alignment="center"):
                _start(talk)
                st.button(
                    "Copy it, to change it",
                    on_click=_attempt,
                    args=(lambda talk=talk: replace(talk, id=EMPTY.id),),
                    key=f"talks.copy.{talk.id}",
                )
            with st.expander(f"{len(talk.stops)} views, {talk.minutes} minutes"):
                st.markdown(_outline(talk))


def own() -> None:
    """The viewer's own talk: views in an order, to be changed, saved, opened and started."""
    talk = own_talk()
    st.header("Your own talk", anchor=False)
    if text := st.session_state.get(PROBLEM):
        warning(text)
    for index, stop in enumerate(talk.stops):
        _row(index, stop, len(talk.stops))
    if talk.stops:
        _start(talk)
    else:
        st.markdown(
            "It is empty. On any page, open **For a class or a talk** in the menu and add the view "
            "you see; or paste an address here."
        )
    with st.container(horizontal=True, vertical_alignment="bottom", key="talks-add"):
        st.text_input(
            "Address of a view",
            key=_key("address"),
            placeholder="paste it from the browser's address bar",
            width=420,
        )
        st.text_input("What to call it", key=_key("name"), max_chars=MAX_TITLE, width=260)
        st.button("Add", on_click=_add, args=(_key("address"), _key("name")), key="talks.add")
    with st.container(horizontal=True, vertical_alignment="bottom", key="talks-file"):
        key = _key("title")
        st.text_input(
            "Title of the talk",
            talk.title,
            key=key,
            on_change=_rename,
            args=(key,),
            max_chars=MAX_TITLE,
            width=260,
        )
        st.download_button(
            "Save to a file",
            to_json(talk),
            "talk.json",
            "application/json",
            on_click="ignore",
            disabled=not talk.stops,
            key="talks.save",
        )
        place = st.popover("Open a file", key=_key("opening"), on_change="rerun")
    if place.open:
        with place:
            st.file_uploader(
                "A talk that was saved",
                type="json",
                key=_key("file"),
                on_change=_open,
                args=(_key("file"),),
                max_upload_size=MAX_FILE_MB,
            )


def _key(name: str) -> str:
    """Key of an input: after a change there are others, which show what is there now."""
    return f"talks.{name}.{st.session_state.get(COUNT, 0)}"


def _attempt(make: Callable[[], Talk]) -> None:
    try:
        st.session_state[MINE] = make()
        st.session_state[PROBLEM] = ""
    except TalkError as error:
        st.session_state[PROBLEM] = str(error)
    st.session_state[COUNT] = st.session_state.get(COUNT, 0) + 1


def _add(address: str, name: str) -> None:
    problem = add(st.session_state[address], TITLES, st.session_state[name])
    st.session_state[PROBLEM] = problem
    if not problem:
        st.session_state[COUNT] = st.session_state.get(COUNT, 0) + 1


def _rename(key: str) -> None:
    _attempt(lambda: replace(own_talk(), title=st.session_state[key]))


def _open(key: str) -> None:
    file = st.session_state[key]
    if file is not None:
        _attempt(lambda: from_json(file.getvalue(), file.name, list(FILES)))


def _row(index: int, stop: Stop, count: int) -> None:
    """One view: its number and title, up, down, out, and its words behind a button."""
    page = TITLES[view_of(stop.link, list(FILES)).page]
    with st.container(
        horizontal=True, vertical_alignment="center", key=f"talks-row-{index}", gap="small"
    ):
        st.markdown(f"View {index + 1}: **{plain(stop.title)}** ({page})", width=420)
        place = st.popover("Change", key=_key(f"change.{index}"), on_change="rerun")
        if place.open:
            with place:
                _form(index, stop)
        for label, name, by in (("Up", "up", -1), ("Down", "down", 1)):
            st.button(
                label,
                key=_key(f"{name}.{index}"),
                on_click=_attempt,
                args=(lambda index=index, by=by: own_talk().moved(index, by),),
                disabled=not 0 <= index + by < count,
                help=f"Move view {index + 1} {name}",
            )
        st.button(
            "Remove",
            key=_key(f"out.{index}"),
            on_click=_attempt,
            args=(lambda: own_talk().without(index),),
            help=f"Take view {index + 1} out of the talk",
        )


def _form(index: int, stop: Stop) -> None:
    title, note, presses = (_key(f"{name}.{index}") for name in ("title", "note", "presses"))
    st.text_input("Title", stop.title, key=title, max_chars=MAX_TITLE)
    st.text_area("What to say", stop.note, key=note, max_chars=MAX_NOTE)
    st.number_input(
        "Page keys inside the view, before the next",
        0,
        MAX_PRESSES,
        stop.presses,
        key=presses,
        help="How often PageDown moves on inside this view before it leads to the next one.",
    )

    def put() -> None:
        given = {name: st.session_state[key] for name, key in keys.items()}
        _attempt(lambda: own_talk().put(index, replace(stop, **given)))

    keys: Mapping[str, str] = {"title": title, "note": note, "presses": presses}
    st.button("Keep", on_click=put, key=_key(f"keep.{index}"), type="primary")


def _start(talk: Talk) -> None:
    view, params = params_of(talk, 1, FILES)
    with st.container(key=f"start-{talk.id}", width="content"):
        st.page_link(FILES[view.page], label=f"Start: {plain(talk.title)}", query_params=params)


def _outline(talk: Talk) -> str:
    return "\n".join(
        f"{number}. {plain(stop.title)} ({TITLES[view_of(stop.link, list(FILES)).page]})"
        for number, stop in enumerate(talk.stops, 1)
    )
