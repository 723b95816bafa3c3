"""The heat maps of `attention_weights.py` in one sentence each, and as rows of a table.

Leaves out: the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from pagedviz.charts.attention_weights_checks import WORDS, Weights, checked, head_name
from pagedviz.timeline.captions import Register

_ALT: Final[dict[Register, dict[str, str]]] = {
    "room": {
        "one": "{row} looks most at box {at}{label} in line {block} of the slip, with {share}",
        "all": "Shares of {tokens} boxes in {blocks} lines of the slip, one row for each reader. "
        "{lines}.",
        "even": "{row} looks at all {tokens} boxes alike, with {share} each",
        "triangle": (
            "What each of {queries} boxes looked at, for one head; nothing lies after the box "
            "itself. The newest, {line}."
        ),
    },
    "engine": {
        "one": "{row} gives most to token {at}{label} in logical block {block}: {share}",
        "all": "Attention weights over {tokens} tokens in {blocks} blocks, by head. {lines}.",
        "even": "{row} gives all {tokens} tokens the same: {share}",
        "triangle": (
            "Causal attention weights of {queries} queries, one head; zero after the query "
            "itself. The last, {line}."
        ),
    },
}


def weights_alt(
    weights: object,
    block_size: int,
    labels: Sequence[str] | None = None,
    register: Register = "room",
) -> str:
    """Which token gets most from each head.

    >>> weights_alt([[0.5, 0.25, 0.25]], 2, ["the", "shop", "is"], "engine")
    'Attention weights over 3 tokens in 2 blocks, by head. Head 0 gives most to token 0 "the" \
in logical block 0: 50 %.'
    """
    cells, names = checked(weights, block_size, labels)
    given = names if labels is not None else None
    lines = [
        _line(line, f"{WORDS[register]['head']} {head}", block_size, given, register)
        for head, line in enumerate(cells)
    ]
    told = "; ".join(lines)
    tokens = cells.shape[1]
    return _ALT[register]["all"].format(
        tokens=tokens, blocks=-(-tokens // block_size), lines=told[0].upper() + told[1:]
    )


def triangle_alt(
    weights: object,
    block_size: int,
    labels: Sequence[str] | None = None,
    register: Register = "room",
) -> str:
    """What the triangle shows, and which token gets most from the newest one.

    >>> triangle_alt([[1, 0], [0.25, 0.75]], 1)
    'What each of 2 boxes looked at, for one head; nothing lies after the box itself. The \
newest, box 1, looks most at box 1 in line 1 of the slip, with 75 %.'
    """
    cells, names = checked(weights, block_size, labels, causal=True)
    queries, tokens = cells.shape
    who = f"{'box' if register == 'room' else 'token'} {tokens - 1},"
    line = _line(cells[-1], who, block_size, names if labels is not None else None, register)
    return _ALT[register]["triangle"].format(queries=queries, line=line)


def weights_rows(
    weights: object,
    block_size: int,
    labels: Sequence[str] | None = None,
    register: Register = "room",
    *,
    num_kv_heads: int | None = None,
) -> list[dict[str, object]]:
    """One row per token: position, text if there is one, block, weight of each head.

    >>> weights_rows([[0.5, 0.25, 0.25]], 2, register="engine")[2]
    {'token position': 2, 'logical block': 1, 'head 0': 0.25}
    """
    cells, names = checked(weights, block_size, labels)
    heads, tokens = cells.shape
    rows: list[dict[str, object]] = []
    for at in range(tokens):
        row: dict[str, object] = {WORDS[register]["x"]: at}
        if labels is not None:
            row["text"] = names[at]
        row[WORDS[register]["block"]] = at // block_size
        for head in range(heads):
            row[head_name(head, heads, num_kv_heads, register)] = float(cells[head, at])
        rows.append(row)
    return rows


def triangle_rows(
    weights: object,
    block_size: int,
    labels: Sequence[str] | None = None,
    register: Register = "room",
) -> list[dict[str, object]]:
    """One row per query: its position, its text if there is one, a weight per position up to it.

    >>> triangle_rows([[1, 0], [0.25, 0.75]], 1)
    [{'box that asks': 0, '0': 1.0, '1': None}, {'box that asks': 1, '0': 0.25, '1': 0.75}]
    """
    cells, names = checked(weights, block_size, labels, causal=True)
    queries, tokens = cells.shape
    rows: list[dict[str, object]] = []
    for i, line in enumerate(cells):
        at = tokens - queries + i
        row: dict[str, object] = {WORDS[register]["y"]: at}
        if labels is not None:
            row["text"] = names[at]
        rows.append(row | {str(p): float(w) if p <= at else None for p, w in enumerate(line)})
    return rows


def _line(
    line: Weights, row: str, block_size: int, names: Sequence[str] | None, register: Register
) -> str:
    most = int(np.argmax(line))
    share = f"{line[most]:.0%}".replace("%", " %")
    kind = "even" if len(line) > 1 and np.ptp(line) < 1e-9 else "one"
    return _ALT[register][kind].format(
        row=row,
        at=most,
        label=f' "{names[most]}"' if names is not None else "",
        block=most // block_size,
        share=share,
        tokens=len(line),
    )
