"""PagedAttention: keys and values lie scattered over blocks, the answer is the same.

What it does: `paged_attention` for one new token per sequence (decode),
`paged_prefill_attention` for several (a prompt, or a chunk of one). Both check what they are
given, look the blocks up in the block tables and hand tiles of work to the kernel.
The other names of this module are what belongs to it: `write_kv` and `gather_kv`, the
reference `dense_attention`, and `attention_steps`, the kernel one block at a time.

What it leaves out: the projections around attention, and a GPU. Arrays are numpy's.

Source: Kwon et al. 2023, "Efficient Memory Management for Large Language Model Serving
with PagedAttention" (arXiv 2309.06180), section 4; vLLM 0.33.0 for names and shapes.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagedviz.engine.attention_cache import CACHE_AXES, gather_kv, write_kv
from pagedviz.engine.attention_dense import dense_attention
from pagedviz.engine.attention_inputs import (
    BlockTables,
    Floats,
    check_block_tables,
    check_caches,
    compute_dtype,
    float_array,
    used_blocks,
    whole_numbers,
)
from pagedviz.engine.attention_kernel import TILE_QUERIES, Tile, attend
from pagedviz.engine.attention_scores import ScoreRules, score_rules
from pagedviz.engine.attention_steps import AttentionStep, attention_steps
from pagedviz.engine.errors import AttentionError

__all__ = [
    "AttentionError",
    "AttentionStep",
    "attention_steps",
    "dense_attention",
    "gather_kv",
    "paged_attention",
    "paged_prefill_attention",
    "write_kv",
]

Lengths = NDArray[np.integer[Any]] | Sequence[int]


def paged_attention(
    query: Floats,
    key_cache: Floats,
    value_cache: Floats,
    block_tables: BlockTables,
    seq_lens: Lengths,
    *,
    scale: float | None = None,
    sliding_window: int | None = None,
    alibi_slopes: ArrayLike | None = None,
    soft_cap: float | None = None,
) -> Floats:
    """Attention of each sequence's newest token over all tokens it has in the cache.

    Shapes: `query` (num_seqs, num_heads, head_size); caches (num_blocks, block_size,
    num_kv_heads, head_size), num_heads a multiple of num_kv_heads; `block_tables` (num_seqs,
    max_blocks) of any whole numbers, `seq_lens` (num_seqs,) in tokens, the newest
    included. The result has the shape and dtype of `query`.

    Entries of a table beyond the sequence's length, or before its window, may hold anything.
    A sequence of 0 tokens gets zeros. Computed in float32, or in float64 if `query` or a
    cache is float64, or scores are beyond float32; beyond float64 there is no answer but NaN.
    `scale` is 1 / sqrt(head_size) unless given. With `sliding_window` only
    the last so many tokens count; `alibi_slopes` (num_heads,) are added to a score times the
    token's distance (negative); `soft_cap` bends scores to cap * tanh(score / cap).
    Raises AttentionError, which names what does not fit.

    >>> key_cache = np.log(np.array([9.0, 9, 1, 9, 3, 5]).reshape(3, 2, 1, 1))
    >>> value_cache = np.array([0.0, 0, 50, 0, 10, 20]).reshape(3, 2, 1, 1)
    >>> query = np.array([[[1.0]]])  # tokens in blocks 2 and 1: keys log 3, log 5, log 1
    >>> paged_attention(query, key_cache, value_cache, [[2, 1, -1]], [3])  # (30 + 100 + 50) / 9
    array([[[20.]]])
    """
    query = float_array("query", query, ("num_seqs", "num_heads", "head_size"))
    caches = _caches(query, key_cache, value_cache)
    _, num_heads, head_size = query.shape
    rules = score_rules(num_heads, head_size, scale, sliding_window, alibi_slopes, soft_cap)
    tables = check_block_tables(block_tables, len(query))
    lengths = whole_numbers("seq_lens", seq_lens, len(query))
    tiles = []
    for seq, length in enumerate(lengths):
        start = rules.first_visible(length - 1)
        blocks = used_blocks(tables, seq, start, length, caches[0])
        tiles.append(Tile(slice(seq, seq + 1), range(length - 1, length), start, length, blocks))
    return attend(query, *caches, tiles, rules, compute_dtype(query, *caches)).astype(query.dtype)


def paged_prefill_attention(
    query: Floats,
    key_cache: Floats,
    value_cache: Floats,
    block_tables: BlockTables,
    seq_lens: Lengths,
    query_start_loc: Lengths | None = None,
    *,
    query_lens: Lengths | None = None,
    scale: float | None = None,
    sliding_window: int | None = None,
    alibi_slopes: ArrayLike | None = None,
    soft_cap: float | None = None,
) -> Floats:
    """Causal attention of the last query tokens of each sequence, several at once.

    `query` (num_tokens, num_heads, head_size) has the sequences' query tokens one after the
    other: sequence s has query_start_loc[s] to query_start_loc[s + 1], as in vLLM, or give
    `query_lens`. Their keys and values are in the cache already, and count in `seq_lens`:
    query i of n sits at position seq_len - n + i and sees what is before it and itself.
    A prompt in chunks gets the same as in one piece, within rounding. All else is as in
    `paged_attention`.

    >>> cache = np.arange(4.0).reshape(2, 2, 1, 1)
    >>> query = np.zeros((2, 1, 1))  # of no preference: the mean of what each sees
    >>> paged_prefill_attention(query, cache, cache, [[1, 0]], [3], query_lens=[2]).ravel()
    array([2.5       , 1.66666667])
    """
    query = float_array("query", query, ("num_tokens", "num_heads", "head_size"))
    caches = _caches(query, key_cache, value_cache)
    _, num_heads, head_size = query.shape
    rules = score_rules(num_heads, head_size, scale, sliding_window, alibi_slopes, soft_cap)
    lengths = whole_numbers("seq_lens", seq_lens)
    num_seqs = len(lengths)
    tables = check_block_tables(block_tables, num_seqs)
    starts = _query_starts(query_start_loc, query_lens, num_seqs, len(query))
    tiles = [
        tile
        for seq, length in enumerate(lengths)
        for tile in _tiles(seq, starts[seq], starts[seq + 1], length, tables, caches[0], rules)
    ]
    return attend(query, *caches, tiles, rules, compute_dtype(query, *caches)).astype(query.dtype)


def _caches(query: Floats, key_cache: Floats, value_cache: Floats) -> tuple[Floats, Floats]:
    """Both caches, checked."""
    key_cache = float_array("key_cache", key_cache, CACHE_AXES)
    value_cache = float_array("value_cache", value_cache, CACHE_AXES)
    check_caches(query, key_cache, value_cache)
    return key_cache, value_cache


def _query_starts(
    query_start_loc: Lengths | None, query_lens: Lengths | None, num_seqs: int, num_tokens: int
) -> list[int]:
    """Where each sequence's query tokens begin, and where the last ones end."""
    if (query_start_loc is None) == (query_lens is None):
        raise AttentionError("give either query_start_loc or query_lens, and not both")
    if query_lens is not None:
        lens = whole_numbers("query_lens", query_lens, num_seqs)
        starts = [sum(lens[:seq]) for seq in range(num_seqs + 1)]
        name = "query_lens"
    else:
        assert query_start_loc is not None
        starts = whole_numbers("query_start_loc", query_start_loc, num_seqs + 1)
        name = "query_start_loc"
        for seq in range(num_seqs):
            if starts[seq + 1] < starts[seq]:
                raise AttentionError(f"query_start_loc must not fall, as it does at {seq + 1}")
    if starts[0] != 0 or starts[-1] != num_tokens:
        raise AttentionError(
            f"{name} counts query tokens {starts[0]} to {starts[-1]}, but query has {num_tokens}: "
            f"it must run from 0 to {num_tokens}"
        )
    return starts


def _tiles(
    seq: int,
    begin: int,
    end: int,
    length: int,
    tables: BlockTables,
    key_cache: Floats,
    rules: ScoreRules,
) -> Iterator[Tile]:
    """The query tokens `begin` to `end`, all of sequence `seq`, in tiles."""
    if end - begin > length:
        raise AttentionError(
            f"sequence {seq} has {end - begin} query tokens, but seq_lens[{seq}] is {length}: "
            "query tokens count in it, so it must be at least that"
        )
    for row in range(begin, end, TILE_QUERIES):
        stop = min(row + TILE_QUERIES, end)
        positions = range(length - end + row, length - end + stop)
        start = rules.first_visible(positions[0])
        blocks = used_blocks(tables, seq, start, positions.stop, key_cache)
        yield Tile(slice(row, stop), positions, start, positions.stop, blocks)
