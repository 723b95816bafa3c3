"""Several query tokens at once: causal, packed, in chunks of any size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.engine.attention import dense_attention, paged_attention, paged_prefill_attention
from tests.engine.attention_inputs import Expected, assert_close, cases, make_case, reference


def with_queries(case, query_lens, seed=0):
    """Packed queries (num_tokens, num_heads, head_size) for a case made for decode."""
    rng = np.random.default_rng(seed)
    shape = (sum(query_lens), *case.query.shape[1:])
    return rng.standard_normal(shape).astype(case.query.dtype)


def prefill_reference(case, query, query_lens, **options):
    """The formula for every query of every sequence."""
    parts, begin = [], 0
    for key, value, count in zip(case.keys, case.values, query_lens, strict=True):
        positions = range(len(key) - count, len(key))
        some = query[begin : begin + count]
        parts.append(reference(some, key, value, positions, **options))
        begin += count
    return Expected(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def run(case, query, query_lens, **options):
    return paged_prefill_attention(query, *case.paged[1:], query_lens=query_lens, **options)


@settings(max_examples=60, deadline=None)
@given(cases(max_tokens=150, most_seqs=3), st.data())
def test_agrees_with_the_formula(case, data):
    lens = [data.draw(st.integers(0, min(length, 12))) for length in case.seq_lens]
    query = with_queries(case, lens)
    result = run(case, query, lens)
    assert result.dtype == query.dtype
    assert_close(result, prefill_reference(case, query, lens))


@pytest.mark.parametrize("count", [1, 63, 64, 65, 130])
def test_more_queries_than_share_a_copy(count):
    case = make_case([200, count], 16, 4, 2, 16, seed=2)
    query = with_queries(case, [count, count])
    result = run(case, query, [count, count])
    assert_close(result, prefill_reference(case, query, [count, count]))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=6), st.sampled_from([1, 4, 16, 64]))
def test_in_chunks_or_at_once_is_the_same(chunks, block_size):
    total = sum(chunks)
    case = make_case([total], block_size, 6, 2, 16, seed=total)
    query = with_queries(case, [total])
    at_once = run(case, query, [total])
    done = 0
    for chunk in chunks:
        case.seq_lens = [done + chunk]  # what has been computed, and this chunk
        assert_close(
            run(case, query[done : done + chunk], [chunk]), at_once[done : done + chunk], 3e-6
        )
        done += chunk


@settings(max_examples=30, deadline=None)
@given(cases(max_tokens=100))
def test_one_query_each_is_decode(case):
    seqs = [seq for seq, length in enumerate(case.seq_lens) if length]
    case.query, case.tables = case.query[seqs], case.tables[seqs]
    case.seq_lens = [case.seq_lens[seq] for seq in seqs]
    starts = np.arange(len(seqs) + 1, dtype=np.int32)
    assert np.array_equal(
        paged_prefill_attention(*case.paged, starts), paged_attention(*case.paged)
    )


def test_starts_and_lengths_say_the_same():
    case = make_case([20, 5, 9], 4, 4, 2, 8)
    query = with_queries(case, [7, 0, 9])
    by_lens = run(case, query, [7, 0, 9])
    by_starts = paged_prefill_attention(query, *case.paged[1:], query_start_loc=[0, 7, 7, 16])
    assert np.array_equal(by_lens, by_starts)


def test_what_comes_later_makes_no_difference():
    case = make_case([40], 8, 4, 2, 8, seed=1)
    query = with_queries(case, [40])
    before = run(case, query, [40])
    case.key_cache[case.tables[0, 3:5]] *= 7
    case.value_cache[case.tables[0, 3:5]] -= 5
    after = run(case, query, [40])
    assert np.array_equal(before[:24], after[:24])
    assert not np.allclose(before[24:], after[24:])


OPTIONS = [
    {"scale": 0.5},
    {"sliding_window": 1},
    {"sliding_window": 10},
    {"sliding_window": 1000},
    {"soft_cap": 1.5},
    {"alibi_slopes": [0.5, 0.25, 0.0, 1.0]},
    {"alibi_slopes": [0.5, 0.25, 0.0, 1.0], "soft_cap": 3.0, "sliding_window": 33, "scale": 0.1},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options_in_blocks_and_dense(options):
    lens = [1, 30, 100, 0, 8]
    case = make_case([25, 30, 150, 4, 64], 8, 4, 2, 16, seed=8)
    query = with_queries(case, lens)
    names = {"sliding_window": "window", "alibi_slopes": "slopes", "soft_cap": "cap"}
    formula = {names.get(k, k): v for k, v in options.items()}
    expected = prefill_reference(case, query, lens, **formula)
    assert_close(run(case, query, lens, **options), expected)
    begin = 0
    for key, value, count in zip(case.keys, case.values, lens, strict=True):
        some = slice(begin, begin + count)
        result = dense_attention(query[some], key, value, causal=True, **options)
        assert_close(result, expected[some])
        begin += count


def test_dense_without_causal_lets_every_query_see_all():
    case = make_case([20], 4, 4, 2, 8)
    query = with_queries(case, [5])
    result = dense_attention(query, case.keys[0], case.values[0])
    for i in range(5):
        one = dense_attention(query[i], case.keys[0], case.values[0])
        assert_close(result[i], one, 1e-6)


def test_float64_and_float16():
    for dtype, tolerance in ((np.float64, 1e-12), (np.float16, 2e-3)):
        case = make_case([70], 16, 4, 2, 8, dtype=dtype)
        query = with_queries(case, [70])
        result = run(case, query, [70])
        assert result.dtype == dtype
        assert_close(result, prefill_reference(case, query, [70]), tolerance)


def test_scores_beyond_float32_are_taken_in_float64():
    case = make_case([10], 4, 2, 2, 8, seed=3)
    query = with_queries(case, [6]) * np.float32(1e20)
    case.key_cache *= np.float32(1e25)
    case.keys[0] = case.keys[0] * np.float32(1e25)
    expected = prefill_reference(case, query, [6])
    assert_close(run(case, query, [6]), expected)
    assert_close(dense_attention(query, case.keys[0], case.values[0], causal=True), expected)
