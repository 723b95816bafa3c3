"""The run at real size: fill two caches with the same numbers, let both kernels read them.

Keys and values are random (standard normal): time does not depend on what they are, and the
results can be compared. Blocks of all sequences lie in one shuffled order, so that each
sequence is scattered over the whole cache; places of last blocks that hold no token are NaN,
which would be seen in the result if one were read. Both kernels run in turns, and the one
that begins changes with every repetition.

Leaves out: layers (they would repeat the same), projections, prefill; limits, which
`real_size_memory.py` knows.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagedviz.engine.attention import paged_attention
from pagedviz.engine.real_size import RealSizeSpec
from pagedviz.engine.real_size_dense import dense_batch
from pagedviz.engine.real_size_result import RealSizeResult

Cache = NDArray[np.floating[Any]]
Tell = Callable[[dict[str, object]], None]
PIECE: Final = 2**20  # values made at a time
SECONDS: Final = 60.0  # no repetition begins later than this after the first


class Caches:
    """One set of keys and values, twice: in blocks and in one run per sequence.

    blocks: (num_blocks, block_size, num_kv_heads, head_size), keys and values; runs:
    (num_seqs, context, num_kv_heads, head_size); table: (num_seqs, blocks per sequence).
    """

    def __init__(self, spec: RealSizeSpec, tell: Tell) -> None:
        rng = np.random.default_rng(spec.seed)
        row = (spec.num_kv_heads, spec.head_size)
        self.query = rng.standard_normal(
            (spec.num_seqs, spec.num_heads, spec.head_size), dtype=np.float32
        )
        order = rng.permutation(spec.num_blocks).astype(np.int32)
        self.table = order.reshape(spec.num_seqs, spec.blocks_per_seq)
        block = (spec.num_blocks, spec.block_size, *row)
        run = (spec.num_seqs, spec.context, *row)
        self.blocks = np.empty(block, spec.kv_dtype), np.empty(block, spec.kv_dtype)
        self.runs = np.empty(run, spec.kv_dtype), np.empty(run, spec.kv_dtype)
        filled, told = 0, -1
        for seq in range(spec.num_seqs):
            for whole, blocks in zip(self.runs, self.blocks, strict=True):
                for piece in _pieces(whole[seq]):
                    piece[:] = rng.standard_normal(piece.size, dtype=np.float32)
                    filled += piece.size
                    percent = 100 * filled // (2 * whole.size)
                    if percent > told:
                        told = percent
                        tell({"kind": "progress", "phase": "fill", "done": percent, "of": 100})
                _scatter(whole[seq], blocks, self.table[seq])


def measure(
    spec: RealSizeSpec, tell: Tell, clock: Callable[[], float] = time.perf_counter
) -> RealSizeResult:
    """Run `spec` and say how it goes on: messages of kind "progress" and "repetition".

    Takes the memory that `real_size_memory.estimate` tells; MemoryError if that is not there.
    """
    caches = Caches(spec, tell)
    lengths = np.full(spec.num_seqs, spec.context, np.int32)

    def paged() -> Cache:
        return paged_attention(caches.query, *caches.blocks, caches.table, lengths)

    def dense() -> Cache:
        return dense_batch(caches.query, *caches.runs)

    tell({"kind": "progress", "phase": "warm-up", "done": 0, "of": 1})
    results = paged(), dense()
    times: tuple[list[float], list[float]] = ([], [])
    begun = clock()
    for number in range(1, spec.repetitions + 1):
        for which in (0, 1) if number % 2 else (1, 0):
            start = clock()
            (paged, dense)[which]()
            # a clock that has not moved: as good as nothing, but a ratio can be taken
            times[which].append(max(clock() - start, 1e-9))
        tell(
            {
                "kind": "repetition",
                "done": number,
                "of": spec.repetitions,
                "paged_s": times[0][-1],
                "dense_s": times[1][-1],
            }
        )
        if clock() - begun > SECONDS:
            break
    one_core = hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) == 1
    exact = _exact_head(caches.query[0, 0], *(run[0, :, 0] for run in caches.runs))
    return RealSizeResult(
        spec,
        tuple(times[0]),
        tuple(times[1]),
        kv_bytes=sum(run.nbytes for run in caches.runs),
        table_bytes=caches.table.nbytes,
        max_difference=float(np.abs(results[0] - results[1]).max()),
        paged_to_float64=float(np.abs(results[0][0, 0] - exact).max()),
        dense_to_float64=float(np.abs(results[1][0, 0] - exact).max()),
        one_core=one_core,
    )


def _pieces(run: Cache) -> Iterator[Cache]:
    """One sequence in pieces, to be filled without a second copy of a long one."""
    flat = run.reshape(-1)  # a view: a run is contiguous
    for start in range(0, flat.size, PIECE):
        yield flat[start : start + PIECE]


def _scatter(run: Cache, blocks: Cache, entries: NDArray[np.int32]) -> None:
    """One sequence into its blocks: entry i of its table holds the i-th of them."""
    size = blocks.shape[1]
    for line, block in enumerate(entries):
        part = run[line * size : (line + 1) * size]
        blocks[block, : len(part)] = part
        blocks[block, len(part) :] = np.nan


def _exact_head(query: Cache, key: Cache, value: Cache) -> NDArray[np.float64]:
    """One head in float64: query (head_size,), key and value (num_tokens, head_size)."""
    scores = key.astype(np.float64) @ (query.astype(np.float64) / np.sqrt(query.size))
    weights = np.exp(scores - scores.max())
    found: NDArray[np.float64] = (weights / weights.sum()) @ value.astype(np.float64)
    return found
