"""What a page sends to its stage: runs, panels in rows, where to stand, what the URL keeps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pagedviz.stage.source import engine_source

# Rows of panels; "name:1" is the panel of the second run. Two runs share one clock.
ALLOCATOR_LAYOUT = (
    ("caption",),
    ("quiz",),
    ("visitors", "room"),
    ("queue",),
    ("meter",),
    ("transport",),
    ("story",),
    ("numbers", "log"),
    ("source",),
    ("legend",),
)


@dataclass(frozen=True)
class Opening:
    """Where the stage is to stand. It moves there when `token` is another than before.

    Attributes:
        token: names the wish; the same token again leaves the viewer where they are.
        step: step to show.
        until: play on from `step` to there, or stay if None.
        pin: block to pin, or None.
        register: the words to start with, "room" or "engine".
    """

    token: str
    step: int = 0
    until: int | None = None
    pin: int | None = None
    register: str = "room"


def payload(
    packed_runs: Sequence[str],
    opening: Opening,
    *,
    layout: Sequence[Sequence[str]] = ALLOCATOR_LAYOUT,
    url: Mapping[str, str] | None = None,
    known: Sequence[str] = (),
    plain: Mapping[str, Any] | None = None,
    panels: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Everything the stage needs, as JSON.

    Args:
        packed_runs: runs as `pagedviz.timeline.wire.pack` returns them.
        opening: where to stand.
        layout: rows of panel names.
        url: parameters the stage keeps in the URL beside its own.
        known: names of all parameters the page may keep there; those not in `url` are removed.
        panels: what single panels need beside the runs, by the panel's name.
        plain: the opening step as `plain_step` gives it, shown if the runs cannot be read.
    """
    return {
        "v": 1,
        "runs": list(packed_runs),
        "layout": [list(row) for row in layout],
        "open": {
            "token": opening.token,
            "step": opening.step,
            "until": opening.until,
            "pin": opening.pin,
            "register": opening.register,
        },
        "url": {"params": dict(url or {}), "known": list(known)},
        **(panels or {}),
        "plain": None if plain is None else dict(plain),
        "source": engine_source() if any("source" in row for row in layout) else None,
    }
