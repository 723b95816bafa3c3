"""Scenarios to start from. Each makes one claim, said in both registers and held by the tests.

Leaves out: published figures that nothing here computes (`differences`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.requests import SpyreRequest
from pagedviz.timeline.presets import Words
from pagedviz.timeline.spyre.scenario import Scenario
from pagedviz.timeline.step import letter


@dataclass(frozen=True, slots=True)
class SpyrePreset:
    """A scenario with a name and a reason. `opening` is the step worth seeing first."""

    id: str
    title: Words
    lead: Words
    opening: int
    make: Callable[[], Scenario]
    other: Callable[[], Scenario] | None = None  # the same with one thing changed, to compare
    note: Words | None = None  # published figures beside it


def small(max_num_seqs: int = 4, num_blocks: int = 36) -> SpyreLimits:
    """A server small enough to be read whole: product 1,024, context 512, chunks of 128."""
    return SpyreLimits(max_num_seqs, 512, 1_024, chunk_size=128, num_blocks=num_blocks)


def _four() -> Scenario:
    lengths = ((240, 36), (100, 30), (170, 40), (60, 28))
    return Scenario(
        small(), tuple(SpyreRequest(letter(i), *lengths[i]) for i in range(4)), title="Four"
    )


PRESETS: tuple[SpyrePreset, ...] = (
    SpyrePreset(
        "four",
        Words("Four visitors at a small table", "Four requests, a small limit"),
        Words(
            "4 visitors, and a table of 1,024 places. Once the longest row passes 256 only 3 "
            "fit, so one sits out, and they take turns.",
            "4 requests and a product limit of 1,024. Once the longest row passes 256 tokens only "
            "3 decode in a step: one pauses, and they take turns.",
        ),
        23,
        _four,
    ),
)
DEFAULT = PRESETS[0]


def spyre_preset(key: str) -> SpyrePreset | None:
    """The preset with this id, or None.

    >>> spyre_preset("four").title.engine
    'Four requests, a small limit'
    """
    return next((preset for preset in PRESETS if preset.id == key), None)
