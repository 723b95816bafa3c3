"""Which of all possible questions of a run are asked: few, well spread, and of different kinds.

A spot is a step about which something can be asked. Spots are cheap to find; a question is made
only of those that are chosen, since that needs the whole state before the step.

Leaves out: finding the spots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pagedviz.timeline.quiz.question import Question

MOST = 8  # questions in a run
LEAST = 4  # of which a short run may have so many
SPACE = 2  # steps from one question to the next, at least
SAME_KIND = 2  # questions of a kind, if there are enough kinds
FEW_KINDS = 3  # with so few kinds, one more of each
TRIES = 6  # spots of a kind that are tried in one round


@dataclass(frozen=True, slots=True)
class Spot:
    """Something can be asked before this step. worth: 0 (plain) to 3 (what people get wrong)."""

    step: int
    kind: str
    worth: int = 0


def choose(
    spots: Sequence[Spot],
    make: Callable[[Spot], Question | None],
    last: int,
    asked: Sequence[Question] = (),
    *,
    of_a_kind: int = 0,
) -> tuple[Question, ...]:
    """At most MOST questions, in the order of their steps, those `asked` anyway among them.

    Round by round each kind has one more question, where it is worth most and furthest from the
    others; a long run has more of them than a short one. `make` returns None for a spot that
    turns out to have nothing to ask; `last` is the last step of the run; `of_a_kind` are so many
    of each kind, if the usual number is not wanted.
    """
    kinds = list(dict.fromkeys(spot.kind for spot in spots))
    most = min(MOST, max(LEAST, last // 4))
    of_a_kind = of_a_kind or SAME_KIND + (len(kinds) <= FEW_KINDS)
    left = {kind: [spot for spot in spots if spot.kind == kind] for kind in kinds}
    found = list(asked)
    for _ in range(of_a_kind):
        for kind in kinds:
            if len(found) < most and (one := _one_more(left[kind], make, found, last)) is not None:
                found.append(one)
    return tuple(sorted(found, key=lambda question: question.step))


def _one_more(
    spots: list[Spot],
    make: Callable[[Spot], Question | None],
    found: Sequence[Question],
    last: int,
) -> Question | None:
    """The best of these spots that makes a question unlike those found. Takes what it tried out."""
    for _ in range(TRIES):
        near = [
            (min((abs(spot.step - one.step) for one in found), default=last), spot)
            for spot in spots
        ]
        free = [(distance, spot) for distance, spot in near if distance >= SPACE]
        if not free:
            return None
        _, best = max(
            free, key=lambda each: (each[1].worth + 4 * each[0] / (last + 1), -each[1].step)
        )
        spots.remove(best)
        question = make(best)
        if question is not None and not any(_alike(question, one) for one in found):
            return question
    return None


def _alike(one: Question, other: Question) -> bool:
    """Whether who has answered one of them has answered the other."""
    same = one.kind == other.kind and one.ask == other.ask
    return same and [o.value for o in one.options] == [o.value for o in other.options]
