"""From the bytes of a file to one JSON object, or what is wrong with them in plain words.

Reads UTF-8, with or without a byte order mark, plain or gzipped.

Leaves out: what the object must hold (`run.py`).
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Mapping

from pagedviz.timeline.errors import RunError

MAX_FILE_BYTES = 64_000_000  # unpacked


def parse(data: bytes | str, name: str) -> Mapping[str, object]:
    """The object in a file; `name` (the file's) goes into error messages. Raises RunError.

    >>> parse(b'{"format": 1}', "f.json")
    {'format': 1}
    """
    text = data if isinstance(data, str) else _decode(data, name)
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise RunError("is empty", source=name, advice="Choose a run file saved by pagedviz.")
    if text.lstrip().startswith("<"):
        raise RunError(
            "is a web page, not a run file",
            source=name,
            advice="Save the run itself, not the page that shows it.",
        )
    try:
        trace = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise RunError(
            f"is not valid JSON: {_broken(error)} line {error.lineno:,}, column {error.colno:,}",
            source=name,
            advice="The file may be cut off or edited by hand.",
        ) from error
    except RecursionError:
        raise RunError("is nested too deeply to be a run", source=name) from None
    except ValueError as error:
        what = str(error) if isinstance(error, _NoNumberError) else "one of thousands of digits"
        raise RunError(f"holds a number that cannot be used: {what}", source=name) from error
    if not isinstance(trace, Mapping):
        kind = "a list" if isinstance(trace, list) else "a single value"
        raise RunError(
            f"holds {kind} where an object is needed",
            source=name,
            advice="A run file has a format, a config and steps.",
        )
    return trace


def _broken(error: json.JSONDecodeError) -> str:
    if error.msg.startswith("Unterminated string"):
        return "a text has no closing quotation mark, from"
    if error.msg == "Extra data":
        return "something follows after its end, at"
    early = error.pos >= len(error.doc.rstrip())
    return "it ends too early, at" if early else "something is missing or misplaced at"


def _decode(data: bytes, name: str) -> str:
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                data = file.read(MAX_FILE_BYTES + 1)
        except (OSError, EOFError, ValueError, zlib.error) as error:
            raise RunError("is a damaged gzip file", source=name) from error
    if len(data) > MAX_FILE_BYTES:
        raise RunError(f"is larger than {MAX_FILE_BYTES // 1_000_000} MB", source=name)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise RunError("is saved as UTF-16", source=name, advice="Save it as UTF-8.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RunError(
            f"is not text in UTF-8 (byte {error.start + 1})",
            source=name,
            advice="Choose a run file saved by pagedviz.",
        ) from error


def _no_constant(text: str) -> object:
    raise _NoNumberError(f"{text} is not a JSON number")


class _NoNumberError(ValueError):
    """NaN or Infinity, which Python reads and JSON does not know."""
