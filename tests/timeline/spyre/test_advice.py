"""Advice on mixes: followed, it holds to the end of the answers, and no further."""

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.timeline.spyre.advice import tried
from pagedviz.timeline.spyre.mix import Mix, MixGroup
from pagedviz.timeline.spyre.mix_life import largest_product, together_to_the_end
from pagedviz.timeline.spyre.mix_play import play_mix, summary
from tests.timeline.spyre.checks import check_words
from tests.timeline.spyre.scenarios import PAUSING, mixes

LONG = Mix((MixGroup(1, 30_000, 25), MixGroup(31, 200, 25)))
slow = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def to_the_end(mix):
    """The steps of the whole life of a mix."""
    results = [moment.result for moment in play_mix(mix, steps=40_000).moments[1:]]
    assert results[-1].waiting or not results[-1].running
    return results


def together(mix):
    """Whether nobody pauses or waits until all answers have ended."""
    return not any(result.paused or result.waiting for result in to_the_end(mix))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mixes())
def test_advice_holds_when_it_is_followed(mix):
    now = summary(mix)
    found = tried(mix)
    assert sorted(one.kind for one in found) in (
        ["nothing"],
        ["configuration", "max_tokens", "prompt"],
    )
    for one in found:
        check_words(one.words, longest=260)
        if one.kind == "nothing":
            assert together(mix)
        elif one.mix is not None:
            assert one.together == together(one.mix)
            then = summary(one.mix)
            assert then.decoding == one.decoding
            if one.kind == "prompt":
                _check_longest_prompt(mix, one.mix)
            elif one.kind == "max_tokens":
                _check_most_tokens(mix, one.mix)
            else:
                assert one.together or then.decoding > now.decoding
    helping = [one.mix is not None for one in found]
    assert helping == sorted(helping, reverse=True)


def _cut(mix, **most):
    (field, value), *_ = most.items()
    groups = tuple(replace(g, **{field: min(getattr(g, field), value)}) for g in mix.groups)
    return replace(mix, groups=groups)


def with_a_slot(mix):
    first = mix.requests()[: mix.limits.max_num_seqs]
    return replace(mix, groups=tuple(MixGroup(1, *one) for one in first))


def _check_longest_prompt(mix, changed):
    most = max(group.prompt for group in changed.groups)
    assert changed == _cut(mix, prompt=most)
    # those that wait for a slot stay out whatever their lengths
    here = with_a_slot(mix) if summary(mix).requests > mix.limits.max_num_seqs else mix
    assert together(_cut(here, prompt=most))
    assert not together(_cut(here, prompt=most + 1))


def _check_most_tokens(mix, changed):
    most = max(group.answer for group in changed.groups)
    assert changed == _cut(mix, answer=most)
    if together(changed):
        assert not together(_cut(mix, answer=most + 1))
    else:
        assert summary(changed).waiting == 0
        assert summary(_cut(mix, answer=most + 1)).waiting > 0


def test_another_configuration_is_the_best_of_its_model():
    one_card = SpyreLimits(4, 8_192, 32_768)
    mix = Mix((MixGroup(2, 8_000, 100), MixGroup(2, 8_100, 60)), one_card)
    assert [one.kind for one in tried(mix)] == ["nothing"]  # 4 x 8,192 = 32,768
    tight = replace(mix, limits=SpyreLimits(4, 8_192, 16_384))
    found = next(one for one in tried(tight) if one.kind == "configuration")
    assert found.mix.limits == one_card  # on four cards as many decode, but one card will do
    assert "on 1 card, 8,192 x 4, has a limit of 32,768; all 4 decode" in found.words.engine
    mistral = tried(tight, "mistralai/Mistral-Small-3.2-24B-Instruct-2506")
    other = next(one for one in mistral if one.kind == "configuration")
    assert "on 2 cards, 8,192 x 32, has a limit of 262,144" in other.words.engine


def test_advice_on_the_long_one():
    prompt, *others = tried(LONG)
    assert max(group.prompt for group in prompt.mix.groups) == 4_072
    steps = to_the_end(prompt.mix)
    assert len(steps) == 24
    assert {len(step.requests) for step in steps} == {32}
    assert max(step.volume for step in steps) == 32 * 4_096
    assert not together(_cut(LONG, prompt=4_073))
    assert "4,072 instead of 30,000 tokens all 32 decode together to the end" in prompt.words.engine
    assert [one.mix for one in others] == [None, None]


def test_all_fit_at_first_and_not_in_the_end():
    mix = Mix((MixGroup(32, 4_000, 500),))
    assert (summary(mix).decoding, summary(mix).paused) == (32, 0)
    prompt, tokens, other = sorted(tried(mix), key=lambda one: one.kind, reverse=True)
    assert (prompt.kind, prompt.mix.groups) == ("prompt", (MixGroup(32, 3_597, 500),))
    assert (tokens.kind, tokens.mix.groups) == ("max_tokens", (MixGroup(32, 4_000, 97),))
    assert together(prompt.mix)
    assert together(tokens.mix)
    assert not together(_cut(mix, answer=98))
    assert "at 97 instead of 500 all 32 decode together to the end" in tokens.words.engine
    assert other.mix is None


@slow
@given(mixes())
def test_the_largest_product_is_that_of_the_whole_life(mix):
    wide = SpyreLimits(32, 512, 32 * 512, num_blocks=4_000)  # nobody pauses or waits
    results = to_the_end(replace(mix, limits=wide, release=PAUSING))
    assert max(result.volume for result in results) == largest_product(mix.requests())
    found = together_to_the_end(mix)
    assert (found is not None) == together(mix)
    assert found in (None, max(result.volume for result in to_the_end(mix)))


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 3_000), st.integers(1, 400)), min_size=1, max_size=9))
def test_the_largest_product_of_answers_over_many_blocks(pairs):
    groups = tuple(MixGroup(1, prompt, answer) for prompt, answer in pairs)
    results = to_the_end(Mix(groups))
    assert max(result.volume for result in results) == largest_product(pairs)


def test_shorter_prompts_help_those_with_a_slot():
    found = {one.kind: one for one in tried(Mix((MixGroup(1, 30_000, 25), MixGroup(39, 200, 25))))}
    one = found["prompt"]
    assert (one.decoding, one.together, summary(one.mix).waiting) == (32, False, 8)
    assert "all 32 with a slot decode together to the end of their answers" in one.words.engine
    assert "all 32 with a seat write together to the end of their answers" in one.words.room


def test_nothing_shortens_the_queue_for_a_seat():
    found = {one.kind: one for one in tried(Mix((MixGroup(40, 200, 25),)))}
    assert [one.mix for one in found.values()] == [None, None, None]
    assert "max_num_seqs is 32, and somebody waits for a free slot" in found["prompt"].words.engine
    assert "a slot is free sooner, but not now" in found["max_tokens"].words.engine
