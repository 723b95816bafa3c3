"""Taking over a change on the sizing page: whole, or not at all and the reason kept.

A lever's key holds the state it was made for: what belongs to an older state counts for nothing.

Leaves out: the levers (`sizing_controls.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pagedviz.engine.spyre.known_configs import configs_of
from pagedviz.sizing import ConfigError
from pagedviz.sizing.models import model
from pagedviz.ui.sizing_inputs import FILE, TYPED, Sizing
from pagedviz.ui.sizing_state import NOTE, PROBLEM, SHOP, desk

# What belongs to a model and not to the place it runs in: another model begins without it.
OF_THE_MODEL: Mapping[str, None] = dict.fromkeys(("parameters", "each", "weights", "dtype"))


def key_of(name: str) -> str:
    """Key of a lever in the present state."""
    return f"sizing.{name}.{desk().revision}"


def change(**changes: Any) -> bool:
    """Take over a change, or keep everything and remember what is wrong with it."""
    st.session_state[NOTE] = ""
    try:
        st.session_state[SHOP] = desk().changed(**changes)
    except (ConfigError, TypeError, OverflowError) as error:
        text = str(error) if isinstance(error, ConfigError) else "a number is missing: type one"
        st.session_state[PROBLEM] = text
        st.session_state[SHOP] = desk().anew()
        return False
    st.session_state[PROBLEM] = ""
    return True


def taken(name: str, key: str) -> None:
    """Callback of a plain lever."""
    if key == key_of(name):  # else: of a state that is gone by now
        change(**{name: st.session_state[key]})


def choose(name: str, changes: Mapping[str, Any] | None = None) -> bool:
    """Another model; cards or a configuration that it cannot have give way, which is said."""
    here = desk().sizing
    wanted = {"model": name, **OF_THE_MODEL, **(changes or {})}
    if here.where == "spyre":
        wanted |= _row_for(name, here)
    if change(**wanted):
        return True
    problem = st.session_state[PROBLEM]
    for cards in range(here.cards - 1, 0, -1):
        if here.where == "gpu" and change(**wanted, cards=cards):
            st.session_state[NOTE] = f"Cards set to {cards}: {problem}."
            return True
    st.session_state[PROBLEM] = problem
    return False


def _row_for(name: str, here: Sizing) -> dict[str, Any]:
    """The Spyre row of another model: the same one if it has it, else its largest."""
    spyre_name = None if name in (FILE, TYPED) else model(name).spyre_name
    rows = [(row.cards, row.context, row.requests) for row in configs_of(spyre_name or "")]
    if not rows or (here.spyre_cards, here.spyre_context, here.spyre_requests) in rows:
        return {}
    cards, context, requests = rows[-1]
    return {"spyre_cards": cards, "spyre_context": context, "spyre_requests": requests}
