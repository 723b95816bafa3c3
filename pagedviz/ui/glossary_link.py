"""The glossary's link: part of the page, term, search, subject.

`/glossary?term=block-table` opens a term, spelled in any of its ways; one that does not exist is
said, and the nearest is shown.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from pagedviz.facts.term import GROUPS
from pagedviz.facts.terms import nearest
from pagedviz.ui.glossary_words import PARTS
from pagedviz.ui.params import LINK_VERSION, Param, one_of, read_link, version
from pagedviz.ui.plain_text import link_problems
from pagedviz.ui.shell import Arrival
from pagedviz.ui.words import REGISTERS, register, set_register

READ, DESK, PROBLEMS = "glossary.link_read", "glossary.desk", "glossary.link_problems"
MOST_FIND: Final = 60  # characters of a search


@dataclass(frozen=True)
class Desk:
    """What the viewer has opened."""

    part: str = "terms"
    term: str | None = None  # id of a term
    find: str = ""
    group: str | None = None


def _find(text: str) -> str:
    if len(text) > MOST_FIND:
        raise ValueError(f"can have {MOST_FIND} characters at most, not {len(text):,}")
    return " ".join(text.split())


TABLE: Final = (
    Param("v", version),
    Param("part", one_of(tuple(PARTS))),
    Param("term", str),
    Param("find", _find),
    Param("group", one_of(GROUPS)),
    Param("words", one_of(REGISTERS)),
)
NAMES: Final = tuple(param.name for param in TABLE)


def arrive(arrival: Arrival) -> None:
    """Read the link the viewer came by, or go on with what they had."""
    if st.session_state.get(READ) == arrival.number:
        return
    st.session_state[READ] = arrival.number
    link = read_link(arrival.params, TABLE)
    set_register(str(link.values.get("words", "")))
    problems = list(link.problems)
    mine = set(NAMES) - {"v", "words"}
    if mine & set(arrival.params) or DESK not in st.session_state:
        st.session_state[DESK] = opened(link.values, problems)
    st.session_state[PROBLEMS] = problems


def opened(values: Mapping[str, Any], problems: list[str]) -> Desk:
    """What a link shows; a sentence for what it names and the glossary does not have.

    >>> problems = []
    >>> opened({"term": "Block Tables"}, problems).term, problems
    ('block-table', [])
    >>> opened({"term": "evicton"}, problems).term, problems
    ('eviction', ['term: "evicton" is not in the glossary; the nearest, Eviction, is shown'])
    """
    term = None
    if "term" in values:
        wanted = str(values["term"])
        found = nearest(wanted)
        term = found.id if found else None
        if found is None:
            problems.append(f'term: "{wanted[:40]}" is not in the glossary; all terms are shown')
        elif not found.is_called(wanted):
            problems.append(
                f'term: "{wanted[:40]}" is not in the glossary; the nearest, {found.name}, is shown'
            )
    part = values.get("part", "terms") if term is None else "terms"
    return Desk(str(part), term, str(values.get("find", "")), values.get("group"))


def desk() -> Desk:
    """What the viewer has opened."""
    found: Desk = st.session_state[DESK]
    return found


def problems() -> None:
    """Say what could not be used of the link."""
    link_problems(st.session_state.get(PROBLEMS, ()))


def params(found: Desk) -> dict[str, str]:
    """What the address holds: everything that is not as the page opens it.

    >>> params(Desk(term="block")), params(Desk())
    ({'v': '1', 'term': 'block'}, {})
    """
    values = {} if found.part == "terms" else {"part": found.part}
    if found.part == "terms":
        wanted = {"term": found.term, "find": found.find, "group": found.group}
        values |= {name: value for name, value in wanted.items() if value}
    return {"v": str(LINK_VERSION)} | values if values else values


def keep() -> None:
    """Bring the browser's address up to what is shown. Call it once, at the end of the page."""
    values = params(desk())
    if register() != REGISTERS[0]:
        values["words"] = register()
    told = json.dumps([list(NAMES), values]).replace("<", "\\u003c")
    script = (
        f"<script>{{ const [known, values] = {told}; const url = new URL(location.href);"
        " known.forEach((name) => url.searchParams.delete(name));"
        " Object.entries(values).forEach(([name, value]) => url.searchParams.set(name, value));"
        ' if (url.href !== location.href) history.replaceState(history.state, "", url); }</script>'
    )
    st.html(script, unsafe_allow_javascript=True)
