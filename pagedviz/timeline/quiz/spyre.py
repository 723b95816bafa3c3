"""Questions about the Spyre scheduler: every step that has one, and those that are asked.

Leaves out: the questions themselves (`spyre_batch.py`, `spyre_turns.py`, `spyre_door.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from pagedviz.timeline.quiz.choose import Spot, choose
from pagedviz.timeline.quiz.question import Question
from pagedviz.timeline.quiz.spyre_batch import together, volume
from pagedviz.timeline.quiz.spyre_door import promised, rejected, taken
from pagedviz.timeline.quiz.spyre_turns import pauses
from pagedviz.timeline.spyre.moments import Moment, Played

# In the order in which they get their turn.
MAKERS: Final[Mapping[str, Callable[[Played, Moment, int], Question | None]]] = MappingProxyType(
    {
        "together": together,
        "pause": pauses,
        "taken": taken,
        "reject": rejected,
        "promise": promised,
        "volume": volume,
    }
)


def questions(played: Played) -> tuple[Question, ...]:
    """Those that are asked of a run or a mix.

    >>> from pagedviz.timeline.spyre.mix import Mix, MixGroup
    >>> from pagedviz.timeline.spyre.mix_play import play_mix
    >>> mix = Mix((MixGroup(1, 30_000, 25), MixGroup(31, 200, 25)))
    >>> for one in questions(play_mix(mix))[:2]:
    ...     print(one.step, one.kind, one.right, [option.value for option in one.options])
    1 together 4 [1, 4, 32]
    4 together 31 [1, 31, 32]
    """
    return choose(spots(played), lambda spot: make(played, spot), len(played.moments) - 1)


def make(played: Played, spot: Spot) -> Question | None:
    """The question of a spot, or None if there is nothing to choose between."""
    return MAKERS[spot.kind](played, played.moments[spot.step], spot.worth)


def spots(played: Played) -> list[Spot]:
    """All steps that may have a question, each kind together."""
    found: list[Spot] = []
    before: tuple[str, ...] = ()
    for moment in played.moments[1:]:
        found += _of(played, moment, before)
        result = moment.result
        if result is not None and result.rectangle is not None:
            before = result.requests
    order = list(MAKERS)
    return sorted(found, key=lambda spot: order.index(spot.kind))


def _of(played: Played, moment: Moment, before: tuple[str, ...]) -> Iterator[Spot]:
    """before: who decoded in the last decode step."""
    result, i = moment.result, moment.index
    if moment.refused:
        yield Spot(i, "reject", 3)
    if result is None or moment.refused:
        return
    if moment.must_wait and not result.prefill_waits and not played.is_mix:
        yield Spot(i, "taken", 3)
    if result.prefill is not None and result.prefill.is_first and not moment.must_wait:
        if any(one.request_id != result.prefill.request_id for one in result.running):
            yield Spot(i, "taken", 1)
        yield Spot(i, "promise", 1)
    if result.rectangle is None or result.prefill_waits:
        return
    rectangle, full = result.rectangle, 2 * result.rectangle.volume > result.volume_limit
    several = len(result.requests) + len(result.paused) > 1
    tight = result.paused or played.is_mix or result.waiting or full
    if several and tight and set(result.requests) != set(before):
        yield Spot(i, "together", 3 if result.paused else 1)
    if len(result.newly_paused) == 1:
        yield Spot(i, "pause", 3)
    if rectangle.volume > 1.1 * rectangle.tokens:
        yield Spot(i, "volume", 1 + moment.widened)
