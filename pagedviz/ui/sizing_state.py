"""What a viewer has set on the sizing page, kept in that viewer's session.

Leaves out: the values themselves (`sizing_inputs.py`), the link (`sizing_link.py`).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pagedviz.ui.sizing_answer import answer
from pagedviz.ui.sizing_inputs import Sizing

SHOP, PROBLEM, NOTE = "sizing.desk", "sizing.problem", "sizing.note"


@dataclass(frozen=True)
class Desk:
    """The inputs, and which state of them this is."""

    sizing: Sizing = field(default_factory=Sizing)
    session: str = field(default_factory=lambda: secrets.token_hex(4))
    moves: int = 0

    @property
    def revision(self) -> str:
        """Names this state: inputs made for an older one count for nothing."""
        return f"{self.session}-{self.moves}"

    def changed(self, **changes: Any) -> Desk:
        """Other inputs. ConfigError (a ValueError) if nothing could be worked out from them."""
        sizing = replace(self.sizing, **changes)
        answer(sizing)  # raises before anything is kept
        return replace(self, sizing=sizing, moves=self.moves + 1)

    def anew(self) -> Desk:
        """The same, with fresh inputs: they show what is, not what could not be done."""
        return replace(self, moves=self.moves + 1)


def desk() -> Desk:
    """This viewer's desk; the page puts it into the session on arrival."""
    found: Desk = st.session_state[SHOP]
    return found
