"""Pieces from tokens whose bytes are known: byte-level BPE, as of GPT, Llama 3, Qwen, Granite.

Such tokenizers cut bytes, not characters, so a rare character may be spread over tokens.
The bytes are decoded as a stream: a character shows where its last byte arrives.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable

from pagedviz.tokens.piece import Piece, show_bytes


def pieces_of(tokens: Iterable[tuple[int, bytes]]) -> list[Piece]:
    """One piece for each (token id, bytes); all bytes together are a text in UTF-8.

    >>> bits = "a…b".encode()
    >>> [(p.text, p.start, p.end, p.split) for p in pieces_of([(1, bits[:3]), (2, bits[3:])])]
    [('a⟨e280⟩', 0, 1, True), ('…b', 1, 3, True)]
    """
    out: list[Piece] = []
    at = 0  # characters complete so far
    waiting = b""  # bytes of the next one
    for token, raw in tokens:
        carried, data = bool(waiting), waiting + raw
        whole, used = codecs.utf_8_decode(data, "strict", False)
        waiting = data[used:]
        # Only this token's own bytes: what waited before it was shown with the token before.
        shown = whole + show_bytes(waiting[-len(raw) :]) if waiting and raw else whole
        end = at + len(whole)
        out.append(Piece(token, shown, at, end, carried or bool(waiting)))
        at = end
    return out
