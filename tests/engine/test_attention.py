"""Decode attention over scattered blocks is attention: the same as the formula in float64."""

import os
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.engine import attention_kernel
from pagedviz.engine.attention import dense_attention, gather_kv, paged_attention
from pagedviz.engine.attention_inputs import compute_dtype
from tests.engine.attention_inputs import assert_close, cases, decode_reference, make_case


@settings(max_examples=150, deadline=None)
@given(cases())
def test_float32_agrees_with_the_formula_in_float64(case):
    result = paged_attention(*case.paged)
    assert result.dtype == np.float32
    assert_close(result, decode_reference(case))


@settings(max_examples=50, deadline=None)
@given(cases(np.float64))
def test_float64_is_computed_in_float64(case):
    result = paged_attention(*case.paged)
    assert result.dtype == np.float64
    assert_close(result, decode_reference(case), 1e-12)


@settings(max_examples=50, deadline=None)
@given(cases(np.float16))
def test_float16_is_summed_in_float32(case):
    result = paged_attention(*case.paged)
    assert result.dtype == np.float16
    assert_close(result, decode_reference(case), 2e-3)  # the result is rounded once
    wide = case.query.astype(np.float32)
    assert_close(paged_attention(wide, *case.paged[1:]), decode_reference(case))


@pytest.mark.parametrize("block_size", [1, 2, 16, 64, 127, 128])
@pytest.mark.parametrize("num_heads", [1, 4, 12])
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_lengths_around_a_border(block_size, num_heads, more):
    case = make_case([2 * block_size + more, block_size], block_size, num_heads, 1, 16)
    assert_close(paged_attention(*case.paged), decode_reference(case))


@settings(max_examples=40, deadline=None)
@given(cases(), st.randoms(use_true_random=False))
def test_moving_blocks_changes_no_bit(case, random):
    before = paged_attention(*case.paged)
    num_blocks = len(case.key_cache)
    to = list(range(num_blocks))
    random.shuffle(to)
    moved = [np.empty_like(cache) for cache in (case.key_cache, case.value_cache)]
    moved[0][to], moved[1][to] = case.key_cache, case.value_cache
    tables = case.tables.copy()
    used = (tables >= 0) & (tables < num_blocks)
    tables[used] = np.array(to)[tables[used]]
    after = paged_attention(case.query, *moved, tables, case.seq_lens)
    assert np.array_equal(before, after)


@settings(max_examples=30, deadline=None)
@given(cases())
def test_who_else_is_in_the_batch_makes_no_difference(case):
    together = paged_attention(*case.paged)
    for seq, length in enumerate(case.seq_lens):
        one = slice(seq, seq + 1)
        alone = paged_attention(
            case.query[one], case.key_cache, case.value_cache, case.tables[one], [length]
        )
        assert np.array_equal(together[one], alone)


@pytest.mark.parametrize("num_kv_heads", [8, 32])
def test_many_sequences_over_several_threads_and_spans(num_kv_heads, monkeypatch):
    # more than one thread is left to copy alone; several spans, and several copies in each
    monkeypatch.setattr(attention_kernel, "SPAN_BYTES", 1 << 16)
    monkeypatch.setattr(attention_kernel, "COPY_BYTES", 1 << 17)
    case = make_case([900 - 37 * n for n in range(20)], 16, 32, num_kv_heads, 64, seed=5)
    names = set()
    take_apart = attention_kernel.grouped_query

    def grouped_query(*arguments):
        names.add(threading.current_thread().name)
        return take_apart(*arguments)

    monkeypatch.setattr(attention_kernel, "grouped_query", grouped_query)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    alone = paged_attention(*case.paged)
    assert len(names) == 1
    assert_close(alone, decode_reference(case))
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    for _ in range(5):
        assert np.array_equal(paged_attention(*case.paged), alone)
    assert len(names) > 1


