"""The start page's link: the step shown and the words; the run is always the default one."""

import streamlit as st

from pagedviz.stage.payload import Opening
from pagedviz.timeline.presets import DEFAULT
from pagedviz.ui.params import Param, one_of, read_link, whole
from pagedviz.ui.shell import Arrival, link_problems
from pagedviz.ui.words import REGISTERS, register, set_register
from pagedviz.ui.workshop import Played, shown_preset

_OPENING = "start.opening"


def arrive(arrival: Arrival) -> tuple[Opening, Played]:
    """Where the stage is to stand, and the run on it. What cannot be read of the link is said."""
    shown = shown_preset(DEFAULT.id).play()
    last = shown.timeline.last
    if arrival.first or _OPENING not in st.session_state:
        table = (
            Param("step", whole(0, last)),
            Param("pin", whole(1, shown.run.num_blocks - 1)),
            Param("words", one_of(REGISTERS)),
        )
        link = read_link(arrival.params, table)
        set_register(str(link.values.get("words", "")))
        step, pin = link.values.get("step", DEFAULT.opening), link.values.get("pin")
        st.session_state[_OPENING] = (
            Opening(f"start-{arrival.number}", step, None, pin, register()),  # type: ignore[arg-type]
            link.problems,
        )
    opening, problems = st.session_state[_OPENING]
    link_problems(problems)
    return opening, shown
