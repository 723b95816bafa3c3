"""A mix as it is typed, or pasted from a sheet: one row of requests a line.

Accepted, with numbers written 30000, 30,000, 30.000 or 30 000:
    31 x 200 + 25       requests x prompt + answer
    200 + 25            one request
    200 25              the same; three columns are requests, prompt, answer
CSV, TSV and semicolons are columns too, with or without a header that names them.

Leaves out: whether the mix can run (`mix`).
"""

from __future__ import annotations

import csv
import re

from pagedviz.timeline.spyre.errors import MixError
from pagedviz.timeline.spyre.mix import MixGroup

MAX_CHARS = 20_000
MAX_LINES = 200
MAX_NUMBER = 10_000_000

EXPECTED = "expected requests x prompt + answer, such as 31 x 200 + 25"
_SIGNS = re.compile(
    r"(?:(?P<count>[^x×*+]+)[x×*])?(?P<prompt>[^x×*+]+)\+(?P<answer>[^x×*+]+)", re.IGNORECASE
)
_GROUPED = re.compile(r"[0-9]{1,3}(?:([,.' \u00a0\u202f\u2019])[0-9]{3})(?:\1[0-9]{3})*")
_COLUMNS = ("count", "prompt", "answer")
_NAMES = {
    "count": ("count", "requests", "number", "n", "how many", "visitors"),
    "prompt": ("prompt", "input", "context", "in", "boxes"),
    "answer": ("answer", "output", "max_tokens", "max tokens", "generated", "out", "new"),
}


def parse_mix(text: str) -> tuple[MixGroup, ...]:
    """The groups of a mix, in the order of the lines. MixError names the line that is wrong.

    >>> parse_mix("1 x 30,000 + 25\\n31 x 200 + 25")
    (MixGroup(count=1, prompt=30000, answer=25), MixGroup(count=31, prompt=200, answer=25))
    >>> parse_mix("prompt;answer;count\\n30.000;25;1")
    (MixGroup(count=1, prompt=30000, answer=25),)
    >>> parse_mix("200")
    Traceback (most recent call last):
    ...
    pagedviz.timeline.spyre.errors.MixError: line 1 ('200') has no answer length; expected
    requests x prompt + answer, such as 31 x 200 + 25
    """
    if not isinstance(text, str):
        raise MixError(f"must be text, not {type(text).__name__}; {EXPECTED}")
    if len(text) > MAX_CHARS:
        raise MixError(
            f"{len(text):,} characters are too many; at most {MAX_CHARS:,}. Put requests that "
            "are alike on one line, such as 31 x 200 + 25"
        )
    lines = text.lstrip("\ufeff").splitlines()
    if len(lines) > MAX_LINES:
        raise MixError(
            f"{len(lines):,} lines are too many; at most {MAX_LINES}. Put requests that are "
            "alike on one line, such as 31 x 200 + 25"
        )
    groups: list[MixGroup] = []
    columns: tuple[str, ...] | None = None
    seen = False
    for number, raw in enumerate(lines, 1):
        line = raw.strip(" \u00a0")
        if not line.strip(" \t;,"):
            continue
        if not seen and not re.search("[0-9]", line):
            columns = _header(number, line)
        else:
            groups.append(_row(number, line, columns))
        seen = True
    if not groups:
        raise MixError(f"there are zero requests; {EXPECTED}")
    return tuple(groups)


def _header(number: int, line: str) -> tuple[str, ...]:
    """The columns a header names; an unknown name makes it junk."""
    found = []
    for cell in _cells(line):
        name = cell.strip().lower().replace("-", "_")
        column = next((c for c in _COLUMNS if name in _NAMES[c]), None)
        if column is None:  # prompt_tokens, answer length and the like
            first = re.split(r"[ _(]", name)[0]
            column = next((c for c in _COLUMNS if first in _NAMES[c]), None)
        found.append(column or "")
    if (
        "prompt" not in found
        or "answer" not in found
        or "" in found
        or len(set(found)) < len(found)
    ):
        raise MixError(
            f"({_shown(line)}) is neither a row nor a header with the columns prompt and answer, "
            f"and count if you like; {EXPECTED}",
            number,
        )
    return tuple(found)


