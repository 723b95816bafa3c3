"""All terms in one table, and how one is found: by its link, by a search, in a running text.

Leaves out: how any of it is shown.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from pagedviz.facts.checks import FactError, slug
from pagedviz.facts.term import Term
from pagedviz.facts.terms_before import BEFORE_TERMS
from pagedviz.facts.terms_memory import MEMORY_TERMS
from pagedviz.facts.terms_model import MODEL_TERMS
from pagedviz.facts.terms_serving import SERVING_TERMS
from pagedviz.facts.terms_spyre import SPYRE_TERMS

_ALL: Final = (*MODEL_TERMS, *MEMORY_TERMS, *SERVING_TERMS, *BEFORE_TERMS, *SPYRE_TERMS)
TERMS: Final[Mapping[str, Term]] = MappingProxyType(
    {term.id: term for term in sorted(_ALL, key=lambda term: term.name.casefold())}
)
if len(TERMS) != len(_ALL):
    raise FactError("terms: two of them have the same id")


def _spellings(term: Term) -> Iterator[str]:
    yield term.name
    yield from term.also


_BY_SPELLING: Final[Mapping[str, Term]] = MappingProxyType(
    {slug(spelling): term for term in _ALL for spelling in _spellings(term)}
    | {term.id: term for term in _ALL}  # a name counts for more than another's second spelling
)


def nearest(text: str) -> Term | None:
    """The term that a name means, spelled in any of its ways or nearly so; None if nothing is near.

    >>> nearest("block-table").name, nearest("Block Tables").name, nearest("bloc tabel").name
    ('Block table', 'Block table', 'Block table')
    >>> nearest("zebra") is None, nearest("") is None
    (True, True)
    """
    wanted = slug(text[:80])
    if wanted in _BY_SPELLING:
        return _BY_SPELLING[wanted]
    near = difflib.get_close_matches(wanted, _BY_SPELLING, n=1, cutoff=0.6)
    return _BY_SPELLING[near[0]] if near else None


def search(text: str, group: str | None = None) -> tuple[Term, ...]:
    """Terms that hold every word of the text, best first; all of them for an empty text.

    A name or spelling counts before the storage room's word, and that before a definition.

    >>> [term.name for term in search("free queue")][:1]
    ['Free queue']
    >>> [term.id for term in search("shelf never")], search("zebra")
    (['null-block'], ())
    >>> len(search("")) == len(TERMS), {term.group for term in search("", "spyre")}
    (True, {'spyre'})
    """
    words = text.casefold().split()
    found = []
    for term in TERMS.values():
        if group is not None and term.group != group:
            continue
        names = " ".join(_spellings(term)).casefold()
        fields = (names, term.room.casefold(), term.says.casefold())
        if all(any(word in field for field in fields) for word in words):
            rank = min(
                (k for k, field in enumerate(fields) if all(w in field for w in words)), default=3
            )
            starts = term.name.casefold().startswith(text.casefold().strip())
            found.append((not starts if words else False, rank if words else 0, term))
    found.sort(key=lambda one: one[:2])  # stable: by name within a rank
    return tuple(term for _, _, term in found)


# Words of the storage room as they stand in its texts, and the term each of them stands for.
ROOM_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("shelf", "shelves"), "block"),
        **dict.fromkeys(("slip", "slips"), "block-table"),
        **dict.fromkeys(("visitor", "visitors"), "request"),
        **dict.fromkeys(("box", "boxes"), "token"),
        **dict.fromkeys(("aisle", "aisles"), "reservation"),
        **dict.fromkeys(("cartload", "cartloads"), "chunked-prefill"),
        **dict.fromkeys(("reader", "readers"), "query-head"),
        "writing table": "batch-x-context",
    }
)


def _pattern() -> re.Pattern[str]:
    loud = {s for term in _ALL if not term.quiet for s in _spellings(term)} | set(ROOM_WORDS)
    ordered = sorted(loud, key=lambda spelling: (-len(spelling), spelling))
    return re.compile(r"(?<![\w/.-])(?:" + "|".join(map(re.escape, ordered)) + r")(?![\w-])", re.I)


_IN_TEXT: Final = _pattern()


def in_text(text: str, most: int) -> tuple[tuple[int, int, Term], ...]:
    """Where terms stand in a running text: (start, end, term), each term once, `most` in all.

    >>> [(a, b, term.id) for a, b, term in in_text("A block table lists blocks, then blocks.", 9)]
    [(2, 13, 'block-table'), (20, 26, 'block')]
    >>> [term.id for _, _, term in in_text("The slip says which shelf comes next.", 9)]
    ['block-table', 'block']
    """
    found: list[tuple[int, int, Term]] = []
    for match in _IN_TEXT.finditer(text):
        word = match.group().casefold()
        term = TERMS[ROOM_WORDS[word]] if word in ROOM_WORDS else _BY_SPELLING[slug(word)]
        if len(found) < most and all(term is not other for _, _, other in found):
            found.append((match.start(), match.end(), term))
    return tuple(found)
