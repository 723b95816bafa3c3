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
from pagedviz.ui.allocator_state import OWN, act, attempt, input_key, shop
from pagedviz.ui.builder_words import WORDS
from pagedviz.ui.locks import hidden, locked
from pagedviz.ui.workshop import BY_ID, Shown, Workshop, shown_preset

BLOCK_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


def _choose_preset(key: str) -> None:
    chosen = st.session_state[key]
    shown = shop().shown.preset
    if key == input_key("preset") and chosen in BY_ID and (not shown or shown.id != chosen):
        preset = BY_ID[chosen]
        attempt(lambda: shop().opened(shown_preset(chosen), preset.opening))


def _resize(*keys: str) -> None:
    # Clicks in quick succession break runs of the page off: Streamlit then takes inputs that it
    # has not seen yet for changed ones. They are of a run that is gone by now.
    if keys[0] != input_key("shelves"):
        return

    def sized() -> Workshop:
        run = shop().run  # of what is not drawn
        now = (run.num_blocks - 1, run.block_size, run.caching)
        shelves, size, keep = map(st.session_state.get, keys, now)
        if shelves is None or not 1 <= shelves < MAX_BLOCKS:
            given = "an empty field" if shelves is None else f"{shelves:,}"
            raise RunError(f"A room has from 1 to {MAX_BLOCKS - 1:,} of these, not {given}")
        return shop().resized(num_blocks=shelves + 1, block_size=size, caching=keep)

    attempt(sized)


def controls(register: Register) -> None:
    """The row that chooses the run and sizes the room."""
    words, workshop = WORDS[register], shop()
    own = [] if workshop.shown.preset else [OWN]
    names = {key: getattr(preset.title, register) for key, preset in BY_ID.items()}
    options = [*own, *BY_ID]
    shown = workshop.shown.preset.id if workshop.shown.preset else OWN
    sizes = sorted({*BLOCK_SIZES, workshop.run.block_size})
    sized = [input_key(name) for name in ("shelves", "size", "keep")]
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        if not hidden("preset"):
            st.selectbox(
                words["preset"],
                options,
                options.index(shown),
                key=input_key("preset"),
                format_func=(names | {OWN: words["own"]}).__getitem__,
                on_change=_choose_preset,
                args=(input_key("preset"),),
                width=400,
                disabled=locked("preset"),
            )
        if not hidden("shelves"):
            st.number_input(
                words["shelves"],
                value=workshop.run.num_blocks - 1,
                key=sized[0],
                on_change=_resize,
                args=sized,
                width=140,
                step=1,
                help=words["shelves_help"],
                disabled=locked("shelves"),
            )
        if not hidden("size"):
            st.selectbox(
                words["size"],
                sizes,
                sizes.index(workshop.run.block_size),
                key=sized[1],
                on_change=_resize,
                args=sized,
                width=150,
                format_func=lambda n: {16: "16 (vLLM)", 64: "64 (Spyre)"}.get(n, str(n)),
                help=words["size_help"],
                disabled=locked("size"),
            )
        if not hidden("keep"):
            st.toggle(
                words["keep"],
                workshop.run.caching,
                key=sized[2],
                on_change=_resize,
                args=sized,
                help=words["keep_help"],
                disabled=locked("keep"),
            )


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
    lever = "undo" if key == "redo" else key
    if not hidden(lever):
        off = disabled or locked(lever)
        st.button(label, key=f"allocator.{key}", on_click=do, disabled=off)
