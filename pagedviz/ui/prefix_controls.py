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
from pagedviz.ui.locks import hidden, locked
from pagedviz.ui.plain_text import warning
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

PROBLEM, ANSWERED = "prefix.problem", "prefix.answered"
LEVERS = ("size", "shelves", "keep", "chunk")
OWN = "own"
SIZES = (1, 2, 4, 8, 16, 32, 64)


def preset() -> PrefixPreset | None:
    """The preset on the stage, None if it has been changed."""
    key = desk().played.setup.preset
    return BY_ID[key] if key else None


def _key(name: str) -> str:
    """Key of a lever: another setup has other levers, so that an older one counts for nothing."""
    return f"prefix.{name}.{desk().moves}"


def _change(setup: Setup, step: int | None = None) -> None:
    try:
        st.session_state[SHOP] = desk().changed(setup, step=step)
        st.session_state[PROBLEM] = ""
    except (RunError, EngineError) as error:
        _refuse(str(error))


def _refuse(problem: str) -> None:
    """Say it, and let the levers show the setup again."""
    st.session_state[PROBLEM] = problem
    st.session_state[SHOP] = desk().anew()


def answered() -> str:
    """Names the last edit that is in the setup, so that the stage can tell older news."""
    return str(st.session_state.get(ANSWERED, ""))


def take_edit() -> None:
    """What the viewer typed, dragged, added or removed on the stage (its callback)."""
    value = st.session_state["stage"].get("edit")
    if not isinstance(value, dict):
        return
    st.session_state[ANSWERED] = str(value.get("asked", ""))
    prompts = edited(value.get("prompts"))
    if prompts and prompts != desk().played.setup.prompts:
        _change(replace(desk().played.setup, prompts=prompts, preset=None))


def _choose(key: str) -> None:
    chosen = st.session_state[key]
    if key == _key("preset") and chosen in BY_ID:  # else: of a setup that is gone by now
        _change(setup_of(BY_ID[chosen]), BY_ID[chosen].opening)


def _levers(*keys: str) -> None:
    if keys[0] != _key("size"):  # of a setup that is gone by now
        return None
    setup = desk().played.setup  # of what is not drawn
    now = (setup.block_size, setup.num_blocks - 1, setup.caching, setup.chunk)
    size, shelves, keep, chunk = map(st.session_state.get, keys, now)
    if shelves is None or chunk is None:
        return _refuse("A number is missing. Fill in every field.")
    if not 1 <= shelves < MAX_BLOCKS:
        return _refuse(f"A room has from 1 to {MAX_BLOCKS - 1:,} of these, not {shelves:,}.")
    changes = {"block_size": size, "num_blocks": shelves + 1, "caching": keep, "chunk": chunk}
    _change(replace(desk().played.setup, preset=None, **changes))


def row(words: dict[str, str], register: Register) -> None:
    """Preset, block size, pool size, caching, chunk, tokenizer."""
    setup = desk().played.setup
    options = [*([] if setup.preset else [OWN]), *BY_ID]
    names = {key: getattr(found.title, register) for key, found in BY_ID.items()}
    sizes = sorted({*SIZES, setup.block_size})
    levers = [_key(name) for name in LEVERS]
    with st.container(horizontal=True, vertical_alignment="bottom", key="tools"):
        if not hidden("preset"):
            st.selectbox(
                words["preset"],
                options,
                options.index(setup.preset or OWN),
                key=_key("preset"),
                format_func=(names | {OWN: words["own"]}).__getitem__,
                on_change=_choose,
                args=(_key("preset"),),
                width=300,
                disabled=locked("preset"),
            )
        if not hidden("size"):
            st.selectbox(
                words["size"],
                sizes,
                sizes.index(setup.block_size),
                key=levers[0],
                on_change=_levers,
                args=levers,
                width=120,
                help=words["size_help"],
                disabled=locked("size"),
            )
        if not hidden("shelves"):
            st.number_input(
                words["shelves"],
                value=setup.num_blocks - 1,
                step=1,
                key=levers[1],
                on_change=_levers,
                args=levers,
                width=130,
                disabled=locked("shelves"),
            )
        if not hidden("chunk"):
            st.number_input(
                words["chunk"],
                value=setup.chunk,
                step=64,
                key=levers[3],
                on_change=_levers,
                args=levers,
                width=150,
                help=words["chunk_help"],
                disabled=locked("chunk"),
            )
        if not hidden("keep"):
            st.toggle(
                words["keep"],
                setup.caching,
                key=levers[2],
                on_change=_levers,
                args=levers,
                disabled=locked("keep"),
            )
        _tokenizer(words)


def _tokenizer(words: dict[str, str]) -> None:
    if hidden("tokenizer"):
        return
    key, off = "prefix.tokenizer.open", locked("tokenizer")
    place = st.popover(words["tokenizer"], key=key, on_change="rerun", disabled=off)
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
        warning(text)


def numbers(words: dict[str, str]) -> None:
    """Tokens computed and saved, blocks with and without sharing, hit rate, bytes."""
    st.header(words["numbers"])
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
        unshared = f"{found.blocks_most_unshared:,}"
        st.metric(words["held"].format(n=unshared), f"{found.blocks_most:,}")
        st.metric(words["bytes"].format(model=model.name), f"{found.bytes_saved / 2**20:,.1f} MiB")
