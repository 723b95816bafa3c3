"""A talk as a JSON file, and back with care: a file is other people's text.

What is wrong is said with file, entry and field. Links are checked to be of this app. Leaves out:
drawing any of it, which is done as plain text, never as markup.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any, Final

from pagedviz.talks.address import view_of
from pagedviz.talks.talk import Stop, Talk, TalkError

FORMAT: Final = "pagedviz talk"
VERSION: Final = 1
MAX_BYTES: Final = 400_000
OWN: Final = "own"  # the id of a talk that did not come with the app


def to_json(talk: Talk) -> str:
    """The text of the file."""
    stops = [asdict(stop) for stop in talk.stops]
    data = {"format": FORMAT, "version": VERSION, "title": talk.title, "minutes": talk.minutes}
    return json.dumps(data | {"about": talk.about, "stops": stops}, indent=1, ensure_ascii=False)


def from_json(data: bytes, name: str, pages: Collection[str]) -> Talk:
    r"""The talk in a file.

    Args:
        data: what the file holds.
        name: the file's name, for what is said of it.
        pages: the pages there are, as they stand in an address.

    Raises TalkError that names the file and, inside it, entry and field.

    >>> from_json(b'{"format": "pagedviz talk", "version": 9}', "a.json", [""])
    Traceback (most recent call last):
    pagedviz.talks.talk.TalkError: a.json: version 9 was made by a newer release of pagedviz; ...
    """
    name = name[:80] or "the file"
    if len(data) > MAX_BYTES:
        raise TalkError(f"{name}: has {len(data):,} bytes; at most {MAX_BYTES:,} are read")
    try:
        found = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # text, JSON, numbers of 5,000 digits
        where = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise TalkError(f"{name}: is no JSON text{where}; save the talk again") from error
    if not isinstance(found, Mapping) or found.get("format") != FORMAT:
        raise TalkError(f'{name}: is no talk; a talk has "format": "{FORMAT}"')
    version = found.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise TalkError(f"{name}: version: must be {VERSION}, not {_shown(version)}")
    if version > VERSION:
        raise TalkError(
            f"{name}: version {version:,} was made by a newer release of pagedviz; this one reads "
            f"{VERSION}"
        )
    stops = found.get("stops")
    if not isinstance(stops, list):
        raise TalkError(f"{name}: stops: must be a list of views")
    try:
        made = tuple(_stop(each, number, pages) for number, each in enumerate(stops, 1))
        title, about = _text(found, "title"), _text(found, "about", "")
        return Talk(OWN, title, made, _number(found, "minutes"), about)
    except TalkError as error:
        raise TalkError(f"{name}: {error}") from error


def _stop(data: object, number: int, pages: Collection[str]) -> Stop:
    try:
        if not isinstance(data, Mapping):
            raise TalkError(f"must be an object with link and title, not {_shown(data)}")
        link = _text(data, "link")
        try:
            link = view_of(link, pages).link
        except ValueError as error:
            raise TalkError(f"link: {error}") from error
        note = _text(data, "note", "")
        return Stop(link, _text(data, "title"), note, _number(data, "presses"))
    except TalkError as error:
        raise TalkError(f"entry {number}: {error}") from error


def _text(data: Mapping[str, Any], field: str, default: str | None = None) -> str:
    value = data.get(field, default)
    if not isinstance(value, str):
        said = "is missing" if value is None else f"must be text, not {_shown(value)}"
        raise TalkError(f"{field}: {said}")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise TalkError(f"{field}: holds half of a character; type it anew")
    return value


def _number(data: Mapping[str, Any], field: str) -> int:
    value = data.get(field, 0)
    if not isinstance(value, int) or isinstance(value, bool):
        raise TalkError(f"{field}: must be a whole number, not {_shown(value)}")
    return value


def _shown(value: object) -> str:
    return json.dumps(value, default=str)[:40]
