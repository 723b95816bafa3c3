"""Who is taken, and the first rule that says no."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.conformance import spyre_admission
from pagedviz.conformance.files import read_json
from pagedviz.engine.errors import ConfigError
from pagedviz.engine.spyre.admission import BatchState, Candidate, Reason, decide
from pagedviz.engine.spyre.releases import RELEASES, get_release
from pagedviz.engine.spyre.volume import Decoding, project, within_context
from pagedviz.paths import GOLDEN

CASES = read_json(GOLDEN / "spyre" / "admission.json.gz")["cases"]
ON, OFF, OLDER = RELEASES
LIMITS = {"max_num_seqs": 32, "max_model_len": 32_768, "chunk_size": 512}


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_agrees_with_the_plugin(case, release):
    inputs = {name: value for name, value in case.items() if name != "expected"}
    assert spyre_admission(inputs, release) == case["expected"][release]


def test_all_cases_and_all_reasons_but_those_of_whole_runs_are_here():
    assert len(CASES) == 64
    found = {answer["reason"] for case in CASES for answer in case["expected"].values()}
    assert found == {reason.value for reason in Reason} - {Reason.ONE_PREFILL, Reason.BEHIND}


def test_an_unknown_release_is_refused():
    with pytest.raises(ConfigError, match="release must be one of"):
        spyre_admission(CASES[0], "sendnn_9")


def fits(release, requests, context):
    """Whether the last of `requests` requests of `context` tokens is taken, others running."""
    prompt = min(448, context - 64)
    others = [Decoding(prompt, prompt + 9, context - prompt)] * (requests - 1)
    state = BatchState(others, tkv=prompt + 9)
    found = decide(
        get_release(release),
        state,
        Candidate(prompt, context - prompt),
        batch_tkv_limit=131_072,
        **LIMITS,
    )
    return found.reason is Reason.ADMITTED


@pytest.mark.parametrize(("requests", "context"), [(32, 4_096), (16, 8_192), (4, 32_768)])
def test_the_published_rows(requests, context):
    assert fits(OLDER, requests, context)
    assert fits(ON, requests, context)
    # a block of slack each is too much by one request
    assert not fits(OFF, requests, context)
    assert fits(OFF, requests - 1, context)


def test_slack_counts_4096_as_4160():
    others = [Decoding(448, 457, 3_648)] * 31
    assert project(get_release(OFF), 448, 3_648, others, 457).ends_at == 4_160
    assert project(get_release(OLDER), 448, 3_648, others, 457).ends_at == 4_095


def test_with_pausing_off_the_third_row_fits_with_a_block_less():
    # the last token of an answer is never stored: 32,705 tokens reach no further than 32,704
    assert fits(OFF, 4, 32_705)
    assert not fits(OFF, 4, 32_706)


@pytest.mark.parametrize("release", RELEASES)
def test_the_first_rule_that_says_no_is_the_reason(release):
    """Everything is wrong at once; one after the other is put right."""
    rules = get_release(release)
    limits = {**LIMITS, "max_num_seqs": 2, "max_model_len": 1_024, "batch_tkv_limit": 1_024}
    long = [Decoding(512, 600, 400)] * 2
    wrong = {
        "num_paused": 1,
        "last_step_was_prefill": True,
        "prefilling": False,
        "tkv": 600,
    }
    lacking = {"blocks_needed": 9, "blocks_available": 8}

    def reason(state, blocks, decoding=long):
        return decide(
            rules, BatchState(decoding, **state), Candidate(500, 500, **blocks), **limits
        ).reason

    if rules.promises_blocks:
        assert reason(wrong, lacking) is Reason.NO_BLOCKS
        assert reason(wrong, {}) is Reason.PAUSED_FIRST
    else:
        assert reason(wrong, lacking) is Reason.DECODE_FIRST
    enough = {"blocks_needed": 8, "blocks_available": 8}
    wrong["num_paused"] = 0
    assert reason(wrong, enough) is Reason.DECODE_FIRST
    wrong["last_step_was_prefill"] = False
    assert reason({**wrong, "prefilling": True}, enough) is Reason.ONE_PREFILL
    assert reason(wrong, enough) is Reason.NO_SLOT
    one = long[:1]
    if rules.max_model_len_rule:
        assert reason(wrong, enough, one) is Reason.MAX_MODEL_LEN
    if not rules.pausing:
        limits["max_model_len"] = 32_768
        assert reason(wrong, enough, one) is Reason.VOLUME
        limits["batch_tkv_limit"] = 2_400
    assert reason(wrong, enough, one) is Reason.ADMITTED
    assert reason(wrong, enough, []) is Reason.EMPTY_BATCH


def test_paused_requests_neither_run_nor_let_anybody_in():
    state = BatchState([], num_paused=2)
    candidate = Candidate(100, 10, blocks_needed=2, blocks_available=2)
    found = decide(get_release(ON), state, candidate, batch_tkv_limit=131_072, **LIMITS)
    assert found.reason is Reason.EMPTY_BATCH  # nobody runs: a paused request does not count
    one = BatchState([Decoding(100, 120, 50)], num_paused=1)
    found = decide(get_release(ON), one, candidate, batch_tkv_limit=131_072, **LIMITS)
    assert found.reason is Reason.PAUSED_FIRST


@pytest.mark.parametrize(
    ("computed", "starts"), [(0, True), (7_487, True), (7_488, False), (7_500, False)]
)
def test_the_product_is_asked_before_the_last_chunk_only(computed, starts):
    """8,000 tokens, chunk 512: from 7,488 on, what is left is one chunk."""
    state = BatchState([Decoding(64, 73, 500)] * 31, prefilling=computed > 0, tkv=73)
    candidate = Candidate(8_000, 16, computed=computed, is_prefilling=computed > 0)
    found = decide(get_release(OFF), state, candidate, batch_tkv_limit=131_072, **LIMITS)
    assert found.reason is Reason.VOLUME
    assert found.starts is starts
    assert not found.may_finish


@pytest.mark.parametrize(("prompt", "starts"), [(512, False), (513, True)])
def test_a_prompt_of_one_chunk_begins_with_its_last(prompt, starts):
    state = BatchState([Decoding(64, 73, 500)] * 31, tkv=73)
    candidate = Candidate(prompt, 4_000)
    limits = {**LIMITS, "batch_tkv_limit": 16_384}
    assert decide(get_release(OFF), state, candidate, **limits).starts is starts


def test_without_interleaving_the_first_chunk_answers_for_all():
    state = BatchState([Decoding(64, 73, 500)] * 31, last_step_was_prefill=True, tkv=73)
    limits = {**LIMITS, "batch_tkv_limit": 131_072, "interleave": False}
    first = decide(get_release(OFF), state, Candidate(8_000, 16), **limits)
    assert (first.reason, first.starts) == (Reason.VOLUME, False)
    going = BatchState(state.decoding, prefilling=True, last_step_was_prefill=True, tkv=73)
    candidate = Candidate(8_000, 16, computed=7_900, is_prefilling=True)
    assert decide(get_release(OFF), going, candidate, **limits).starts
    small = decide(get_release(OFF), state, Candidate(64, 16), **limits)
    assert (small.reason, small.starts) == (Reason.ADMITTED, True)


LIVES = st.tuples(st.integers(1, 2_000), st.integers(0, 500), st.integers(1, 500))


@settings(deadline=None)
@given(LIVES, st.lists(LIVES, max_size=6), st.sampled_from([OFF, OLDER]))
def test_the_worst_volume_is_the_largest_over_the_steps_to_come(candidate, others, release):
    """A count by hand: step by step, who is still there, how far the longest reaches."""
    prompt, _, max_tokens = candidate
    decoding = [Decoding(p, p + written, written + left) for p, written, left in others]
    tkv = max((one.stored for one in decoding), default=0)
    found = project(get_release(release), prompt, max_tokens, decoding, tkv)
    worst = 0
    ends = sorted([*found.others_end_at, found.ends_at])
    for end in ends:
        if end > found.ends_at or not decoding:
            break
        if end == found.ends_at and found.ends_at > max(found.others_end_at):
            break  # alone by then: nobody asks
        worst = max(worst, end * sum(other >= end for other in ends))
    assert found.worst_volume == worst


@given(LIVES, LIVES)
def test_the_context_rule_of_the_older_release_looks_at_both(candidate, other):
    prompt, _, max_tokens = candidate
    p, written, left = other
    decoding = [Decoding(p, p + written, written + left)]
    found = project(get_release(OLDER), prompt, max_tokens, decoding, p + written)
    base = max(p + written, prompt) // 64 * 64
    ends = (base + prompt % 64 + max_tokens - 1, base + (p + written) % 64 + left - 1)
    for context in (max(ends), max(ends) - 1):
        assert within_context(found, max_tokens, decoding, context) == (max(ends) <= context)
