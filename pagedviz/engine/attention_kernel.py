"""The fast paged kernel: groups of blocks through one online softmax.

What it does: a sequence's blocks are copied, in the order of its table and about a
megabyte at a time, into one buffer, and multiplied with the query while it is still in the
processor's cache. First the keys of a span of some thousand tokens, then, once their scores are
turned into weights, the values: the online softmax goes from span to span. The copy is what
paging costs here. Several query tokens of a sequence (prefill) share it; sequences are shared
out over threads.

Which blocks are copied together depends on shapes and the sequence's length alone: move the
blocks, or decode in other company, and the result is the same to the last bit.

What it leaves out: checks (`attention_inputs.py`), several threads over one long sequence.

Source: Kwon et al. 2023 (arXiv 2309.06180), section 4.1 and 4.3; vLLM 0.33.0,
v1/attention/ops/triton_unified_attention.py, of which this has the loop over blocks.
"""

import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagedviz.engine.attention_inputs import Floats
from pagedviz.engine.attention_scores import ScoreRules, grouped_query, scores_of, ungrouped
from pagedviz.engine.attention_softmax import fold, nothing_yet

COPY_BYTES = 1 << 20  # one copy of keys or values; measured: a quarter and four times are slower
SPAN_BYTES = 1 << 20  # the scores of a span, for all heads
TILE_QUERIES = 64  # query tokens that share a copy; more would need larger scores
MAX_THREADS = 4  # they wait for memory, and others want to use the machine
BLAS_ALONE = 1 << 18  # multiplications that OpenBLAS does not share out: matrix by matrix
BLAS_ALONE_VECTOR = 9215  # and vector by matrix
ALONE_FROM = 32  # tokens; for products of fewer the calls would take longest
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
    blocks_per_span: int | None = None,
) -> Floats:
    """Attention of `query` (num_tokens, num_heads, head_size), tile by tile, in `dtype`.

    Query tokens of no tile, and of one that reads nothing, get zeros. A tile of which some
    score or sum is beyond float32 is computed again in float64.
    """
    output = np.zeros(query.shape, dtype)
    sizes = _sizes(query, key_cache, tiles, dtype, blocks_per_span)
    waiting = deque(tile for tile in tiles if tile.end > tile.start)

    def work() -> None:
        copiers = (
            _Copier(key_cache, sizes.blocks_per_copy, dtype),
            _Copier(value_cache, sizes.blocks_per_copy, dtype),
        )
        # Scores that overflow are dealt with below; a weight that underflows is 0, as it should.
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            while waiting:
                try:
                    tile = waiting.popleft()
                except IndexError:  # another thread has just taken the last one
                    return
                some = query[tile.rows]
                output[tile.rows] = _attend_tile(some, *copiers, tile, rules, sizes.blocks_per_span)

    helpers = sizes.threads - 1
    if helpers:
        with ThreadPoolExecutor(helpers, "attention") as pool:
            others = [pool.submit(work) for _ in range(helpers)]
            work()
        for other in others:
            other.result()
    else:
        work()
    if dtype != np.float64:
        beyond = [tile for tile in tiles if not np.isfinite(output[tile.rows]).all()]
        if beyond:
            wide = np.dtype(np.float64)
            again = attend(query, key_cache, value_cache, beyond, rules, wide, blocks_per_span)
            for tile in beyond:
                output[tile.rows] = again[tile.rows]
    return output


