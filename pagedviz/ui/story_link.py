"""The start page's link: scene and beat, both counted from 1, and the words.

`scene=3&beat=2`; an old link's `step` counts all beats from 0. A scene or beat that does not
exist is said, and the nearest one is shown. Leaves out: writing the link, which the stage does.
"""

from collections.abc import Mapping

import streamlit as st

from pagedviz.stage.payload import Opening
from pagedviz.timeline.story.tale import places, scenes, step_of
from pagedviz.ui.params import Param, one_of, read_link, version, whole
from pagedviz.ui.plain_text import link_problems
from pagedviz.ui.shell import Arrival
from pagedviz.ui.words import REGISTERS, register, set_register

OPENING, PROBLEMS, READ = "story.opening", "story.problems", "story.link_read"
MOST = 9_999  # so that a number too large is answered with what there is, not with this one
TABLE = (
    Param("v", version),
    Param("scene", whole(0, MOST)),
    Param("beat", whole(0, MOST)),
    Param("step", whole(0, MOST)),
    Param("words", one_of(REGISTERS)),
)
NAMES = ("v", "scene", "beat")  # the stage adds step, pin, words and view itself


def arrive(arrival: Arrival) -> Opening:
    """Where the story is to stand. What cannot be read of the link is said."""
    if st.session_state.get(READ) != arrival.number:
        link = read_link(arrival.params, TABLE)
        set_register(str(link.values.get("words", "")))
        step, problems = nearest(link.values)
        st.session_state[OPENING] = Opening(f"story-{arrival.number}", step, None, None, register())
        st.session_state[PROBLEMS] = (*link.problems, *problems)
        st.session_state[READ] = arrival.number
    link_problems(st.session_state[PROBLEMS])
    found: Opening = st.session_state[OPENING]
    return found


def nearest(values: Mapping[str, object]) -> tuple[int, tuple[str, ...]]:
    """The step a link means, or the nearest there is, and a sentence for what was not there.

    >>> nearest({"scene": 2, "beat": 3}), nearest({"step": 4}), nearest({})
    ((8, ()), (4, ()), (0, ()))
    >>> nearest({"scene": 12})
    (43, ('scene: must be a whole number from 1 to 7, not 12; scene 7 is shown',))
    """
    scene, beat, step = (values.get(name) for name in ("scene", "beat", "step"))
    problems: list[str] = []

    def within(name: str, wanted: object, first: int, last: int, shown: str) -> int:
        number = int(str(wanted))
        found = min(max(number, first), last)
        if found != number:
            problems.append(
                f"{name}: must be a whole number from {first} to {last}, not {number:,}; "
                f"{shown} {found} is shown"
            )
        return found

    if scene is None and step is not None:
        return within("step", step, 0, len(places()) - 1, "step"), tuple(problems)
    at = within("scene", 1 if scene is None else scene, 1, len(scenes()), "scene")
    last = len(scenes()[at - 1].beats)
    which = within("beat", 1 if beat is None else beat, 1, last, "beat")
    return step_of(at, which), tuple(problems)
