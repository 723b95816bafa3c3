"""The online softmax: attention over a part of the tokens, then over more of them.

What it does: keeps, for every head, the largest score so far, the sum of exp(score -
largest) and the values weighted by the same. `fold` takes in the scores and values of some
more tokens, in any order and in groups of any size. If a larger score comes along, what was
gathered is scaled down to it. At the end accumulator / sum is softmax(scores) @ values,
though the scores were never all there at once.

What it leaves out: where the scores and values come from. The fast kernel folds in groups
of blocks, the stepped one a single block; both call this.

Source: Milakov and Gimelshein 2018, "Online normalizer calculation for softmax"
(arXiv 1805.02867), and Dao et al. 2022, FlashAttention (arXiv 2205.14135), section 3.1.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from pagedviz.engine.attention_inputs import Floats


class Running(NamedTuple):
    """What is known after some tokens; one row per query token and head of a KV head."""

    maximum: Floats  # (num_kv_heads, rows, 1), -inf before the first token
    sum: Floats  # (num_kv_heads, rows, 1)
    accumulator: Floats  # (num_kv_heads, rows, head_size)

    def output(self) -> Floats:
        """Attention over the tokens so far.

        NaN where the sum is 0, which says that no score was larger than -inf: no answer is
        not the same as an answer of zeros.
        """
        return self.accumulator / self.sum


class Folded(NamedTuple):
    """What one call of `fold` made of its group."""

    running: Running
    correction: Floats  # (num_kv_heads, rows, 1), what was gathered is multiplied with it
    weights: Floats  # (num_kv_heads, rows, tokens), exp(score - maximum)


def nothing_yet(num_kv_heads: int, rows: int, head_size: int, dtype: np.dtype[Any]) -> Running:
    """Where every online softmax starts."""
    return Running(
        np.full((num_kv_heads, rows, 1), -np.inf, dtype),
        np.zeros((num_kv_heads, rows, 1), dtype),
        np.zeros((num_kv_heads, rows, head_size), dtype),
    )


def fold(running: Running, scores: Floats, values: Iterable[Floats]) -> Folded:
    """Take in some more tokens.

    `scores` (num_kv_heads, rows, tokens), -inf for a token that a row must not see, turn
    into weights in place. `values` come in one or more parts (some of the tokens,
    num_kv_heads, head_size), each of which is used up before the next is asked for.

    >>> values = [np.array([[[10.0]], [[20.0]]])]
    >>> first = fold(nothing_yet(1, 1, 1, np.dtype(float)), np.log([[[1.0, 3.0]]]), values)
    >>> first.running.output().item()  # (1 * 10 + 3 * 20) / 4
    17.5
    >>> # log 6 is larger: correction 3 / 6, sum 4 / 3 * 3 / 6 + 8 / 6
    >>> second = fold(first.running, np.log([[[6.0, 2.0]]]), values)
    >>> second.correction.round(9).item(), second.running.sum.round(9).item()
    (0.5, 2.0)
    """
    maximum = np.maximum(running.maximum, scores.max(axis=-1, keepdims=True))
    # a row that has seen nothing has maximum -inf; -inf - -inf would be NaN
    shift = np.where(np.isneginf(maximum), maximum.dtype.type(0), maximum)
    correction = np.exp(running.maximum - shift)
    scores -= shift
    weights = np.exp(scores, out=scores)
    total = running.sum * correction + weights.sum(axis=-1, keepdims=True)
    accumulator = running.accumulator * correction
    done = 0
    for part in values:
        some = weights[..., done : done + len(part)]
        accumulator += np.matmul(some, part.transpose(1, 0, 2))
        done += len(part)
    return Folded(Running(maximum, total, accumulator), correction, weights)
