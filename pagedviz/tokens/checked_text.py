"""What may be typed or pasted: looked at once, before any tokenizer sees it.

Line ends and spaces stay as they are, for they are tokens; `\\r\\n` and `\\n` make different
prompts, and to see that is the point. What no text can hold is replaced, and said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pagedviz.tokens.errors import TextError

MAX_CHARACTERS = 100_000
REPLACEMENT = "\ufffd"
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Checked:
    """A text that a tokenizer can take, and what had to be done to it (sentences)."""

    text: str
    notices: tuple[str, ...] = ()


def check_text(text: str | bytes, limit: int = MAX_CHARACTERS) -> Checked:
    """The text made fit for a tokenizer. Raises TextError if it is empty or only white space.

    Bytes (a file, a link) are read as UTF-8.

    >>> check_text("Hello\\r\\n")
    Checked(text='Hello\\r\\n', notices=())
    >>> check_text("a\\0b").notices
    ('1 NUL character was replaced by \ufffd.',)
    """
    notices: list[str] = []
    if isinstance(text, bytes):
        text = _decode(text, notices)
    if len(text) > limit:
        rest = len(text) - limit
        text = text[:limit]
        notices.append(f"Cut after {limit:,} characters; the other {rest:,} {_are(rest)} left out.")
    if not text or text.isspace():
        what = "only white space" if text else "empty"
        raise TextError(f"This prompt is {what}. Type something: a prompt needs a token.")
    # Two halves side by side are one character that was written in two.
    text = _PAIR.sub(lambda pair: _joined(pair[0]), text)
    text, halves = _HALF.subn(REPLACEMENT, text)
    if halves:
        what = "half character" if halves == 1 else "half characters"
        notices.append(f"{halves:,} {what} (lone surrogates) {_were(halves)}")
    if nuls := text.count("\0"):
        text = text.replace("\0", REPLACEMENT)
        notices.append(f"{nuls:,} NUL character{'' if nuls == 1 else 's'} {_were(nuls)}")
    return Checked(text, tuple(notices))


def _decode(data: bytes, notices: list[str]) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        notices.append(
            f"Not UTF-8 from byte {error.start + 1:,} on; what could not be read "
            f"was replaced by {REPLACEMENT}."
        )
        return data.decode("utf-8-sig", errors="replace")


def _joined(pair: str) -> str:
    return pair.encode("utf-16", "surrogatepass").decode("utf-16")


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _were(count: int) -> str:
    return f"{'was' if count == 1 else 'were'} replaced by {REPLACEMENT}."