def _row(number: int, line: str, columns: tuple[str, ...] | None) -> MixGroup:
    if (signs := _SIGNS.fullmatch(line)) is not None:
        parts = {name: cell for name, cell in signs.groupdict().items() if cell is not None}
    else:
        cells = _cells(line)
        names = columns or (_COLUMNS if len(cells) == 3 else _COLUMNS[1:])
        if len(cells) == 1 and _whole(cells[0]) is not None:
            raise MixError(f"({_shown(line)}) has no answer length; {EXPECTED}", number)
        if len(cells) != len(names):
            what = f"{len(names)} columns, as in the header" if columns else EXPECTED[9:]
            raise MixError(f"({_shown(line)}) is no row of requests; expected {what}", number)
        parts = dict(zip(names, cells, strict=True))
    values = {name: _number(number, line, name, cell) for name, cell in parts.items()}
    return MixGroup(values.get("count", 1), values["prompt"], values["answer"])


def _cells(line: str) -> list[str]:
    """The columns of a line, by the first separator there is: tab, semicolon, space, comma.

    >>> _cells("31,200,25"), _cells("30,000 25"), _cells('1,"30,000",25'), _cells("30,000")
    (['31', '200', '25'], ['30,000', '25'], ['1', '30,000', '25'], ['30,000'])
    """
    for separator in ("\t", ";"):
        if separator in line:
            return _split(line, separator)
    spaced = line.split()
    if len(spaced) in (2, 3) and all(_whole(cell) is not None for cell in spaced):
        return spaced
    if "," in line:
        cells = _split(line, ",")
        # 30,000 is one number and not two: nobody writes a length as 000
        return [line] if any(re.fullmatch("0[0-9]{2}", cell) for cell in cells[1:]) else cells
    return spaced if len(spaced) in (2, 3) else [line]


def _split(line: str, separator: str) -> list[str]:
    try:
        row = next(csv.reader([line], delimiter=separator, skipinitialspace=True))
    except csv.Error:  # quotes that do not close, a NUL
        return [line]
    cells = [cell.strip() for cell in row]
    while cells and not cells[-1]:  # a sheet's empty columns
        cells.pop()
    return cells


def _whole(cell: str) -> int | None:
    """A whole number, thousands marked or not; None if it is none.

    >>> [_whole(c) for c in ("30000", "30,000", "30.000", "1,000,000", "25.0", "3.5", "-1", "3,00")]
    [30000, 30000, 30000, 1000000, 25, None, None, None]
    """
    cell = cell.strip()
    if re.fullmatch(r"[0-9]{1,9}", cell):
        return int(cell)
    if _GROUPED.fullmatch(cell):
        return int(re.sub("[^0-9]", "", cell))
    if re.fullmatch(r"[0-9]{1,9}\.0{1,2}", cell):  # how some sheets write whole numbers
        return int(cell.split(".")[0])
    return None


def _number(number: int, line: str, name: str, cell: str) -> int:
    value = _whole(cell)
    if value is None:
        raise MixError(
            f"({_shown(line)}): {name} must be a whole number, not {_shown(cell.strip())}; "
            f"{EXPECTED}",
            number,
        )
    if not 1 <= value <= MAX_NUMBER:
        near = 1 if value < 1 else MAX_NUMBER
        raise MixError(
            f"({_shown(line)}): {name} must be from 1 to {MAX_NUMBER:,}, not {value:,}; "
            f"try {near:,}",
            number,
        )
    return value


def _shown(text: str) -> str:
    """The text as a message shows it, on one line."""
    shown = repr(text)
    return shown if len(shown) <= 42 else f"{shown[:40]}...'"