class _Copier:
    """One buffer for the keys, or the values, of some blocks."""

    def __init__(self, cache: Floats, num_blocks: int, dtype: np.dtype[Any]) -> None:
        self.cache = cache
        self.num_blocks = num_blocks
        self.dtype = dtype
        # np.take copies a whole cache first unless it lies in one plain piece
        self.plain = cache.flags.c_contiguous and cache.flags.aligned and cache.dtype.isnative
        self.buffer = np.empty((num_blocks, *cache.shape[1:]), cache.dtype)

    def copies(self, blocks: NDArray[np.intp], skip: int, count: int) -> Iterator[Floats]:
        """`count` tokens of these blocks without the first `skip`, some at a time.

        Each (tokens, num_kv_heads, head_size), good until the next. Only what is used: other
        slots may hold anything, and a NaN spreads even if its weight is 0.
        """
        end = skip + count
        for line in range(0, len(blocks), self.num_blocks):
            some = blocks[line : line + self.num_blocks]
            taken = self.buffer[: len(some)]
            if self.plain:  # ids were checked; "clip" lets it write without a copy of its own
                self.cache.take(some, axis=0, out=taken, mode="clip")
            else:
                taken[...] = self.cache[some]
            tokens = taken.reshape(-1, *taken.shape[2:])
            yield tokens[skip:end].astype(self.dtype, copy=False)
            skip, end = 0, end - len(tokens)


def _attend_tile(
    query: Floats,
    key_copier: _Copier,
    value_copier: _Copier,
    tile: Tile,
    rules: ScoreRules,
    blocks_per_span: int,
) -> Floats:
    """The loop over the block table; (n, num_heads, head_size) for the tile's n queries.

    All NaN if a score was beyond float32: the answer need not be, but is not to be had from
    infinities. Of float64 they are taken as they are.
    """
    _, block_size, num_kv_heads, head_size = key_copier.cache.shape
    rows = grouped_query(query, num_kv_heads, rules.scale, key_copier.dtype)
    running = nothing_yet(num_kv_heads, rows.shape[1], head_size, key_copier.dtype)
    at = tile.start
    for line in range(0, len(tile.blocks), blocks_per_span):
        blocks = tile.blocks[line : line + blocks_per_span]
        skip = at % block_size  # a sliding window may begin within a block
        count = min(len(blocks) * block_size - skip, tile.end - at)
        keys = key_copier.copies(blocks, skip, count)
        scores, finite = scores_of(rows, keys, count, rules, tile.positions, at)
        if not finite and scores.dtype != np.float64:
            return np.full(query.shape, np.nan, scores.dtype)
        running = fold(running, scores, value_copier.copies(blocks, skip, count)).running
        at += count
    return ungrouped(running.output(), len(tile.positions))


class _Sizes(NamedTuple):
    blocks_per_copy: int
    blocks_per_span: int
    threads: int


def _sizes(
    query: Floats,
    key_cache: Floats,
    tiles: Sequence[Tile],
    dtype: np.dtype[Any],
    blocks_per_span: int | None,
) -> _Sizes:
    """How much is done at a time, and by how many threads.

    Several threads if there is much to copy, and products can be so small that OpenBLAS,
    which numpy brings along, does not share out each of them by itself: the two together
    are slower than either, and slower by far on a machine that has other work.
    """
    _, block_size, num_kv_heads, head_size = key_cache.shape
    queries = max((len(tile.positions) for tile in tiles), default=1)
    span = SPAN_BYTES // (dtype.itemsize * query.shape[1] * queries * block_size)
    span = blocks_per_span or max(span, 1)
    block_bytes = dtype.itemsize * num_kv_heads * head_size * block_size
    per_copy = min(max(COPY_BYTES // block_bytes, 1), span)

    rows = queries * query.shape[1] // num_kv_heads
    alone = (BLAS_ALONE if rows > 1 else BLAS_ALONE_VECTOR) // (rows * head_size * block_size)
    threads = 1
    if alone * block_size >= ALONE_FROM:
        per_copy = min(per_copy, alone)
        if block_bytes * sum(len(tile.blocks) for tile in tiles) >= THREADS_FROM:
            threads = min(os.cpu_count() or 1, MAX_THREADS, len(tiles))
    # no buffer larger than needed; it does not change what is copied together
    most = max((len(tile.blocks) for tile in tiles), default=0)
    return _Sizes(min(per_copy, max(most, 1)), span, threads)
