"""The row of levers on the prefix page, what came from the stage, and the figures below it."""

from dataclasses import replace

import streamlit as st

from pagedviz.engine.errors import EngineError
from pagedviz.timeline.captions import Register
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.kv_models import KV_MODELS
from pagedviz.timeline.ops import MAX_BLOCKS
from pagedviz.timeline.prefix_preset import PrefixPreset
from pagedviz.timeline.sharing_numbers import sharing_numbers
from pagedviz.tokens import TokenizerError, from_tokenizer_json
from pagedviz.ui.prefix_state import (
    BY_ID,
    SHOP,
    TOKENIZER,
    Setup,
    desk,
    edited,
    setup_of,
    tokenizer,
)

PROBLEM = "prefix.problem"
PRESET, SIZE, SHELVES, KEEP, CHUNK = (
    "prefix.preset",
    "prefix.size",
    "prefix.shelves",
    "prefix.keep",
    "prefix.chunk",
)
OWN = "own"
SIZES = (1, 2, 4, 8, 16, 32, 64)


def preset() -> PrefixPreset | None:
    """The preset on the stage, None if it has been changed."""
    key = desk().played.setup.preset
    return BY_ID[key] if key else None


def set_inputs() -> None:
    """Bring the inputs in line with the setup shown (callbacks and the page's start only)."""
    setup = desk().played.setup
    st.session_state[PRESET] = setup.preset or OWN
    st.session_state[SIZE] = setup.block_size
    st.session_state[SHELVES] = setup.num_blocks - 1
    st.session_state[KEEP] = setup.caching
    st.session_state[CHUNK] = setup.chunk


def _change(setup: Setup, step: int | None = None) -> None:
    try:
        st.session_state[SHOP] = desk().changed(setup, step=step)
        st.session_state[PROBLEM] = ""
    except (RunError, EngineError) as error:
        st.session_state[PROBLEM] = str(error)
    set_inputs()


def take_edit() -> None:
    """What the viewer typed, dragged, added or removed on the stage (its callback)."""
    value = st.session_state["stage"].get("edit")
    prompts = edited(value.get("prompts") if isinstance(value, dict) else None)
    if prompts and prompts != desk().played.setup.prompts:
        _change(replace(desk().played.setup, prompts=prompts, preset=None))


def _choose() -> None:
    chosen = st.session_state[PRESET]
    if chosen in BY_ID:
        _change(setup_of(BY_ID[chosen]), BY_ID[chosen].opening)
    else:
        set_inputs()


def _levers() -> None:
    if st.session_state[SHELVES] is None or st.session_state[CHUNK] is None:
        st.session_state[PROBLEM] = "A number is missing. Fill in every field."
        return set_inputs()
    if not 1 <= st.session_state[SHELVES] < MAX_BLOCKS:
        st.session_state[PROBLEM] = f"A room has from 1 to {MAX_BLOCKS - 1:,} of these."
        return set_inputs()
    _change(
        replace(
            desk().played.setup,
            block_size=int(st.session_state[SIZE]),
            num_blocks=int(st.session_state[SHELVES]) + 1,
            caching=bool(st.session_state[KEEP]),
            chunk=int(st.session_state[CHUNK]),
            preset=None,
        )
    )


def row(words: dict[str, str], register: Register) -> None:
    """Preset, block size, pool size, caching, chunk, tokenizer."""
    setup = desk().played.setup
    own = [] if setup.preset else [OWN]
    names = {key: getattr(found.title, register) for key, found in BY_ID.items()}
    with st.container(horizontal=True, vertical_alignment="bottom", key="controls"):
        st.selectbox(
            words["preset"],
            [*own, *BY_ID],
            key=PRESET,
            format_func=(names | {OWN: words["own"]}).__getitem__,
            on_change=_choose,
            width=330,
        )
        st.selectbox(
            words["size"],
            sorted({*SIZES, setup.block_size}),
            key=SIZE,
            on_change=_levers,
            width=120,
            help=words["size_help"],
        )
        st.number_input(words["shelves"], step=1, key=SHELVES, on_change=_levers, width=130)
        st.number_input(
            words["chunk"],
            key=CHUNK,
            step=64,
            on_change=_levers,
            width=150,
            help=words["chunk_help"],
        )
        st.toggle(words["keep"], key=KEEP, on_change=_levers)
        _tokenizer(words)


def _tokenizer(words: dict[str, str]) -> None:
    place = st.popover(words["tokenizer"], key="prefix.tokenizer.open", on_change="rerun")
    if not place.open:
        return
    with place:
        st.markdown(words["tokenizer_now"].format(name=tokenizer().name))
        st.caption(tokenizer().about)
        st.file_uploader(words["tokenizer_open"], key="prefix.file", on_change=_open_tokenizer)
        if TOKENIZER in st.session_state:
            st.button(words["tokenizer_back"], on_click=_default_tokenizer, key="prefix.back")
        problem(inside=True)


def _open_tokenizer() -> None:
    file = st.session_state["prefix.file"]
    if file is None:
        return
    before = st.session_state.get(TOKENIZER)
    try:
        st.session_state[TOKENIZER] = from_tokenizer_json(file.getvalue(), file.name)
    except TokenizerError as error:
        st.session_state[PROBLEM] = str(error)
        return
    _change(desk().played.setup)
    if st.session_state[PROBLEM]:  # the prompts could not be cut by it: the old one stays
        st.session_state[TOKENIZER] = before


def _default_tokenizer() -> None:
    st.session_state.pop(TOKENIZER, None)
    _change(desk().played.setup)


def problem(inside: bool = False) -> None:
    """What the last change ran into, if it did: in the open popover, else above the stage."""
    text = st.session_state.get(PROBLEM)
    if text and bool(st.session_state.get("prefix.tokenizer.open")) == inside:
        st.warning(text, icon=":material/error:")


def numbers(words: dict[str, str]) -> None:
    """Tokens computed and saved, blocks with and without sharing, hit rate, bytes."""
    st.markdown(f"**{words['numbers']}**")
    with st.container(horizontal=True, key="sharing-numbers", vertical_alignment="bottom"):
        model = st.selectbox(
            words["model"], KV_MODELS, format_func=lambda m: m.name, key="prefix.model", width=240
        )
        found = sharing_numbers(
            [view.prompt for view in desk().played.views],
            desk().played.timeline,
            model.bytes_per_token,
        )
        st.metric(words["computed"], f"{found.tokens_computed:,}")
        st.metric(words["saved"], f"{found.tokens_saved:,}")
        st.metric(words["rate"], f"{found.hit_rate:.1%}")
        st.metric(
            words["held"],
            f"{found.blocks_most:,}",
            words["without"].format(n=f"{found.blocks_most_unshared:,}"),
            delta_color="off",
        )
        st.metric(words["bytes"].format(model=model.name), f"{found.bytes_saved / 2**20:,.1f} MiB")
