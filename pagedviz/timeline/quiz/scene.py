"""What is known of a pool just before a step: all that a prediction can be made from.

Leaves out: the questions (`pool_blocks.py`, `pool_people.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pagedviz.timeline.play import Timeline
from pagedviz.timeline.state import NO_HASH, PoolState
from pagedviz.timeline.step import Step


@dataclass(frozen=True)
class Scene:
    """A step of a timeline, seen from the moment before it."""

    timeline: Timeline
    step: Step

    @cached_property
    def before(self) -> PoolState:
        """The pool as it stands."""
        return self.timeline.state(self.step.index - 1)

    @property
    def size(self) -> int:
        """Tokens in a block."""
        return self.step.pool.block_size

    @property
    def who(self) -> str:
        """The letter of the request that acts."""
        assert self.step.request is not None
        return self.step.request.letter

    @property
    def number(self) -> int:
        """Its number."""
        assert self.step.request is not None
        return self.step.request.number

    @property
    def kept(self) -> list[int]:
        """Free blocks that still have a hash, in the order of the queue."""
        return [block for block in self.before.queue if self.before.hashes[block] != NO_HASH]

    @property
    def own(self) -> tuple[int, ...]:
        """The block table of the request that acts."""
        return self.before.tables.get(self.number, ())

    def letter(self, number: int) -> str:
        """The letter of a request by number."""
        return self.timeline.requests[number].letter

    def freed_last(self) -> int | None:
        """The block that came back to the queue last, if it is still there.

        A table is given back from its end, so of those of one request it is the one at the front.
        """
        for step in reversed(self.timeline.steps[1 : self.step.index]):
            freed = {*step.effects.freed_front, *step.effects.freed_back}
            if not freed or step.request is None:
                continue
            table = self.timeline.state(step.index - 1).tables.get(step.request.number, ())
            last = next((block for block in table if block in freed), None)
            return last if last in self.before.queue else None
        return None

    def running(self) -> Sequence[int]:
        """The requests inside, in the order in which they came in."""
        order: list[int] = []
        for step in self.timeline.steps[1 : self.step.index]:
            if step.request is None:
                continue
            number = step.request.number
            if step.name == "admit" and not step.refused:
                order.append(number)
            elif step.name in ("free", "preempt") and number in order:
                order.remove(number)
        return order
