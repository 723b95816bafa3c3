"""The attention page's link: sizes, seed or sentence, what was moved or broken, head and zoom."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from pagedviz.timeline.attention import setup as limits
from pagedviz.timeline.attention.reading import read
from pagedviz.timeline.attention.setup import NUMBERS, AttentionSetup, SetupError, with_text
from pagedviz.tokens import TextError, default_tokenizer
from pagedviz.ui.attention_say import said
from pagedviz.ui.attention_state import SHOP, Bench, opened
from pagedviz.ui.params import LINK_VERSION, Param, one_of, read_link, version, whole
from pagedviz.ui.plain_text import link_problems
from pagedviz.ui.shell import Arrival
from pagedviz.ui.words import REGISTERS, register, set_register

READ, PROBLEMS = "attention.link_read", "attention.link_problems"
MOST_BLOCKS = 63
DEFAULT = AttentionSetup()


def _lines(text: str) -> tuple[int, ...]:
    """Where each line points, as numbers joined by dots.

    >>> _lines("0.2.1")
    (0, 2, 1)
    """
    number = whole(0, MOST_BLOCKS)
    parts = text.split(".")
    if len(parts) > limits.MAX_LINES:
        raise ValueError(f"can have {limits.MAX_LINES} lines at most")
    return tuple(number(part) for part in parts)


# Parameter, field of the setup, reader.
SIZES: tuple[tuple[str, str, Any], ...] = (
    ("tokens", "tokens", whole(1, limits.MAX_TOKENS)),
    ("size", "block_size", whole(1, limits.MAX_BLOCK_SIZE)),
    ("heads", "heads", whole(1, limits.MAX_HEADS)),
    ("kv", "kv_heads", whole(1, limits.MAX_HEADS)),
    ("dim", "head_size", whole(2, limits.MAX_HEAD_SIZE)),
    ("seed", "seed", whole(0, limits.MAX_SEED)),
    ("numbers", "numbers", one_of(NUMBERS)),
    ("moves", "moves", whole(0, limits.MAX_MOVES)),
    ("reads", "reads", _lines),
)
TABLE = (
    Param("v", version),
    *(Param(name, reader) for name, _, reader in SIZES),
    Param("text", str),
    Param("past", one_of(("1",))),
    Param("step", whole(0, 4 * (limits.MAX_LINES + 1) + 1)),
    Param("pin", whole(1, MOST_BLOCKS)),
    Param("head", whole(0, limits.MAX_HEADS - 1)),
    Param("zoom", whole(0, 2)),
    Param("words", one_of(REGISTERS)),
)
NAMES = ("v", "text", "past", *(name for name, _, _ in SIZES))


def arrive(arrival: Arrival) -> None:
    """Read the link the viewer came by, or go on with what they had."""
    if st.session_state.get(READ) == arrival.number:
        return
    st.session_state[READ] = arrival.number
    st.session_state["attention.problem"] = ""  # of an earlier visit
    link = read_link(arrival.params, TABLE)
    set_register(str(link.values.get("words", "")))
    problems = list(link.problems)
    mine = {param.name for param in TABLE} - {"v", "words"}
    if mine & set(arrival.params) or SHOP not in st.session_state:
        st.session_state[SHOP] = _opened(link.values, problems)
    else:
        found: Bench = st.session_state[SHOP]
        st.session_state[SHOP] = replace(found, opening=replace(found.opening, register=register()))
    st.session_state[PROBLEMS] = problems


def _opened(values: Mapping[str, Any], problems: list[str]) -> Bench:
    try:
        setup = _setup(values)
        wanted = (values.get("step"), values.get("pin"), values.get("head", 0))
        return _placed(setup, *wanted, values.get("zoom", 0), problems)
    except (SetupError, TextError) as error:
        problems.append(said(str(error), register()))
        return opened(_what_works(values), None, None, 0, int(values.get("zoom", 0)))


def _what_works(values: Mapping[str, Any]) -> AttentionSetup:
    """As much of a link as goes together: what contradicts the rest is left out."""
    kept: dict[str, Any] = {}
    for name in ("text", *(name for name, _, _ in SIZES)):
        if name not in values:
            continue
        try:
            _setup(kept | {name: values[name]})
        except (SetupError, TextError):
            continue
        kept[name] = values[name]
    found = _setup(kept)
    try:
        read(found)
    except SetupError:  # it points at what is not there
        return found.intact()
    return found


def _placed(
    setup: AttentionSetup,
    step: int | None,
    pin: int | None,
    head: int,
    zoom: int,
    problems: list[str],
) -> Bench:
    if head >= setup.heads:
        problems.append(f"head: the last query head is {setup.heads - 1}, not {head}")
        head = 0
    found = opened(setup, step, pin, head, zoom)
    last = sum(1 for _ in found.reading.moments()) - 1
    if step is not None and step > last:
        problems.append(f"step: this reading ends at step {last}, not {step}")
        found = replace(found, opening=replace(found.opening, step=last))
    if pin is not None and pin >= found.reading.room.num_blocks:
        problems.append(f"pin: the last block is {found.reading.room.num_blocks - 1}, not {pin}")
        found = replace(found, opening=replace(found.opening, pin=None))
    return found


def _setup(values: Mapping[str, Any]) -> AttentionSetup:
    fields = {field: values[name] for name, field, _ in SIZES if name in values}
    broken = {"reads": fields.pop("reads", None), "past": "past" in values}
    text = str(values.get("text", ""))
    if text.strip():
        fields.pop("tokens", None)
        sizes = AttentionSetup(tokens=1, **fields)
        return replace(with_text(sizes, text, default_tokenizer()), **broken)
    return replace(AttentionSetup(**fields), **broken)


def problems() -> None:
    """Say what could not be used of the link."""
    link_problems(st.session_state.get(PROBLEMS, ()))


def params(setup: AttentionSetup) -> dict[str, str]:
    """What the stage keeps in the URL so that the link shows the same reading."""
    values = {"v": str(LINK_VERSION)}
    for name, field, _ in SIZES:
        value = getattr(setup, field)
        if value != getattr(DEFAULT, field) and not (name == "tokens" and setup.text):
            values[name] = ".".join(map(str, value)) if name == "reads" else str(value)
    if setup.text:
        values["text"] = setup.text
    if setup.past:
        values["past"] = "1"
    return values
