"""Mixes: who decodes together, held against the engine's scheduler; typed lines; advice."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.releases import RELEASES
from pagedviz.engine.spyre.requests import SpyreRequest
from pagedviz.engine.spyre.scheduler import SpyreScheduler
from pagedviz.timeline.spyre.advice import tried
from pagedviz.timeline.spyre.errors import MixError
from pagedviz.timeline.spyre.mix import MIX_PRESETS, Mix, MixGroup, four_cards
from pagedviz.timeline.spyre.mix_play import STEPS, play_mix, summary
from pagedviz.timeline.spyre.wire import encode
from pagedviz.timeline.step import letter
from pagedviz.timeline.wire import pack
from tests.timeline.spyre.checks import check_wire, check_words
from tests.timeline.spyre.scenarios import PAUSING, mixes

LONG = Mix((MixGroup(1, 30_000, 25), MixGroup(31, 200, 25)))
slow = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def together(mix):
    """Whether nobody pauses or waits in any of the steps that are shown."""
    return not any(step.get("pa") or step.get("wait") for step in encode(play_mix(mix))["steps"])


def test_one_long_among_31_short():
    steps = encode(play_mix(LONG))["steps"][1:]
    assert [len(step["rows"]) for step in steps] == [4, 31] * 6
    assert [step["tkv"] for step in steps[:4]] == [30_001, 202, 30_002, 203]
    found = summary(LONG)
    assert (found.decoding, found.paused, found.waiting) == (4, 28, 0)
    assert (found.paid, found.carries, found.one_more) == (120_004, 30_604, 150_005)
    assert found.padding == 120_004 - 30_604


def test_all_rows_end_in_the_same_block():
    # the longest is 30,016, but a short row fuller than its last block reaches further
    assert summary(Mix((MixGroup(1, 30_000, 25), MixGroup(3, 250, 25)))).tkv == 30_011


@slow
@given(mixes())
def test_steps_agree_with_themselves(mix):
    wire = encode(play_mix(mix))
    check_wire(wire)
    assert wire["mix"] is True
    for step in wire["steps"]:
        if step["k"] == "decode" and RELEASES[mix.release].chooses_decode_set:
            assert step["vol"] <= wire["limit"]
    found = summary(mix)
    assert found.decoding + found.paused + found.waiting == mix.num_requests
    assert 0 <= found.padding_share < 1
    assert found.carries + found.padding == found.paid


@slow
@given(mixes(PAUSING))
def test_a_mix_decodes_as_the_scheduler_would_have_it(mix):
    # all prompts in a row, nobody decodes between them: then everybody stands at its beginning
    server = SpyreScheduler(mix.limits, mix.release, prefix_caching=False, interleave=False)
    requests = [(letter(i), *one) for i, one in enumerate(mix.requests())]
    for name, prompt, answer in reversed(requests):  # whoever is prefilled last runs first
        server.add_request(SpyreRequest(name, prompt, answer))
    steps = [step for step in server.run() if step.rectangle is not None]
    wire = encode(play_mix(mix))
    waits = wire["steps"][0].get("wait", [])
    if waits or any(answer == 1 for _, _, answer in requests):
        return  # not all of them are ever inside at the same time
    for shown, step in zip(wire["steps"][1:], steps, strict=False):
        assert [requests[row[0]][0] for row in shown["rows"]] == list(step.requests)
        assert (shown["tkv"], shown["vol"]) == (step.tkv, step.volume)
        assert {requests[r][0] for r in shown.get("pa", ())} == set(step.paused)
        held, promised, _ = shown["m"]
        assert (held, promised) == (step.blocks.held, step.blocks.promised)


def test_a_promise_of_a_whole_context_keeps_the_17th_out():
    mix = Mix((MixGroup(20, 1_000, 31_744),))
    found = summary(mix)
    assert (found.decoding, found.waiting) == (15, 5)  # 15 x 512 of 8,191 blocks
    wait = encode(play_mix(mix))["steps"][0]["wait"]
    assert wait[0] == [
        15,
        "needs 512 shelves, 511 are not promised",
        "needs 512 blocks, 511 unpromised",
    ]
    assert wait[1][2] == "is behind a request that cannot be taken"


@pytest.mark.parametrize(
    ("release", "decoding"),
    [
        ("sendnn_2_6_3_default_pausing", 32),
        ("sendnn_2_6_3_pausing_off", 31),
        ("vllm_spyre_1_10_0", 32),
    ],
)
def test_ibms_first_row_in_each_release(release, decoding):
    mix = Mix((MixGroup(32, 4_032, 64),), release=release)
    assert summary(mix).decoding == decoding


def test_play_ends_when_a_prompt_would_be_next():
    mix = Mix((MixGroup(16, 1_000, 31_744), MixGroup(1, 1_000, 5)))
    few = replace(mix, groups=(MixGroup(1, 1_000, 5), *mix.groups))
    played = play_mix(few)
    assert len(played.moments) - 1 == 4 < STEPS  # its first token is there, 4 are written
    assert encode(played)["steps"][-1]["fin"] == [0]


@pytest.mark.parametrize("preset", MIX_PRESETS, ids=lambda p: p.id)
def test_presets_show_what_they_say(preset):
    found = summary(Mix(preset.groups))
    assert {"one-long": (4, 28), "chat": (32, 0), "documents": (8, 4)}[preset.id] == (
        found.decoding,
        found.paused,
    )
    if preset.id == "chat":
        assert found.padding_share < 0.25
    check_words(preset.title, title=True)
    check_words(preset.lead)
    wire = encode(play_mix(Mix(preset.groups)))
    check_wire(wire)
    assert len(pack(wire)) < 40_000


# ---- advice


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
            then = summary(one.mix)
            assert then.decoding == one.decoding
            if one.kind == "prompt":
                _check_longest_prompt(mix, one.mix)
            elif one.kind == "max_tokens":
                _check_most_tokens(mix, one.mix)
            else:
                assert then.decoding > now.decoding
    helping = [one.mix is not None for one in found]
    assert helping == sorted(helping, reverse=True)


def _cut(mix, **most):
    (field, value), *_ = most.items()
    groups = tuple(replace(g, **{field: min(getattr(g, field), value)}) for g in mix.groups)
    return replace(mix, groups=groups)


def _check_longest_prompt(mix, changed):
    most = max(group.prompt for group in changed.groups)
    assert changed == _cut(mix, prompt=most)
    assert together(changed)
    assert not together(_cut(mix, prompt=most + 1))


def _check_most_tokens(mix, changed):
    most = max(group.answer for group in changed.groups)
    assert changed == _cut(mix, answer=most)
    assert summary(changed).waiting == 0
    assert summary(_cut(mix, answer=most + 1)).waiting > 0


def test_another_configuration_is_the_best_of_its_model():
    one_card = SpyreLimits(4, 8_192, 32_768)
    mix = Mix((MixGroup(2, 8_000, 100), MixGroup(2, 8_100, 60)), one_card)
    assert [one.kind for one in tried(mix)] == ["nothing"]  # 4 x 8,192 = 32,768
    tight = replace(mix, limits=SpyreLimits(4, 8_192, 16_384))
    found = next(one for one in tried(tight) if one.kind == "configuration")
    assert found.mix.limits == one_card  # on four cards as many decode, but one card will do
    assert "on 1 card, 8,192 x 4, has a limit of 32,768; 4 decode" in found.words.engine
    mistral = tried(tight, "mistralai/Mistral-Small-3.2-24B-Instruct-2506")
    other = next(one for one in mistral if one.kind == "configuration")
    assert "on 2 cards, 8,192 x 32, has a limit of 262,144" in other.words.engine


def test_advice_on_the_long_one():
    prompt, *others = tried(LONG)
    assert max(group.prompt for group in prompt.mix.groups) == 4_084  # 32 x 4,096 in the 12th step
    assert [one.mix for one in others] == [None, None]


# ---- what cannot be


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ((), "there are zero requests; name at least one, such as 1 x 30000"),
        ((MixGroup(33, 100, 10),), r"33 requests are more than the 32 .* leave out 1"),
        ((MixGroup(1, 32_768, 1),), "more than the context of 32,768. .* at most 32,704 fits"),
        ((MixGroup(1, 100, 32_700),), "With this answer .* 64 fits, with this prompt .* 32,640"),
        ((MixGroup(1, 40_000, 40_000),), "together must fit 32,768"),
        ((MixGroup(0, 100, 10),), r"row 1 \(0 x 100 \+ 10\): count must be a whole number"),
        ((MixGroup(1, 100, 10), MixGroup(1, 100, 0)), r"row 2 .* answer must be .* not 0; try 1"),
    ],
)
def test_mixes_that_cannot_be(groups, message):
    with pytest.raises(MixError, match=message):
        Mix(groups)


@settings(deadline=None)
@given(st.integers(1, 32_768), st.integers(1, 32_768))
def test_the_number_that_is_said_to_fit_fits(prompt, answer):
    try:
        Mix((MixGroup(1, prompt, answer),))
    except MixError as error:
        text = str(error)
        if "a prompt of at most" in text:
            fits = int(text.split("a prompt of at most ")[1].split(" ")[0].replace(",", ""))
            Mix((MixGroup(1, fits, answer),))
            with pytest.raises(MixError):
                Mix((MixGroup(1, fits + 1, answer),))
        if "an answer of at most" in text:
            fits = int(text.split("an answer of at most ")[1].split(" ")[0].replace(",", ""))
            Mix((MixGroup(1, prompt, fits),))
            with pytest.raises(MixError):
                Mix((MixGroup(1, prompt, fits + 1),))


def test_mixes_are_values():
    assert Mix(LONG.groups, four_cards()) == LONG
    assert hash(Mix(LONG.groups, four_cards())) == hash(LONG)
