"""A view of the app as a relative address: "/allocator?preset=three-visitors&step=24".

A talk holds nothing but such addresses, so that a talk from elsewhere cannot send anybody to
another site. What belongs to the one who shows it (presenter view, place in a talk) is left out.

Leaves out: what the parameters mean, which each page says by itself when the view is opened.
"""

import re
from collections.abc import Collection
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

MAX_LINK: Final = 4_000  # characters
NOT_PART: Final = frozenset({"talk", "at", "present", "notes", "view", "lock", "hide"})


class View(NamedTuple):
    """A page by the last part of its address ("" is the start page), and its parameters."""

    page: str
    params: tuple[tuple[str, str], ...]

    @property
    def link(self) -> str:
        """The address below the app's root.

        >>> View("spyre", (("part", "mix"),)).link
        '/spyre?part=mix'
        """
        return "/" + self.page + ("?" + urlencode(self.params) if self.params else "")


def view_of(link: str, pages: Collection[str]) -> View:
    """The view that a relative link means.

    Args:
        link: path and query, nothing before them.
        pages: the pages there are, as they stand in an address.

    Raises ValueError with the reason.

    >>> view_of("/spyre?part=mix&present=1", ["", "spyre"])
    View(page='spyre', params=(('part', 'mix'),))
    >>> view_of("https://example.org/spyre", ["", "spyre"])
    Traceback (most recent call last):
    ValueError: must begin with "/" and lead to a page of this app, not to "https://example.org/spyre"
    >>> view_of("/spire", ["", "spyre"])
    Traceback (most recent call last):
    ValueError: there is no page "spire"; the pages are /, /spyre
    """
    if len(link) > MAX_LINK:
        raise ValueError(f"has {len(link):,} characters; at most {MAX_LINK:,} are read")
    if re.search(r"[\s\x00-\x1f\x7f]", link):
        raise ValueError(f"has spaces or control characters in it: {link[:60]!r}")
    try:
        parts = urlsplit(link)
    except ValueError:
        parts = urlsplit("")
    if not link.startswith("/") or link.startswith("//") or "\\" in link or parts.scheme:
        raise ValueError(
            f'must begin with "/" and lead to a page of this app, not to "{link[:60]}"'
        )
    return _view(parts.path.strip("/"), parts.query, pages)


def pasted_view(text: str, pages: Collection[str]) -> View:
    """The view of an address copied from the browser; which server it names does not matter.

    Only the page and its parameters are kept. Raises ValueError with the reason.

    >>> pasted_view("http://127.0.0.1:8501/tools/spyre?part=mix", ["", "spyre"])
    View(page='spyre', params=(('part', 'mix'),))
    """
    text = text.strip()
    if not text:
        raise ValueError("is empty: copy the address of a page of this app")
    if len(text) > MAX_LINK:
        raise ValueError(f"has {len(text):,} characters; at most {MAX_LINK:,} are read")
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise ValueError(f'"{text[:60]}" is no address') from error
    if parts.scheme not in ("", "http", "https"):
        raise ValueError(f'"{text[:60]}" is no address of a page of this app')
    last = parts.path.rstrip("/").rpartition("/")[2]
    if parts.netloc and last not in pages and not parts.path.strip("/"):
        last = ""
    return _view(last, parts.query, pages)


def _view(page: str, query: str, pages: Collection[str]) -> View:
    if page not in pages:
        there_are = ", ".join("/" + each for each in pages)
        raise ValueError(f'there is no page "{page[:40]}"; the pages are {there_are}')
    params = parse_qsl(query, keep_blank_values=True)
    return View(page, tuple(each for each in params if each[0] not in NOT_PART))
