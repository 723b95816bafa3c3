"""The panel for a class or a talk: a link to what is shown, with what it locks, and its QR code.

The link is made in the browser (`assets/class_link.js`), which alone knows the address that others
reach the app by, and the step. Leaves out: what a lock does (`locks.py`).
"""

from collections.abc import Mapping
from typing import Final

import segno
import streamlit as st

from pagedviz.paths import ASSETS
from pagedviz.timeline.captions import Register
from pagedviz.ui import locks, walk
from pagedviz.ui.quiz import PAGES_WITH_QUIZ, PARAM
from pagedviz.ui.words import REGISTERS, register

LINK, OPEN, PROBLEM = "trainer.link", "trainer.open", "trainer.problem"
NAMES: Final[Mapping[Register, str]] = {"room": "Storage room", "engine": "Engine"}
BODY: Final = (
    '<div class="link"><input readonly aria-label="Link for the class">'
    '<button type="button">Copy</button><span role="status"></span>'
    '<div class="qr" role="img" aria-label="QR code of the link" hidden></div></div>'
)


def _text(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


_render = st.components.v2.component(
    "pagedviz_class_link", html=BODY, css=_text("class_link.css"), js=_text("class_link.js")
)


def panel(page: str, titles: Mapping[str, str]) -> None:
    """A button that opens the panel.

    Args:
        page: key of the page that is shown.
        titles: the pages by their part of an address, and what each is called.
    """
    if st.button("For a class or a talk", key=OPEN, width="stretch"):
        _dialog(page, dict(titles))


@st.dialog("For a class or a talk", width="large")
def _dialog(page: str, titles: dict[str, str]) -> None:
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.markdown("A link to what you see, at this step, for a class or for yourself.")
        wishes = _wishes(page)
        st.markdown("Or put this view into a talk of your own, which the page Talks has.")
        st.button("Add this view to my talk", on_click=_add, args=(titles,), key="trainer.add")
        if said := st.session_state.pop(PROBLEM, ""):
            st.markdown(said)
    link = _link()
    code, problem = qr(link)
    with right:
        _render(
            data={"wishes": wishes, "link": link, "qr": code, "problem": problem},
            key=LINK,
            on_link_change=_nothing,
        )


def qr(link: str) -> tuple[str, str]:
    """The QR code of a link as SVG, or why there is none.

    >>> qr("http://127.0.0.1:8501/spyre?step=3")[0][:4]
    '<svg'
    >>> qr("x" * 3_000)
    ('', 'The link is too long for a QR code (3,000 characters): copy it instead.')
    """
    if not link:
        return "", ""
    try:
        code = segno.make(link, micro=False)
    except segno.DataOverflowError:
        return "", (
            f"The link is too long for a QR code ({len(link):,} characters): copy it instead."
        )
    return code.svg_inline(border=4, light="#ffffff", dark="#000000", omitsize=True), ""


def _wishes(page: str) -> dict[str, str]:
    """Parameters of the link beside those of the page; empty ones are taken out of it."""
    words = st.segmented_control(
        "Words",
        REGISTERS,
        default=register(),
        required=True,
        format_func=NAMES.__getitem__,
        key="trainer.words",
    )
    present = st.toggle("In the presenter view", key="trainer.present")
    asks = page in PAGES_WITH_QUIZ and st.toggle(
        "With questions before some steps",
        key="trainer.quiz",
        help="Predict, then reveal: the picture stops and asks. On the page, Q does the same.",
    )
    levers, now = locks.LEVERS.get(page, {}), locks.held(page)
    found = {"words": "engine" if words == "engine" else "", "present": "1" if present else ""}
    if asks:  # else the link keeps what is on now
        found[PARAM.name] = "1"
    for how, label in (("lock", "Lock these controls"), ("hide", "Leave these out")):
        chosen: list[str] = []
        if levers:
            chosen = st.multiselect(
                label,
                list(levers),
                [name for name in levers if now.get(name) == how],
                format_func=levers.__getitem__,
                key=f"trainer.{how}.{page}",
            )
        found[how] = ",".join(chosen)
    both = [name for name in found["lock"].split(",") if name in found["hide"].split(",") and name]
    found["lock"] = ",".join(name for name in found["lock"].split(",") if name not in both)
    return found


def _link() -> str:
    """The link as the browser made it last."""
    value = st.session_state.get(LINK, {}).get("link", "")
    return value if isinstance(value, str) and len(value) < 20_000 else ""


def _add(titles: dict[str, str]) -> None:
    problem = walk.add(_link(), titles)
    count = len(walk.own_talk().stops)
    st.session_state[PROBLEM] = problem or f"Added as view {count} of your own talk."


def _nothing() -> None:
    """The panel is drawn anew, with the code of the new link."""
