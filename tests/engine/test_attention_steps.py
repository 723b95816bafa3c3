"""The kernel in slow motion: its numbers add up, and to the same answer."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings

from pagedviz.engine.attention import attention_steps, paged_attention
from pagedviz.engine.attention_kernel import Tile, attend
from pagedviz.engine.attention_scores import score_rules
from tests.engine.attention_inputs import assert_close, cases, decode_reference, make_case


def steps_of(case, seq=0, **options):
    length = case.seq_lens[seq]
    return attention_steps(
        case.query[seq], case.key_cache, case.value_cache, case.tables[seq], length, **options
    )


@settings(max_examples=60, deadline=None)
@given(cases(most_seqs=2))
def test_the_last_output_is_the_answer(case):
    expected, fast = decode_reference(case), paged_attention(*case.paged)
    for seq, length in enumerate(case.seq_lens):
        steps = steps_of(case, seq)
        assert (len(steps) > 0) == (length > 0)
        if steps:
            assert_close(steps[-1].output, expected[seq])
            assert np.abs(steps[-1].output - fast[seq]).max() <= 1e-5 * expected[seq].size.max()


@settings(max_examples=40, deadline=None)
@given(cases(most_seqs=1))
def test_the_fast_kernel_in_groups_of_one_block_agrees_to_the_last_bit(case):
    [length] = case.seq_lens
    steps = steps_of(case)
    blocks = case.tables[0, : len(steps)].astype(np.intp)
    tile = Tile(slice(0, 1), range(length - 1, length), 0, length, blocks)
    rules = score_rules(*case.query.shape[1:], None, None, None, None)
    fast = attend(
        case.query, case.key_cache, case.value_cache, [tile], rules, np.dtype(np.float32), 1
    )
    assert np.array_equal(fast[0], steps[-1].output if steps else np.zeros_like(case.query[0]))


def test_one_block_is_one_step_and_agrees_to_the_last_bit():
    case = make_case([16], 16, 8, 2, 32)
    [step] = steps_of(case)
    assert np.array_equal(step.output, paged_attention(*case.paged)[0])


@settings(max_examples=40, deadline=None)
@given(cases(np.float64, max_tokens=60, most_seqs=1))
def test_every_number_follows_from_those_before(case):
    steps = steps_of(case)
    [length] = case.seq_lens
    block_size, num_kv_heads = case.key_cache.shape[1:3]
    num_heads, head_size = case.query.shape[1:]
    kv_head = np.arange(num_heads) // (num_heads // num_kv_heads)
    maximum, total = np.full(num_heads, -np.inf), np.zeros(num_heads)
    accumulator = np.zeros((num_heads, head_size))
    for line, step in enumerate(steps):
        assert (step.logical_block, step.start) == (line, line * block_size)
        assert step.physical_block == case.tables[0, line]
        assert step.num_tokens == min(block_size, length - step.start)
        assert np.array_equal(step.max_before, maximum)
        assert np.array_equal(step.sum_before, total)
        assert np.array_equal(step.accumulator_before, accumulator)

        some = slice(step.start, step.start + step.num_tokens)
        key, value = case.keys[0][some, kv_head], case.values[0][some, kv_head]
        scores = np.einsum("hd,thd->ht", case.query[0], key) / np.sqrt(head_size)
        np.testing.assert_allclose(step.scores, scores, rtol=1e-12, atol=1e-12)
        assert np.array_equal(step.max_after, np.maximum(maximum, step.scores.max(axis=1)))
        np.testing.assert_allclose(
            step.correction, np.exp(maximum - step.max_after), rtol=1e-14, atol=0
        )
        np.testing.assert_allclose(
            step.weights, np.exp(step.scores - step.max_after[:, None]), rtol=1e-14, atol=0
        )
        np.testing.assert_allclose(
            step.sum_after, total * step.correction + step.weights.sum(axis=1), rtol=1e-12
        )
        np.testing.assert_allclose(
            step.accumulator_after,
            accumulator * step.correction[:, None] + np.einsum("ht,thd->hd", step.weights, value),
            rtol=1e-12,
            atol=1e-12,
        )
        np.testing.assert_allclose(
            step.output, step.accumulator_after / step.sum_after[:, None], rtol=1e-14
        )
        maximum, total, accumulator = step.max_after, step.sum_after, step.accumulator_after
    if steps:
        assert not steps[0].correction.any()
        assert sum(step.num_tokens for step in steps) == length


def test_exact_numbers_come_out_exactly():
    # all scores are 0, so that every weight is 1 and every sum is whole
    value = np.arange(8, dtype=np.float32).reshape(4, 2, 1, 1)
    case = (np.zeros((1, 1, 1), np.float32), np.zeros_like(value), value)
    steps = attention_steps(case[0][0], *case[1:], [3, 0, 2], 5)
    assert [step.sum_after.item() for step in steps] == [2, 4, 5]
    assert [step.accumulator_after.item() for step in steps] == [13, 14, 18]
    assert [step.output.item() for step in steps] == [6.5, 3.5, np.float32(18) / np.float32(5)]
    assert steps[-1].output.item() == paged_attention(*case, [[3, 0, 2]], [5]).item()


def test_a_larger_score_corrects_what_was_gathered():
    key = np.array([0.0, 1.0, 5.0, 2.0]).reshape(4, 1, 1, 1)
    steps = attention_steps(np.ones((1, 1)), key, key, [0, 1, 2, 3], 4)
    assert [step.max_after.item() for step in steps] == [0, 1, 5, 5]
    assert [step.correction.item() for step in steps] == [0, np.exp(-1.0), np.exp(-4.0), 1]


@pytest.mark.parametrize(
    ("given_dtype", "asked", "arithmetic"),
    [
        (np.float16, None, np.float32),
        (np.float32, None, np.float32),
        (np.float64, None, np.float64),
        (np.float32, np.float64, np.float64),
        (np.float32, "float64", np.float64),
        (np.float64, np.float32, np.float32),
    ],
)
def test_the_dtype_of_the_arithmetic(given_dtype, asked, arithmetic):
    steps = steps_of(make_case([9], 4, 4, 2, 8, dtype=given_dtype), dtype=asked)
    for step in steps:
        for field in dataclasses.fields(step):
            number = getattr(step, field.name)
            assert isinstance(number, int) or number.dtype == arithmetic, field.name


def test_steps_are_read_only():
    for step in steps_of(make_case([9], 4, 4, 2, 8)):
        with pytest.raises(dataclasses.FrozenInstanceError):
            step.num_tokens = 3
        for field in dataclasses.fields(step):
            number = getattr(step, field.name)
            if isinstance(number, np.ndarray):
                with pytest.raises(ValueError, match="read-only"):
                    number[...] = 0


def test_shapes_are_by_query_head():
    step = steps_of(make_case([7], 4, 6, 2, 8))[1]
    assert step.scores.shape == step.weights.shape == (6, 3)
    names = ("max_before", "max_after", "correction", "sum_before", "sum_after")
    assert {getattr(step, name).shape for name in names} == {(6,)}
    names = ("accumulator_before", "accumulator_after", "output")
    assert {getattr(step, name).shape for name in names} == {(6, 8)}


def test_scale_is_that_of_the_fast_kernel():
    case = make_case([20], 4, 4, 2, 8)
    result = paged_attention(*case.paged, scale=2.0)[0]
    assert_close(steps_of(case, scale=2.0)[-1].output, result, 1e-6)
    assert not np.allclose(steps_of(case)[-1].output, result)


def test_scores_beyond_float32_are_taken_in_float64_unless_told_otherwise():
    case = make_case([10], 4, 2, 2, 8, seed=3)
    case.query *= np.float32(1e20)
    case.key_cache *= np.float32(1e25)
    case.keys[0] = case.keys[0] * np.float32(1e25)
    steps = steps_of(case)
    assert steps[0].scores.dtype == np.float64
    assert_close(steps[-1].output, decode_reference(case)[0])
    assert not np.isfinite(steps_of(case, dtype=np.float32)[-1].output).all()
