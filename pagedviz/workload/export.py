"""A table as CSV that no spreadsheet takes for a program.

What it does: text that a spreadsheet would run as a formula gets an apostrophe before it; this
holds for cells, for the header and for the index. Numbers stay numbers, negative ones too.

Source: OWASP, "CSV Injection".
"""

from __future__ import annotations

import pandas as pd

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(table: pd.DataFrame) -> str:
    """The table with its header; the index comes first if it has a name.

    >>> to_csv(pd.DataFrame({"=who": ["=1+1", "Ann"], "n": [-1, 2]})).split()
    ["'=who,n", "'=1+1,-1", 'Ann,2']
    """
    safe = table.copy()
    if safe.index.name is not None:
        safe = safe.reset_index()
    for at, dtype in enumerate(safe.dtypes):
        if not pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype):
            safe.isetitem(at, [harmless(cell) for cell in safe.iloc[:, at]])
    safe.columns = pd.Index([harmless(name) for name in safe.columns])
    # RFC 4180's line end: a cell with either of its characters in it is then put in quotes.
    return str(safe.to_csv(index=False, lineterminator="\r\n"))


def harmless(value: object) -> object:
    """Text that begins like a formula, with an apostrophe; anything else as it is.

    >>> harmless("@SUM(A1)"), harmless("-5"), harmless(-5), harmless("a=b")
    ("'@SUM(A1)", "'-5", -5, 'a=b')
    """
    if isinstance(value, str) and value.startswith(_FORMULA):
        return "'" + value
    return value
