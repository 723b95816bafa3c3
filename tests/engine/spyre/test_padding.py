"""Rectangles of blocks, and prompts laid out in chunks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.engine.errors import OperationError
from pagedviz.engine.spyre.chunks import chunk_reuse
from pagedviz.engine.spyre.padding import decode_rectangle, padded_tkv, prefill_row

STORED = st.lists(st.integers(0, 3_000), min_size=1, max_size=12)


def test_a_shorter_row_can_reach_further_than_the_longest():
    found = decode_rectangle([("long", 30_016), ("short", 200)])
    assert [row.tkv for row in found.rows] == [30_017, 30_025]
    assert found.tkv == 30_025
    assert found.volume == 60_050


@given(STORED)
def test_all_rows_end_in_the_same_block_and_one_is_not_padded(stored):
    found = decode_rectangle((str(i), tokens) for i, tokens in enumerate(stored))
    assert {row.left_blocks + row.held_blocks for row in found.rows} == {found.width_blocks}
    assert min(row.left_blocks for row in found.rows) == 0
    for row, tokens in zip(found.rows, stored, strict=True):
        assert row.tokens == tokens + 1
        assert row.tkv + row.right_padding == 64 * found.width_blocks
        assert 0 <= row.right_padding < 64
        assert row.tkv > 64 * (found.width_blocks - 1)
    assert found.tkv == padded_tkv(tokens + 1 for tokens in stored)
    assert found.tokens <= found.volume == len(stored) * found.tkv


def test_nobody_makes_an_empty_rectangle():
    found = decode_rectangle([])
    assert (found.width_blocks, found.tkv, found.volume, found.tokens) == (0, 0, 0, 0)
    assert padded_tkv([]) == 0


def test_a_request_cannot_hold_less_than_nothing():
    with pytest.raises(OperationError, match="tokens of A"):
        decode_rectangle([("A", -1)])
    with pytest.raises(OperationError, match="prompt_len"):
        prefill_row(0, 512)


@given(st.integers(1, 5_000), st.sampled_from([64, 128, 512, 1024]))
def test_chunks_cover_a_prompt_and_its_last_block_ends_the_last_of_them(prompt, chunk):
    row = prefill_row(prompt, chunk)
    assert row.left_padding + prompt + row.right_padding == row.chunks_total * chunk
    assert row.left_padding % 64 == 0
    assert 0 <= row.right_padding < 64
    assert row.left_padding < chunk
    at = 0
    for number in range(row.chunks_total):
        start, end = row.chunk_tokens(number)
        assert start == at < end
        at = end
    assert at == prompt
    same = chunk_reuse(prompt, 0, chunk)
    assert (row.chunks_total, row.left_padding) == (same.chunks_total, same.left_padding_tokens)
