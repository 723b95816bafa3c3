"""CSV to columns: separator, header, rows of the wrong length, headers in the middle.

What it does: finds the separator in the header line, reads every cell as text, and drops with a
remark what is a header again. A table in which some row has another number of fields is read a
second time row by row, and those rows are named.

What it leaves out: what the cells mean (`checked_columns.py`). Limits: `raw_table.MAX_ROWS`
rows, `text.MAX_BYTES` bytes.
"""

from __future__ import annotations

import csv
import io

import numpy as np
import pandas as pd
from pandas.errors import ParserError

from pagedviz.workload.errors import TraceError
from pagedviz.workload.raw_table import MAX_ROWS, RawTable
from pagedviz.workload.trace import rejections

SEPARATORS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "vertical bar"}
NUL_SHOWN = "\u2400"  # a NUL byte, made visible: no number has one


def csv_table(text: str, name: str) -> RawTable:
    """The table in `text`. Raises TraceError if there is none.

    >>> table = csv_table("a;b\\n1;2\\na;b\\n3;4\\n", "x.csv")
    >>> table.names, list(table.values(1)), list(table.rows)
    (['a', 'b'], ['2', '4'], [1, 3])
    >>> table.notes
    ['Columns are separated by semicolon.', 'Row 2 repeats the header: left out.']
    """
    notes = []
    if nuls := text.count("\0"):
        text = text.replace("\0", NUL_SHOWN)
        notes.append(f"{nuls:,} NUL byte{'s' if nuls > 1 else ''} in the text, shown as ␀.")
    text = text.lstrip("\ufeff\r\n")
    separator = _separator(text)
    names = _header(text, separator, name)
    if separator != ",":
        notes.append(f"Columns are separated by {SEPARATORS[separator]}.")
    cells, rejected = _cells(text, separator, name, len(names))
    cells = _without_blank_rows(cells)
    if len(cells) > MAX_ROWS:
        raise TraceError(
            name, f"has {len(cells):,} rows; at most {MAX_ROWS:,} are read", "Load a part of it."
        )
    again = np.ones(len(cells), dtype=bool)
    for i, own in enumerate(names):
        again &= (cells[i].str.strip() == own).to_numpy(dtype=bool)
    if again.any():
        notes.append(_repeated(cells.index[again]))
        cells = cells[~again]
    if cells.empty and not len(rejected):
        raise TraceError(name, "has no data rows, only a header", columns=tuple(names))
    return RawTable(
        name, names, lambda i: cells[i], cells.index, notes, [rejected], separator != ","
    )


def _separator(text: str) -> str:
    """The one that is in the header line most often; a comma if there is none."""
    line = text[: text.find("\n")] if "\n" in text else text
    outside = "".join(line.split('"')[::2])  # what is in quotes separates nothing
    return max(SEPARATORS, key=outside.count)


def _header(text: str, separator: str, name: str) -> list[str]:
    try:
        names = next(csv.reader(io.StringIO(text), delimiter=separator), [])
    except csv.Error as error:
        raise TraceError(name, f"has no readable header line ({error})") from error
    names = [own.strip() for own in names]
    while names and not names[-1]:
        names.pop()  # separators at the end of the line
    if not names:
        raise TraceError(name, "has no header line")
    if all(_is_number_or_date(own) for own in names if own):
        raise TraceError(
            name,
            "has no header line: it begins with values",
            "Put a line with the names of the columns before them.",
        )
    return names


def _is_number_or_date(cell: str) -> bool:
    return cell[:1].isdigit() and not any(c.isalpha() and c not in "TZeE" for c in cell)


def _cells(text: str, separator: str, name: str, width: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """All cells as text, by row number, and the rows of another length as rejected."""
    try:
        # Without `names`, or pandas would take rows that are one field longer to have an index.
        table = pd.read_csv(
            io.StringIO(text),
            sep=separator,
            header=None,
            dtype=str,
            na_filter=False,
            skip_blank_lines=False,
            on_bad_lines="error",
        )
    except ParserError as error:
        if "EOF inside string" in str(error):
            raise TraceError(name, "has a quotation mark that is never closed") from error
        return _row_by_row(text, separator, name, width)
    table = table.iloc[1:, :width].fillna("")
    table.index = pd.RangeIndex(1, len(table) + 1, name="row")
    return table, rejections([], "", [])


def _row_by_row(
    text: str, separator: str, name: str, width: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    kept, numbers, wrong, reasons = [], [], [], []
    reader = csv.reader(io.StringIO(text), delimiter=separator)
    try:
        next(reader)
        for number, row in enumerate(reader, 1):
            while len(row) > width and not row[-1]:
                row.pop()
            if len(row) > width:
                wrong.append(number)
                reasons.append(f"has {len(row)} fields; the header has {width}")
            else:
                kept.append(row + [""] * (width - len(row)))
                numbers.append(number)
    except csv.Error as error:
        raise TraceError(name, f"cannot be read in line {reader.line_num:,}: {error}") from error
    columns = list(zip(*kept, strict=True)) or [()] * width
    table = pd.DataFrame({i: pd.Series(column, dtype=str) for i, column in enumerate(columns)})
    table.index = pd.Index(numbers, name="row")
    return table, rejections(wrong, "", reasons)


def _without_blank_rows(cells: pd.DataFrame) -> pd.DataFrame:
    blank = np.ones(len(cells), dtype=bool)
    for i in cells.columns:
        blank &= (cells[i].str.strip() == "").to_numpy(dtype=bool)
    return cells[~blank] if blank.any() else cells


def _repeated(rows: pd.Index) -> str:
    if len(rows) == 1:
        return f"Row {rows[0]:,} repeats the header: left out."
    few = ", ".join(f"{row:,}" for row in rows[:5]) + (", ..." if len(rows) > 5 else "")
    return f"{len(rows):,} rows repeat the header and are left out: {few}."
