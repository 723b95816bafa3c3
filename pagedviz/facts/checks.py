"""What is checked of every entry of these tables when it is made.

Leaves out: links between entries, which are known only when all tables are there (tests/facts).
"""

from __future__ import annotations

import re

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class FactError(ValueError):
    """An entry that cannot stand: names the field and what is wrong with it."""


def slug(name: str) -> str:
    """The name as it stands in a link.

    >>> slug("Block table"), slug("GB and GiB"), slug("FP8 (E4M3)"), slug("Power 11")
    ('block-table', 'gb-and-gib', 'fp8-e4m3', 'power-11')
    """
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")


def check_id(field: str, text: str) -> None:
    """Lower case letters, digits and single hyphens, as in a link. FactError otherwise.

    >>> check_id("id", "block table")
    Traceback (most recent call last):
    pagedviz.facts.checks.FactError: id: must be like "block-table", not "block table"
    """
    if not _SLUG.fullmatch(text):
        raise FactError(f'{field}: must be like "block-table", not "{text}"')


def check_text(field: str, text: str) -> None:
    """Something is said, without blanks around it. FactError otherwise."""
    if not text or text != text.strip():
        raise FactError(f'{field}: must be a text without blanks around it, not "{text}"')


def check_words(field: str, text: str, most: int) -> None:
    """At most so many words. FactError otherwise.

    >>> check_words("says", "one two three", 2)
    Traceback (most recent call last):
    pagedviz.facts.checks.FactError: says: has 3 words, 2 at most
    """
    check_text(field, text)
    if (count := len(text.split())) > most:
        raise FactError(f"{field}: has {count} words, {most} at most")
