"""Lines about cards and models: what the rows of the table offer.

Leaves out: the words of the page (`spyre_cards_words.py`), the engine's own (`spyre_say.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from pagedviz.timeline.captions import Register
from pagedviz.ui.spyre_cards_rows import GIB, CardRow, offers, short
from pagedviz.ui.spyre_cards_words import WORDS


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


def rows_lines(rows: Sequence[CardRow], register: Register) -> list[str]:
    """What the rows offer, one line of Markdown for each number of cards; at least one row.

    At most two offers a line: those that most models have, and of these the larger ones.

    >>> from pagedviz.ui.spyre_cards_rows import card_rows
    >>> rows_lines([row for row in card_rows() if row.name == "granite-4.1-30b"], "engine")
    ['On 4 cards: **32** requests at **32,768** tokens (at most 131,072 together)']
    """
    words = WORDS[register]
    lines = []
    found = offers(rows)
    for cards in sorted({offer.cards for offer in found}):
        here = [offer for offer in found if offer.cards == cards]
        here.sort(key=lambda one: (-one.models, -one.requests * one.context))
        shown = [here[0], *[one for one in here if one.context != here[0].context][:1]]
        texts: list[str] = []
        for offer in sorted(shown, key=lambda one: one.context):
            text = words["next" if texts else "first"].format(
                n=offer.requests, context=f"{offer.context:,}"
            )
            if offer.product:
                text += f" ({words['together'].format(product=f'{offer.product:,}')})"
            texts.append(text)
        lines.append(f"On {counted_cards(cards)}: {' or '.join(texts)}")
    return lines


def rows_note(rows: Sequence[CardRow], register: Register) -> str:
    """Where the lines are read from, and whether each model has each of them.

    >>> from pagedviz.ui.spyre_cards_rows import card_rows
    >>> rows_note(card_rows(), "engine")
    'Not every model has each of these: the 39 rows below tell which.'
    """
    words = WORDS[register]
    models = {row.config.model for row in rows}
    counted = words["row"] if len(rows) == 1 else words["rows"].format(n=len(rows))
    if len(models) == 1:
        return words["rows of one"].format(model=short(rows[0].config.model), rows=counted)
    if any(offer.models < len(models) for offer in offers(rows)):
        return words["rows differ"].format(rows=counted)
    return words["rows shown"].format(models=len(models), rows=counted)
