"""The tools over the stage on the allocator page: choose a run, size the room, act on it.

Every action changes the run through a callback, so that the page below is drawn once, with
the result. What is refused is said in one line above the stage, and the picture stays.
Leaves out: the rules (`pagedviz.timeline.build`, `drive`), and undo (`workshop.py`).
"""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pagedviz.timeline import build
from pagedviz.timeline.captions import Register
from pagedviz.timeline.drive import DriveConfig, drive
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.ops import MAX_BLOCKS, MAX_STEPS
from pagedviz.timeline.rebuild import rebuilt
from pagedviz.timeline.run import Run
from pagedviz.ui.builder_words import WORDS
from pagedviz.ui.workshop import BY_ID, Shown, Workshop, played, played_preset

SHOP, PROBLEM = "allocator.workshop", "allocator.problem"
PRESET, SHELVES, SIZE, KEEP = (
    "allocator.preset",
    "allocator.shelves",
    "allocator.size",
    "allocator.keep",
)
OWN = "own"
NOBODY = EVERYONE = ""  # no letter: nobody in particular
BLOCK_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
POPOVERS = ("arrive", "write", "leave", "drive", "file")


def shop() -> Workshop:
    """This viewer's workshop; the page puts it into the session on arrival."""
    workshop: Workshop = st.session_state[SHOP]
    return workshop


def _attempt(make: Callable[[], Workshop]) -> None:
    """Put the new workshop in place, or say why not and leave the old one."""
    try:
        st.session_state[SHOP] = make()
        st.session_state[PROBLEM] = ""
        for name in POPOVERS:
            st.session_state[f"allocator.{name}.open"] = False
    except RunError as error:
        st.session_state[PROBLEM] = str(error)
    set_inputs()


def set_inputs() -> None:
    """Bring the inputs in line with the run shown (callbacks and the page's start only)."""
    workshop = shop()
    st.session_state[PRESET] = workshop.shown.preset.id if workshop.shown.preset else OWN
    st.session_state[SHELVES] = workshop.run.num_blocks - 1
    st.session_state[SIZE] = workshop.run.block_size
    st.session_state[KEEP] = workshop.run.caching


def _act(change: Callable[[Run], Run]) -> None:
    _attempt(lambda: shop().changed(change))


def _choose_preset() -> None:
    chosen = st.session_state[PRESET]
    if chosen in BY_ID:
        preset = BY_ID[chosen]
        _attempt(lambda: shop().opened(Shown(played_preset(chosen), preset), preset.opening))
    else:
        set_inputs()


def _resize() -> None:
    shelves, size, keep = (st.session_state[key] for key in (SHELVES, SIZE, KEEP))
    _act(lambda run: rebuilt(run, num_blocks=int(shelves) + 1, block_size=size, caching=keep))


