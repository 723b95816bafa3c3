"""Checks of one value from a file or a link: each says what is wrong with it, or None.

Most are made to measure: `count(1, 9)` is a check. The sentences go on from the name of the
field: "num_blocks" "must be from 2 to 8,192, not 1".

Leaves out: which key wants which check (`ops.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

Check = Callable[[object], str | None]  # value -> what is wrong with it, or None

HALF = "has half a character (a surrogate without its other half): type it again"


def show(value: object) -> str:
    """The value as Python writes it, cut to what a message can hold."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        return "a number of thousands of digits"
    return text if len(text) <= 40 else text[:37] + "..."


def whole_characters(text: str) -> bool:
    r"""Whether the text can be written as UTF-8; half a surrogate pair cannot.

    >>> whole_characters("\u00e4 \U0001f4e6"), whole_characters("\ud83d")
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_int(value: object) -> bool:
    """A whole number; True and 1.0 are none (JSON tells them apart, Python does not)."""
    return isinstance(value, int) and not isinstance(value, bool)


def count(low: int, high: int) -> Check:
    """A whole number from `low` to `high`.

    >>> count(2, 8192)(1), count(2, 8192)(30)
    ('must be from 2 to 8,192, not 1', None)
    """

    def check(v: object) -> str | None:
        if not is_int(v):
            return f"must be a whole number, not {show(v)}"
        if not low <= v <= high:  # type: ignore[operator]
            return f"must be from {low:,} to {high:,}, not {show(v)}"
        return None

    return check


def fraction(v: object) -> str | None:
    """A number from 0 up to, but not including, 1."""
    # Only a float is asked: a whole number can be too large to be turned into one.
    if (
        isinstance(v, bool)
        or not isinstance(v, (int, float))
        or (isinstance(v, float) and not math.isfinite(v))
    ):
        return f"must be a number, not {show(v)}"
    return None if 0 <= v < 1 else f"must be at least 0 and below 1, not {show(v)}"


def flag(v: object) -> str | None:
    """True or false, and not 1 or 0."""
    return None if isinstance(v, bool) else f"must be true or false, not {show(v)}"


def name(most: int) -> Check:
    """A text of 1 to `most` characters."""

    def check(v: object) -> str | None:
        if not isinstance(v, str) or not v:
            return f"must be a text that is not empty, not {show(v)}"
        return _wrong_text(v, most)

    return check


def text(most: int) -> Check:
    """A text of at most `most` characters."""

    def check(v: object) -> str | None:
        if not isinstance(v, str):
            return f"must be a text, not {show(v)}"
        return _wrong_text(v, most)

    return check


def _wrong_text(text: str, most: int) -> str | None:
    if len(text) > most:
        return f"must have at most {most} characters"
    return None if whole_characters(text) else HALF


def tokens(most: int) -> Check:
    """A list of 1 to `most` token ids."""

    def check(v: object) -> str | None:
        if not isinstance(v, (list, tuple)):
            return f"must be a list of token numbers, not {show(v)}"
        if not v:
            return "must not be empty"
        if len(v) > most:
            return f"has {len(v):,} tokens; the limit is {most:,}"
        for i, t in enumerate(v):
            # Asked of every token of a run, hence no call of `is_int`.
            if type(t) is not int or not 0 <= t < 2**63:
                return f"token {i + 1} must be a whole number from 0 up, not {show(t)}"
        return None

    return check


def block_ids(most: int) -> Check:
    """A list of at most `most` block ids."""

    def check(v: object) -> str | None:
        if not isinstance(v, (list, tuple)) or not all(is_int(b) for b in v):
            return f"must be a list of block numbers, not {show(v)}"
        return None if len(v) <= most else f"lists more than {most:,} blocks"

    return check


def record(fields: Mapping[str, Check]) -> Check:
    """An object with exactly these keys, each value as its check wants it."""

    def check(v: object) -> str | None:
        if not isinstance(v, Mapping):
            return f"must be an object with {', '.join(fields)}, not {show(v)}"
        for key in v:
            if key not in fields:
                return f"has an unknown key {show(key)}"
        for key, inner in fields.items():
            if key not in v:
                return f"lacks the key {key!r}"
            if wrong := inner(v[key]):
                return f"{key} {wrong}"
        return None

    return check


def records(item: Check, most: int, what: str) -> Check:
    """A list of at most `most` values that pass `item`; `what` they are, in the plural."""

    def check(v: object) -> str | None:
        if not isinstance(v, (list, tuple)) or len(v) > most:
            return f"must be a list of at most {most:,} {what}, not {show(v)}"
        for i, one in enumerate(v):
            if wrong := item(one):
                return f"item {i + 1} {wrong}"
        return None

    return check
