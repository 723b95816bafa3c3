"""Scores that float32 cannot hold: the answer is that of float64, never silent zeros."""

import numpy as np
import pytest

from pagedviz.engine.attention import (
    attention_steps,
    dense_attention,
    gather_kv,
    paged_attention,
    paged_prefill_attention,
)

TABLE, LENGTH = [1, 0], 6  # tokens 0 to 3 in block 1, then 4 and 5 in block 0
VALUES = np.arange(32, dtype=np.float32).reshape(2, 4, 1, 4)
IN_ORDER = gather_kv(VALUES, TABLE, LENGTH)[:, 0]
MEAN = IN_ORDER.mean(axis=0)


def full(query, key):
    """A query of 2 heads and keys that are all the same number."""
    return np.full((1, 2, 4), query, np.float32), np.full((2, 4, 1, 4), key, np.float32)


def by_steps(query, keys):
    return attention_steps(query[0], keys, VALUES, TABLE, LENGTH)[-1].output


def by_decode(query, keys, **options):
    return paged_attention(query, keys, VALUES, [TABLE], [LENGTH], **options)[0]


def by_prefill(query, keys, **options):
    """The query twice: the earlier one does not see the last token."""
    both = np.concatenate([query, query])
    output = paged_prefill_attention(
        both, keys, VALUES, [TABLE], [LENGTH], query_lens=[2], **options
    )
    earlier = paged_attention(query, keys, VALUES, [TABLE], [LENGTH - 1], **options)
    np.testing.assert_allclose(output[0], earlier[0], rtol=1e-6)
    return output[1]


def by_dense(query, keys, **options):
    runs = [gather_kv(cache, TABLE, LENGTH) for cache in (keys, VALUES)]
    return dense_attention(query[0], *runs, **options)


KERNELS = [by_decode, by_prefill, by_steps, by_dense]


@pytest.mark.parametrize("attention", KERNELS)
@pytest.mark.parametrize(
    ("query", "key"), [(1e20, -1e20), (1e20, 1e20), (3e38, -3e38), (-3e38, -3e38), (3e38, 3e38)]
)
def test_scores_that_all_overflow_alike_weigh_alike(attention, query, key):
    result = attention(*full(query, key))
    np.testing.assert_allclose(result, [MEAN, MEAN], rtol=1e-6)


