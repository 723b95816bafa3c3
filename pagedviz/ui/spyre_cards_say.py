"""Sentences about cards and models: what rows offer, and what the engine says about limits.

The engine has one wording, its own; `said` puts it into the words of the storage room, so that
both registers tell of the same rule.

Leaves out: the words of the page (`spyre_cards_words.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pagedviz.timeline.captions import Register
from pagedviz.ui.spyre_cards_rows import GIB, CardRow, billions, offers, short
from pagedviz.ui.spyre_cards_words import WORDS

# The engine's sentences in the words of the storage room; longer phrases first.
_ROOM: Final[tuple[tuple[str, str], ...]] = (
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


def said(text: str, register: Register) -> str:
    """A sentence of the engine about limits, in the register, with a capital at its beginning.

    >>> said("requests (max_num_seqs) 33 is more than the ceiling of 32; try 32", "room")
    'Visitors at once: 33 is more than the ceiling of 32; try 32.'
    """
    if register == "room":
        for pattern, words in _ROOM:
            text = re.sub(pattern, words, text)
    text = re.sub(r"(?<=\d) x (?=\d)", " × ", text)
    return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")


def in_gib(size: int) -> str:
    """Bytes in GiB, with as many places as they need, at most two.

    >>> in_gib(20 * 2**30), in_gib(784 * 64 * 163_840)
    ('20 GiB', '7.66 GiB')
    """
    return f"{size / GIB:,.2f}".rstrip("0").rstrip(".") + " GiB"


def counted_cards(n: int) -> str:
    """A number of cards.

    >>> counted_cards(1), counted_cards(4)
    ('1 card', '4 cards')
    """
    return "1 card" if n == 1 else f"{n:,} cards"


def rows_sentence(rows: Sequence[CardRow], register: Register) -> str:
    """What the rows offer in one sentence, in Markdown; at least one row.

    >>> from pagedviz.ui.spyre_cards_rows import card_rows
    >>> rows_sentence([row for row in card_rows() if row.name == "granite-4.1-30b"], "engine")
    'On 4 cards granite-4.1-30b serves **32** requests at **32,768** tokens
     (with 131,072 together at most).'
    """
    words = WORDS[register]
    models = sorted({row.config.model for row in rows})
    parts: list[str] = []
    begun: set[int] = set()
    counted = False  # whether "of how many models" has been said
    found = offers(rows)
    for offer in found:
        text = words["next" if parts else "first"].format(
            n=offer.requests, context=f"{offer.context:,}"
        )
        notes = []
        if offer.models < len(models):
            notes.append(f"{offer.models} of {len(models)}{'' if counted else ' models'}")
            counted = True
        if offer.product:
            notes.append(words["together"].format(product=f"{offer.product:,}"))
        if notes:
            text += f" ({', '.join(notes)})"
        if offer.cards not in begun:
            where = f"on {counted_cards(offer.cards)}"
            parts.append(f"{where} {text}" if parts else text)
            begun.add(offer.cards)
        else:
            last = [one for one in found if one.cards == offer.cards][-1] is offer
            parts[-1] += f"{' or' if last else ','} {text}"
    subject = words["serves"].format(subject=_subject(models))
    return f"On {counted_cards(found[0].cards)} {subject} {'; '.join(parts)}."


def _subject(models: Sequence[str]) -> str:
    if len(models) == 1:
        return short(models[0])
    sizes = {billions(model) for model in models}
    if len(sizes) > 1:
        return f"one of these {len(models)} models"
    size = sizes.pop()
    return f"{'an' if size in (8, 11, 18) else 'a'} {size}-billion model"
