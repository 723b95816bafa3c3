"""Attention weights before they are drawn or told: checks, and the few words both share.

Leaves out: where weights come from; the engine's kernel or anything else may have made them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagedviz.timeline.captions import Register

MAX_TOKENS: Final = 48
MAX_HEADS: Final = 8
Weights = NDArray[np.float64]
WORDS: Final[dict[Register, dict[str, str]]] = {
    "room": {
        "x": "box",
        "y": "box that asks",
        "block": "line",
        "weight": "share",
        "head": "reader",
        "kv": "card",
    },
    "engine": {
        "x": "token position",
        "y": "query position",
        "block": "logical block",
        "weight": "weight",
        "head": "head",
        "kv": "KV",
    },
}


class WeightsError(ValueError):
    """Weights that cannot be drawn: the message names the row or size, and what can be."""


def checked(
    weights: object, block_size: int, labels: Sequence[str] | None, *, causal: bool = False
) -> tuple[Weights, list[str]]:
    """The weights as float64 and one label per token. WeightsError if they cannot be drawn."""
    try:
        cells = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise WeightsError("weights must be numbers, as many in each row") from None
    if cells.ndim != 2 or not cells.size:
        raise WeightsError(f"weights must have rows and columns, not the shape {cells.shape}")
    rows, tokens = cells.shape
    most = MAX_TOKENS if causal else MAX_HEADS
    if tokens > MAX_TOKENS or rows > most:
        raise WeightsError(f"weights may have {most} rows of {MAX_TOKENS}, not {rows} of {tokens}")
    if type(block_size) is not int or block_size < 1:
        raise WeightsError(f"block_size must be at least 1, not {block_size!r}")
    if labels is not None and len(labels) != tokens:
        raise WeightsError(f"labels must be {tokens}, one per token, not {len(labels)}")
    if causal and rows > tokens:
        raise WeightsError(f"weights have {rows} queries but {tokens} tokens to stand at")
    for row, line in enumerate(cells):
        if not np.isfinite(line).all() or line.min() < 0 or abs(line.sum() - 1) > 1e-2:
            raise WeightsError(f"row {row} of weights must be from 0 to 1 and add up to 1")
        if causal and line[tokens - rows + row + 1 :].any():
            raise WeightsError(f"row {row} of weights looks beyond itself: it is not causal")
    return cells, [str(at) for at in range(tokens)] if labels is None else list(labels)


def head_name(
    head: int, heads: int, num_kv_heads: int | None, register: Register = "engine"
) -> str:
    """'head 3', and the KV head that it reads.

    >>> head_name(3, 4, None), head_name(3, 4, 2), head_name(3, 4, 2, "room")
    ('head 3', 'head 3 (KV 1)', 'reader 3 (card 1)')
    """
    words = WORDS[register]
    name = f"{words['head']} {head}"
    if num_kv_heads is None:
        return name
    return f"{name} ({words['kv']} {head * num_kv_heads // heads})"
