"""What would let more of a mix decode together: found by trying, and played to see that it does.

Three changes are tried: a shorter longest prompt, a lower max_tokens, another configuration of
the model. One that does not help is said to, so that nobody tries it in vain.

Leaves out: two changes at once; splitting the mix over two servers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from pagedviz.engine.errors import ConfigError
from pagedviz.engine.spyre.admission import Reason
from pagedviz.engine.spyre.known_configs import KnownConfig, configs_of
from pagedviz.engine.spyre.resolve import resolve
from pagedviz.timeline.presets import Words
from pagedviz.timeline.spyre.errors import MixError
from pagedviz.timeline.spyre.mix import Mix
from pagedviz.timeline.spyre.mix_play import STEPS, play_mix, summary_of

MODEL = "ibm-granite/granite-3.3-8b-instruct"  # whose configurations are tried if none is named


@dataclass(frozen=True, slots=True)
class Tried:
    """A change, what it does, and the changed mix; None if no such change helps."""

    kind: Literal["prompt", "max_tokens", "configuration", "nothing"]
    words: Words
    mix: Mix | None = None
    decoding: int = 0  # requests in the first step of the changed mix


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The next steps of a mix."""

    decoding: int  # in the first
    left_out: int  # paused or waiting in the first
    together: bool  # nobody pauses or waits in any of them
    most: int  # largest batch x tkv


def advice(mix: Mix, model: str = MODEL) -> tuple[Words, ...]:
    """What would help, the best first, then what would not.

    >>> from pagedviz.timeline.spyre.mix import MixGroup
    >>> for words in advice(Mix((MixGroup(1, 30_000, 25), MixGroup(31, 200, 25)))):
    ...     print(words.engine)
    **A shorter longest prompt**: with 4,084 instead of 30,000 tokens all 32 decode together,
    batch x tkv at most 131,072 of 131,072 in the next 12 steps.
    **Lower max_tokens** changes nothing here: nobody waits for blocks, and a step counts the
    tokens held, not those allowed.
    **Another configuration**: none the plugin knows for granite-3.3-8b-instruct lets more than 4
    decode together.
    """
    return tuple(one.words for one in tried(mix, model))


def tried(mix: Mix, model: str = MODEL) -> tuple[Tried, ...]:
    """The same, each with the mix as changed."""
    now = _outcome(mix)
    if now.together:
        total, limit = mix.num_requests, mix.limits.batch_tkv_limit
        step = f"at most {now.most:,} of {limit:,}"
        words = Words(
            f"**Nothing to mend**: all {total} write together, {step} places in the next {STEPS} "
            "steps.",
            f"**Nothing to mend**: all {total} decode together, batch x tkv {step} in the next "
            f"{STEPS} steps.",
        )
        return (Tried("nothing", words),)
    found = [_shorter(mix), _lower_max_tokens(mix), _configuration(mix, now, model)]
    return tuple(sorted(found, key=lambda one: (one.mix is None, -one.decoding)))


def _outcome(mix: Mix) -> _Outcome:
    played = play_mix(mix)
    first = summary_of(played)
    results = [moment.result for moment in played.moments[1:] if moment.result is not None]
    return _Outcome(
        first.decoding,
        first.paused + first.waiting,
        not any(result.paused or result.waiting for result in results),
        max(result.volume or 0 for result in results),
    )


def _largest(highest: int, holds: Callable[[int], bool]) -> int:
    """The largest number from 1 to `highest` for which it holds; 0 if for none.

    >>> _largest(100, lambda n: n * n <= 50)
    7
    """
    low, high = 0, highest
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _shorter(mix: Mix) -> Tried:
    longest = max(group.prompt for group in mix.groups)

    def cut(most: int) -> Mix:
        groups = tuple(replace(one, prompt=min(one.prompt, most)) for one in mix.groups)
        return replace(mix, groups=groups)

    most = _largest(longest, lambda tokens: _outcome(cut(tokens)).together)
    if not most:
        words = Words(
            "**Fewer boxes** do not help alone: somebody still waits or sits out.",
            "**Shorter prompts** do not help alone: somebody still waits or pauses.",
        )
        return Tried("prompt", words)
    changed = cut(most)
    then = _outcome(changed)
    total, limit = mix.num_requests, mix.limits.batch_tkv_limit
    longer = sum(group.count for group in mix.groups if group.prompt > most)
    room = engine = f"{most:,} instead of {longest:,}"
    if longer > 1:
        room = f"at most {most:,} each ({longer} bring more, up to {longest:,})"
        engine = f"at most {most:,} ({longer} are longer, up to {longest:,})"
    product = f"at most {then.most:,} of {limit:,}"
    return Tried(
        "prompt",
        Words(
            f"**Fewer boxes**: with {room} all {total} write together, on {product} places in the "
            f"next {STEPS} steps.",
            f"**A shorter longest prompt**: with {engine} tokens all {total} decode together, "
            f"batch x tkv {product} in the next {STEPS} steps.",
        ),
        changed,
        then.decoding,
    )


