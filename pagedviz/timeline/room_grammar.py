"""Names, numbers, lists and verbs of the storage room's sentences.

Leaves out: what is said (`room_words.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from pagedviz.timeline.state import RequestView
from pagedviz.timeline.step import Step

LONGEST = 190  # characters that fit two lines on the stage


def who_is(step: Step) -> tuple[str, str, RequestView]:
    """The visitor in bold, the letter alone, and the numbers after the step."""
    assert step.request is not None
    assert step.view is not None
    return f"**Visitor {step.request.letter}**", step.request.letter, step.view


def number(n: int) -> str:
    """Digits, as on the picture; only none and one are words.

    >>> number(0), number(1), number(2), number(1024)
    ('no', 'one', '2', '1,024')
    """
    return ("no", "one")[n] if n < 2 else f"{n:,}"


def boxes(n: int) -> str:
    """A number of boxes.

    >>> boxes(1), boxes(40)
    ('one box', '40 boxes')
    """
    return "one box" if n == 1 else f"{number(n)} boxes"


def shelves(n: int) -> str:
    """A number of shelves; `shelf` names them."""
    return f"{number(n)} {'shelf' if n == 1 else 'shelves'}"


def listed(ids: Sequence[int], most: int = 5) -> str:
    """Numbers as one reads them out; runs and long lists are shortened.

    >>> listed([7]), listed([7, 3]), listed([4, 5, 6, 7]), listed([9, 3, 7, 1, 5, 8, 2])
    ('7', '7 and 3', '4 to 7', '9, 3, 7 and 4 more')
    """
    if len(ids) > 2 and list(ids) == list(range(ids[0], ids[0] + len(ids))):
        return f"{ids[0]} to {ids[-1]}"
    if len(ids) > 3 and list(ids) == list(range(ids[0], ids[0] - len(ids), -1)):
        return f"{ids[0]} down to {ids[-1]}"
    parts = [str(i) for i in ids]
    if len(parts) > most:
        parts = [*parts[:3], f"{number(len(ids) - 3)} more"]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def shelf(ids: Sequence[int], most: int = 5) -> str:
    """Shelves by number, in bold."""
    return f"{'shelf' if len(ids) == 1 else 'shelves'} **{listed(ids, most)}**"


def fits(text: str) -> bool:
    """Whether a caption fits two lines; the marks of emphasis are not shown."""
    return len(text.replace("*", "")) <= LONGEST


def first(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def verb(n: int, plural: str) -> str:
    """The verb for one or several.

    >>> verb(1, "go"), verb(1, "stay"), verb(2, "go")
    ('goes', 'stays', 'go')
    """
    ending = "es" if plural.endswith("o") else "s"
    return plural + ending if n == 1 else plural


def from_queue(new: Sequence[int]) -> str:
    """Where new shelves were taken from."""
    return "first in the queue" if len(new) == 1 else "the first in the queue"