@pytest.mark.parametrize("attention", KERNELS)
@pytest.mark.parametrize("token", [0, 3, 4, 5])
@pytest.mark.parametrize(("most", "less"), [(-0.9e20, -1e20), (1e20, 0.9e20), (1e20, -1e20)])
def test_the_largest_of_them_wins(attention, token, most, less):
    query, keys = full(1e20, less)
    keys[TABLE[token // 4], token % 4] = most
    assert np.array_equal(attention(query, keys), np.broadcast_to(IN_ORDER[token], (2, 4)))


@pytest.mark.parametrize("attention", KERNELS)
def test_a_sum_that_overflows_on_its_way_to_nought(attention):
    # float32 makes -inf of it, and the others, which are finite, would win
    query, keys = full(8, -1e30)
    keys[0, 1, 0] = [-3e38, -3e38, 3e38, 3e38]
    assert np.array_equal(attention(query, keys), np.broadcast_to(IN_ORDER[5], (2, 4)))


@pytest.mark.parametrize("attention", [by_decode, by_dense])
def test_a_cap_does_not_hide_it(attention):
    query, keys = full(8, -1e30)
    keys[0, 1, 0] = [-3e38, -3e38, 3e38, 3e38]
    result = attention(query, keys, soft_cap=50.0)
    assert np.array_equal(result, np.broadcast_to(IN_ORDER[5], (2, 4)))


@pytest.mark.parametrize("attention", [by_decode, by_prefill, by_dense])
@pytest.mark.parametrize("options", [{"alibi_slopes": [1e39, 1e39]}, {"soft_cap": 1e39}])
def test_options_beyond_float32(attention, options):
    query, keys = full(0, 0)
    expected = IN_ORDER[-1] if "alibi_slopes" in options else MEAN
    result = attention(query, keys, **options)
    np.testing.assert_allclose(result, [expected, expected], rtol=1e-6)


@pytest.mark.parametrize("attention", [by_decode, by_prefill, by_dense])
def test_a_scale_below_float32_brings_large_scores_within_reach(attention):
    query, keys = full(3e38, 0)
    keys[:, :, 0, 0] = [[5e37, 6e37, 0, 0], [1e37, 2e37, 3e37, 4e37]]
    scale = 1e-37 / 3e38
    weights = np.exp([1.0, 2, 3, 4, 5, 6])
    expected = weights / weights.sum() @ IN_ORDER
    result = attention(query, keys, scale=scale)
    np.testing.assert_allclose(result, [expected, expected], rtol=1e-5)


@pytest.mark.parametrize("attention", [by_decode, by_prefill, by_dense])
@pytest.mark.parametrize("cap", [1e-38, 1e-45, 1e-46, 1e-300, 5e-324])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_cap_below_the_smallest_number_leaves_no_preference(attention, cap, dtype):
    query, keys = full(1, 0)
    keys[:, :, 0, 0] = [[-2, 5, 9, 9], [0, 7, -3, 1]]
    result = attention(query.astype(dtype), keys, soft_cap=cap)
    np.testing.assert_allclose(result, [MEAN, MEAN], rtol=1e-6)


def test_what_a_window_or_the_mask_excludes_may_overflow():
    query, keys = full(1e20, -1e20)
    keys[0, 1, 0] = 0
    assert np.array_equal(by_decode(query, keys, sliding_window=1)[0], IN_ORDER[5])
    # in one tile: the earlier query sees token 4 alone, the later one token 5
    both = np.concatenate([query, query])
    caches = (keys, VALUES, [TABLE], [LENGTH])
    result = paged_prefill_attention(both, *caches, query_lens=[2], sliding_window=1)
    assert np.array_equal(result[:, 0], IN_ORDER[4:6])


def test_a_neighbour_that_overflows_changes_no_bit():
    query, keys = full(1, 1e-3)
    alone = by_decode(query, keys)
    queries = np.concatenate([query, query * np.float32(3e38)])
    keys = np.concatenate([keys, np.full_like(keys, -1e20)])
    values = np.concatenate([VALUES, VALUES])
    both = paged_attention(queries, keys, values, [TABLE, [3, 2]], [LENGTH, LENGTH])
    assert np.array_equal(both[0], alone)
    np.testing.assert_allclose(both[1], [MEAN, MEAN], rtol=1e-6)


@pytest.mark.parametrize("query", [1e20, 1.0])
def test_the_steps_show_the_scores_they_compute_with(query):
    steps = attention_steps(full(query, -1e20)[0][0], full(1, -1e20)[1], VALUES, TABLE, LENGTH)
    for step in steps:
        assert np.isfinite(step.scores).all()
        assert step.scores.dtype == (np.float64 if query > 1 else np.float32)
        np.testing.assert_allclose(step.scores, -2e20 * query, rtol=1e-6)
        assert np.array_equal(step.weights, np.exp(step.scores - step.max_after[:, None]))
        kept = step.sum_before * step.correction
        np.testing.assert_allclose(step.sum_after, kept + step.weights.sum(axis=1))
        np.testing.assert_allclose(step.output, step.accumulator_after / step.sum_after[:, None])


def test_steps_in_a_float32_that_was_asked_for_have_no_answer_rather_than_zeros():
    query, keys = full(1e20, -1e20)
    steps = attention_steps(query[0], keys, VALUES, TABLE, LENGTH, dtype=np.float32)
    assert np.isneginf(steps[-1].scores).all()
    assert np.isnan(steps[-1].output).all()


def test_scores_beyond_float64_have_no_answer_in_any_kernel():
    query, keys = np.full((1, 2, 4), 1e200), np.full((2, 4, 1, 4), -1e200)
    for attention in KERNELS:
        assert np.isnan(attention(query, keys)).all()


def test_a_sequence_without_tokens_still_gets_zeros_beside_one_that_overflows():
    query, keys = full(1e20, -1e20)
    queries = np.concatenate([query, query])
    result = paged_attention(queries, keys, VALUES, [TABLE, [-1, -1]], [LENGTH, 0])
    assert not result[1].any()
    np.testing.assert_allclose(result[0], [MEAN, MEAN], rtol=1e-6)
