"""The sizing page's link: everything that was typed, one parameter each.

What was left open is not in it, so that a link made today takes tomorrow's defaults. A dropped
config is in it by the fields that decide, if these are short enough; else the page says so.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from pagedviz.sizing import ConfigError
from pagedviz.sizing.models import models
from pagedviz.ui.params import LINK_VERSION, Param, one_of, read_link, version, whole
from pagedviz.ui.plain_text import link_problems
from pagedviz.ui.shell import Arrival
from pagedviz.ui.sizing_answer import answer
from pagedviz.ui.sizing_config import packed, unpacked
from pagedviz.ui.sizing_gpus import GPU_BY_KEY, OWN
from pagedviz.ui.sizing_inputs import FILE, MOST_BESIDE, TYPED, Sizing
from pagedviz.ui.sizing_state import NOTE, PROBLEM, SHOP, Desk
from pagedviz.ui.words import REGISTERS, register, set_register

READ, PROBLEMS = "sizing.link_read", "sizing.link_problems"
DEFAULT = Sizing()
MOST_TOKENS = 10**9
MOST_NAME = 80
IDS = tuple(one.id for one in models())


def decimal(least: float, most: float) -> Callable[[str], float]:
    """Reads a number, with or without a point.

    >>> decimal(0, 100)("0.92"), decimal(0, 100)("80")
    (0.92, 80.0)
    """

    def read(text: str) -> float:
        try:
            number = float(text) if len(text) <= 24 else math.nan
        except ValueError:
            number = math.nan
        if not least <= number <= most:
            raise ValueError(f'must be a number from {least:,g} to {most:,g}, not "{text[:40]}"')
        return number

    return read


def _ids(text: str) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(one for one in text.split(",") if one))
    wrong = [one for one in found if one not in IDS]
    if wrong:
        raise ValueError(f'names no model of the table: "{wrong[0][:40]}"')
    if len(found) > MOST_BESIDE:
        raise ValueError(f"may name {MOST_BESIDE} models, not {len(found)}")
    return found


def _name(text: str) -> str:
    if len(text) > MOST_NAME:
        raise ValueError(f"must have at most {MOST_NAME} characters, not {len(text)}")
    return text


# Parameter, field, reader.
FIELDS: tuple[tuple[str, str, Callable[[str], object]], ...] = (
    ("model", "model", one_of((*IDS, FILE, TYPED))),
    ("beside", "beside", _ids),
    ("config", "config", unpacked),
    ("name", "name", _name),
    ("layers", "layers", whole(1, 10_000)),
    ("kvheads", "kv_heads", whole(1, 100_000)),
    ("headsize", "head_size", whole(1, 100_000)),
    ("heads", "heads", whole(1, 100_000)),
    ("where", "where", one_of(("gpu", "spyre"))),
    ("prompt", "prompt", whole(1, MOST_TOKENS)),
    ("promptspread", "prompt_spread", whole(0, MOST_TOKENS)),
    ("answer", "answer", whole(0, MOST_TOKENS)),
    ("answerspread", "answer_spread", whole(0, MOST_TOKENS)),
    ("parameters", "parameters", decimal(0.000_001, 100_000)),
    ("each", "each", decimal(0.01, 16)),
    ("weights", "weights", decimal(0, 100_000)),
    ("kv", "dtype", whole(1, 4)),
    ("card", "gpu", one_of((*GPU_BY_KEY, OWN))),
    ("memory", "memory", decimal(0.001, 100_000)),
    ("cards", "cards", whole(1, 100_000)),
    ("share", "utilization", decimal(0.001, 1)),
    ("room", "room", decimal(0, 100_000)),
    ("block", "block_size", whole(1, 10**6)),
    ("longest", "longest", whole(1, MOST_TOKENS)),
    ("seqs", "seqs", whole(1, MOST_TOKENS)),
    ("batched", "batched", whole(1, MOST_TOKENS)),
    ("blocks", "num_blocks", whole(1, MOST_TOKENS)),
    ("scards", "spyre_cards", whole(1, 100_000)),
    ("scontext", "spyre_context", whole(1, MOST_TOKENS)),
    ("srequests", "spyre_requests", whole(1, MOST_TOKENS)),
    ("limit", "limit", whole(1, MOST_TOKENS)),
    ("sblocks", "spyre_blocks", whole(1, MOST_TOKENS)),
)
TABLE = (
    Param("v", version),
    *(Param(name, reader) for name, _, reader in FIELDS),
    Param("words", one_of(REGISTERS)),
)
NAMES = tuple(param.name for param in TABLE)


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
        st.session_state[SHOP] = Desk(opened(link.values, problems))
    st.session_state[PROBLEMS] = problems
    st.session_state[PROBLEM] = st.session_state[NOTE] = ""  # what was asked then is gone


def opened(values: Mapping[str, Any], problems: list[str]) -> Sizing:
    """The inputs a link asks for; what cannot be is told in `problems`, and left at its default."""
    changes = {field: values[name] for name, field, _ in FIELDS if name in values}
    if changes.get("model") == FILE and "config" not in changes:
        problems.append(
            "model: the link was made with a dropped config that was too long for it; drop the "
            "file again"
        )
        del changes["model"]
    sizing = replace(DEFAULT, **changes)
    try:
        answer(sizing)
    except ConfigError as error:
        problems.append(str(error))
        kept = ("prompt", "prompt_spread", "answer", "answer_spread", "where")
        sizing = replace(DEFAULT, **{name: changes[name] for name in kept if name in changes})
    return sizing


def problems() -> None:
    """Say what could not be used of the link."""
    link_problems(st.session_state.get(PROBLEMS, ()))


def params(sizing: Sizing) -> dict[str, str]:
    """What the URL has to say so that the link shows the same.

    >>> params(Sizing(prompt=2_000, utilization=0.8))
    {'v': '1', 'prompt': '2000', 'share': '0.8'}
    """
    values = {"v": str(LINK_VERSION)}
    for name, field, _ in FIELDS:
        value = getattr(sizing, field)
        if value == getattr(DEFAULT, field):
            continue
        if value is None:  # a default that is typed away says nothing
            continue
        if field == "config":
            word = packed(value)
            if word is not None and sizing.model == FILE:
                values[name] = word
        elif field == "beside":
            values[name] = ",".join(value)
        else:
            values[name] = f"{value:.15g}" if isinstance(value, float) else str(value)
    return values


def complete(sizing: Sizing) -> bool:
    """Whether the link opens the same again, without the file being dropped once more."""
    return sizing.model != FILE or packed(sizing.config) is not None


def query(sizing: Sizing) -> str:
    """The link from its question mark on, with the words chosen."""
    values = params(sizing)
    if register() != "room":
        values["words"] = register()
    return "?" + urlencode(values)


def keep(sizing: Sizing) -> None:
    """Put the link into the address bar, where it replaces the one before.

    By a script, since `st.query_params` would leave a step in the browser's history for every
    number that is typed. Parameters of others (`embed`, for one) stay.
    """
    values = params(sizing)
    if register() != "room":
        values["words"] = register()
    said = json.dumps([list(NAMES), values]).replace("<", "\\u003c")
    st.html(
        f"<script>{{ const [known, values] = {said};\n"
        "const url = new URL(location.href);\n"
        "for (const name of known) url.searchParams.delete(name);\n"
        "for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);\n"
        "if (url.href !== location.href) history.replaceState(history.state, '', url); }</script>",
        unsafe_allow_javascript=True,
    )