def test_a_block_in_two_tables_counts_for_both():
    case = make_case([40, 40], 16, 4, 2, 8, seed=3)
    case.tables[1, :2] = case.tables[0, :2]  # a common prefix of two blocks
    for runs in (case.keys, case.values):
        runs[1][:32] = runs[0][:32]
    assert_close(paged_attention(*case.paged), decode_reference(case))


def test_two_full_blocks_of_a_table_may_change_places():
    case = make_case([40], 16, 4, 2, 8, seed=4)
    before = paged_attention(*case.paged)
    case.tables[0, [0, 1]] = case.tables[0, [1, 0]]
    assert_close(paged_attention(*case.paged), before, 1e-6)


def test_a_full_and_a_partly_filled_block_may_not():
    case = make_case([40], 16, 4, 2, 8, seed=4)
    case.key_cache[np.isnan(case.key_cache)] = 0
    case.value_cache[np.isinf(case.value_cache)] = 0
    before = paged_attention(*case.paged)
    case.tables[0, [1, 2]] = case.tables[0, [2, 1]]
    assert np.abs(paged_attention(*case.paged) - before).max() > 1e-3


@pytest.mark.parametrize("size", [1e2, 1e4, 1e6, 1e10, 1e30])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_extreme_scores_neither_overflow_nor_lose_the_largest(size, dtype):
    case = make_case([50, 3], 4, 4, 2, 16, dtype=dtype, seed=9)
    case.key_cache *= dtype(size)
    case.keys = [run * dtype(size) for run in case.keys]
    case.query *= dtype(10)
    with np.errstate(all="raise"):
        result = paged_attention(*case.paged)
    assert np.isfinite(result).all()
    if size <= 1e2:
        assert_close(result, decode_reference(case), 1e-4)
    else:  # one token has all the weight; whether it has is a matter of the gap, not the size
        assert_close(result, decode_reference(case), 1e-2 if size == 1e4 else 1e-5)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_scores_of_ten_thousand_apart(sign):
    # scores exactly sign * 10,000 * t: the weight is all the largest's
    key = (sign * 1e4 * np.arange(10, dtype=np.float32)).reshape(5, 2, 1, 1)
    value = np.arange(10, dtype=np.float32).reshape(5, 2, 1, 1)
    result = paged_attention(np.ones((1, 1, 1), np.float32), key, value, [[0, 1, 2, 3, 4]], [10])
    assert result.item() == (9.0 if sign > 0 else 0.0)


def test_values_near_the_end_of_float32_are_averaged():
    value = np.full((4, 2, 1, 1), 3e38, np.float32)
    result = paged_attention(
        np.zeros((1, 1, 1), np.float32), np.zeros_like(value), value, [[3, 1, 2, 0]], [8]
    )
    assert result.item() == np.float32(3e38)


def test_no_tokens_no_attention():
    case = make_case([0, 5], 4, 2, 1, 8)
    result = paged_attention(*case.paged)
    assert not result[0].any()
    assert_close(result, decode_reference(case))
    nobody = paged_attention(case.query[:0], case.key_cache, case.value_cache, [], [])
    assert nobody.shape == (0, 2, 8)


def test_nan_in_a_used_slot_is_not_hidden():
    case = make_case([6], 4, 2, 2, 8)
    case.key_cache[case.tables[0, 1], 1, 0, 0] = np.nan
    result = paged_attention(*case.paged)
    assert np.isnan(result[0, 0]).all()
    assert np.isfinite(result[0, 1]).all()  # another KV head


@pytest.mark.parametrize(
    "dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
)
def test_tables_and_lengths_of_any_whole_numbers(dtype):
    case = make_case([9, 4], 4, 4, 2, 8, seed=1)
    expected = paged_attention(*case.paged)
    tables = np.where(case.tables < 100, case.tables, 0).clip(0).astype(dtype)
    lens = np.array(case.seq_lens, dtype)
    args = case.query, case.key_cache, case.value_cache
    assert np.array_equal(paged_attention(*args, tables, lens), expected)
    assert np.array_equal(paged_attention(*args, tables.tolist(), lens.tolist()), expected)


