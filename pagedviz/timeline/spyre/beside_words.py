"""A step of stock vLLM in words, in both registers.

Leaves out: the step itself (`beside`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pagedviz.timeline.presets import Words

BEHIND = Words("stands behind somebody who has to wait", "is behind a request that cannot be taken")
PREEMPTED = Words(
    "somebody was just sent back, so nobody comes in", "none is admitted in a step that preempted"
)
BUDGET = Words("all hands are full in this step", "the token budget of the step is used up")


@dataclass(frozen=True, slots=True)
class VllmStep:
    """What stock vLLM did in one engine step. Requests by number."""

    clock: int
    arrived: tuple[int, ...]
    given: Mapping[int, tuple[int, bool]]  # tokens computed, and whether they are of the prompt
    running: tuple[tuple[int, int, int, int], ...]  # tokens computed, generated, blocks; after it
    waits: tuple[tuple[int, Words], ...]
    finished: tuple[tuple[int, int], ...]  # with tokens generated
    preempted: tuple[tuple[int, int], ...]  # with blocks given up
    hits: tuple[tuple[int, int], ...]  # tokens found in the prefix cache by those who came in
    free: int  # blocks after the step


def seats(most: int) -> Words:
    """All places are taken."""
    return Words(
        f"no free seat, there {'is' if most == 1 else 'are'} {most}",
        f"no free slot, max_num_seqs is {most}",
    )


def blocks(need: int, free: int) -> Words:
    """Too few blocks for the whole prompt."""
    return Words(
        f"needs {_shelves(need)}, {free:,} {'is' if free == 1 else 'are'} free",
        f"needs {need:,} block{'' if need == 1 else 's'}, {free:,} free",
    )


def start(usable: int, most: int, budget: int) -> Words:
    """Before anything has happened."""
    return Words(
        f"Nobody is here: {_shelves(usable)} of 16 boxes, at most **{_n(most, 'visitor')}** "
        f"inside, at most {budget:,} boxes worked out in a step, and **no common table**.",
        f"Empty: {usable:,} blocks of 16 tokens, max_num_seqs **{most}**, at most {budget:,} "
        "tokens a step, and **no limit on the product**.",
    )


def caption(step: VllmStep, letters: Sequence[str]) -> Words:
    """What the step computed, and what is new in it."""
    prompts = [(letters[r], tokens) for r, (tokens, prompt) in step.given.items() if prompt]
    writers = len(step.given) - len(prompts)
    both = []
    for room in (True, False):
        unit = "boxes" if room else "tokens"
        one = "box" if room else "token"
        parts = []
        if writers:
            who = [letters[r] for r, (_, prompt) in step.given.items() if not prompt]
            noun = "visitor" if room else "request"
            verb = (
                ("writes" if room else "decodes") if writers == 1 else "write" if room else "decode"
            )
            name = who[0] if writers == 1 else f"{writers} {noun}s"
            parts.append(f"**{name} {verb}**")
        if prompts:
            total = sum(tokens for _, tokens in prompts)
            names = _names([name for name, _ in prompts])
            does = "bring" if room else "are prefilled with"
            if len(prompts) == 1:
                does = "brings" if room else "is prefilled with"
            parts.append(f"{names} {does} **{total:,} {one if total == 1 else unit}**")
        main = (", and in the same step " if len(parts) == 2 else "").join(parts) or "Nobody moves"
        both.append(f"{main}.{_news(step, letters, room)}")
    return Words(*both)


def _news(step: VllmStep, letters: Sequence[str], room: bool) -> str:
    if step.preempted:
        number, held = step.preempted[0]
        name = letters[number]
        if room:
            return (
                f" **{name} is sent back** to the door: no shelf was left, {held:,} are given up."
            )
        return f" **{name} is preempted**: no block was left, its {held:,} are freed."
    if step.finished:
        if len(step.finished) > 1:
            return f" **{_names([letters[r] for r, _ in step.finished])} leave**."
        number, written = step.finished[0]
        after = (
            f"{written:,} {'boxes' if written != 1 else 'box'} of answer"
            if room
            else (f"{written:,} token{'' if written == 1 else 's'}")
        )
        return f" **{letters[number]} leaves** after {after}."
    if step.hits:
        number, tokens = step.hits[0]
        if room:
            return f" {letters[number]} finds {tokens:,} boxes already here."
        return f" {letters[number]} hits {tokens:,} tokens in the prefix cache."
    if step.waits:
        number, why = step.waits[0]
        return f" {letters[number]} waits: {why.room if room else why.engine}."
    return ""


def _names(names: Sequence[str]) -> str:
    if len(names) > 3:
        return f"{names[0]}, {names[1]} and {len(names) - 2} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _n(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _shelves(n: int) -> str:
    return f"{n:,} {'shelf' if n == 1 else 'shelves'}"
