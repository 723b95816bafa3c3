"""Mixes: who decodes together, held against the engine's scheduler; typed lines; advice."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.releases import RELEASES
from pagedviz.engine.spyre.requests import SpyreRequest
from pagedviz.engine.spyre.scheduler import SpyreScheduler
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


def test_more_requests_than_seats_wait():
    mix = Mix((MixGroup(1, 30_000, 25), MixGroup(39, 200, 25)))
    found = summary(mix)
    assert (found.requests, found.decoding, found.paused, found.waiting) == (40, 4, 28, 8)
    wire = encode(play_mix(mix))
    check_wire(wire)
    start, first = wire["steps"][:2]
    assert "**32 requests** with their prompts done, 8 wait outside" in start["c"][1]
    assert "**32 visitors** are inside, 8 wait at the door" in start["c"][0]
    assert "**4 of 40 decode**, 28 pause, 8 wait: 4 x 30,001 = 120,004" in first["c"][1]
    assert "**4 of 40 write**, 28 sit out, 8 wait: 4 x 30,001 = 120,004 places" in first["c"][0]
    assert first["wait"][0] == [
        32,
        "no free seat, there are 32",
        "no free slot, max_num_seqs is 32",
    ]
    few = encode(play_mix(Mix((MixGroup(6, 200, 25),), SpyreLimits(4, 512, 2_048))))["steps"][1]
    assert "**4 requests decode**, 2 wait: 4 x 201 = 804 of 2,048" in few["c"][1]
    assert "**E and 1 more must wait**: no free slot, max_num_seqs is 4." in few["c"][1]
    assert "**E and 1 more must wait**: no free seat, there are 4." in few["c"][0]


def test_few_requests_of_a_mix_have_hues_of_their_own():
    mix = Mix((MixGroup(6, 200, 25), MixGroup(1, 300, 25)), SpyreLimits(4, 512, 2_048))
    assert [one["hue"] for one in encode(play_mix(mix))["requests"]] == list(range(7))


# ---- what cannot be


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ((), "there are zero requests; name at least one, such as 1 x 30000"),
        ((MixGroup(66, 100, 10),), "66 requests are more than the 64 .* shown; leave out 2"),
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
