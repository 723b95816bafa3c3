"""The dates as a picture: a line true to scale, and below it what happened, one after the other."""

import html
from typing import Final

import streamlit as st

from pagedviz.facts.dates import EVENTS, Event, months_since_first
from pagedviz.facts.sources import SOURCES
from pagedviz.ui.glossary_words import TEXT

_BEFORE: Final = 5  # months drawn before the first event: the line begins with its year
_AFTER: Final = 6  # months after the last dated one, where "now" stands
LINES: Final = {"vllm": "vLLM", "spyre": "IBM Spyre"}


def _span() -> int:
    dated = [m for event in EVENTS if (m := months_since_first(event)) is not None]
    return _BEFORE + max(dated) + _AFTER


def place(event: Event) -> float:
    """Where an event stands on the line, in percent of its width.

    >>> [round(place(event)) for event in EVENTS]
    [11, 18, 69, 78, 84, 87, 100]
    """
    months = months_since_first(event)
    return 100.0 if months is None else 100 * (_BEFORE + months) / _span()


def _years() -> str:
    first = EVENTS[0].month
    assert first is not None
    marks = []
    for k in range((_span() - 1) // 12 + 1):
        left = 100 * (12 * k) / _span()
        marks.append(f'<span class="pv-year" style="left:{left:.2f}%">{first[0] + k}</span>')
    marks.append('<span class="pv-year" style="right:0;border:0">now</span>')
    return "".join(marks)


def _mark(event: Event, number: int) -> str:
    sure = "sure" if event.confirmed else "unsure"
    return (
        f'<span class="pv-mark pv-{event.line} pv-{sure}" style="left:{place(event):.2f}%">'
        f"{number}</span>"
    )


def _item(event: Event, number: int) -> str:
    sure = "sure" if event.confirmed else "unsure"
    told = f"According to {html.escape(event.according_to)}: " if event.according_to else ""
    source = SOURCES[event.source]
    by = source.name if event.month is None or event.according_to else source.cited
    return (
        f'<li><span class="pv-mark pv-{event.line} pv-{sure}" aria-hidden="true">{number}</span>'
        f"<div><b>{html.escape(event.when)}</b> <i>{LINES[event.line]}</i>"
        f"<p>{told}{html.escape(event.what)}</p><small>{html.escape(by)}</small></div></li>"
    )


def timeline_part() -> None:
    """The line and the list."""
    st.markdown(TEXT["timeline"])
    numbered = [(event, k) for k, event in enumerate(EVENTS, 1)]
    marks = "".join(_mark(event, k) for event, k in numbered)
    items = "".join(_item(event, k) for event, k in numbered)
    st.html(
        f'<div class="pv-line" aria-hidden="true">{_years()}{marks}</div>'
        f'<ol class="pv-dates">{items}</ol>'
    )
