"""The allocator page's link: which run, which step, which block, in which words.

Read once, when the viewer arrives; what is wrong in it is said above the stage. Written by the
stage when playback rests (`assets/stage/place.js`).
"""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from pagedviz.timeline.errors import RunError
from pagedviz.timeline.link import from_link
from pagedviz.timeline.ops import MAX_BLOCKS, MAX_STEPS
from pagedviz.timeline.presets import DEFAULT
from pagedviz.ui import quiz
from pagedviz.ui.allocator_state import SHOP
from pagedviz.ui.params import LINK_VERSION, Link, Param, one_of, read_link, version, whole
from pagedviz.ui.plain_text import link_problems
from pagedviz.ui.shell import Arrival
from pagedviz.ui.words import REGISTERS, register, set_register
from pagedviz.ui.workshop import BY_ID, Shown, Workshop, shown_preset, start

READ, PROBLEMS = "allocator.link_read", "allocator.link_problems"
LEFT_OUT = "-"  # in place of a run that is too long for a link


def _run(text: str) -> object:
    if text == LEFT_OUT:
        raise ValueError(
            "it was too long to be part of the link. Ask for its file, and open that here"
        )
    return from_link(text)


TABLE = (
    Param("v", version),
    Param("preset", one_of(tuple(BY_ID))),
    Param("run", _run),
    Param("step", whole(0, MAX_STEPS)),
    Param("pin", whole(1, MAX_BLOCKS - 1)),
    Param("words", one_of(REGISTERS)),
    quiz.PARAM,
)
NAMES = ("v", "preset", "run")  # the stage adds step, pin, words and view itself


def arrive(arrival: Arrival) -> None:
    """Read the link the viewer came by, or go on with what they had."""
    if st.session_state.get(READ) == arrival.number:
        return
    st.session_state[READ] = arrival.number
    link = read_link(arrival.params, TABLE)
    if "words" in link.values:
        set_register(str(link.values["words"]))
    asked = {"preset", "run", "step", "pin"} & set(arrival.params)
    problems = list(link.problems)
    if asked or SHOP not in st.session_state:
        st.session_state[SHOP] = _opened(link, problems, arrival.params)
    else:
        shop: Workshop = st.session_state[SHOP]
        st.session_state[SHOP] = replace(
            shop, opening=replace(shop.opening, until=None, register=register())
        )
    st.session_state[PROBLEMS] = problems


def _opened(link: Link, problems: list[str], params: Mapping[str, str]) -> Workshop:
    shop = start(shown_preset(str(link.values.get("preset", DEFAULT.id))), register=register())
    if "run" in link.values:
        try:
            shop = start(Shown(link.values["run"]), register=register())  # type: ignore[arg-type]
        except RunError as error:
            problems.append(f"run: {error}")
    opening = shop.opening
    if "run" in params and "run" not in link.values:
        return shop  # the step and the block belong to a run that is not here
    step = link.values.get("step", opening.step)
    if isinstance(step, int) and step > shop.timeline.last:
        problems.append(f"step: this run ends at step {shop.timeline.last:,}, not {step:,}")
        step = shop.timeline.last
    pin = link.values.get("pin")
    if isinstance(pin, int) and pin >= shop.run.num_blocks:
        problems.append(f"pin: this room's last shelf is {shop.run.num_blocks - 1:,}, not {pin:,}")
        pin = None
    return replace(shop, opening=replace(opening, step=step, pin=pin))  # type: ignore[arg-type]


def problems() -> None:
    """Say what could not be used of the link."""
    link_problems(st.session_state.get(PROBLEMS, ()))


def whole_run(shop: Workshop) -> bool:
    """Whether the link holds the run; a long one has to be saved as a file."""
    return shop.shown.preset is not None or bool(shop.played.link)


def params(shop: Workshop) -> dict[str, str]:
    """What the stage keeps in the URL so that the link shows the same run."""
    values = {"v": str(LINK_VERSION)}
    if shop.shown.preset:
        return values | {"preset": shop.shown.preset.id}
    return values | {"run": shop.played.link or LEFT_OUT}
