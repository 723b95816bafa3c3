"""The fast paged kernel: groups of blocks through one online softmax.

What it does: a sequence's blocks are copied, in the order of its table and about a
megabyte at a time, into one buffer; scores and values of the buffer are folded in while it
is still in the processor's cache. The copy is what paging costs here. Dense attention reads
the same keys and values once, but all of them before it begins with the softmax. Several
query tokens of a sequence (prefill) share the copy; sequences are shared out over threads.

Which blocks form a group depends on shapes and lengths alone, not on the entries of the
table: move the blocks and the result is the same to the last bit.

What it leaves out: checks (`attention_inputs.py`), several threads over one long sequence.

Source: Kwon et al. 2023 (arXiv 2309.06180), section 4.1 and 4.3; vLLM 0.33.0,
v1/attention/ops/triton_unified_attention.py, of which this has the loop over blocks.
"""

import os
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagedviz.engine.attention_inputs import Floats
from pagedviz.engine.attention_scores import ScoreRules, grouped_query, scores_of, ungrouped
from pagedviz.engine.attention_softmax import fold, nothing_yet

GROUP_BYTES = 1 << 20  # keys of one group; measured: half as much and four times are slower
TILE_QUERIES = 64  # query tokens that share a copy; more would need larger scores
MAX_THREADS = 4  # they wait for memory, and others want to use the machine
THREADS_FROM = 8 << 20  # bytes to copy; for less, starting a thread takes longer than it saves


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """Some query tokens of one sequence in a row, and what they read."""

    rows: slice  # of the packed query and output
    positions: range  # where in the sequence they sit
    start: int  # the first token they read
    end: int  # one beyond the last
    blocks: NDArray[np.intp]  # that hold these tokens, in logical order


def attend(
    query: Floats,
    key_cache: Floats,
    value_cache: Floats,
    tiles: Sequence[Tile],
    rules: ScoreRules,
    dtype: np.dtype[Any],
    blocks_per_group: int | None = None,
) -> Floats:
    """Attention of `query` (num_tokens, num_heads, head_size), tile by tile, in `dtype`.

    Query tokens of no tile, and of one that reads nothing, get zeros.
    """
    output = np.zeros(query.shape, dtype)
    per_group = blocks_per_group or _blocks_per_group(query, key_cache, tiles, dtype)
    waiting = deque(tiles)

    def work() -> None:
        key_copier = _Copier(key_cache, per_group, dtype)
        value_copier = _Copier(value_cache, per_group, dtype)
        # Scores that overflow are dealt with below; a weight that underflows is 0, as it should.
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            while waiting:
                try:
                    tile = waiting.popleft()
                except IndexError:  # another thread has just taken the last one
                    return
                some = query[tile.rows]
                output[tile.rows] = _attend_tile(some, key_copier, value_copier, tile, rules)

    helpers = _threads(query, key_cache, tiles, per_group) - 1
    if helpers:
        with ThreadPoolExecutor(helpers, "attention") as pool:
            others = [pool.submit(work) for _ in range(helpers)]
            work()
        for other in others:
            other.result()
    else:
        work()
    if dtype != np.float64:
        # inf - inf: some score or sum was beyond float32, though the answer need not be
        beyond = [tile for tile in tiles if not np.isfinite(output[tile.rows]).all()]
        if beyond:
            wide = np.dtype(np.float64)
            again = attend(query, key_cache, value_cache, beyond, rules, wide, per_group)
            for tile in beyond:
                output[tile.rows] = again[tile.rows]
    return output


class _Copier:
    """One buffer for the keys, or the values, of a group of blocks."""

    def __init__(self, cache: Floats, num_blocks: int, dtype: np.dtype[Any]) -> None:
        self.cache = cache
        self.num_blocks = num_blocks
        self.dtype = dtype
        # np.take copies a whole cache first unless it lies in one plain piece
        self.plain = cache.flags.c_contiguous and cache.flags.aligned and cache.dtype.isnative
        self.buffer = np.empty((num_blocks, *cache.shape[1:]), cache.dtype)

    def copy(self, blocks: NDArray[np.intp], skip: int, count: int) -> Floats:
        """`count` tokens of these blocks in one run, without the first `skip`.

        (count, num_kv_heads, head_size), good until the next call. Only what is used: other
        slots may hold anything, and a NaN spreads even if its weight is 0.
        """
        taken = self.buffer[: len(blocks)]
        if self.plain:  # ids were checked; "clip" lets np.take write without a copy of its own
            np.take(self.cache, blocks, axis=0, out=taken, mode="clip")
        else:
            taken[...] = self.cache[blocks]
        tokens = taken.reshape(-1, *taken.shape[2:])[skip : skip + count]
        return tokens.astype(self.dtype, copy=False)


def _attend_tile(
    query: Floats, key_copier: _Copier, value_copier: _Copier, tile: Tile, rules: ScoreRules
) -> Floats:
    """The loop over the block table; (n, num_heads, head_size) for the tile's n queries."""
    per_group, dtype = key_copier.num_blocks, key_copier.dtype
    _, block_size, num_kv_heads, head_size = key_copier.cache.shape
    rows = grouped_query(query, num_kv_heads, rules.scale, dtype)
    running = nothing_yet(num_kv_heads, rows.shape[1], head_size, dtype)
    at = tile.start
    for line in range(0, len(tile.blocks), per_group):
        blocks = tile.blocks[line : line + per_group]
        skip = at % block_size  # a sliding window may begin within a block
        count = min(len(blocks) * block_size - skip, tile.end - at)
        key = key_copier.copy(blocks, skip, count)
        scores = scores_of(rows, key, rules, tile.positions, at)
        value = value_copier.copy(blocks, skip, count)
        running = fold(running, scores, value.transpose(1, 0, 2)).running
        at += count
    return ungrouped(running.output(), len(tile.positions))


def _blocks_per_group(
    query: Floats, key_cache: Floats, tiles: Sequence[Tile], dtype: np.dtype[Any]
) -> int:
    """As many as keep their keys, and the scores of a tile, within `GROUP_BYTES`."""
    _, block_size, num_kv_heads, head_size = key_cache.shape
    queries = max((len(tile.positions) for tile in tiles), default=1)
    bytes_per_token = dtype.itemsize * max(num_kv_heads * head_size, query.shape[1] * queries)
    most = max((len(tile.blocks) for tile in tiles), default=1)
    return max(1, min(GROUP_BYTES // int(bytes_per_token * block_size), most))


def _threads(query: Floats, key_cache: Floats, tiles: Sequence[Tile], per_group: int) -> int:
    """How many threads share the tiles: one, unless there is much to copy.

    And unless BLAS shares out each product by itself, which large ones make it do; the two
    together are slower than either. The limits are OpenBLAS's, which numpy brings along.
    """
    _, block_size, num_kv_heads, head_size = key_cache.shape
    num_blocks = sum(len(tile.blocks) for tile in tiles)
    if num_blocks * block_size * num_kv_heads * head_size * key_cache.itemsize < THREADS_FROM:
        return 1
    queries = max(len(tile.positions) for tile in tiles)
    rows = queries * query.shape[1] // num_kv_heads
    product = per_group * block_size * head_size * rows
    if product > (1 << 18 if rows > 1 else 9000):
        return 1
    return min(os.cpu_count() or 1, MAX_THREADS, len(tiles))
