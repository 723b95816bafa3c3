"""Names, colours and dashes of the systems and of what memory can be, in both registers."""

from __future__ import annotations

from typing import NamedTuple

from pagedviz.timeline.captions import Register
from pagedviz.workload.setup import System


class SystemLook(NamedTuple):
    """A system: its names and how its line is drawn; at least 3:1 on white and near-black."""

    room: str
    engine: str
    color: str
    dash: str

    def name(self, register: Register) -> str:
        """Its name in one register."""
        return self.room if register == "room" else self.engine


class KindLook(NamedTuple):
    """What a slot can be: names, edge, fill and pattern."""

    key: str
    room: str
    engine: str
    line: str
    fill: str
    pattern: str

    def name(self, register: Register) -> str:
        """Its name in one register."""
        return self.room if register == "room" else self.engine


SYSTEMS: dict[System, SystemLook] = {
    "paged": SystemLook("shelves", "paged", "#2f7fc1", "solid"),
    "max": SystemLook("aisle, longest visit", "reserved, max", "#c2571a", "dash"),
    "pow2": SystemLook("aisle, rounded up", "reserved, pow2", "#a35f8f", "dashdot"),
    "oracle": SystemLook("aisle, exact length", "reserved, oracle", "#808080", "dot"),
}
# From the bottom up; hues repeat those of the other charts, patterns tell them apart too.
KINDS = (
    KindLook("token", "holds a box", "holds a token", "#2f7fc1", "rgba(47,127,193,.6)", ""),
    KindLook(
        "later", "promised, filled later", "reserved, used later", "#2f7fc1",
        "rgba(47,127,193,.18)", "",
    ),
    KindLook(
        "never", "promised, never filled", "reserved, never used (internal)", "#b38600",
        "rgba(230,167,0,.45)", ".",
    ),
    KindLook(
        "tail", "empty, end of a last shelf", "unfilled tail of a block", "#b38600",
        "rgba(230,167,0,.45)", "|",
    ),
    KindLook(
        "external", "free, too cut up for who waits", "free but unusable (external)", "#c2571a",
        "rgba(213,94,0,.3)", "x",
    ),
    KindLook("kept", "kept for reuse", "free, cached", "#808080", "rgba(128,128,128,.2)", "/"),
    KindLook("free", "free", "free", "#808080", "rgba(0,0,0,0)", ""),
)  # fmt: skip
