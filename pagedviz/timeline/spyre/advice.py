"""What would let more of a mix decode together: found by trying, and worked out to the end.

Three changes are tried: a shorter longest prompt, a lower max_tokens, another configuration of
the model. One that does not help is said to, so that nobody tries it in vain.

Leaves out: two changes at once; splitting the mix over two servers; the words (`advice_words`).
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
from pagedviz.timeline.spyre import advice_words as say
from pagedviz.timeline.spyre.errors import MixError
from pagedviz.timeline.spyre.mix import Mix
from pagedviz.timeline.spyre.mix_life import together_to_the_end
from pagedviz.timeline.spyre.mix_play import play_mix, summary_of

MODEL = "ibm-granite/granite-3.3-8b-instruct"  # whose configurations are tried if none is named


@dataclass(frozen=True, slots=True)
class Tried:
    """A change, what it does, and the changed mix; None if no such change helps."""

    kind: Literal["prompt", "max_tokens", "configuration", "nothing"]
    words: Words
    mix: Mix | None = None
    decoding: int = 0  # requests in the first step of the changed mix
    together: bool = False  # all of them, in every step until their answers end


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What becomes of a mix."""

    decoding: int  # in the first step
    left_out: int  # paused or waiting in it
    reason: Reason | None  # why the first of those that wait does
    most: int | None  # largest batch x tkv to the end; None if not all decode in every step

    @property
    def together(self) -> bool:
        return self.most is not None


def advice(mix: Mix, model: str = MODEL) -> tuple[Words, ...]:
    """What would help, the best first, then what would not.

    >>> from pagedviz.timeline.spyre.mix import MixGroup
    >>> for words in advice(Mix((MixGroup(1, 30_000, 25), MixGroup(31, 200, 25)))):
    ...     print(words.engine)
    **A shorter longest prompt**: with 4,072 instead of 30,000 tokens all 32 decode together to
    the end of their answers, batch x tkv at most 131,072 of 131,072.
    **Lower max_tokens** changes nothing here: nobody waits for blocks, and a step counts the
    tokens held, not those allowed.
    **Another configuration**: none the plugin knows for granite-3.3-8b-instruct lets more than 4
    decode together.
    """
    return tuple(one.words for one in tried(mix, model))


def tried(mix: Mix, model: str = MODEL) -> tuple[Tried, ...]:
    """The same, each with the mix as changed."""
    now = _outcome(mix)
    if now.most is not None:
        words = say.nothing_to_mend(mix.num_requests, now.most, mix.limits.batch_tkv_limit)
        return (Tried("nothing", words),)
    found = [_shorter(mix, now), _lower_max_tokens(mix, now), _configuration(mix, now, model)]
    return tuple(sorted(found, key=lambda one: (one.mix is None, not one.together, -one.decoding)))


def _outcome(mix: Mix) -> _Outcome:
    played = play_mix(mix, steps=1)
    first = summary_of(played)
    result = played.moments[1].result
    assert result is not None
    reason = result.waiting[0].reason if result.waiting else None
    return _Outcome(first.decoding, first.paused + first.waiting, reason, together_to_the_end(mix))


def _is_together(mix: Mix) -> bool:
    return together_to_the_end(mix) is not None


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


def _cut_prompts(mix: Mix, most: int) -> Mix:
    groups = tuple(replace(one, prompt=min(one.prompt, most)) for one in mix.groups)
    return replace(mix, groups=groups)


def _cut_answers(mix: Mix, most: int) -> Mix:
    groups = tuple(replace(one, answer=min(one.answer, most)) for one in mix.groups)
    return replace(mix, groups=groups)


def _with_a_slot(mix: Mix) -> Mix:
    """The mix without those that wait for a slot, who are the last of the list."""
    left, groups = mix.limits.max_num_seqs, []
    for one in mix.groups:
        if left:
            groups.append(replace(one, count=min(one.count, left)))
            left -= groups[-1].count
    return replace(mix, groups=tuple(groups))


def _shorter(mix: Mix, now: _Outcome) -> Tried:
    slots = mix.limits.max_num_seqs if now.reason is Reason.NO_SLOT else None
    here = mix if slots is None else _with_a_slot(mix)
    longest = max(group.prompt for group in here.groups)
    most = _largest(longest, lambda tokens: _is_together(_cut_prompts(here, tokens)))
    if most in (0, longest):  # none is short enough, or only slots are lacking
        return Tried("prompt", say.shorter_is_no_help(slots))
    then = _outcome(_cut_prompts(here, most))
    assert then.most is not None
    longer = sum(group.count for group in here.groups if group.prompt > most)
    limit = mix.limits.batch_tkv_limit
    words = say.shorter(
        here.num_requests, most, longest, longer, then.most, limit, with_a_slot=slots is not None
    )
    changed = _cut_prompts(mix, most)
    return Tried("prompt", words, changed, then.decoding, together=slots is None)


def _lower_max_tokens(mix: Mix, now: _Outcome) -> Tried:
    if now.reason is Reason.NO_SLOT:
        return Tried("max_tokens", say.fewer_tokens_free_no_seat(mix.limits.max_num_seqs))
    longest = max(group.answer for group in mix.groups)
    most = _largest(longest, lambda tokens: _is_together(_cut_answers(mix, tokens)))
    if most:
        changed = _cut_answers(mix, most)
        then = _outcome(changed)
        assert then.most is not None
        words = say.fewer_tokens(
            mix.num_requests, most, longest, then.most, mix.limits.batch_tkv_limit
        )
        return Tried("max_tokens", words, changed, then.decoding, together=True)
    if now.reason is None:
        return Tried("max_tokens", say.FEWER_TOKENS_CHANGE_NOTHING)
    most = _largest(longest, lambda tokens: _outcome(_cut_answers(mix, tokens)).reason is None)
    if not most:
        return Tried("max_tokens", say.FEWER_TOKENS_ARE_NO_HELP)
    changed = _cut_answers(mix, most)
    then = _outcome(changed)
    words = say.nobody_waits(
        most, longest, now.reason is Reason.NO_BLOCKS, then.decoding, then.left_out
    )
    return Tried("max_tokens", words, changed, then.decoding)


def _configuration(mix: Mix, now: _Outcome, model: str) -> Tried:
    best: tuple[tuple[bool, int, int], KnownConfig, Mix] | None = None
    for row in configs_of(model):
        try:
            limits = resolve(
                model, row.cards, row.context, row.requests, chunk_size=mix.limits.chunk_size
            ).limits
            changed = replace(mix, limits=limits)
        except (ConfigError, MixError):  # the row cannot take these requests at all
            continue
        then = _outcome(changed)
        rank = (then.together, then.decoding, -row.cards)
        if best is None or rank > best[0]:
            best = (rank, row, changed)
    name = model.rsplit("/", 1)[-1]
    if best is None or not (best[0][0] or best[0][1] > now.decoding):
        return Tried("configuration", say.no_configuration(name, now.decoding))
    (together, decoding, _), row, changed = best
    limit = changed.limits.batch_tkv_limit
    words = say.configuration(
        name, (row.cards, row.context, row.requests), limit, decoding, now.decoding, together
    )
    return Tried("configuration", words, changed, decoding, together)
