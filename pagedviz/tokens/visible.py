"""A piece of text with what cannot be seen made visible, for showing tokens.

A space is "·", a line break "↵", a tab "→"; other blank, control and direction characters show
a sign or their code ("⟨U+200B⟩"), so that none of them turns or hides its neighbours.
Letters stay in the order they are stored in: right-to-left text is the browser's to lay out,
and the joiners inside emoji and Indic or Persian words stay what they are.

Leaves out: escaping for HTML; whoever builds the page does that.
"""

from __future__ import annotations

import unicodedata

_SIGNS = {" ": "·", "\n": "↵", "\t": "→", "\u00a0": "⍽", "\u202f": "⍽", "\x7f": "␡"}
# Invisible formatting characters: soft hyphen, zero-width space and its kin, direction marks.
_HIDDEN = (0xAD, 0x61C, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2060, 0x2065))
_ISOLATES = (*range(0x2066, 0x2070), 0xFEFF)
_BLANK = (*range(0x80, 0xA0), 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x205F, 0x3000)
_TABLE = {
    **{code: chr(0x2400 + code) for code in range(0x20)},  # control pictures: ␀ ␍ ␛
    **{code: f"⟨U+{code:04X}⟩" for code in (*_HIDDEN, *_ISOLATES, *_BLANK)},
    **{ord(char): sign for char, sign in _SIGNS.items()},
}
_JOINERS = "\u200c\u200d"


def visible(piece_text: str) -> str:
    """The text of a piece as it is to be shown.

    >>> visible(" a\\tb\\r\\n")
    '·a→b␍↵'
    >>> visible("\\u0301 (an accent without its letter)")[:2] == "◌\\u0301"
    True
    """
    shown = piece_text.translate(_TABLE)
    # A mark cut off from its letter would sit on whatever stands before it on the page.
    if shown and (shown[0] in _JOINERS or unicodedata.category(shown[0]).startswith("M")):
        return "◌" + shown
    return shown
