"""Messages about the attention page's levers, in the words that stand on the levers.

The rules have one wording, the engine's; here it is put into the storage room's, so that a
viewer finds the lever that a message speaks of.
"""

import re

from pagedviz.timeline.captions import Register

_ROOM = (
    (r"\bquery heads\b", "readers"),
    (r"\bKV heads\b", "cards per box"),
    (r"\bThe head size\b", "Numbers"),
    (r"\bThe block size\b", "Boxes per shelf"),
    (r"\bThe number of tokens\b", "A's boxes"),
    (r"\bThe number of readers\b", "Readers"),
    (r"\bThe number of cards per box\b", "Cards per box"),
    (r"\bblocks of (\d+)", r"shelves of \1"),
    (r"\bblocks?\b", lambda found: "shelf" if found[0] == "block" else "shelves"),
    (r"\btokens?\b", lambda found: "box" if found[0] == "token" else "boxes"),
    (r"\btable\b", "slip"),
    (r" \(RoPE\)", ""),
)


def said(text: str, register: Register) -> str:
    """A message in the register.

    >>> said("The head size can be from 2 to 16, not 0.", "room")
    'Numbers can be from 2 to 16, not 0.'
    >>> said("18 tokens in blocks of 1 are 18 blocks", "room")
    '18 boxes in shelves of 1 are 18 shelves'
    """
    if register == "room":
        for pattern, words in _ROOM:
            text = re.sub(pattern, words, text)
    return text
