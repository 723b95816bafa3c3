"""Small words of the questions: numbers with their nouns, in both registers.

Leaves out: the questions.
"""

from __future__ import annotations

from pagedviz.timeline.presets import Words

_NOUNS = {
    "shelf": (("shelf", "shelves"), ("block", "blocks")),
    "new": (("new shelf", "new shelves"), ("new block", "new blocks")),
    "box": (("box", "boxes"), ("token", "tokens")),
    "visitor": (("visitor", "visitors"), ("request", "requests")),
}


def counted(n: int, noun: str) -> Words:
    """A number and what it counts; none is a word.

    >>> counted(1, "shelf"), counted(3_000, "box"), counted(0, "new").room
    (Words(room='1 shelf', engine='1 block'), Words(room='3,000 boxes', engine='3,000 tokens'),
    'no new shelf')
    """
    room, engine = _NOUNS[noun]
    number = f"{n:,}" if n else "no"
    return Words(f"{number} {room[n > 1]}", f"{number} {engine[n > 1]}")


def named(block: int) -> Words:
    """A block by its number."""
    return Words(f"shelf {block}", f"block {block}")


def person(letter: str) -> Words:
    """A request by its letter."""
    return Words(f"visitor {letter}", f"request {letter}")


def is_are(n: int) -> str:
    """The verb that goes with a number.

    >>> is_are(1), is_are(0), is_are(17)
    ('is', 'is', 'are')
    """
    return "are" if n > 1 else "is"
