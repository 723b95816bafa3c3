"""Published figures with source and date, and the list of sources, as tables."""

import html
from typing import Final

import streamlit as st

from pagedviz.facts.figures import FIGURES, Figure
from pagedviz.facts.sources import SOURCES, Source
from pagedviz.ui.glossary_terms import address
from pagedviz.ui.glossary_words import STATES, TEXT
from pagedviz.ui.shell import PAGES

_HEAD: Final = ("Figure", "What it says", "Source and date", "Shown on")


def _sources(figure: Figure) -> str:
    told = "; ".join(
        f'<a href="#pv-source-{key}">{html.escape(SOURCES[key].cited)}</a>'
        for key in figure.sources
    )
    sure = STATES[figure.state]
    return f"{sure} {told}" if figure.state == "according" else f"{told}<small>{sure}</small>"


def _row(figure: Figure) -> str:
    pages = ", ".join(
        f'<a href="{html.escape(address(key))}">{html.escape(PAGES[key].title)}</a>'
        for key in figure.used
        if key in PAGES
    )
    return (
        f'<tr><th scope="row">{html.escape(figure.figure)}</th><td>{html.escape(figure.what)}</td>'
        f"<td>{_sources(figure)}</td><td>{pages}</td></tr>"
    )


def _source(source: Source) -> str:
    name = html.escape(source.title)
    if source.address:
        name = f'<a href="{html.escape(source.address)}" rel="noreferrer">{name}</a>'
    second = "<small>second-hand: shown as “according to”</small>" if source.second_hand else ""
    return (
        f'<tr id="pv-source-{source.id}"><th scope="row">{name}{second}</th>'
        f"<td>{html.escape(source.date)}</td><td>{html.escape(source.supports)}</td></tr>"
    )


def _table(kind: str, caption: str, head: tuple[str, ...], rows: str) -> str:
    heads = "".join(f'<th scope="col">{name}</th>' for name in head)
    return (
        f'<table class="pv-figures {kind}"><caption>{html.escape(caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def figures_part() -> None:
    """Figures by subject, then the sources."""
    st.markdown(TEXT["figures"])
    tables = [
        _table("pv-of-figures", title, _HEAD, "".join(map(_row, figures)))
        for title, figures in FIGURES
    ]
    st.html("".join(tables))
    st.markdown(TEXT["sources_lead"])
    rows = "".join(map(_source, SOURCES.values()))
    st.html(_table("pv-of-sources", TEXT["sources"], ("Title", "Date", "Supports"), rows))
