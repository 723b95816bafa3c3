"""Questions about a run of the block manager: every step that has one, and those that are asked.

Leaves out: prompts and what they share (`prefix.py`), the Spyre scheduler (`spyre.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from pagedviz.timeline.play import Timeline
from pagedviz.timeline.quiz.choose import Spot, choose
from pagedviz.timeline.quiz.pool_blocks import evicted, next_block
from pagedviz.timeline.quiz.pool_counts import grows, how_many, returns
from pagedviz.timeline.quiz.pool_people import let_in, victim
from pagedviz.timeline.quiz.question import Question
from pagedviz.timeline.quiz.scene import Scene
from pagedviz.timeline.step import Step

# In the order in which they get their turn.
MAKERS: Final[Mapping[str, Callable[[Scene, int], Question | None]]] = MappingProxyType(
    {
        "preempt": victim,
        "admit": let_in,
        "evict": evicted,
        "count": how_many,
        "next": next_block,
        "return": returns,
        "grow": grows,
    }
)


def make(timeline: Timeline, spot: Spot) -> Question | None:
    """The question of a spot, or None if there is nothing to choose between."""
    return MAKERS[spot.kind](Scene(timeline, timeline.steps[spot.step]), spot.worth)


def spots(timeline: Timeline) -> list[Spot]:
    """All steps that may have a question, each kind together."""
    found: list[Spot] = []
    mixed = False  # a queue in which nothing came back yet is in the order of the numbers
    for step in timeline.steps[1:]:
        found += _of(step, mixed)
        mixed = mixed or bool(step.effects.freed_front or step.effects.freed_back)
    order = list(MAKERS)
    return sorted(found, key=lambda spot: order.index(spot.kind))


def questions(timeline: Timeline) -> tuple[Question, ...]:
    """Those that are asked of this run.

    >>> from pagedviz.timeline.play import play
    >>> from pagedviz.timeline.run import Run
    >>> run = Run("one", {"num_blocks": 9, "block_size": 4}, [
    ...     {"op": "add_request", "req": "A", "tokens": list(range(10))},
    ...     {"op": "admit", "req": "A"}, {"op": "free", "req": "A"}])
    >>> for one in questions(play(run)):
    ...     print(one.step, one.ask.engine, [option.text.engine for option in one.options])
    2 **Request A** is admitted with 10 tokens; block_size is 4. How many new blocks does that
    take? ['2 new blocks', '3 new blocks', '4 new blocks', '10 new blocks']
    """
    return choose(spots(timeline), lambda spot: make(timeline, spot), timeline.last)


def _of(step: Step, mixed: bool) -> Iterator[Spot]:
    e, name = step.effects, step.name
    i = step.index
    if name == "preempt" and e.room_for:
        yield Spot(i, "preempt", 3)
    if name == "admit" and (step.refused or step.before.empty < len(e.new)):
        yield Spot(i, "admit", 3 if step.refused else 2)
    elif name == "admit":
        yield Spot(i, "count", 1)
    if e.new and name in ("admit", "allocate"):
        yield Spot(i, "next", 2 * mixed)
    if e.evict:
        yield Spot(i, "evict", 3)
    if name == "free" and step.table_before > 1:
        yield Spot(i, "return", 1)
    if name == "allocate" and not step.refused:
        yield Spot(i, "grow", int(bool(e.new)))
