"""What a link wishes about the questions before a step: on or off, locked or left out.

The questions come with the run, and everything that is answered stays in the browser
(`assets/stage/quiz.js`); Python only passes on what the address said when the viewer came.
"""

from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pagedviz.ui import locks
from pagedviz.ui.params import Param, one_of

PAGES_WITH_QUIZ: Final = ("allocator", "prefix", "spyre")
PARAM: Final = Param("quiz", one_of(("0", "1")))


def quiz_wish() -> dict[str, Any]:
    """The part of a stage's payload: `token` names the arrival, a new one resets what is on."""
    arrival = st.session_state["shell.arrival"]
    held = "hide" if locks.hidden("quiz") else "lock" if locks.locked("quiz") else ""
    on = arrival.params.get(PARAM.name) == "1"
    return {"quiz": {"token": arrival.number, "on": on, "lever": held}}


def ahead(name: str = "below") -> DeltaGenerator:
    """A container for what tells how the run goes on; it is not shown while one predicts.

    The stage says so to the page, with a class on the document (`assets/page.css`).
    """
    return st.container(key=f"ahead-{name}")
