"""Scores: how well a query fits each key, before the softmax.

What it does: query times key times a scale; then, where asked for, a soft cap that bends
large scores down, a slope that makes distant tokens count less (ALiBi), and the mask for
what a query must not see: tokens after it, and those that have left its sliding window.

What it leaves out: scores learned per head (attention sinks), masks of any other form.

Source: vLLM 0.33.0, v1/attention/ops/triton_unified_attention.py, in the same order:
scale, soft cap, mask, ALiBi.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagedviz.engine.attention_inputs import Floats, finite_number, whole_number
from pagedviz.engine.errors import AttentionError, shown


@dataclass(frozen=True, slots=True)
class ScoreRules:
    """What `score_rules` made of the options; positions count from 0."""

    scale: float
    sliding_window: int | None
    alibi_slopes: Floats | None  # (num_heads,)
    soft_cap: float | None

    def first_visible(self, position: int) -> int:
        """The earliest token that a query at `position` sees; of a window it is the last."""
        return 0 if self.sliding_window is None else max(0, position + 1 - self.sliding_window)


def score_rules(
    num_heads: int,
    head_size: int,
    scale: float | None,
    sliding_window: int | None,
    alibi_slopes: ArrayLike | None,
    soft_cap: float | None,
) -> ScoreRules:
    """The options, checked. A scale of None is 1 / sqrt(head_size); a cap of 0 is none.

    >>> score_rules(8, 64, None, None, None, None).scale
    0.125
    """
    if sliding_window is not None:
        sliding_window = whole_number("sliding_window", sliding_window, 1)
    cap = None if soft_cap is None else finite_number("soft_cap", soft_cap)
    if cap is not None and cap < 0:
        raise AttentionError(f"soft_cap must be above 0, or 0 or None for none, not {cap}")
    slopes = None
    if alibi_slopes is not None:
        try:
            slopes = np.asarray(alibi_slopes, dtype=np.float64)
        except (TypeError, ValueError):
            slopes = np.empty(0)  # not even numbers
        if slopes.shape != (num_heads,) or not np.isfinite(slopes).all():
            raise AttentionError(
                f"alibi_slopes must be {num_heads} finite numbers, one for each head of the "
                f"query, not {shown(alibi_slopes)}"
            )
    return ScoreRules(
        1.0 / math.sqrt(head_size) if scale is None else finite_number("scale", scale),
        sliding_window,
        slopes,
        cap or None,
    )


def grouped_query(query: Floats, num_kv_heads: int, scale: float, dtype: np.dtype[Any]) -> Floats:
    """Queries (n, num_heads, head_size) beside the KV head they read, times `scale`.

    The result is (num_kv_heads, n * group, head_size): with 32 heads over 8 KV heads, heads
    0 to 3 of every query token read KV head 0. Scaling here rather than the scores saves
    one pass over them. The product is made in float64, as `scale` may be too small a number
    for `dtype` though the product is not.
    """
    num_queries, num_heads, head_size = query.shape
    group = num_heads // num_kv_heads
    split = query.reshape(num_queries, num_kv_heads, group, head_size).transpose(1, 0, 2, 3)
    scaled: Floats = (split.astype(np.float64) * scale).astype(dtype)
    return scaled.reshape(num_kv_heads, num_queries * group, head_size)


def ungrouped(rows: Floats, num_queries: int) -> Floats:
    """The way back: (num_kv_heads, n * group, x) to (n, num_heads, x)."""
    num_kv_heads, all_rows, width = rows.shape
    split = rows.reshape(num_kv_heads, num_queries, all_rows // num_queries, width)
    return split.transpose(1, 0, 2, 3).reshape(num_queries, -1, width)


def cap_in(dtype: np.dtype[Any], soft_cap: float) -> Any:
    """The cap as a number of `dtype`, never 0, by which scores could not be divided.

    A cap below the smallest number stands for that: it bends every score to nearly 0 as well.

    >>> cap_in(np.dtype(np.float32), 1e-300) > 0, cap_in(np.dtype(np.float32), 30.0).item()
    (np.True_, 30.0)
    """
    return np.maximum(dtype.type(soft_cap), np.finfo(dtype).tiny)


class Scores(NamedTuple):
    """What `scores_of` found."""

    scores: Floats  # (num_kv_heads, n * group, tokens)
    finite: bool  # none that counts went beyond the dtype; what was hidden does not count


def scores_of(
    query: Floats,
    keys: Iterable[Floats],
    tokens: int,
    rules: ScoreRules,
    query_positions: range,
    first_token: int,
) -> Scores:
    """Scores (num_kv_heads, n * group, tokens) of `tokens` tokens in a row, -inf for hidden ones.

    `query` comes from `grouped_query`, its n tokens sit at `query_positions`. `keys` are those
    of position `first_token` and following, in one or more parts (some of the tokens,
    num_kv_heads, head_size), each of which is used up before the next is asked for.
    """
    scores: Floats = np.empty((*query.shape[:2], tokens), query.dtype)
    done = 0
    for part in keys:
        np.matmul(query, part.transpose(1, 2, 0), out=scores[..., done : done + len(part)])
        done += len(part)
    hidden = _hidden(rules, query_positions, first_token, tokens)
    by_query = scores.reshape(len(scores), len(query_positions), -1, tokens)
    finite = _finite(by_query, hidden)
    if rules.soft_cap is not None:  # bends infinity, too: hence the look before
        cap = cap_in(scores.dtype, rules.soft_cap)
        scores /= cap
        np.tanh(scores, out=scores)
        scores *= cap
    if rules.alibi_slopes is not None:
        slopes = rules.alibi_slopes.astype(scores.dtype).reshape(len(scores), 1, -1, 1)
        distance = _distance(query_positions, first_token, tokens).astype(scores.dtype)
        by_query += slopes * distance[:, None, :]
    if rules.soft_cap is not None or rules.alibi_slopes is not None:
        finite = finite and _finite(by_query, hidden)
    if hidden is not None:
        np.copyto(by_query, -np.inf, where=hidden[:, None, :])
    return Scores(scores, finite)


def _finite(by_query: Floats, hidden: NDArray[np.bool_] | None) -> bool:
    """Whether all scores (num_kv_heads, n, group, tokens) are finite that are not hidden."""
    finite = np.isfinite(by_query)
    if hidden is not None and not finite.all():
        finite |= hidden[:, None, :]
    return bool(finite.all())


def _distance(query_positions: range, first_token: int, tokens: int) -> NDArray[np.int64]:
    """Token minus query position (n, tokens): 0 for a query's own token, negative before."""
    tokens_at = np.arange(first_token, first_token + tokens, dtype=np.int64)
    return tokens_at - np.array(query_positions, np.int64)[:, None]


def _hidden(
    rules: ScoreRules, query_positions: range, first_token: int, tokens: int
) -> NDArray[np.bool_] | None:
    """Which query must not see which token (n, tokens); None if each sees all."""
    sees_last = first_token + tokens - 1 <= query_positions[0]
    if sees_last and rules.first_visible(query_positions[-1]) <= first_token:
        return None
    distance = _distance(query_positions, first_token, tokens)
    hidden = distance > 0
    if rules.sliding_window is not None:
        hidden |= distance <= -rules.sliding_window
    return hidden
