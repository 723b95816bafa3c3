"""The two rows of tools over the stage: choose a run and size the room; act on it.

Leaves out: the forms behind the buttons (`builder_forms.py`), what an action does to the session
(`allocator_state.py`), and the rules of building (`pagedviz.timeline.build`).
"""

from collections.abc import Callable

import streamlit as st

from pagedviz.timeline import build
from pagedviz.timeline.captions import Register
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.ops import MAX_BLOCKS
from pagedviz.ui import builder_forms as forms
from pagedviz.ui.allocator_state import (
    KEEP,
    OWN,
    PRESET,
    SHELVES,
    SIZE,
    act,
    attempt,
    number,
    set_inputs,
    shop,
    value,
)
from pagedviz.ui.builder_words import WORDS
from pagedviz.ui.workshop import BY_ID, Shown, Workshop, shown_preset

BLOCK_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


def _choose_preset() -> None:
    chosen = st.session_state[PRESET]
    if chosen in BY_ID:
        preset = BY_ID[chosen]
        attempt(lambda: shop().opened(shown_preset(chosen), preset.opening))
    else:
        set_inputs()


def _resize() -> None:
    def sized() -> Workshop:
        shelves = number("shelves")
        if not 1 <= shelves < MAX_BLOCKS:
            raise RunError(f"A room has from 1 to {MAX_BLOCKS - 1:,} of these, not {shelves:,}")
        size, keep = value("size"), value("keep")
        return shop().resized(num_blocks=shelves + 1, block_size=size, caching=keep)

    attempt(sized)


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
    everyone = [info.letter for info in workshop.timeline.requests]
    with st.container(horizontal=True, vertical_alignment="bottom", key="tools", gap="small"):
        forms.form(words["arrive"], "arrive", lambda: forms.arrive(words, everyone))
        forms.form(words["write"], "write", lambda: forms.write(words, inside))
        forms.form(words["leave"], "leave", lambda: forms.leave(words, letters, inside))
        _button(words["clear_kept"], "clear", lambda: act(build.reset))
        forms.form(words["drive"], "drive", lambda: forms.let_drive(words))
        _button(words["undo"], "undo", lambda: attempt(shop().undone), not workshop.past)
        _button(words["redo"], "redo", lambda: attempt(shop().redone), not workshop.future)
        _button(words["empty"], "empty", lambda: attempt(_emptied))
        forms.form(words["file"], "file", lambda: forms.file(words, workshop))


def _emptied() -> Workshop:
    run = shop().run
    return shop().opened(Shown(build.new_run(run.num_blocks, run.block_size, run.caching)), 0)


def _button(label: str, key: str, do: Callable[[], None], disabled: bool = False) -> None:
    st.button(label, key=f"allocator.{key}", on_click=do, disabled=disabled)
