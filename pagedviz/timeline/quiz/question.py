"""A question that is asked before a step: its options, which one is right, and why.

The right option is read off the step that follows, the wrong ones are worked out from the state
before it by rules that people believe in. A question is checked when it is made: its options
differ, in both registers, and one of them is right.

Leaves out: where the questions come from (`pool_questions.py` and its neighbours), and which of
them are asked (`choose.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pagedviz.timeline.presets import Words

MOST_OPTIONS = 4  # as many as there are keys for, and as a room can vote on
NOTHING = Words("", "")

Value = int | str  # a block, a number, a letter, or the name of an outcome


class QuestionError(ValueError):
    """A question that cannot be asked: options that are equal, or not one that is right."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to predict. `means` says, of a wrong one, what it would have meant."""

    value: Value
    text: Words
    means: Words = NOTHING


def meaning(value: Value, text: Words, room: str, engine: str) -> Option:
    """An option of which is told what it would have meant, beginning with its own words.

    >>> meaning(2, Words("2 shelves", "2 blocks"), "would be free", "would be cached").means
    Words(room='2 shelves would be free.', engine='2 blocks would be cached.')
    """
    said = (f"{own[:1].upper()}{own[1:]}" for own in (text.room, text.engine))
    means = (f"{own} {rest}." for own, rest in zip(said, (room, engine), strict=True))
    return Option(value, text, Words(*means))


@dataclass(frozen=True, slots=True)
class Question:
    """Asked before step `step` is played. QuestionError if its options are no fair choice.

    covers: panels of the stage that would show the answer while it is asked.
    worth: how much there is to think about, for choosing among many.

    >>> yes, no = Option("yes", Words("yes", "yes")), Option("no", Words("no", "no"))
    >>> Question(3, "grow", Words("?", "?"), (yes, no), "no", Words(".", ".")).right_place
    1
    >>> Question(3, "grow", Words("?", "?"), (yes, yes), "no", Words(".", "."))
    Traceback (most recent call last):
    ...
    pagedviz.timeline.quiz.question.QuestionError: grow before step 3: two options are equal:
    yes, yes
    """

    step: int
    kind: str
    ask: Words
    options: tuple[Option, ...]
    right: Value
    why: Words
    covers: tuple[str, ...] = ()
    worth: int = 0

    def __post_init__(self) -> None:
        where = f"{self.kind} before step {self.step}"
        if not 2 <= len(self.options) <= MOST_OPTIONS:
            raise QuestionError(
                f"{where}: {len(self.options)} options; it takes 2 to {MOST_OPTIONS}"
            )
        for seen in (
            [option.value for option in self.options],
            [option.text.room for option in self.options],
            [option.text.engine for option in self.options],
        ):
            if len(set(seen)) < len(seen):
                raise QuestionError(f"{where}: two options are equal: {', '.join(map(str, seen))}")
        if self.right not in [option.value for option in self.options]:
            raise QuestionError(f"{where}: the right one, {self.right}, is not among the options")

    @property
    def right_place(self) -> int:
        """Index of the right option."""
        return next(k for k, one in enumerate(self.options) if one.value == self.right)


def fair(
    step: int,
    kind: str,
    ask: Words,
    right: Option,
    wrong: Iterable[Option],
    why: Words,
    *,
    least: int = 2,
    also_right: Sequence[Value] = (),
    covers: tuple[str, ...] = (),
    worth: int = 0,
) -> Question | None:
    """The question with the first few wrong options that differ; None if fewer than `least` do.

    also_right: values that would be right as well, and so are no option. Numbers and blocks stand
    in their order, so that their place says nothing; everything else in that of its value's name.

    >>> def one(n): return Option(n, Words(f"{n} shelves", f"{n} blocks"))
    >>> made = fair(1, "count", Words("?", "?"), one(3), map(one, (3, 2, 2, 9)), Words("", ""))
    >>> [option.value for option in made.options], made.right_place
    ([2, 3, 9], 1)
    >>> fair(1, "count", Words("?", "?"), one(3), map(one, (3, 2, 2)), Words("", "")) is None
    True
    """
    found: dict[Value, Option] = {}
    for option in wrong:
        if option.value != right.value and option.value not in also_right:
            found.setdefault(option.value, option)
    kept = list(found.values())[: MOST_OPTIONS - 1]
    if len(kept) < least:
        return None
    right = replace(right, means=NOTHING)
    options = tuple(sorted([right, *kept], key=lambda option: _place(option.value)))
    return Question(step, kind, ask, options, right.value, why, covers, worth)


def _place(value: Value) -> tuple[int, int, str]:
    """Numbers first, by size; then words: short letters before longer ones (Z before A2)."""
    if isinstance(value, int):
        return 0, value, ""
    return 1, len(value), value