def test_lines_of_a_list_may_differ_in_length_and_hold_anything_unused():
    case = make_case([9, 4], 4, 4, 2, 8, seed=1)
    expected = paged_attention(*case.paged)
    used = case.tables[0, :3].tolist(), case.tables[1, :1].tolist()
    tables = [used[0], [*used[1], 10**40, None, "x"]]
    result = paged_attention(case.query, case.key_cache, case.value_cache, tables, [9, 4])
    assert np.array_equal(result, expected)


def test_caches_that_do_not_lie_in_one_piece():
    case = make_case([30, 11], 8, 4, 2, 16, seed=2)
    both = np.stack([case.key_cache, case.value_cache], axis=1)  # as some backends keep them
    swapped = both.astype(both.dtype.newbyteorder())
    for kv in (both, swapped):
        result = paged_attention(case.query, kv[:, 0], kv[:, 1], case.tables, case.seq_lens)
        assert np.array_equal(result, paged_attention(*case.paged))


def test_nothing_that_was_given_is_changed():
    case = make_case([30, 11], 8, 4, 2, 16, seed=2)
    given_arrays = [case.query, case.key_cache, case.value_cache, case.tables]
    before = [array.copy() for array in given_arrays]
    for array in given_arrays:
        array.flags.writeable = False
    paged_attention(*case.paged)
    for array, old in zip(given_arrays, before, strict=True):
        assert np.array_equal(array, old, equal_nan=array.dtype.kind == "f")


OPTIONS = [
    {"scale": 0.3},
    {"scale": np.float64(0.3)},
    {"scale": -1},
    {"sliding_window": 1},
    {"sliding_window": 7},
    {"sliding_window": np.int64(16)},
    {"sliding_window": 10**6},
    {"soft_cap": 2.0},
    {"alibi_slopes": [0.5, 0.25, 0.125, 0.0]},
    {"alibi_slopes": np.float32([0.5, 0.25, 0, 1]), "soft_cap": 5, "sliding_window": 9},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("block_size", [1, 5, 16])
def test_options(options, block_size):
    case = make_case([0, 1, 15, 16, 17, 70], block_size, 4, 2, 8, seed=6)
    result = paged_attention(*case.paged, **options)
    assert result.dtype == np.float32
    names = {"sliding_window": "window", "alibi_slopes": "slopes", "soft_cap": "cap"}
    expected = decode_reference(case, **{names.get(k, k): v for k, v in options.items()})
    assert_close(result, expected)


def test_a_cap_of_0_is_none():
    case = make_case([20], 4, 4, 2, 8)
    assert np.array_equal(paged_attention(*case.paged, soft_cap=0), paged_attention(*case.paged))


def test_blocks_that_have_left_the_window_may_hold_anything():
    case = make_case([50], 8, 4, 2, 16, seed=7)
    expected = paged_attention(*case.paged, sliding_window=12)
    for line in range(4):  # tokens 0 to 31 of 50; the window reaches back to 38
        case.key_cache[case.tables[0, line]] = np.nan
        case.tables[0, line] = -9
    case.value_cache[case.tables[0, 4], :6] = np.nan  # 32 to 37
    assert np.array_equal(paged_attention(*case.paged, sliding_window=12), expected)


@settings(max_examples=60, deadline=None)
@given(cases())
def test_dense_and_gather_agree_with_the_formula(case):
    expected = decode_reference(case)
    for seq, length in enumerate(case.seq_lens):
        key = gather_kv(case.key_cache, case.tables[seq], length)
        value = gather_kv(case.value_cache, case.tables[seq], length)
        assert np.array_equal(key, case.keys[seq])
        assert np.array_equal(value, case.values[seq])
        result = dense_attention(case.query[seq], key, value)
        assert_close(result, expected[seq])


def test_the_dtype_to_compute_in():
    half, single, double = (np.zeros(1, d) for d in (np.float16, np.float32, np.float64))
    assert compute_dtype(half, half) == np.float32
    assert compute_dtype(half, single) == np.float32
    assert compute_dtype(single, double, half) == np.float64
