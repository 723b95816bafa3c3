"""Lengths, how many fit surely, and the same memory before paging."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.sizing import ConfigError, manual_geometry
from pagedviz.sizing.lengths import Lengths, how_many
from pagedviz.sizing.models import model
from pagedviz.sizing.old_plan import old_plan
from pagedviz.sizing.values import Value


@pytest.mark.parametrize("wrong", [-1, float("nan"), float("inf"), True, "5", None, 10**10])
def test_lengths_are_checked(wrong):
    for name in ("prompt", "answer", "prompt_spread", "answer_spread"):
        with pytest.raises(ConfigError, match=name.replace("_", " ")):
            Lengths(**({"prompt": 5, "answer": 5} | {name: wrong}))
    with pytest.raises(ConfigError, match="at least 1"):
        Lengths(0, 5)


def test_samples_have_the_mean_and_the_spread():
    lengths = Lengths(5000, 3000, 300, 400)
    found = lengths.samples(100_000)
    mean = sum(found) / len(found)
    spread = math.sqrt(sum((one - mean) ** 2 for one in found) / len(found))
    assert mean == pytest.approx(8000, rel=0.001)
    assert spread == pytest.approx(500, rel=0.02)
    assert max(lengths.samples(8100)) == 8100


def test_sure_is_sure():
    """Drawn 2,000 times, so many requests fit in about 95 of 100 cases."""
    chance = random.Random(7)
    sure, _, best = how_many(100_000, 500, 250)

    def fits(number):
        times = 2000
        total = sum(
            sum(chance.gauss(500, 250) for _ in range(number)) <= 100_000 for _ in range(times)
        )
        return total / times

    assert fits(sure) == pytest.approx(0.95, abs=0.02)
    assert fits(best) == pytest.approx(0.05, abs=0.03)


@given(st.floats(0, 1e9), st.floats(1, 1e5), st.floats(0, 1e5))
def test_more_spread_is_less_sure(pool, each, spread):
    sure, about, best = how_many(pool, each, spread)
    assert 0 <= sure <= about <= best
    assert how_many(pool, each, spread * 2)[0] <= sure
    assert sure * each <= pool + each


def test_the_longest_of_many_is_longer():
    lengths = Lengths(500, 500, 0, 100)
    found = [lengths.longest_of(number) for number in (1, 2, 8, 32)]
    assert found == sorted(found)
    assert found[0] == 1000


def test_opt_13b_before_and_after():
    # 12 GB of cache, 819,200 bytes a token: 14,648 tokens, 7 requests of 2,048 or 28 of 512
    found = old_plan(manual_geometry(40, 40, 128), 12 * 10**9, 2048, Lengths(161, 338))
    assert found.reserved == 12 * 10**9 // (2048 * 819_200) == 7
    assert found.power_of_two == 12 * 10**9 // (512 * 819_200) == 28
    assert found.paged == 12 * 10**9 // (512 * 819_200) == 28  # 499 tokens take 32 blocks
    assert found.reserved_used == pytest.approx(499 / 2048)
    assert found.paged_used == pytest.approx(499 / 512)
    assert found.times == 4


@given(st.integers(1, 3000), st.integers(1, 3000), st.integers(0, 500), st.integers(0, 40))
def test_paging_never_lets_fewer_in(prompt, answer, spread, memory):
    lengths = Lengths(prompt, answer, spread, spread)
    found = old_plan(manual_geometry(32, 8, 128), memory * 10**9, 8192, lengths)
    assert found.reserved <= found.paged
    assert 0 < found.reserved_used <= found.paged_used <= 1


def test_windows_count_for_paging_alone():
    gemma = model("gemma-3-27b").geometry()
    found = old_plan(gemma, 40 * 10**9, 32_768, Lengths(30_000, 2_768))
    assert found.reserved == 40 * 10**9 // (32_768 * 507_904)
    assert found.paged == 40 * 10**9 // 3_120_562_176
    assert found.times == 6


def test_nothing_reserved_and_something_paged():
    found = old_plan(manual_geometry(40, 40, 128), 10**9, 8192, Lengths(100, 100))
    assert found.reserved == 0
    assert found.times == math.inf


@pytest.mark.parametrize("origin", ["class default", "typed", "typical", "cited"])
def test_a_value_says_its_origin(origin):
    said = Value("room", 2, origin, "by hand").said
    assert "2" in said
    assert "by hand" in said
