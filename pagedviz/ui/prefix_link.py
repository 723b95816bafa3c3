"""The prefix page's link: a preset, or the viewer's own prompts if they are short."""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, replace

import streamlit as st

from pagedviz.engine.spyre.chunks import check_chunk_size
from pagedviz.stage.payload import Opening
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.ops import MAX_BLOCK_SIZE, MAX_BLOCKS, MAX_STEPS
from pagedviz.timeline.prefix_presets import PREFIX_PRESETS
from pagedviz.ui import quiz
from pagedviz.ui.params import LINK_VERSION, Link, Param, one_of, read_link, version, whole
from pagedviz.ui.plain_text import link_problems
from pagedviz.ui.prefix_state import BY_ID, SHOP, Desk, Setup, edited, played_setup, setup_of
from pagedviz.ui.shell import Arrival
from pagedviz.ui.words import REGISTERS, register, set_register

READ, PROBLEMS = "prefix.link_read", "prefix.link_problems"
MAX_LINK = 1500
LEFT_OUT = "-"  # in place of prompts that are too long for a link
MAX_UNPACKED = 200_000
_PREFIX = "1."


def to_text(setup: Setup) -> str | None:
    """The setup as text for a link; None if that would be too long."""
    data = asdict(replace(setup, preset=None))
    packed = zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 9)
    text = _PREFIX + base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return text if len(text) <= MAX_LINK else None


def from_text(text: str) -> Setup:
    """The setup back from a link. ValueError with the reason if it is damaged.

    >>> from pagedviz.ui.prefix_state import Typed
    >>> setup = Setup((Typed("Hello"), Typed("Hello you", leaves=0)))
    >>> from_text(to_text(setup)) == setup
    True
    """
    if text == LEFT_OUT:
        raise ValueError("they were too long to be part of the link: copy the texts themselves")
    if not text.startswith(_PREFIX):
        raise ValueError("was made by a newer release of pagedviz, or is damaged")
    try:
        packed = base64.urlsafe_b64decode(text[len(_PREFIX) :] + "=" * (-len(text[2:]) % 4))
        unpack = zlib.decompressobj()
        data = json.loads(unpack.decompress(packed, MAX_UNPACKED))
        prompts = edited(data["prompts"])
        sizes = (int(data["block_size"]), int(data["num_blocks"]))
        caching, chunk = bool(data["caching"]), int(data["chunk"])
    except (ValueError, KeyError, TypeError, binascii.Error, zlib.error) as error:
        raise ValueError("is damaged: copy the whole link again") from error
    if not prompts:
        raise ValueError("holds no prompts")
    if not (1 <= sizes[0] <= MAX_BLOCK_SIZE and 2 <= sizes[1] <= MAX_BLOCKS):
        raise ValueError("holds a block size or a pool that is out of range")
    check_chunk_size(chunk)
    return Setup(prompts, sizes[0], sizes[1], caching, chunk)


TABLE = (
    Param("v", version),
    Param("preset", one_of(tuple(BY_ID))),
    Param("prompts", from_text),
    Param("step", whole(0, MAX_STEPS)),
    Param("pin", whole(1, MAX_BLOCKS - 1)),
    Param("words", one_of(REGISTERS)),
    quiz.PARAM,
)
NAMES = ("v", "preset", "prompts")


def arrive(arrival: Arrival) -> None:
    """Read the link the viewer came by, or go on with what they had."""
    if st.session_state.get(READ) == arrival.number:
        return
    st.session_state[READ] = arrival.number
    link = read_link(arrival.params, TABLE)
    set_register(str(link.values.get("words", "")))
    problems = list(link.problems)
    if {"preset", "prompts", "step", "pin"} & set(arrival.params) or SHOP not in st.session_state:
        st.session_state[SHOP] = _opened(link, problems, arrival.params)
    else:
        found: Desk = st.session_state[SHOP]
        st.session_state[SHOP] = replace(found, opening=replace(found.opening, register=register()))
    st.session_state[PROBLEMS] = problems


def _opened(link: Link, problems: list[str], asked: Mapping[str, str]) -> Desk:
    preset = BY_ID[str(link.values.get("preset", PREFIX_PRESETS[0].id))]
    setup = setup_of(preset)
    if isinstance(link.values.get("prompts"), Setup):
        setup = link.values["prompts"]  # type: ignore[assignment]
    try:
        played = played_setup(setup)
    except RunError as error:
        problems.append(f"prompts: {error}")
        played = played_setup(setup_of(preset))
    last = played.timeline.last
    if "prompts" in asked and not isinstance(link.values.get("prompts"), Setup):
        link = Link({}, ())  # its step and block belong to prompts that are not here
    wanted = link.values.get("step", preset.opening if played.setup.preset else last)
    step = int(str(wanted))
    if step > last:
        problems.append(f"step: this run ends at step {last:,}, not {step:,}")
        step = last
    pin = link.values.get("pin")
    if isinstance(pin, int) and pin >= played.setup.num_blocks:
        problems.append(f"pin: this room's last shelf is {played.setup.num_blocks - 1:,}")
        pin = None
    desk = Desk(played, Opening("", step, None, pin, register()))  # type: ignore[arg-type]
    return replace(desk, opening=replace(desk.opening, token=f"{desk.session}-0"))


def problems() -> None:
    """Say what could not be used of the link."""
    link_problems(st.session_state.get(PROBLEMS, ()))


def of_card(setup: Setup) -> dict[str, str] | None:
    """The same for a file that is taken away; None if the prompts are too long for a link."""
    found = params(setup)
    return None if found.get("prompts") == LEFT_OUT else found


def params(setup: Setup) -> dict[str, str]:
    """What the stage keeps in the URL so that the link shows the same prompts."""
    values = {"v": str(LINK_VERSION)}
    if setup.preset:
        return values | {"preset": setup.preset}
    return values | {"prompts": to_text(setup) or LEFT_OUT}