def controls(register: Register) -> None:
    """The row that chooses the run and sizes the room."""
    words, workshop = WORDS[register], shop()
    own = [] if workshop.shown.preset else [OWN]
    names = {key: getattr(preset.title, register) for key, preset in BY_ID.items()} | {
        OWN: words["own"]
    }
    sizes = (
        BLOCK_SIZES
        if workshop.run.block_size in BLOCK_SIZES
        else (*BLOCK_SIZES, workshop.run.block_size)
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        st.selectbox(
            words["preset"],
            [*own, *BY_ID],
            key=PRESET,
            format_func=names.__getitem__,
            on_change=_choose_preset,
            width=400,
        )
        st.number_input(
            words["shelves"],
            1,
            MAX_BLOCKS - 1,
            key=SHELVES,
            on_change=_resize,
            width=140,
            step=1,
            help=words["shelves_help"],
        )
        st.selectbox(
            words["size"],
            sorted(sizes),
            key=SIZE,
            on_change=_resize,
            width=150,
            format_func=lambda n: {16: "16 (vLLM)", 64: "64 (Spyre)"}.get(n, str(n)),
            help=words["size_help"],
        )
        st.toggle(words["keep"], key=KEEP, on_change=_resize, help=words["keep_help"])


def tools(register: Register) -> None:
    """The row that acts on the run: come in, write, leave, and so on."""
    words, workshop = WORDS[register], shop()
    state = workshop.timeline.state(workshop.timeline.last)
    letters = [workshop.timeline.requests[r].letter for r in sorted(state.requests)]
    inside = [workshop.timeline.requests[r].letter for r in sorted(state.tables)]
    with st.container(horizontal=True, vertical_alignment="bottom", key="tools", gap="small"):
        _arrive(words, [info.letter for info in workshop.timeline.requests])
        _write(words, inside)
        _leave(words, letters, inside)
        _button(words["clear_kept"], "clear", lambda: _act(build.reset))
        _drive(words)
        _button(words["undo"], "undo", lambda: _attempt(shop().undone), not workshop.past)
        _button(words["redo"], "redo", lambda: _attempt(shop().redone), not workshop.future)
        _button(words["empty"], "empty", lambda: _attempt(_emptied))
        _file(words, workshop)


def problem() -> None:
    """What the last action ran into, if it did."""
    if st.session_state.get(PROBLEM):
        st.warning(st.session_state[PROBLEM], icon=":material/error:")


def _emptied() -> Workshop:
    run = shop().run
    return shop().opened(
        Shown(played(build.new_run(run.num_blocks, run.block_size, run.caching))), 0
    )


def _button(label: str, key: str, act: Callable[[], None], disabled: bool = False) -> None:
    st.button(label, key=f"allocator.{key}", on_click=act, disabled=disabled)


def _popover(label: str, name: str) -> Any:
    return st.popover(label, key=f"allocator.{name}.open", on_change="rerun")


def _value(name: str) -> Any:
    return st.session_state[f"allocator.{name}"]


def _arrive(words: dict[str, str], everyone: list[str]) -> None:
    with _popover(words["arrive"], "arrive") as place:
        if not place.open:
            return
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
                if _value("like"):
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
        text = _value("text")
        return _act(lambda run: build.add_visitor(run, text=text))
    tokens, like = int(_value("tokens")), st.session_state.get("allocator.like", NOBODY)
    if like == NOBODY:
        return _act(lambda run: build.add_visitor(run, tokens=tokens))
    many = int(_value("like_many"))
    return _act(
        lambda run: build.add_visitor(run, tokens=tokens, share_with=like, share_tokens=many)
    )


def _write(words: dict[str, str], inside: list[str]) -> None:
    with _popover(words["write"], "write") as place:
        if not place.open:
            return
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

        def act() -> None:
            who, many = _value("write.who"), int(_value("write.many"))
            _act(lambda run: build.write(run, who or None, many))

        st.button(words["write_do"], on_click=act, type="primary", key="allocator.write.do")


def _leave(words: dict[str, str], letters: list[str], inside: list[str]) -> None:
    with _popover(words["leave"], "leave") as place:
        if not place.open:
            return
        if not letters:
            st.markdown(words["nobody_here"])
            return
        st.selectbox(words["who"], letters, key="allocator.leave.who")
        who = _value("leave.who")
        st.button(
            words["leave_do"],
            on_click=lambda: _act(lambda run: build.leave(run, who)),
            type="primary",
            key="allocator.leave.do",
        )
        st.button(
            words["preempt_do"],
            on_click=lambda: _act(lambda run: build.preempt(run, who)),
            key="allocator.preempt.do",
            disabled=who not in inside,
            help=words["preempt_help"],
        )


def _drive(words: dict[str, str]) -> None:
    with _popover(words["drive"], "drive") as place:
        if not place.open:
            return
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

        def act() -> None:
            run = shop().run
            _attempt(lambda: _driven(run))

        st.button(words["drive_do"], on_click=act, type="primary", key="allocator.drive.do")


def _driven(run: Run) -> Workshop:
    config = DriveConfig(
        num_blocks=run.num_blocks,
        block_size=run.block_size,
        caching=run.caching,
        visitors=int(_value("drive.visitors")),
        arrivals=int(_value("drive.arrivals")) / 100,
        prompt=(int(_value("drive.prompt_min")), int(_value("drive.prompt_max"))),
        answer=(int(_value("drive.answer_min")), int(_value("drive.answer_max"))),
        token_budget=int(_value("drive.budget")),
        max_requests=int(_value("drive.seats")),
        shared_opening=int(_value("drive.opening")),
        seed=int(_value("drive.seed")),
        policy=_value("drive.policy"),
    )
    return shop().opened(Shown(played(drive(config))), 0)


def _file(words: dict[str, str], workshop: Workshop) -> None:
    with _popover(words["file"], "file") as place:
        if not place.open:
            return
        st.download_button(
            words["save"],
            workshop.run.to_json,
            "pagedviz-run.json",
            "application/json",
            on_click="ignore",
            key="allocator.save",
        )
        st.file_uploader(words["open"], key="allocator.file", on_change=_open_file)
        st.markdown(
            words["link"]
            if workshop.shown.preset or workshop.shown.played.link
            else words["link_too_long"]
        )
        st.markdown(words["limits"].format(blocks=MAX_BLOCKS, steps=MAX_STEPS))


def _open_file() -> None:
    file = st.session_state["allocator.file"]
    if file is not None:
        _attempt(lambda: shop().opened(Shown(played(Run.from_json(file.getvalue(), file.name))), 0))
