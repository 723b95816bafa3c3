"""What a viewer has on the attention page: the setup, its reading, and where the stage stands.

All of it is immutable and lives in that viewer's session. Leaves out: the link
(`attention_link.py`) and every rule (`pagedviz.timeline.attention`).
"""

import secrets
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pagedviz.stage.payload import Opening
from pagedviz.timeline.attention.reading import Reading, read
from pagedviz.timeline.attention.setup import AttentionSetup
from pagedviz.timeline.attention.wire import encode
from pagedviz.timeline.attention.words import words
from pagedviz.timeline.captions import REGISTERS
from pagedviz.timeline.wire import pack
from pagedviz.ui.words import register

SHOP = "attention.bench"


@dataclass(frozen=True)
class Bench:
    """The setup on the stage, what follows from it, and where the stage is to stand."""

    reading: Reading
    packed: str
    opening: Opening
    view: tuple[int, int] = (0, 0)  # head and zoom to open with
    session: str = field(default_factory=lambda: secrets.token_hex(4))
    moves: int = 0

    @property
    def setup(self) -> AttentionSetup:
        """What is set."""
        return self.reading.setup

    @property
    def revision(self) -> str:
        """Names this state, so that a change made on an older one can be told."""
        return f"{self.session}-{self.moves}"

    def changed(self, setup: AttentionSetup) -> "Bench":
        """Another setup, opened where something happens."""
        new = self.altered(setup)
        step = telling_step(new.reading, 0)
        opening = Opening(new.revision, step, None, None, register())
        return replace(new, opening=opening, view=(0, self.view[1]))

    def altered(self, setup: AttentionSetup) -> "Bench":
        """The same place in another setup: moved, broken or mended while one looks at it."""
        reading = read(setup)
        return replace(self, reading=reading, packed=packed(reading), moves=self.moves + 1)

    def anew(self) -> "Bench":
        """The same, with fresh inputs: they show the setup again, not what could not be done."""
        return replace(self, moves=self.moves + 1)


def bench() -> Bench:
    """This viewer's bench; the page puts it into the session on arrival."""
    found: Bench = st.session_state[SHOP]
    return found


@st.cache_data(max_entries=64, show_spinner=False)
def _packed(setup: AttentionSetup) -> str:
    return pack(encode(read(setup)))


def packed(reading: Reading) -> str:
    """The reading as the stage gets it; the same setup is packed once per server."""
    return _packed(reading.setup)


def opened(setup: AttentionSetup, step: int | None, pin: int | None, head: int, zoom: int) -> Bench:
    """A bench for somebody who has just come; `step` None opens where something happens."""
    reading = read(setup)
    at = telling_step(reading, head) if step is None else step
    found = Bench(reading, packed(reading), Opening("", at, None, pin, register()), (head, zoom))
    return replace(found, opening=replace(found.opening, token=f"{found.session}-0"))


def telling_step(reading: Reading, head: int) -> int:
    """The step of the first correction, of the last block's values if there is none."""
    moments = list(reading.moments())
    for index, moment in enumerate(moments):
        if moment.phase == "correct" and reading.corrected(moment.line or 0, head):
            return index
    return len(moments) - 2


def plain_reading(reading: Reading, step: int, head: int) -> dict[str, Any]:
    """The step as `plain_step` gives one of the block manager, for a browser that cannot draw."""
    moments = list(reading.moments())
    index = min(step, len(moments) - 1)
    tokens = reading.setup.tokens
    return {
        "step": index,
        "last": len(moments) - 1,
        "words": [words(reading, moments[index], head, each) for each in REGISTERS],
        "rows": [["A", tokens, tokens, " ".join(map(str, reading.table))]],
        "queue": [],
        "more": 0,
    }
