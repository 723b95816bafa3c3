"""The forms behind the tools: who comes, writes, leaves; the scheduler; files and links.

Each is drawn only while its popover is open. Leaves out: what an action does to the session
(`allocator_state.py`), and the rules (`pagedviz.timeline.build`, `drive`).
"""

from collections.abc import Callable

import streamlit as st

from pagedviz.timeline import build
from pagedviz.timeline.drive import DriveConfig, drive
from pagedviz.timeline.ops import MAX_BLOCKS, MAX_STEPS
from pagedviz.timeline.run import Run
from pagedviz.ui.allocator_state import act, attempt, number, problem, shop, value
from pagedviz.ui.locks import hidden, locked
from pagedviz.ui.workshop import Shown, Workshop

MAX_FILE_MB = 10  # a run of 2,000 steps is well below
NOBODY = EVERYONE = ""  # no letter: nobody in particular


def form(label: str, name: str, draw: Callable[[], None]) -> None:
    """A button that opens a form; what the form's action ran into is said in it."""
    if hidden(name):
        return
    key = f"allocator.{name}.open"
    place = st.popover(label, key=key, on_change="rerun", disabled=locked(name))
    if place.open:
        with place:
            draw()
            problem(inside=True)


def _goes_on(words: dict[str, str]) -> None:
    st.caption(words["goes_on"].format(step=shop().timeline.last))


def arrive(words: dict[str, str], everyone: list[str]) -> None:
    """Who comes: a number of tokens, or a text; perhaps with the beginning of another."""
    _goes_on(words)
    kind = st.segmented_control(
        words["by"],
        ["number", "text"],
        default="number",
        required=True,
        key="allocator.by",
        format_func=lambda choice: words[f"by_{choice}"],
    )
    if kind == "text":
        st.text_area(
            words["text"],
            words["text_example"],
            key="allocator.text",
            max_chars=20_000,
            help=words["text_help"],
        )
    else:
        st.number_input(words["tokens"], value=40, step=1, key="allocator.tokens")
        if everyone:
            st.selectbox(
                words["like"],
                [NOBODY, *everyone],
                key="allocator.like",
                help=words["like_help"],
                format_func=lambda who: who or words["nobody"],
            )
            if value("like"):
                st.number_input(words["like_many"], value=32, step=1, key="allocator.like_many")
    st.button(
        words["arrive_do"],
        on_click=_add_visitor,
        args=(kind,),
        type="primary",
        key="allocator.arrive.do",
    )


def _add_visitor(kind: str) -> None:
    like = st.session_state.get("allocator.like", NOBODY)
    if kind == "text":
        act(lambda run: build.add_visitor(run, text=value("text")))
    elif like == NOBODY:
        act(lambda run: build.add_visitor(run, tokens=number("tokens")))
    else:
        act(
            lambda run: build.add_visitor(
                run,
                tokens=number("tokens"),
                share_with=like,
                share_tokens=number("like_many"),
            )
        )


def write(words: dict[str, str], inside: list[str]) -> None:
    """One or all inside write some tokens more."""
    _goes_on(words)
    if not inside:
        st.markdown(words["nobody_inside"])
        return
    st.selectbox(
        words["who"],
        [EVERYONE, *inside],
        key="allocator.write.who",
        format_func=lambda who: who or words["everyone"],
    )
    st.number_input(words["how_many"], value=1, step=1, key="allocator.write.many")

    st.button(
        words["write_do"],
        on_click=lambda: act(
            lambda run: build.write(run, value("write.who") or None, number("write.many"))
        ),
        type="primary",
        key="allocator.write.do",
    )


def leave(words: dict[str, str], letters: list[str], inside: list[str]) -> None:
    """One leaves, or is sent back to the door."""
    _goes_on(words)
    if not letters:
        st.markdown(words["nobody_here"])
        return
    st.selectbox(words["who"], letters, key="allocator.leave.who")
    who = value("leave.who")
    st.button(
        words["leave_do"],
        on_click=lambda: act(lambda run: build.leave(run, who)),
        type="primary",
        key="allocator.leave.do",
    )
    st.button(
        words["preempt_do"],
        on_click=lambda: act(lambda run: build.preempt(run, who)),
        key="allocator.preempt.do",
        disabled=who not in inside,
        help=words["preempt_help"],
    )


# field of the form -> what it starts with; in the order in which they are drawn
DRIVE = {
    "visitors": 10,
    "arrivals": 30,
    "seats": 8,
    "prompt_min": 10,
    "prompt_max": 60,
    "budget": 64,
    "answer_min": 4,
    "answer_max": 16,
    "opening": 16,
    "seed": 1,
}


def let_drive(words: dict[str, str]) -> None:
    """Arrivals by chance, served by the scheduler, in a pool of the present size."""
    st.markdown(words["drive_lead"])
    columns = st.columns(3)
    for place, (name, start) in enumerate(DRIVE.items()):
        columns[place % 3].number_input(
            words[name],
            value=start,
            step=1,
            key=f"allocator.drive.{name}",
            help=words.get(f"{name}_help"),
        )
    st.segmented_control(
        words["policy"],
        ["fcfs", "priority"],
        default="fcfs",
        required=True,
        format_func=words.__getitem__,
        key="allocator.drive.policy",
    )
    run = shop().run
    st.button(
        words["drive_do"],
        on_click=lambda: attempt(lambda: _driven(run)),
        type="primary",
        key="allocator.drive.do",
    )


def _driven(run: Run) -> Workshop:
    given = {name: number(f"drive.{name}") for name in DRIVE}
    config = DriveConfig(
        num_blocks=run.num_blocks,
        block_size=run.block_size,
        caching=run.caching,
        visitors=given["visitors"],
        arrivals=given["arrivals"] / 100,
        prompt=(given["prompt_min"], given["prompt_max"]),
        answer=(given["answer_min"], given["answer_max"]),
        token_budget=given["budget"],
        max_requests=given["seats"],
        shared_opening=given["opening"],
        seed=given["seed"],
        policy=value("drive.policy"),
    )
    driven = drive(config)
    return shop().opened(Shown(driven), 0, until=len(driven.ops))


def file(words: dict[str, str], workshop: Workshop) -> None:
    """Save the run, open another, and what the address of the page holds."""
    st.download_button(
        words["save"],
        workshop.run.to_json,
        "pagedviz-run.json",
        "application/json",
        on_click="ignore",
        key="allocator.save",
    )
    st.file_uploader(
        words["open"], key="allocator.file", on_change=_open_file, max_upload_size=MAX_FILE_MB
    )
    st.markdown(
        words["link"] if workshop.shown.preset or workshop.played.link else words["link_too_long"]
    )
    st.markdown(words["limits"].format(blocks=MAX_BLOCKS, steps=MAX_STEPS))


def _open_file() -> None:
    file = st.session_state["allocator.file"]
    if file is not None:
        attempt(lambda: shop().opened(Shown(Run.from_json(file.getvalue(), file.name)), 0))