def _lower_max_tokens(mix: Mix) -> Tried:
    start = play_mix(mix, steps=1).moments[0].result
    assert start is not None
    if not start.waiting:
        return Tried(
            "max_tokens",
            Words(
                "**Shorter answers** change nothing here: nobody waits for shelves, and a step "
                "counts the boxes there are, not those that may come.",
                "**Lower max_tokens** changes nothing here: nobody waits for blocks, and a step "
                "counts the tokens held, not those allowed.",
            ),
        )
    longest = max(group.answer for group in mix.groups)

    def cut(most: int) -> Mix:
        groups = tuple(replace(one, answer=min(one.answer, most)) for one in mix.groups)
        return replace(mix, groups=groups)

    def all_in(most: int) -> bool:
        result = play_mix(cut(most), steps=1).moments[0].result
        return result is not None and not result.waiting

    most = _largest(longest, all_in)
    if not most:
        return Tried(
            "max_tokens",
            Words(
                "**Shorter answers** do not help alone: even with 1 box somebody waits.",
                "**Lower max_tokens** does not help alone: even with 1 somebody waits.",
            ),
        )
    changed = cut(most)
    then = _outcome(changed)
    why_room, why_engine = "there are shelves enough for all", "the blocks suffice for all"
    if start.waiting[0].reason is not Reason.NO_BLOCKS:
        why_room, why_engine = "the table is large enough to the end", "the volume rule admits all"
    return Tried(
        "max_tokens",
        Words(
            f"**Shorter answers**: with at most {most:,} boxes instead of {longest:,} nobody "
            f"waits, since {why_room}; {_of(then, 'write together')}.",
            f"**Lower max_tokens**: at {most:,} instead of {longest:,} nobody waits, since "
            f"{why_engine}; {_of(then, 'decode together')}.",
        ),
        changed,
        then.decoding,
    )


def _of(then: _Outcome, together: str) -> str:
    if not then.left_out:
        return f"{then.decoding} {together}"
    others = "the other" if then.left_out == 1 else f"the other {then.left_out}"
    return f"{then.decoding} {together}, {others} in turns"


def _configuration(mix: Mix, now: _Outcome, model: str) -> Tried:
    best: tuple[int, int, KnownConfig, Mix] | None = None
    for row in configs_of(model):
        try:
            limits = resolve(
                model, row.cards, row.context, row.requests, chunk_size=mix.limits.chunk_size
            ).limits
            changed = replace(mix, limits=limits)
        except (ConfigError, MixError):  # the row cannot take these requests at all
            continue
        decoding = _outcome(changed).decoding
        if best is None or (decoding, -row.cards) > best[:2]:
            best = (decoding, -row.cards, row, changed)
    name = model.rsplit("/", 1)[-1]
    if best is None or best[0] <= now.decoding:
        return Tried(
            "configuration",
            Words(
                f"**Other cards**: none of the rooms known for {name} lets more than "
                f"{now.decoding} write together.",
                f"**Another configuration**: none the plugin knows for {name} lets more than "
                f"{now.decoding} decode together.",
            ),
        )
    decoding, _, row, changed = best
    cards = "1 card" if row.cards == 1 else f"{row.cards} cards"
    limit = changed.limits.batch_tkv_limit
    return Tried(
        "configuration",
        Words(
            f"**Other cards**: {name} on {cards}, made for {row.requests} with {row.context:,}, "
            f"has a table of {limit:,} places; {decoding} write together instead of "
            f"{now.decoding}.",
            f"**Another configuration**: {name} on {cards}, {row.context:,} x {row.requests}, "
            f"has a limit of {limit:,}; {decoding} decode together instead of {now.decoding}.",
        ),
        changed,
        decoding,
    )
