"""E4M3 and float16 as others round: ml_dtypes, and numpy's own float16."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.engine.errors import AttentionError
from pagedviz.engine.kv_rounding import E4M3_MAX, e4m3_scale, round_to_e4m3, round_to_float16

CODES = np.arange(256, dtype=np.uint8).view(ml_dtypes.float8_e4m3fn).astype(np.float32)
NUMBERS = np.unique(CODES[np.isfinite(CODES)])  # in order; 0.0 once


def as_ml_dtypes(x):
    """Its conversion does not saturate: what is too large comes in as the largest."""
    clipped = np.clip(x, -E4M3_MAX, E4M3_MAX)
    return clipped.astype(ml_dtypes.float8_e4m3fn).astype(np.float32)


def assert_same_bits(result, expected):
    assert result.dtype == np.float32
    assert np.array_equal(result, expected, equal_nan=True)
    real = ~np.isnan(expected)
    assert np.array_equal(np.signbit(result[real]), np.signbit(expected[real]))


def test_all_256_codes_stay_what_they_are():
    assert_same_bits(round_to_e4m3(CODES), CODES)
    assert len(NUMBERS) == 253  # two NaN, and a second zero


def test_midpoints_and_their_neighbours():
    middle = ((NUMBERS[:-1].astype(np.float64) + NUMBERS[1:]) / 2).astype(np.float32)
    for x in (
        middle,
        np.nextafter(middle, np.float32(-1e9)),
        np.nextafter(middle, np.float32(1e9)),
    ):
        assert_same_bits(round_to_e4m3(x), as_ml_dtypes(x))


def test_below_the_smallest_number():
    step = np.float32(2.0**-9)
    tiny = np.float32(2.0**-149)
    x = np.array([0, tiny, step / 4, step / 2, np.nextafter(step / 2, np.float32(1)), step])
    assert_same_bits(round_to_e4m3(np.float32(x)), np.float32([0, 0, 0, 0, step, step]))
    assert_same_bits(
        round_to_e4m3(np.float32(-x)), np.float32([-0.0, -0.0, -0.0, -0.0, -step, -step])
    )


def test_beyond_the_largest_number_it_saturates():
    x = np.float32([448, 449, 464, 465, 480, 1e30, np.inf])
    assert_same_bits(round_to_e4m3(x), np.full(7, 448, np.float32))
    assert_same_bits(round_to_e4m3(-x), np.full(7, -448, np.float32))


def test_nan_stays():
    assert np.isnan(round_to_e4m3([np.nan])).all()


def test_every_float16_rounds_as_ml_dtypes_rounds_it():
    x = np.arange(2**16, dtype=np.uint16).view(np.float16)
    with np.errstate(invalid="ignore"):
        expected = as_ml_dtypes(x)
        assert_same_bits(round_to_e4m3(x), expected)


@given(st.lists(st.floats(width=32), min_size=1, max_size=50))
def test_any_float32(numbers):
    x = np.array(numbers, np.float32)
    assert_same_bits(round_to_e4m3(x), as_ml_dtypes(x))


@given(st.lists(st.floats(-500, 500), min_size=1, max_size=50))
def test_any_float64_is_rounded_once(numbers):
    x = np.array(numbers)
    assert_same_bits(round_to_e4m3(x), as_ml_dtypes(x))


def test_a_float64_just_past_a_midpoint():
    x = np.array([1.0625 + 1e-12])  # in float32 it would be the midpoint, and go to 1.0
    assert round_to_e4m3(x).item() == 1.125


@given(st.floats(2.0**-60, 2.0**60, width=32), st.integers(0, 2**32 - 1))
def test_a_scale_is_divided_by_and_multiplied_with(scale, seed):
    x = (scale * 300 * np.random.default_rng(seed).standard_normal(40)).astype(np.float32)
    expected = as_ml_dtypes(x / np.float32(scale)) * np.float32(scale)
    assert_same_bits(round_to_e4m3(x, scale), expected)


def test_with_its_own_scale_the_largest_number_is_kept():
    x = np.float32([0.3, -5.0, 2.0])
    scale = e4m3_scale(x)
    assert scale == 5.0 / 448
    assert np.abs(round_to_e4m3(x, scale) - x).max() <= 5.0 / 448 * 16  # half a step at 256..448
    assert round_to_e4m3(x, scale)[1] == pytest.approx(-5.0, rel=1e-6)


def test_nothing_and_zeros_need_no_scale():
    assert e4m3_scale(np.zeros(3)) == e4m3_scale([]) == 1.0
    assert round_to_e4m3([]).shape == (0,)


@given(st.lists(st.floats(width=32), min_size=1, max_size=50))
def test_float16_is_numpys(numbers):
    x = np.array(numbers, np.float32)
    with np.errstate(over="ignore", under="ignore"):
        expected = x.astype(np.float16).astype(np.float32)
    assert_same_bits(round_to_float16(x), expected)


def test_rounding_twice_is_rounding_once():
    x = np.random.default_rng(0).standard_normal((4, 5, 6)).astype(np.float32)
    for rounded in (round_to_e4m3, round_to_float16):
        assert np.array_equal(rounded(rounded(x)), rounded(x))
        assert rounded(x).shape == x.shape


@pytest.mark.parametrize("scale", [0, -1.0, np.inf, np.nan, "1", None, True])
def test_a_scale_is_a_positive_number(scale):
    with pytest.raises(AttentionError, match="scale must be a finite number"):
        round_to_e4m3([1.0], scale)


def test_what_cannot_be_rounded():
    with pytest.raises(AttentionError, match="x must hold numbers, not <U1"):
        round_to_e4m3(["a"])
    with pytest.raises(AttentionError, match="x holds infinity or NaN"):
        e4m3_scale([1.0, np.inf])
