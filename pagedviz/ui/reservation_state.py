"""What a viewer has on the reservation page: the setup, the run that follows, where it stands.

All of it is immutable and lives in that viewer's session; a run is played once per server.
Leaves out: the link (`reservation_link.py`) and every rule (`pagedviz.timeline.reservation`).
"""

import secrets
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pagedviz.stage.payload import Opening
from pagedviz.timeline.reservation.play import play
from pagedviz.timeline.reservation.presets import RESERVATION_PRESETS
from pagedviz.timeline.reservation.setup import ReservationSetup
from pagedviz.timeline.reservation.wire import encode
from pagedviz.timeline.wire import pack
from pagedviz.ui.words import register

SHOP, PROBLEM = "reservation.desk", "reservation.problem"


@dataclass(frozen=True)
class Desk:
    """The setup, its preset if it is one, and where the stage is to stand."""

    setup: ReservationSetup
    preset: str | None
    opening: Opening
    session: str = field(default_factory=lambda: secrets.token_hex(4))
    moves: int = 0
    sizes: bool = False  # whether block sizes are stepped through

    @property
    def revision(self) -> str:
        """Names this state: inputs made for an older one count for nothing."""
        return f"{self.session}-{self.moves}"

    def changed(
        self, setup: ReservationSetup, preset: str | None, sizes: bool | None = None
    ) -> "Desk":
        """Another setup, opened where the two sides differ most. ReservationError if it fails."""
        wire, _ = played(setup)
        sizes = self.sizes if sizes is None else sizes
        new = replace(self, setup=setup, preset=preset, sizes=sizes, moves=self.moves + 1)
        return replace(new, opening=Opening(new.revision, wire["opening"], None, None, register()))

    def anew(self) -> "Desk":
        """The same, with fresh inputs: they show what is, not what could not be done."""
        return replace(self, moves=self.moves + 1)


def desk() -> Desk:
    """This viewer's desk; the page puts it into the session on arrival."""
    found: Desk = st.session_state[SHOP]
    return found


@st.cache_data(max_entries=64, show_spinner="Playing both sides ...")
def played(setup: ReservationSetup) -> tuple[dict[str, Any], str]:
    """The run as the stage gets it: looked at, and packed."""
    wire = encode(play(setup))
    return wire, pack(wire)


def opened(
    setup: ReservationSetup, preset: str | None, step: int | None, sizes: bool = False
) -> Desk:
    """A desk for somebody who has just come; `step` None opens where the sides differ most."""
    at = played(setup)[0]["opening"] if step is None else step
    found = Desk(setup, preset, Opening("", at, None, None, register()), sizes=sizes)
    return replace(found, opening=replace(found.opening, token=f"{found.session}-0"))


def preset_of(setup: ReservationSetup) -> str | None:
    """The preset with exactly this setup, if there is one."""
    return next((p.id for p in RESERVATION_PRESETS if p.setup == setup), None)
