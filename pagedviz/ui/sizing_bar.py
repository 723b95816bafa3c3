"""The card's memory as a bar, and the part for the cache cut into requests, as HTML.

Widths are shares of the card; each part carries its bytes for the pointer, and the same stands in
a table for everybody else. More requests than can be told apart are drawn several to a piece.

Leaves out: where the bytes come from (`sizing_parts.py`).
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

from pagedviz.sizing.units import GIB, gib

MOST_PIECES = 160


@dataclass(frozen=True)
class Part:
    """One part of the card. `kind` names its look, `size` is in bytes."""

    kind: str  # weights, room, kv, rest, pool, free
    name: str
    size: int


def bar(parts: Sequence[Part], label: str, card: int) -> str:
    """The bar and its key. Parts without bytes are not drawn.

    card: bytes the card has; a line marks its end where the parts take more.

    >>> parts = [Part("kv", "KV <cache>", 3 * 2**30), Part("rest", "rest", 2**30)]
    >>> print(bar(parts, "A card", 2**32))
    <div class="pv-bar" role="img" aria-label="A card: KV &lt;cache&gt; 3 GiB, rest 1 GiB">...
    """
    drawn = [part for part in parts if part.size > 0]
    total = sum(part.size for part in drawn) or 1
    said = ", ".join(f"{part.name} {gib(part.size)}" for part in drawn)
    pieces = "".join(
        f'<span class="pv-{part.kind}" style="width:{100 * part.size / total:.3f}%" '
        f'title="{_hover(part, total)}"></span>'
        for part in drawn
    )
    if total > card:
        pieces += f'<em style="left:{100 * card / total:.3f}%"></em>'
    key = "".join(
        f'<li title="{_hover(part, total)}"><i class="pv-{part.kind}"></i>'
        f"{html.escape(part.name)} <b>{gib(part.size)}</b></li>"
        for part in drawn
    )
    aria = html.escape(f"{label}: {said}", quote=True)
    return (
        f'<div class="pv-bar" role="img" aria-label="{aria}">{pieces}</div>'
        f'<ul class="pv-key">{key}</ul>'
    )


def cut(requests: int, each: int, left: int, words: dict[str, str], label: str) -> str:
    """The cache cut into `requests` of `each` bytes, and what is left over.

    words: "cell", "visitor", "visitors", "left". One piece stands for several requests where
    there are more than 160.

    >>> words = {"cell": "{who}: {size}", "visitor": "{n}", "visitors": "{a}-{b}", "left": "rest"}
    >>> cut(2, 2**30, 0, words, "Two").count("<i ")
    2
    >>> cut(1_000, 2**20, 0, words, "Many").count("<i ")
    143
    """
    lump = per_piece(requests)
    found = []
    for first in range(1, requests + 1, lump):
        last = min(first + lump - 1, requests)
        who = words["visitor"].format(n=f"{first:,}")
        if last > first:
            who = words["visitors"].format(a=f"{first:,}", b=f"{last:,}")
        size = each * (last - first + 1)
        found.append(_piece(who, size, words, ""))
    if left > 0:
        found.append(_piece(words["left"], left, words, ' class="pv-left"'))
    aria = html.escape(label, quote=True)
    return f'<div class="pv-cut" role="img" aria-label="{aria}">{"".join(found)}</div>'


def per_piece(requests: int) -> int:
    """How many requests a piece stands for.

    >>> per_piece(160), per_piece(161), per_piece(1_000)
    (1, 2, 7)
    """
    return max(1, -(-requests // MOST_PIECES))


def _piece(who: str, size: int, words: dict[str, str], kind: str) -> str:
    title = html.escape(words["cell"].format(who=who, size=_bytes(size)), quote=True)
    return f'<i{kind} style="flex-grow:{size}" title="{title}"></i>'


def _hover(part: Part, total: int) -> str:
    text = f"{part.name}: {_bytes(part.size)}, {part.size / total:.1%}"
    return html.escape(text, quote=True)


def size_text(size: int) -> str:
    """Bytes in GiB, below that in MiB, three digits that count.

    >>> size_text(3 * 2**29), size_text(213_909_504)
    ('1.5 GiB', '204 MiB')
    """
    return gib(size) if size >= GIB else gib(size * 2**10).replace("GiB", "MiB")


def _bytes(size: int) -> str:
    """Both ways of saying it: short, and to the byte.

    >>> _bytes(2**30)
    '1 GiB (1,073,741,824 bytes)'
    """
    return f"{size_text(size)} ({size:,} bytes)"
