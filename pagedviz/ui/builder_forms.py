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
from pagedviz.ui.allocator_state import act, attempt, problem, shop, value
from pagedviz.ui.workshop import Shown, Workshop, played

MAX_FILE_MB = 10  # a run of 2,000 steps is well below
NOBODY = EVERYONE = ""  # no letter: nobody in particular


def form(label: str, name: str, draw: Callable[[], None]) -> None:
    """A button that opens a form; what the form's action ran into is said in it."""
    place = st.popover(label, key=f"allocator.{name}.open", on_change="rerun")
    if place.open:
        with place:
            draw()
            problem(inside=True)


def arrive(words: dict[str, str], everyone: list[str]) -> None:
    """Who comes: a number of tokens, or a text; perhaps with the beginning of another."""
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
        st.number_input(words["tokens"], 1, 131_072, 40, key="allocator.tokens")
        if everyone:
            st.selectbox(
                words["like"],
                [NOBODY, *everyone],
                key="allocator.like",
                help=words["like_help"],
                format_func=lambda who: who or words["nobody"],
            )
            if value("like"):
                st.number_input(words["like_many"], 1, 131_072, 32, key="allocator.like_many")
    st.button(
        words["arrive_do"],
        on_click=_add_visitor,
        args=(kind,),
        type="primary",
        key="allocator.arrive.do",
    )


def _add_visitor(kind: str) -> None:
    if kind == "text":
        text = value("text")
        return act(lambda run: build.add_visitor(run, text=text))
    tokens, like = int(value("tokens")), st.session_state.get("allocator.like", NOBODY)
    if like == NOBODY:
        return act(lambda run: build.add_visitor(run, tokens=tokens))
    many = int(value("like_many"))
    return act(
        lambda run: build.add_visitor(run, tokens=tokens, share_with=like, share_tokens=many)
    )


def write(words: dict[str, str], inside: list[str]) -> None:
    """One or all inside write some tokens more."""
    if not inside:
        st.markdown(words["nobody_inside"])
        return
    st.selectbox(
        words["who"],
        [EVERYONE, *inside],
        key="allocator.write.who",
        format_func=lambda who: who or words["everyone"],
    )
    st.number_input(words["how_many"], 1, 1_000, 1, key="allocator.write.many")

    def do() -> None:
        who, many = value("write.who"), int(value("write.many"))
        act(lambda run: build.write(run, who or None, many))

    st.button(words["write_do"], on_click=do, type="primary", key="allocator.write.do")


def leave(words: dict[str, str], letters: list[str], inside: list[str]) -> None:
    """One leaves, or is sent back to the door."""
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


def let_drive(words: dict[str, str]) -> None:
    """Arrivals by chance, served by the scheduler, in a pool of the present size."""
    st.markdown(words["drive_lead"])
    left, right = st.columns(2)
    left.number_input(words["visitors"], 1, 60, 10, key="allocator.drive.visitors")
    right.number_input(words["arrivals"], 1, 200, 30, key="allocator.drive.arrivals")
    left.number_input(words["prompt_min"], 1, 4_096, 10, key="allocator.drive.prompt_min")
    right.number_input(words["prompt_max"], 1, 4_096, 60, key="allocator.drive.prompt_max")
    left.number_input(words["answer_min"], 1, 512, 4, key="allocator.drive.answer_min")
    right.number_input(words["answer_max"], 1, 512, 16, key="allocator.drive.answer_max")
    left.number_input(
        words["budget"],
        1,
        8_192,
        64,
        key="allocator.drive.budget",
        help=words["budget_help"],
    )
    right.number_input(words["seats"], 1, 64, 8, key="allocator.drive.seats")
    left.number_input(
        words["opening"],
        0,
        2_048,
        16,
        key="allocator.drive.opening",
        help=words["opening_help"],
    )
    right.number_input(
        words["seed"], 0, 9_999, 1, key="allocator.drive.seed", help=words["seed_help"]
    )
    st.segmented_control(
        words["policy"],
        ["fcfs", "priority"],
        default="fcfs",
        required=True,
        format_func=words.__getitem__,
        key="allocator.drive.policy",
    )

    def do() -> None:
        run = shop().run
        attempt(lambda: _driven(run))

    st.button(words["drive_do"], on_click=do, type="primary", key="allocator.drive.do")


def _driven(run: Run) -> Workshop:
    config = DriveConfig(
        num_blocks=run.num_blocks,
        block_size=run.block_size,
        caching=run.caching,
        visitors=int(value("drive.visitors")),
        arrivals=int(value("drive.arrivals")) / 100,
        prompt=(int(value("drive.prompt_min")), int(value("drive.prompt_max"))),
        answer=(int(value("drive.answer_min")), int(value("drive.answer_max"))),
        token_budget=int(value("drive.budget")),
        max_requests=int(value("drive.seats")),
        shared_opening=int(value("drive.opening")),
        seed=int(value("drive.seed")),
        policy=value("drive.policy"),
    )
    return shop().opened(Shown(played(drive(config))), 0)


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
        words["link"]
        if workshop.shown.preset or workshop.shown.played.link
        else words["link_too_long"]
    )
    st.markdown(words["limits"].format(blocks=MAX_BLOCKS, steps=MAX_STEPS))


def _open_file() -> None:
    file = st.session_state["allocator.file"]
    if file is not None:
        attempt(lambda: shop().opened(Shown(played(Run.from_json(file.getvalue(), file.name))), 0))
