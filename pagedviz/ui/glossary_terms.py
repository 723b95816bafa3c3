"""The terms: a search, subjects, the term a link names, and all others by their first letter."""

import html
from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from typing import Final
from urllib.parse import urlencode

import streamlit as st

from pagedviz.facts.sources import SOURCES
from pagedviz.facts.term import GROUPS as GROUP_IDS
from pagedviz.facts.term import Seen, Term
from pagedviz.facts.terms import TERMS, nearest, search
from pagedviz.ui.glossary_link import DESK, MOST_FIND, desk
from pagedviz.ui.glossary_words import GROUPS, TEXT
from pagedviz.ui.plain_text import plain
from pagedviz.ui.shell import PAGES
from pagedviz.ui.words import in_register

_AT: Final = "pv-term-"  # id of a term on this page


def _key(name: str) -> str:
    """Widgets of another arrival are made anew: what a link says counts."""
    return f"glossary.{name}.{st.session_state['shell.arrival'].number}"


def _set(name: str, key: str) -> None:
    value = st.session_state[key]
    if name == "find":
        value = " ".join(str(value or "").split())
    st.session_state[DESK] = replace(desk(), **{name: value}, term=None)


def _open(term: str) -> None:
    st.session_state[DESK] = replace(desk(), term=term)


def controls() -> None:
    """The search and the subjects."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="glossary-find"):
        find, group = _key("find"), _key("group")
        st.text_input(
            TEXT["find"],
            desk().find,
            max_chars=MOST_FIND,
            key=find,
            type="search",
            placeholder=TEXT["find_hint"],
            icon=":material/search:",
            live=True,
            on_change=_set,
            args=("find", find),
            width=340,
        )
        st.pills(
            TEXT["groups"],
            GROUP_IDS,
            default=desk().group,
            key=group,
            format_func=GROUPS.__getitem__,
            on_change=_set,
            args=("group", group),
        )


def terms_part() -> None:
    """Search, the linked term, the list."""
    controls()
    if desk().term:
        _card(TERMS[str(desk().term)])
    find, group = desk().find, desk().group
    found = search(find, group)
    if not found:
        _nothing(find, group)
        found = search("", None)
        find, group = "", None
    st.html(_list(found, by_letter=not find, whole=len(found) == len(TERMS)))


def _nothing(find: str, group: str | None) -> None:
    said = TEXT["nothing"].format(find=find)
    elsewhere = len(search(find)) if group else 0
    near = nearest(find)
    if elsewhere:
        said += TEXT["others"].format(n=elsewhere)
    elif near:
        said += TEXT["near"].format(name=near.name)
    else:
        said += TEXT["none_near"]
    st.info(plain(said), icon=":material/search_off:")
    if near and not elsewhere:
        _card(near)


def _card(term: Term) -> None:
    with st.container(key="term-card"):
        said = f'<p class="pv-says">{html.escape(term.says)}</p>'
        st.html(f"<h2>{html.escape(term.name)}</h2>{said}{_rest(term)}")
        if term.see:
            with st.container(horizontal=True, gap="small", key="term-see"):
                st.html("<span>See also</span>", width="content")
                for other in term.see:
                    st.button(
                        TERMS[other].name,
                        key=f"glossary.see.{term.id}.{other}",
                        type="tertiary",
                        on_click=_open,
                        args=(other,),
                    )


def address(page: str, query: str = "") -> str:
    """A link to a page from the glossary, in the register in use.

    >>> address("allocator", "preset=kept"), address("start")
    ('allocator?preset=kept', './')
    """
    query = "&".join(filter(None, (query, urlencode(in_register()))))
    where = PAGES[page].url_path or "./"
    return f"{where}?{query}" if query else where


def _rest(term: Term, more: str = "") -> str:
    """The storage room's word, the page, the source, and more: one line of HTML."""
    lines = []
    if term.room:
        lines.append(f"In the storage room: {html.escape(term.room)}")
    if term.at and term.at.page in PAGES:
        lines.append(f"On the page {seen_link(term.at)}")
    lines.append(f"Source: {html.escape(SOURCES[term.source].cited)}")
    if more:
        lines.append(more)
    return f"<small>{' &middot; '.join(lines)}</small>"


def seen_link(seen: Seen) -> str:
    """A link to where a term can be seen, as HTML."""
    href = html.escape(address(seen.page, seen.query))
    return f'<a href="{href}">{html.escape(PAGES[seen.page].title)}</a>'


def _list(terms: tuple[Term, ...], by_letter: bool, whole: bool) -> str:
    count = TEXT["count"].format(n=len(terms), all=len(TERMS))
    if not by_letter:
        return f'<p class="pv-count">{count}</p><dl class="pv-terms">{_entries(terms, whole)}</dl>'
    letters = [
        (letter, tuple(some)) for letter, some in groupby(terms, lambda term: term.name[0].upper())
    ]
    row = "".join(f'<a href="#pv-letter-{letter}">{letter}</a>' for letter, _ in letters)
    body = "".join(
        f'<h2 id="pv-letter-{letter}">{letter}</h2>'
        f'<dl class="pv-terms">{_entries(some, whole)}</dl>'
        for letter, some in letters
    )
    nav = f'<nav class="pv-letters" aria-label="Letters">{row}</nav>'
    return f'{nav}<p class="pv-count">{count}</p>{body}'


def _entries(terms: Iterable[Term], whole: bool) -> str:
    return "".join(_entry(term, whole) for term in terms)


def _entry(term: Term, whole: bool) -> str:
    # "See also" jumps within the list if the list is whole, and opens the term's link if not.
    to = {other: f"#{_AT}{other}" if whole else _link(other) for other in term.see}
    see = ", ".join(f'<a href="{to[k]}">{html.escape(TERMS[k].name)}</a>' for k in to)
    also = f"See also {see}" if see else ""
    return (
        f'<div id="{_AT}{term.id}"><dt><a href="{_link(term.id)}">{html.escape(term.name)}</a></dt>'
        f"<dd>{html.escape(term.says)}{_rest(term, also)}</dd></div>"
    )


def _link(term: str) -> str:
    return html.escape(address("glossary", urlencode({"term": term})))
