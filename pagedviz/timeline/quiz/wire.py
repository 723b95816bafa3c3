"""The questions of a run as the browser gets them, and what is said if there is none.

Each has a key made of all that happened until then: the same question after the same history is
the same question, so that nobody is asked twice when a run has grown at its end.

Leaves out: hands and scores, which never leave the browser.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

from pagedviz.timeline.play import Timeline
from pagedviz.timeline.presets import Words
from pagedviz.timeline.quiz import pool, prefix, spyre
from pagedviz.timeline.quiz.question import Question
from pagedviz.timeline.sharing_view import PromptView
from pagedviz.timeline.spyre.moments import Played

NONE: Final = Words(
    "This run has nothing to ask: nobody takes or gives back a shelf in it.",
    "This run has nothing to ask: no block is allocated or freed in it.",
)
NO_FIND: Final = Words(
    "There is nothing to ask: nobody comes in.",
    "There is nothing to ask: no request is admitted.",
)
NO_TURN: Final = Words(
    "This run has nothing to ask: there is never a choice of who may write or come in.",
    "This run has nothing to ask: there is never a choice of who decodes or is taken.",
)


def pool_quiz(timeline: Timeline) -> dict[str, Any]:
    """Of a run of the block manager.

    Keys: none (what is said if there are no questions), list. Of a question: key, i (the step it
    is asked before), kind, ask, opts (text and meaning, each in both registers), right (index),
    why, covers.

    >>> from pagedviz.timeline.play import play
    >>> from pagedviz.timeline.run import Run
    >>> pool_quiz(play(Run("no one", {"num_blocks": 4, "block_size": 2}, [])))["list"]
    []
    """
    return _wire(pool.questions(timeline), _history(timeline), NONE)


def prefix_quiz(timeline: Timeline, views: Sequence[PromptView]) -> dict[str, Any]:
    """The same of prompts, with what they find."""
    return _wire(prefix.questions(timeline, views), _history(timeline), NO_FIND)


def spyre_quiz(played: Played) -> dict[str, Any]:
    """The same of a run or a mix on Spyre."""
    setting = [
        played.limits,
        played.release.key,
        *((v.prompt, v.max_tokens) for v in played.visitors),
    ]
    history: list[object] = [setting]
    for moment in played.moments[1:]:
        result = moment.result
        history.append((result.requests, result.paused, len(result.waiting)) if result else None)
    return _wire(spyre.questions(played), history, NO_TURN)


def _history(timeline: Timeline) -> list[object]:
    """What makes one run another, step by step: who did what with how many tokens and blocks."""
    told: list[object] = [timeline.pool]
    for step in timeline.steps[1:]:
        number = step.request.number if step.request else -1
        e = step.effects
        told.append((step.name, number, step.num_tokens_of_op, e.new, e.hit, step.refused))
    return told


def _wire(questions: Sequence[Question], history: Sequence[object], none: Words) -> dict[str, Any]:
    keys = _keys([question.step for question in questions], history)
    return {
        "none": list(none),
        "list": [
            {
                "key": f"{key}-{question.kind}",
                "i": question.step,
                "kind": question.kind,
                "ask": list(question.ask),
                "opts": [[list(option.text), list(option.means)] for option in question.options],
                "right": question.right_place,
                "why": list(question.why),
                "covers": list(question.covers),
            }
            for key, question in zip(keys, questions, strict=True)
        ],
    }


def _keys(steps: Iterable[int], history: Sequence[object]) -> list[str]:
    """A digest of the history up to and with each of the steps, which must ascend."""
    digest, done, keys = hashlib.sha256(), 0, []
    for step in steps:
        for told in history[done : step + 1]:
            digest.update(repr(told).encode())
        done = step + 1
        keys.append(digest.copy().hexdigest()[:12])
    return keys
