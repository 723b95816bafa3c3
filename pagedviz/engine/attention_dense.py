"""Dense attention: keys and values in one run, all scores at once. The reference.

What it does: the textbook formula, softmax(query @ key.T * scale) @ value, for grouped
query heads. No blocks, no running sums, nothing shared with the paged kernel but the checks
at the door and numpy.

What it leaves out: more than one sequence, speed. What the paged kernel is timed against
takes a whole batch at a time (`real_size_dense.py`, `tests/bench/bench_attention.py`).

Source: Vaswani et al. 2017 (arXiv 1706.03762), equation 1; Ainslie et al. 2023
(arXiv 2305.13245) for grouped queries.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pagedviz.engine.attention_inputs import Floats, check_heads, compute_dtype, float_array
from pagedviz.engine.attention_scores import ScoreRules, cap_in, score_rules
from pagedviz.engine.errors import AttentionError


def dense_attention(
    query: Floats,
    key: Floats,
    value: Floats,
    *,
    scale: float | None = None,
    causal: bool = False,
    sliding_window: int | None = None,
    alibi_slopes: ArrayLike | None = None,
    soft_cap: float | None = None,
) -> Floats:
    """Attention over keys and values (num_tokens, num_kv_heads, head_size) in one run.

    `query` is (num_queries, num_heads, head_size), or (num_heads, head_size) for one; the
    result has its shape and dtype. Computed in float32, or float64 if any input is. With
    `causal`, query i of n sits at position num_tokens - n + i and sees no token after that;
    without, every query sits at the last token and sees all. No tokens: zeros.

    >>> key = np.log([[[1.0]], [[3.0]]])
    >>> value = np.array([[[10.0]], [[20.0]]])
    >>> dense_attention(np.array([[1.0]]), key, value, scale=1.0)  # (1 * 10 + 3 * 20) / 4
    array([[17.5]])
    """
    single = np.ndim(query) == 2
    query = float_array("query", np.asarray(query)[None] if single else query, _QUERY_AXES)
    key = float_array("key", key, _KEY_AXES)
    value = float_array("value", value, _KEY_AXES)
    check_heads(query, key, value, ("key", "value"))
    num_queries, num_heads, head_size = query.shape
    rules = score_rules(num_heads, head_size, scale, sliding_window, alibi_slopes, soft_cap)
    if causal and num_queries > len(key):
        raise AttentionError(
            f"query has {num_queries} tokens and key {len(key)}: with causal, a query's own "
            "token is among the keys"
        )
    if len(key) == 0 or num_queries == 0:
        return np.zeros(query.shape[single:], query.dtype)
    first = len(key) - num_queries if causal else len(key) - 1
    positions = np.arange(first, first + num_queries) if causal else np.full(num_queries, first)
    dtype = compute_dtype(query, key, value)
    output = _attend(query, key, value, positions, rules, dtype)
    if dtype != np.float64 and not np.isfinite(output).all():
        output = _attend(query, key, value, positions, rules, np.dtype(np.float64))
    result = output.astype(query.dtype)
    return result[0] if single else result


_QUERY_AXES = ("num_queries", "num_heads", "head_size")
_KEY_AXES = ("num_tokens", "num_kv_heads", "head_size")


def _attend(
    query: Floats,
    key: Floats,
    value: Floats,
    positions: np.ndarray[Any, np.dtype[np.int64]],
    rules: ScoreRules,
    dtype: np.dtype[Any],
) -> Floats:
    """Every query head gets a copy of the keys and values it reads; then the formula.

    All NaN if a score is beyond float32: the answer need not be, in float64.
    """
    group = query.shape[1] // key.shape[1]
    key = np.repeat(key.astype(dtype).transpose(1, 0, 2), group, axis=0)
    value = np.repeat(value.astype(dtype).transpose(1, 0, 2), group, axis=0)
    distance = np.arange(key.shape[1]) - positions[:, None]  # (num_queries, tokens)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        # (num_heads, num_queries, tokens)
        scores = np.matmul(query.astype(dtype).transpose(1, 0, 2), key.transpose(0, 2, 1))
        scores *= dtype.type(rules.scale)
        visible = distance <= 0
        if rules.sliding_window is not None:
            visible &= distance > -rules.sliding_window
        uncapped = scores
        if rules.soft_cap is not None:
            cap = cap_in(dtype, rules.soft_cap)
            scores = cap * np.tanh(scores / cap)
        if rules.alibi_slopes is not None:
            slopes = rules.alibi_slopes.astype(dtype)[:, None, None]
            scores += slopes * distance.astype(dtype)
        if dtype != np.float64:  # a cap bends infinity, too: hence the look at both
            finite = np.isfinite(scores) & np.isfinite(uncapped)
            if not finite[:, visible].all():
                return np.full(query.shape, np.nan, dtype)
        scores[:, ~visible] = -np.inf
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        output: Floats = np.matmul(weights, value).transpose(1, 0, 2)
    return output
