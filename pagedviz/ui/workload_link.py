"""The workload page's link: all that is set. A file cannot be in it, and the link says so.

The address follows what is set by a script of one line, as on the pages with a stage: no entry
in the browser's history, no run of the page.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, Final

import streamlit as st

from pagedviz.ui.params import LINK_VERSION, Param, one_of, read_link, version, whole
from pagedviz.ui.plain_text import link_problems, plain
from pagedviz.ui.shell import Arrival
from pagedviz.ui.words import REGISTERS, register, set_register
from pagedviz.ui.workload_inputs import CLOCKS, FILE, MEMORY, MODEL_BY_ID, OWN, Inputs
from pagedviz.ui.workload_state import PROBLEM, SHOP, Desk, desk
from pagedviz.workload.errors import WorkloadError
from pagedviz.workload.generate import KINDS

READ, PROBLEMS, FILE_NAME = "workload.link_read", "workload.link_problems", "workload.link_file"
DEFAULT: Final = Inputs()
MAX_WHOLE: Final = 10**9
MAX_NAME: Final = 80


def number(least: float, most: float) -> Callable[[str], float]:
    """Reads a number from `least` to `most`.

    >>> number(0, 9)("7.5")
    7.5
    >>> number(0, 9)("nan")
    Traceback (most recent call last):
    ValueError: must be a number from 0 to 9, not "nan"
    """

    def read(text: str) -> float:
        try:
            value = float(text) if len(text) <= 40 and "_" not in text else math.nan
        except ValueError:
            value = math.nan
        if not least <= value <= most:
            raise ValueError(f'must be a number from {least:,} to {most:,}, not "{text[:40]}"')
        return value

    return read


_WHOLE, _NUMBER = whole(0, MAX_WHOLE), number(0, MAX_WHOLE)
# Parameter, field of the inputs, reader. What the inputs refuse is said on arrival.
FIELDS: Final[tuple[tuple[str, str, Callable[[str], object]], ...]] = (
    ("load", "kind", one_of((*KINDS, FILE))),
    ("n", "num_requests", _WHOLE),
    ("rate", "rate", _NUMBER),
    ("seed", "seed", whole(0, 2**32 - 1)),
    ("prompt", "prompt_mean", _NUMBER),
    ("promptspread", "prompt_spread", _NUMBER),
    ("promptmost", "prompt_ceiling", _WHOLE),
    ("answer", "output_mean", _NUMBER),
    ("answerspread", "output_spread", _NUMBER),
    ("answermost", "output_ceiling", _WHOLE),
    ("shared", "shared_tokens", _WHOLE),
    ("turns", "turns", _WHOLE),
    ("pause", "turn_s", _NUMBER),
    ("first", "first", _WHOLE),
    ("count", "count", _WHOLE),
    ("memory", "memory", one_of(MEMORY)),
    ("gib", "gib", _NUMBER),
    ("model", "model", one_of((*MODEL_BY_ID, OWN))),
    ("kvbytes", "kv_bytes", _WHOLE),
    ("slots", "slots", _WHOLE),
    ("size", "block_size", _WHOLE),
    ("most", "max_num_seqs", _WHOLE),
    ("budget", "budget", _WHOLE),
    ("longest", "longest", _WHOLE),
    ("caching", "caching", one_of(("0", "1"))),
    ("clock", "clock", one_of(CLOCKS)),
    ("basems", "base_ms", _NUMBER),
    ("prefillus", "prefill_us", _NUMBER),
    ("decodeus", "decode_us", _NUMBER),
    ("stepms", "step_ms", _NUMBER),
)


def _name(text: str) -> str:
    return text[:MAX_NAME]


TABLE: Final = (
    Param("v", version),
    *(Param(name, reader) for name, _, reader in FIELDS),
    Param("file", _name),
    Param("words", one_of(REGISTERS)),
)
NAMES: Final = tuple(param.name for param in TABLE)
assert {name for _, name, _ in FIELDS} == {field.name for field in fields(Inputs)}


def arrive(arrival: Arrival) -> None:
    """Read the link the viewer came by, or go on with what they had."""
    if st.session_state.get(READ) == arrival.number:
        return
    st.session_state[READ] = arrival.number
    link = read_link(arrival.params, TABLE)
    set_register(str(link.values.get("words", "")))
    problems = list(link.problems)
    mine = set(NAMES) - {"v", "words"}
    if mine & set(arrival.params) or SHOP not in st.session_state:
        st.session_state[SHOP] = Desk(_opened(link.values, problems))
        st.session_state[FILE_NAME] = (
            str(link.values.get("file", "")) if link.values.get("load") == FILE else None
        )
    st.session_state[PROBLEMS] = problems
    st.session_state[PROBLEM] = ""  # what was asked then is gone


def _opened(values: Mapping[str, Any], problems: list[str]) -> Inputs:
    given = {field: values[name] for name, field, _ in FIELDS if name in values}
    if "caching" in given:
        given["caching"] = given["caching"] == "1"
    if given.get("kind") == FILE:  # a link holds no file: what can be kept is kept
        for name in ("kind", "first", "count"):
            given.pop(name, None)
    names = {field: name for name, field, _ in FIELDS}
    found = DEFAULT
    try:
        return replace(DEFAULT, **given)
    except WorkloadError as error:
        problems.append(f"{names.get(error.source, error.source)}: {error.problem}")
    for field, value in given.items():  # what goes together still counts
        try:
            found = replace(found, **{field: value})
        except WorkloadError as error:
            said = f"{names[field]}: {error.problem}"
            if error.source == field and said not in problems:
                problems.append(said)
    return found


def problems(words: Mapping[str, Any]) -> None:
    """Say what could not be used of the link, and that it was made with a file."""
    link_problems(st.session_state.get(PROBLEMS, ()))
    name = st.session_state.get(FILE_NAME)
    if name is not None and not desk().is_file:
        said = words["link_was_file"].format(name=f" ({plain(name)})" if name else "")
        st.info(said, icon=":material/attach_file:")


def params(found: Desk) -> dict[str, str]:
    """What the address holds: everything that is not as the page opens it.

    >>> params(Desk(Inputs(num_requests=500, caching=False)))
    {'v': '1', 'n': '500', 'caching': '0'}
    >>> params(Desk(DEFAULT))
    {}
    """
    values: dict[str, str] = {}
    for name, field, _ in FIELDS:
        value = getattr(found.inputs, field)
        if value == getattr(DEFAULT, field) or value is None:
            continue
        values[name] = str(int(value)) if isinstance(value, bool) else _short(value)
    if found.is_file and found.trace is not None:
        values["file"] = found.trace.name[:MAX_NAME]
    return {"v": str(LINK_VERSION)} | values if values else values


def _short(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def write() -> None:
    """Bring the browser's address up to what is set. Call it once, at the end of the page."""
    values = params(desk())
    if register() != REGISTERS[0]:
        values["words"] = register()
    # "<" cannot stand in a script: a name of a file may be "</script>"
    told = json.dumps([list(NAMES), values]).replace("<", "\\u003c")
    script = (
        f"<script>{{ const [known, values] = {told}; const url = new URL(location.href);"
        " known.forEach((name) => url.searchParams.delete(name));"
        " Object.entries(values).forEach(([name, value]) => url.searchParams.set(name, value));"
        ' if (url.href !== location.href) history.replaceState(history.state, "", url); }</script>'
    )
    st.html(script, unsafe_allow_javascript=True)
