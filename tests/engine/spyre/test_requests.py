"""The door of a Spyre server, and the requests themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.engine.errors import OperationError
from pagedviz.engine.spyre.requests import SpyreRequest, check_request, default_max_tokens, round_up


@pytest.mark.parametrize(
    ("prompt", "max_tokens", "legal"),
    [
        (32_704, 64, True),
        (32_704, 65, False),
        (32_705, 1, False),  # takes the whole context once it is padded
        (32_768, 1, False),
        (1, 32_704, True),
        (1, 32_705, False),
        (64, 32_704, True),
        (65, 32_704, False),
    ],
)
def test_padded_prompt_and_answer_must_fit(prompt, max_tokens, legal):
    found = check_request(prompt, max_tokens, max_model_len=32_768)
    assert found.legal is legal
    assert bool(found.why_not()) is not legal


@given(st.integers(1, 3_000), st.integers(1, 3_000), st.integers(1, 32))
def test_what_would_fit_is_the_last_that_does(prompt, max_tokens, context_blocks):
    context = 64 * context_blocks
    found = check_request(prompt, max_tokens, max_model_len=context)
    if found.max_tokens_that_fit:
        fits = found.max_tokens_that_fit
        assert check_request(prompt, fits, max_model_len=context).legal
        assert not check_request(prompt, fits + 1, max_model_len=context).legal
    if found.prompt_that_fits:
        fits = found.prompt_that_fits
        assert check_request(fits, max_tokens, max_model_len=context).legal
        assert not check_request(fits + 1, max_tokens, max_model_len=context).legal
    if not found.legal:
        for number in (found.max_tokens_that_fit, found.prompt_that_fits):
            assert not number or f"{number:,}" in found.why_not()


def test_without_max_tokens_a_whole_context_is_promised():
    found = check_request(1_000, max_model_len=32_768)
    assert found.max_tokens == default_max_tokens(1_000, 32_768) == 31_744
    assert found.legal
    assert found.blocks_promised == 512
    assert check_request(1_000, 24, max_model_len=32_768).blocks_promised == 16
    assert check_request(1_000, 25, max_model_len=32_768).blocks_promised == 17


def test_a_prompt_that_leaves_no_room_is_refused_with_the_longest_that_does():
    found = check_request(600, max_model_len=512)
    assert not found.legal
    assert (found.max_tokens, found.max_tokens_that_fit) == (1, 0)
    assert found.why_not().endswith("try a prompt of 448 tokens")


@pytest.mark.parametrize(("tokens", "padded"), [(1, 64), (64, 64), (65, 128), (0, 0)])
def test_rounding_up(tokens, padded):
    assert round_up(tokens) == padded


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"request_id": ""}, "request_id"),
        ({"prompt_len": 0}, "prompt_len"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"output_len": 0}, "output_len"),
        ({"output_len": 51}, "writes 51 tokens, more than its max_tokens; at most 50"),
        ({"arrival_step": -1}, "arrival_step"),
        ({"shared_tokens": 101, "shared_prefix": "m"}, "shares 101 tokens of a prompt of 100"),
        ({"shared_tokens": 10}, "without naming a shared_prefix"),
        ({"prompt_token_ids": (1, 2)}, "has 2 prompt_token_ids and prompt_len 100"),
        (
            {"prompt_token_ids": (1,) * 100, "shared_prefix": "m", "shared_tokens": 5},
            "give one of the two",
        ),
    ],
)
def test_a_request_that_makes_no_sense_is_refused(change, said):
    asked = {"request_id": "A", "prompt_len": 100, "max_tokens": 50, **change}
    with pytest.raises(OperationError, match=said):
        SpyreRequest(**asked)


def test_tokens_are_shared_as_far_as_was_said_and_the_same_every_time():
    a = SpyreRequest("A", 300, shared_prefix="manual", shared_tokens=200).prompt_tokens()
    b = SpyreRequest("B", 250, shared_prefix="manual", shared_tokens=250).prompt_tokens()
    other = SpyreRequest("C", 300, shared_prefix="other", shared_tokens=200).prompt_tokens()
    assert len(a) == 300
    assert a[:200] == b[:200]
    assert not set(a[200:]) & set(b)
    assert not set(a) & set(other)
    assert a == SpyreRequest("A", 300, shared_prefix="manual", shared_tokens=200).prompt_tokens()
    given_ids = SpyreRequest("D", 3, prompt_token_ids=(7, 8, 9))
    assert given_ids.prompt_tokens() == (7, 8, 9)
