"""The reservation page's link: a preset, or all that is set."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from pagedviz.engine.reservation import POLICIES
from pagedviz.timeline.reservation import setup as limits
from pagedviz.timeline.reservation.errors import ReservationError
from pagedviz.timeline.reservation.lengths import MIXES
from pagedviz.timeline.reservation.presets import RESERVATION_PRESETS
from pagedviz.timeline.reservation.setup import ReservationSetup
from pagedviz.ui.params import LINK_VERSION, Param, one_of, read_link, version, whole
from pagedviz.ui.plain_text import link_problems
from pagedviz.ui.reservation_state import PROBLEM, SHOP, Desk, opened, played, preset_of
from pagedviz.ui.shell import Arrival
from pagedviz.ui.words import REGISTERS, register, set_register

READ, PROBLEMS = "reservation.link_read", "reservation.link_problems"
MAX_STEP = 3_000
DEFAULT = ReservationSetup()

# Parameter, field of the setup, reader.
FIELDS: tuple[tuple[str, str, Any], ...] = (
    ("slots", "slots", whole(limits.MIN_SLOTS, limits.MAX_SLOTS)),
    ("longest", "max_model_len", whole(2, limits.MAX_SLOTS)),
    ("policy", "policy", one_of(POLICIES)),
    ("size", "block_size", whole(1, limits.MAX_BLOCK_SIZE)),
    ("visitors", "visitors", whole(1, limits.MAX_VISITORS)),
    ("every", "every", whole(0, limits.MAX_EVERY)),
    ("mix", "mix", one_of(tuple(MIXES))),
    ("prompt", "mean_prompt", whole(1, limits.MAX_MEAN)),
    ("output", "mean_output", whole(1, limits.MAX_MEAN)),
    ("seed", "seed", whole(0, limits.MAX_SEED)),
    ("budget", "token_budget", whole(limits.MIN_BUDGET, limits.MAX_BUDGET)),
)
TABLE = (
    Param("v", version),
    Param("preset", one_of(tuple(preset.id for preset in RESERVATION_PRESETS))),
    *(Param(name, reader) for name, _, reader in FIELDS),
    Param("step", whole(0, MAX_STEP)),
    Param("words", one_of(REGISTERS)),
)
NAMES = ("v", "preset", *(name for name, _, _ in FIELDS))


def arrive(arrival: Arrival) -> None:
    """Read the link the viewer came by, or go on with what they had."""
    if st.session_state.get(READ) == arrival.number:
        return
    st.session_state[READ] = arrival.number
    link = read_link(arrival.params, TABLE)
    set_register(str(link.values.get("words", "")))
    problems = list(link.problems)
    mine = {param.name for param in TABLE} - {"v", "words"}
    if mine & set(arrival.params) or SHOP not in st.session_state:
        st.session_state[SHOP] = _opened(link.values, problems)
    else:
        found: Desk = st.session_state[SHOP]
        st.session_state[SHOP] = replace(found, opening=replace(found.opening, register=register()))
    st.session_state[PROBLEMS] = problems
    st.session_state[PROBLEM] = ""  # what was asked then is gone


def _opened(values: Mapping[str, Any], problems: list[str]) -> Desk:
    preset = next((p for p in RESERVATION_PRESETS if p.id == values.get("preset")), None)
    setup = preset.setup if preset else DEFAULT
    try:
        changes = {field: values[name] for name, field, _ in FIELDS if name in values}
        setup = replace(setup, **changes)
        last = played(setup)[0]["last"]
    except ReservationError as error:
        problems.append(str(error))
        setup, last = DEFAULT, played(DEFAULT)[0]["last"]
    step = values.get("step")
    if step is not None and step > last:
        problems.append(f"step: this run ends at step {last:,}, not {step:,}")
        step = last
    name = preset.id if preset and preset.setup == setup else preset_of(setup)
    return opened(setup, name, step, sizes=preset is not None and bool(preset.sizes))


def problems() -> None:
    """Say what could not be used of the link."""
    link_problems(st.session_state.get(PROBLEMS, ()))


def params(setup: ReservationSetup, preset: str | None, sizes: bool = False) -> dict[str, str]:
    """What the stage keeps in the URL so that the link shows the same run.

    sizes: block sizes are stepped through, and the link is to offer them again.
    """
    values = {"v": str(LINK_VERSION)}
    base = DEFAULT
    if sizes:
        stepped = next(p for p in RESERVATION_PRESETS if p.sizes)
        preset, base = stepped.id, stepped.setup
    if preset:
        values["preset"] = preset
        if not sizes:
            return values
    for name, field, _ in FIELDS:
        if getattr(setup, field) != getattr(base, field):
            values[name] = str(getattr(setup, field))
    return values
