"""Dense decode attention over contiguous memory: what paging is held against.

Keys and values of a sequence lie in one run, token after token, as a server without paging
keeps them. Two matrix products and a softmax; as many sequences at once as keep their scores
within a few MiB, which was measured to be as fast as all at once, or a little faster.

Leaves out: different lengths, masks, prefill (`attention_dense.py` has the general
reference), and checks: the run at real size makes what it hands over.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagedviz.engine.real_size_memory import DENSE_GROUP

Array = NDArray[np.floating[Any]]


def dense_batch(
    query: Array, key: Array, value: Array, *, scale: float | None = None
) -> NDArray[np.float32]:
    """Attention of one query token per sequence over all its tokens; float32 out.

    query: (num_seqs, num_heads, head_size); key, value: (num_seqs, num_tokens, num_kv_heads,
    head_size), float32 or float16 (then converted to float32 group by group). scale: default
    1 / sqrt(head_size).

    >>> one = np.ones((1, 2, 4), np.float32)
    >>> kv = np.ones((1, 3, 1, 4), np.float32)
    >>> dense_batch(one, kv, kv).round(6).tolist()
    [[[1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]]]
    """
    seqs, heads, size = query.shape
    tokens, kv_heads = key.shape[1:3]
    # a Python float: a float64 of numpy would turn everything after it into float64
    by = float(size**-0.5 if scale is None else scale)
    rows = (query.astype(np.float32) * by).reshape(seqs, kv_heads, heads // kv_heads, size)
    each = 4 * tokens * heads
    if key.dtype != np.float32:
        each += 8 * tokens * kv_heads * size
    step = max(1, DENSE_GROUP // each)
    out = np.empty((seqs, heads, size), np.float32)
    for start in range(0, seqs, step):
        some = slice(start, start + step)
        out[some] = _group(rows[some], key[some], value[some]).reshape(-1, heads, size)
    return out


def _group(rows: Array, key: Array, value: Array) -> Array:
    """Some sequences; what is converted for them is given back at the end.

    rows: (num_seqs, num_kv_heads, heads per KV head, head_size), scaled; so is the result.
    """
    keys = key.astype(np.float32, copy=False).transpose(0, 2, 3, 1)  # (seqs, KV heads, size, T)
    scores: Array = np.matmul(rows, keys)  # (seqs, KV heads, heads per KV head, T)
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    values = value.astype(np.float32, copy=False).transpose(0, 2, 1, 3)
    found: Array = np.matmul(scores, values)
    return found
