"""From tokens to queries, keys and values: a small fixed projection, not a trained model.

A token's embedding is drawn from its id, three matrices drawn from the seed project it, and
queries and keys are turned by their position (rotary embedding, base 100 for short contexts).
So a key carries its position, as in a real model: attention itself only adds over a set.

Leaves out: training, layers, everything a language model knows. The same token at the same
place always gives the same numbers.

Source: Vaswani et al. 2017 (projections); Su et al. 2021 (RoPE), in the half-split form that
Hugging Face and vLLM use by default.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

EMBEDDING = 24  # numbers per token
ROPE_BASE = 100.0
QUERY_GAIN = 1.6  # makes the scores differ enough to be seen
MADE_UP_IDS = 50_000


@dataclass(frozen=True)
class Projected:
    """Queries, keys and values of a row of tokens, in float32."""

    query: Array  # (num_tokens, num_heads, head_size)
    key: Array  # (num_tokens, num_kv_heads, head_size)
    value: Array  # (num_tokens, num_kv_heads, head_size)


def made_up_ids(count: int, seed: int, owner: int) -> tuple[int, ...]:
    """Token ids of one owner of blocks, `count` of them.

    >>> made_up_ids(3, 54, 0) == made_up_ids(3, 54, 0) != made_up_ids(3, 54, 1)
    True
    """
    drawn = np.random.default_rng((seed, 1, owner)).integers(MADE_UP_IDS, size=count)
    return tuple(int(token) for token in drawn)


def project(
    ids: Sequence[int], *, heads: int, kv_heads: int, head_size: int, seed: int
) -> Projected:
    """Project the tokens at positions 0, 1, 2, ...; `head_size` must be even."""
    embedded = np.stack([np.random.default_rng((2, i)).standard_normal(EMBEDDING) for i in ids])
    rng = np.random.default_rng((seed, 3))
    shapes = {"query": heads, "key": kv_heads, "value": kv_heads}
    out = {}
    for name, count in shapes.items():
        matrix = rng.standard_normal((EMBEDDING, count * head_size)) / np.sqrt(EMBEDDING)
        out[name] = (embedded @ matrix).reshape(len(ids), count, head_size)
    return Projected(
        _rotate(out["query"] * QUERY_GAIN).astype(np.float32),
        _rotate(out["key"]).astype(np.float32),
        out["value"].astype(np.float32),
    )


def _rotate(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn the pairs (i, i + half) of each vector by an angle that grows with the position."""
    num_tokens, _, head_size = vectors.shape
    half = head_size // 2
    speeds = ROPE_BASE ** (-np.arange(half) / half)
    angles = np.arange(num_tokens)[:, None] * speeds  # (num_tokens, half)
    cos, sin = np.cos(angles)[:, None, :], np.sin(angles)[:, None, :]
    first, second = vectors[..., :half], vectors[..., half:]
    return np.concatenate((first * cos - second * sin, second * cos + first * sin), axis=-1)
