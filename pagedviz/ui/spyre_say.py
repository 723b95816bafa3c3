"""The engine's sentences about limits, lists and scenes, in the words of the storage room.

The engine has one wording, its own; here it is put into the other register, so that both tell
of the same rule. What somebody typed stands in quotation marks and stays as it is.

Leaves out: the words of the pages.
"""

from __future__ import annotations

import re
from typing import Final

from pagedviz.timeline.captions import Register

# The engine's sentences in the words of the storage room; longer phrases first.
_ROOM: Final[tuple[tuple[str, str], ...]] = (
    # a list of requests
    (r"requests x prompt \+ answer(, in tokens)?", "visitors x boxes + answer"),
    ("columns prompt and answer, and count if", "columns boxes and answer, and visitors if"),
    (r"a prompt of ([\d,]+) tokens, padded to", r"\1 boxes, on full shelves"),
    (r"a prompt of ([\d,]+) tokens", r"\1 boxes"),
    (r"a prompt of at most ([\d,]+) fits", r"at most \1 boxes fit"),
    (r"with this prompt an", "with these boxes an"),
    (r"With this prompt an", "With these boxes an"),
    ("Prompt and answer together must fit", "Boxes and answer together must fit"),
    (r"more than the context of ([\d,]+)", r"more than the \1 boxes one may have"),
    (r"\bcount (?=must)", "the number of visitors "),
    (r"\bprompt (?=must)", "the number of boxes "),
    ("their prompts have", "they bring"),
    ("or shorten prompts", "or have them bring fewer boxes"),
    # the pool of 1.10.0
    (r"num_blocks ([\d,]+): the pool has no block left", r"\1 shelves: none is left"),
    ("the server would stop here", "the house would close here"),
    # limits
    (r"requests \(max_num_seqs\) (?=must)", "visitors at once "),
    (r"requests \(max_num_seqs\) ", "visitors at once: "),
    (r"context \(max_model_len\) (?=must)", "boxes each "),
    (r"context \(max_model_len\) ", "boxes each: "),
    (r"the product limit \(batch_tkv_limit\) (?=must)", "places at the table "),
    (r"the product limit \(batch_tkv_limit\) ", "places at the table: "),
    (r"blocks \(num_gpu_blocks_override\) (?=must)", "shelves "),
    (r"blocks \(num_gpu_blocks_override\) ", "shelves: "),
    (r"chunk_size (?=must)", "cartload "),
    (r"\bchunk (?=\d)", "cartload: "),
    ("block size", "shelf size"),
    ("try a product of at least", "try at least"),
    (r"a context of ([\d,]+)", r"\1 boxes each"),
    ("could then never decode", "could then never write"),
    ("a padded batch could then grow past the context", "a table could then need more than that"),
    ("cards, context and requests", "cards, boxes each and visitors"),
    ("product limit", "number of places"),
    (r"\bNobody names the blocks", "Nobody names the shelves"),
    (r"\brequests\b", "visitors"),
    (r"\brequest\b", "visitor"),
    (r"\btokens\b", "boxes"),
    (r"\bblocks\b", "shelves"),
    (r"\bblock\b", "shelf"),
    ("the table's row", "the list's line"),
    ("The table's row", "The list's line"),
    (r"\brow\b", "line"),
    (r"\bplugin\b", "software"),
)


# 'text', or "text" as Python quotes what has an apostrophe; long text is cut: 'text...'
_QUOTED: Final = re.compile(
    r"""((?<![\w.])'(?:[^'\\]|\\.)*'|(?<![\w.])"(?:[^"\\]|\\.)*?(?:"|\.\.\.'))"""
)


def reworded(text: str, register: Register) -> str:
    """A message in the words of the register; what is quoted in it stays.

    >>> reworded("line 2 ('3 requests') has no answer length", "room")
    "line 2 ('3 requests') has no answer length"
    >>> reworded("70 requests are more than the 64 that can be shown; leave out 6", "room")
    '70 visitors are more than the 64 that can be shown; leave out 6'
    """
    if register == "engine":
        return text
    parts = _QUOTED.split(text)
    for k in range(0, len(parts), 2):
        for pattern, words in _ROOM:
            parts[k] = re.sub(pattern, words, parts[k])
    return "".join(parts)


def said(text: str, register: Register) -> str:
    """A sentence of the engine about limits, in the register, with a capital at its beginning.

    >>> said("requests (max_num_seqs) 33 is more than the ceiling of 32; try 32", "room")
    'Visitors at once: 33 is more than the ceiling of 32; try 32.'
    """
    text = re.sub(r"(?<=\d) x (?=\d)", " × ", reworded(text, register))
    return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")
