"""What the allocator page keeps of a viewer, and the one way it changes.

Every action is a callback that makes a new workshop: the page below is then drawn once, with the
result. What is refused is said where it was asked for, and the picture stays. Leaves out: the
widgets (`builder.py`, `builder_forms.py`), and undo (`workshop.py`).
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pagedviz.timeline.errors import RunError
from pagedviz.timeline.run import Run
from pagedviz.ui.plain_text import warning
from pagedviz.ui.workshop import Workshop

SHOP, PROBLEM = "allocator.workshop", "allocator.problem"
OWN = "own"  # in place of a preset's id: a run of the viewer's own
POPOVERS = ("arrive", "write", "leave", "drive", "file")


def shop() -> Workshop:
    """This viewer's workshop; the page puts it into the session on arrival."""
    workshop: Workshop = st.session_state[SHOP]
    return workshop


def value(name: str) -> Any:
    """What the input `name` of the page's tools holds."""
    return st.session_state[f"allocator.{name}"]


def number(name: str) -> int:
    """The whole number in the input `name`. Raises RunError if the input is empty."""
    found = value(name)
    if found is None:
        raise RunError("a number is missing", advice="Fill in every field.")
    return int(found)


def attempt(make: Callable[[], Workshop]) -> None:
    """Put the new workshop in place, or say why not and leave the old one."""
    try:
        st.session_state[SHOP] = make()
        st.session_state[PROBLEM] = ""
        for name in POPOVERS:
            st.session_state[f"allocator.{name}.open"] = False
    except RunError as error:
        st.session_state[PROBLEM] = str(error)
        st.session_state[SHOP] = shop().anew()


def act(change: Callable[[Run], Run]) -> None:
    """Change the run on the stage; the stage then plays what is new."""
    attempt(lambda: shop().changed(change))


def input_key(name: str) -> str:
    """Key of an input that shows what the run is (its room, its preset).

    Another run has other inputs: what the browser still says of an older one counts for nothing.
    """
    return f"allocator.{name}.{shop().version}"


def problem(inside: bool = False) -> None:
    """What the last action ran into, if it did: in the open popover, else above the stage."""
    text = st.session_state.get(PROBLEM)
    is_open = any(st.session_state.get(f"allocator.{name}.open") for name in POPOVERS)
    if text and is_open == inside:
        warning(text)
