"""The paged kernel one block at a time, with everything it knows at each.

What it does: `attention_steps` goes through the block table of one sequence and keeps, for
every block, the scores, the running maximum and sum before and after, the correction, and
the answer so far. The arithmetic is that of the fast kernel (`fold`), in groups of one block:
where the fast one takes as small groups, the two agree to the last bit, else within rounding.

What it leaves out: several sequences, several query tokens, windows and slopes.

Source: `attention_kernel.py`, of which this is the slow motion.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pagedviz.engine.attention_cache import CACHE_AXES
from pagedviz.engine.attention_inputs import (
    Floats,
    check_caches,
    compute_dtype,
    float_array,
    used_blocks,
    whole_number,
)
from pagedviz.engine.attention_scores import (
    ScoreRules,
    grouped_query,
    score_rules,
    scores_of,
    ungrouped,
)
from pagedviz.engine.attention_softmax import fold, nothing_yet
from pagedviz.engine.errors import AttentionError, shown


@dataclass(frozen=True, slots=True, eq=False)
class AttentionStep:
    """One block has been read. The arrays are read-only and in the dtype of the arithmetic."""

    logical_block: int  # line of the block table
    physical_block: int  # what it says there
    start: int  # position of the block's first token
    num_tokens: int  # read from it: the last block may be partly filled
    scores: Floats  # (num_heads, num_tokens)
    max_before: Floats  # (num_heads,), -inf before the first block
    max_after: Floats
    correction: Floats  # (num_heads,), exp(max_before - max_after), 0 for the first block
    weights: Floats  # (num_heads, num_tokens), exp(scores - max_after)
    sum_before: Floats  # (num_heads,)
    sum_after: Floats  # sum_before * correction + the weights
    accumulator_before: Floats  # (num_heads, head_size)
    accumulator_after: Floats  # accumulator_before * correction + weights @ values
    output: Floats  # (num_heads, head_size), accumulator_after / sum_after


def attention_steps(
    query: Floats,
    key_cache: Floats,
    value_cache: Floats,
    block_table: NDArray[np.integer[Any]] | Sequence[int],
    seq_len: int,
    *,
    scale: float | None = None,
    dtype: DTypeLike | None = None,
) -> tuple[AttentionStep, ...]:
    """The steps of decode attention for one sequence, one per block; none for 0 tokens.

    `query` (num_heads, head_size); caches, table and length as in `paged_attention`. `dtype` is
    that of the arithmetic, float32 or float64; unless given it is chosen as there. Where scores
    are beyond a float32 that was asked for, they are infinite, and the output may be NaN.

    >>> keys = np.log(np.array([1.0, 3, 6, 2]).reshape(2, 2, 1, 1))
    >>> values = np.array([10.0, 20, 30, 40]).reshape(2, 2, 1, 1)
    >>> steps = attention_steps(np.array([[1.0]]), keys, values, [1, 0], 3)
    >>> [(step.physical_block, step.num_tokens) for step in steps]
    [(1, 2), (0, 1)]
    >>> np.exp(steps[0].max_after).round(9), steps[0].sum_after.round(9)  # 6, and 6 / 6 + 2 / 6
    (array([6.]), array([1.33333333]))
    >>> steps[-1].output.round(9)  # (6 * 30 + 2 * 40 + 1 * 10) / 9
    array([[30.]])
    """
    query = float_array("query", query, ("num_heads", "head_size"))
    key_cache = float_array("key_cache", key_cache, CACHE_AXES)
    value_cache = float_array("value_cache", value_cache, CACHE_AXES)
    check_caches(query, key_cache, value_cache)
    num_heads, head_size = query.shape
    rules = score_rules(num_heads, head_size, scale, None, None, None)
    length = whole_number("seq_len", seq_len, 0)
    blocks = used_blocks([block_table], 0, 0, length, key_cache)
    chosen = compute_dtype(query, key_cache, value_cache) if dtype is None else _asked(dtype)
    steps, finite = _steps(query, key_cache, value_cache, blocks, length, rules, chosen)
    if dtype is None and not finite and chosen != np.float64:
        # a score or sum beyond float32, as in the fast kernel
        wide = np.dtype(np.float64)
        steps, _ = _steps(query, key_cache, value_cache, blocks, length, rules, wide)
    return steps


def _steps(
    query: Floats,
    key_cache: Floats,
    value_cache: Floats,
    blocks: NDArray[np.intp],
    length: int,
    rules: ScoreRules,
    dtype: np.dtype[Any],
) -> tuple[tuple[AttentionStep, ...], bool]:
    """All steps, in one dtype, and whether it could hold all scores and the answer."""
    block_size, num_kv_heads, head_size = key_cache.shape[1:]
    steps = []
    all_finite = True
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        rows = grouped_query(query[None], num_kv_heads, rules.scale, dtype)
        before = nothing_yet(num_kv_heads, rows.shape[1], head_size, dtype)
        for line, block in enumerate(blocks.tolist()):
            start = line * block_size
            count = min(block_size, length - start)
            # in one run, as the fast kernel has them: numpy then takes the same way
            key = np.array(key_cache[block, :count], dtype, order="C")
            value = np.array(value_cache[block, :count], dtype, order="C")
            newest = range(length - 1, length)
            scores, finite = scores_of(rows, [key], count, rules, newest, start)
            all_finite = all_finite and finite
            after, correction, weights = fold(before, scores.copy(), [value])
            columns = (before.maximum, after.maximum, correction, before.sum, after.sum)
            max_before, max_after, corrected, sum_before, sum_after = map(_per_head, columns)
            steps.append(
                AttentionStep(
                    logical_block=line,
                    physical_block=block,
                    start=start,
                    num_tokens=count,
                    scores=_frozen(scores),
                    max_before=max_before,
                    max_after=max_after,
                    correction=corrected,
                    weights=_frozen(weights),
                    sum_before=sum_before,
                    sum_after=sum_after,
                    accumulator_before=_frozen(before.accumulator),
                    accumulator_after=_frozen(after.accumulator),
                    output=_frozen(after.output()),
                )
            )
            before = after
    all_finite = all_finite and bool(np.isfinite(before.accumulator).all())
    return tuple(steps), all_finite


def _asked(dtype: DTypeLike) -> np.dtype[Any]:
    """The dtype that was asked for, if it is one of the two."""
    try:
        chosen = np.dtype(dtype)
    except TypeError:  # no dtype at all
        chosen = None
    if chosen is None or chosen not in (np.float32, np.float64):
        raise AttentionError(f"dtype must be float32 or float64, not {shown(dtype)}")
    return chosen


def _frozen(rows: Floats) -> Floats:
    """(num_kv_heads, group, x) as (num_heads, x) in a copy of its own that stays as it is."""
    flat: Floats = ungrouped(rows, 1)[0].copy()
    flat.flags.writeable = False
    return flat


def _per_head(rows: Floats) -> Floats:
    """(num_kv_heads, group, 1) as (num_heads,), likewise."""
    column: Floats = _frozen(rows)[:, 0]
    return column
