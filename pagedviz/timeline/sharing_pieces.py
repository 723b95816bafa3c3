"""What sentences about sharing quote: pieces of text, and who is spoken of.

Leaves out: the sentences (`sharing_room_words.py`, `sharing_engine_words.py`).
"""

from __future__ import annotations

from pagedviz.timeline.sharing_reasons import Other, Reason

_LONGEST_PIECE = 24  # characters of a piece in a sentence


def quoted(piece: str) -> str:
    """A piece of text in quotation marks, with its spaces and line breaks visible.

    >>> quoted(" What"), quoted("14:05\\n")
    ('“·What”', '“14:05↵”')
    """
    shown = piece.replace(" ", "·").replace("\r\n", "↵").replace("\n", "↵").replace("\t", "→")
    if len(shown) > _LONGEST_PIECE:
        shown = shown[: _LONGEST_PIECE - 1] + "…"
    # Two asterisks would be read as emphasis; a joiner between them shows nothing.
    return f"“{shown.replace('**', '*' + chr(0x2060) + '*')}”"


def other_of(reason: Reason) -> Other:
    """The earlier prompt; reasons that have a sentence about one have one."""
    assert reason.other is not None
    return reason.other


def pieces_of(reason: Reason) -> tuple[str, str]:
    """Our piece and the other's at the place where they part."""
    ours, theirs = quoted(reason.ours), quoted(reason.theirs)
    return (ours, theirs) if ours != theirs else (ours, f"another {theirs}")
