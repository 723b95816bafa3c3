"""JSON and JSONL to columns: a list of objects, or one object per line.

What it does: tells the two apart by their content, whatever the file is called; names lines
that are not JSON and rows that are not objects, and goes on without them.

What it leaves out: the forms that are no rows of requests (`bench_result.py`,
`conversations.py`). `read.py` asks those first.
"""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

from pagedviz.workload.errors import TraceError
from pagedviz.workload.raw_table import MAX_ROWS, RawTable
from pagedviz.workload.trace import rejections

_TOO_DEEP = "is nested too deeply to be a trace"


def looks_like_json(text: str) -> bool:
    """Whether the first character that is not white space opens an object or a list."""
    return text[:1000].lstrip()[:1] in ("{", "[")


def parse(text: str, name: str) -> tuple[list[Any] | dict[str, Any], pd.DataFrame, bool]:
    """The content, the lines that are not JSON, and whether it was one value per line.

    >>> parse('{"a": 1}', "x.json")[0]
    {'a': 1}
    >>> parse('{"a": 1}\\n{"a": 2}\\n', "x.jsonl")[0]
    [{'a': 1}, {'a': 2}]
    """
    none = rejections([], "", [])
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        lines = text.rstrip().split("\n")
        first = next(i for i, line in enumerate(lines) if line.strip())
        # One value per line if the first line is a value, or looks like a damaged one.
        if _value(lines[first]) is not None or _one_a_line(lines[first:]):
            return *_lines(lines, name), True
        raise TraceError(name, _broken(text, error)) from error
    except RecursionError as error:
        raise TraceError(name, _TOO_DEEP) from error
    except ValueError as error:  # a number of thousands of digits
        raise TraceError(name, f"is not JSON that can be read: {error}") from error
    if not isinstance(found, list | dict):
        raise TraceError(name, "is neither a list nor an object")
    return found, none, False


def record_table(records: list[Any], broken: pd.DataFrame, name: str, by_line: bool) -> RawTable:
    """Columns of a list of objects. Rows count from 1; in JSONL they are the lines."""
    if len(records) > MAX_ROWS:
        raise TraceError(
            name, f"has {len(records):,} rows; at most {MAX_ROWS:,} are read", "Load a part of it."
        )
    if not records:
        raise TraceError(name, "has no rows: the list is empty")
    blank = type(None) if by_line else dict  # a line with nothing on it is no row
    bad = [i for i, record in enumerate(records) if type(record) not in (dict, blank)]
    kept = [(i + 1, record) for i, record in enumerate(records) if type(record) is dict]
    if not kept:
        raise TraceError(name, "has no rows that are objects", 'A row looks like {"...": 1}.')
    names = list(dict.fromkeys(key for _, record in kept for key in record))
    numbers = pd.Index([number for number, _ in kept], name="row")

    def values(i: int) -> pd.Series:
        key = names[i]
        return pd.Series([record.get(key) for _, record in kept], index=numbers, dtype=object)

    reasons = [f"is a {_kind(records[i])}, not an object" for i in bad]
    rejected = [broken, rejections([i + 1 for i in bad], "", reasons)]
    notes = ["One JSON object per line."] if by_line else []
    return RawTable(name, names, values, numbers, notes, rejected)


def _lines(lines: list[str], name: str) -> tuple[list[Any], pd.DataFrame]:
    """The value of every line (None: blank or damaged), and the damaged lines."""
    found: list[Any] = []
    numbers, reasons = [], []
    for number, line in enumerate(lines, 1):
        try:
            found.append(json.loads(line) if line and not line.isspace() else None)
        except (ValueError, RecursionError) as error:
            found.append(None)
            numbers.append(number)
            what = error.msg if isinstance(error, json.JSONDecodeError) else "cannot be read"
            reasons.append(f"is not JSON: {what}")
    if all(value is None for value in found):
        raise TraceError(name, f"has no line that is JSON; line {numbers[0]:,} {reasons[0]}")
    return found, rejections(numbers, "", reasons)


def _value(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _one_a_line(lines: list[str]) -> bool:
    head = [line for line in lines[:5] if line.strip()]
    return len(head) > 1 and all(line.lstrip()[0] == "{" for line in head)


def _broken(text: str, error: json.JSONDecodeError) -> str:
    where = f"line {error.lineno:,} column {error.colno:,}"
    if not text[error.pos :].strip():
        return f"is not valid JSON: it ends early, at {where}; load the whole file"
    return f"is not valid JSON: {error.msg} at {where}"


def _kind(value: object) -> str:
    if isinstance(value, list):
        return "list"
    return "text" if isinstance(value, str) else "single value"
