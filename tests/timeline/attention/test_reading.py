"""The paged answer against attention computed here in float64, moved and not, rounded and not."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.timeline.attention.notes import note, rounding_note
from pagedviz.timeline.attention.reading import read, triangle
from pagedviz.timeline.attention.setup import AttentionSetup
from tests.timeline.attention.setups import (
    BOUND,
    kept,
    number_in,
    plain_attention,
    read_slots,
    setups,
)


@settings(max_examples=120, deadline=None)
@given(setups(st.sampled_from([0, 1, 2, 9999])))
def test_paged_agrees_with_dense_in_float64(setup):
    reading = read(setup)
    projected = reading.room.projected
    key, value = (kept(part, setup.numbers) for part in (projected.key, projected.value))
    expected, weights = plain_attention(projected.query[-1], key, value)
    bound = BOUND[setup.numbers]
    assert np.abs(reading.output - expected).max() < bound
    assert np.abs(reading.dense - expected).max() < bound
    assert np.abs(reading.weights() - weights).max() < bound
    for head in range(setup.heads):
        found = np.abs(reading.output[head] - reading.dense[head]).max()
        assert reading.difference(head) == found < 2 * bound
    assert reading.output.dtype == (np.float64 if setup.numbers == "float64" else np.float32)


@settings(max_examples=60, deadline=None)
@given(setups(), st.integers(1, 9999))
def test_moving_the_blocks_changes_no_bit_of_the_answer(setup, moves):
    before, after = read(setup), read(replace(setup, moves=moves))
    assert before.output.tobytes() == after.output.tobytes()
    for one, other in zip(before.steps, after.steps, strict=True):
        assert one.scores.tobytes() == other.scores.tobytes()
        assert one.accumulator_after.tobytes() == other.accumulator_after.tobytes()
    assert after.table == after.places[: setup.lines]
    room, engine = note(after)
    assert f"**All {setup.heads * setup.head_size} numbers of the answer are the same" in room
    assert "identical, bit by bit" in engine
    assert str(list(after.table)) in engine


@settings(max_examples=60, deadline=None)
@given(setups())
def test_lines_and_steps_follow_the_table(setup):
    reading = read(setup)
    assert [step.physical_block for step in reading.steps] == list(reading.room.home[: setup.lines])
    position = 0
    for line, step in zip(reading.lines, reading.steps, strict=True):
        count = min(setup.block_size, setup.tokens - position)
        assert (step.start, step.num_tokens, len(line.read)) == (position, count, count)
        assert line.unread == setup.block_size - count
        assert [slot.position for slot in line.read] == list(range(position, position + count))
        assert reading.keys[line.number].shape == (count, setup.kv_heads, setup.head_size)
        position += count
    moments = list(reading.moments())
    assert len(moments) == 4 * setup.lines + 2
    told = [moment.line for moment in moments if moment.phase == "look"]
    assert told == list(range(setup.lines))


@settings(max_examples=60, deadline=None)
@given(setups())
def test_corrections_are_where_a_larger_score_comes_along(setup):
    reading = read(setup)
    for head in range(setup.heads):
        best = -np.inf
        for line, step in enumerate(reading.steps):
            larger = max(best, float(step.scores[head].max()))
            assert reading.corrected(line, head) == (line > 0 and larger > best)
            assert step.max_after[head] == larger
            if line:
                assert step.correction[head] == pytest.approx(np.exp(best - larger), rel=1e-5)
            best = larger


@settings(max_examples=60, deadline=None)
@given(setups())
def test_shares_so_far_are_the_softmax_of_what_was_read_so_far(setup):
    reading = read(setup)
    key, value = read_slots(reading)
    count = 0
    for line in reading.lines:
        count += len(line.read)
        output, weights = plain_attention(reading.query, key[:count], value[:count])
        assert np.abs(reading.shares(line.number) - weights).max() < 1e-5
        assert np.abs(reading.steps[line.number].output - output).max() < BOUND[setup.numbers]


@settings(max_examples=60, deadline=None)
@given(setups())
def test_what_a_smaller_cache_costs_is_what_other_code_finds(setup):
    reading = read(setup)
    projected = reading.room.projected
    exact, _ = plain_attention(projected.query[-1], projected.key, projected.value)
    assert np.abs(reading.exact - exact).max() < 1e-13
    rounded, _ = plain_attention(
        projected.query[-1], *(kept(p, setup.numbers) for p in (projected.key, projected.value))
    )
    costs = np.abs(rounded - exact).max(axis=1)
    for head, cost in enumerate(costs):
        assert reading.rounding(head) == pytest.approx(cost, abs=BOUND[setup.numbers])
    said = rounding_note(reading)
    assert (said is None) == (setup.numbers in ("float32", "float64"))
    for text in said or ():
        _, figure, _ = text.split("**")
        assert number_in(figure) == pytest.approx(max(costs), rel=0.06, abs=BOUND["fp8"])


def test_fewer_bits_cost_more():
    costs = [
        max(read(AttentionSetup(numbers=numbers)).rounding(head) for head in range(4))
        for numbers in ("float64", "float32", "float16", "fp8")
    ]
    assert costs == sorted(costs)
    assert costs[0] < 1e-14 < costs[1] < 1e-6 < costs[2] < 1e-2 < costs[3] < 0.5


@settings(max_examples=25, deadline=None)
@given(setups(st.sampled_from([0, 3])), st.data())
def test_triangle_is_dense_attention_with_a_causal_mask(setup, data):
    head = data.draw(st.integers(0, setup.heads - 1))
    foreign = (setup.lines,) * setup.lines  # what is broken is mended first
    found = triangle(replace(setup, reads=foreign, past=True), head)
    projected = read(setup).room.projected
    key, value = (kept(part, setup.numbers) for part in (projected.key, projected.value))
    expected = np.zeros(found.shape)
    for at in range(setup.tokens):
        _, weights = plain_attention(projected.query[at], key[: at + 1], value[: at + 1])
        expected[at, : at + 1] = weights[head]
    assert found.shape == (setup.tokens, setup.tokens)
    assert not np.triu(found, 1).any()
    assert np.abs(found - expected).max() < 1e-5
    assert np.abs(found[-1] - read(setup).weights()[head]).max() < 1e-6
