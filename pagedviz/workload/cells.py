"""Columns of raw values to numbers, and what is wrong with each cell that is none.

What it does: whole numbers of tokens, and times of arrival in seconds, for whole columns at
once. A cell is a number or it has a fault with a reason; nothing is rounded or repaired.

What it leaves out: which cell belongs to which row's fate (`checked_columns.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pagedviz.workload.errors import shown
from pagedviz.workload.forms import ArrivalUnit
from pagedviz.workload.trace import MAX_TOKENS

Bools = NDArray[np.bool_]
# reason of a fault -> the cells that have it; the first reason that applies counts
Faults = list[tuple[Callable[[object], str], Bools]]

_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+")
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
MAX_SECONDS = 10**12


def reasons(values: pd.Series, faults: Faults) -> pd.Series:
    """The reason of each cell that has a fault, by row number; other rows are not in it.

    >>> values = pd.Series(["x", "1"])
    >>> dict(reasons(values, [(lambda cell: f"{cell!r} is no number", np.array([True, False]))]))
    {0: "'x' is no number"}
    """
    open_cells = np.ones(len(values), dtype=bool)
    found: dict[int, str] = {}
    cells, rows = values.to_numpy(dtype=object), values.index.to_numpy()
    for say, mask in faults:
        for i in np.flatnonzero(mask & open_cells):
            found[int(rows[i])] = say(cells[i])
        open_cells &= ~mask
    return pd.Series(found, dtype=object).sort_index()


def is_blank(values: pd.Series) -> Bools:
    """Cells with nothing in them: None, or white space alone."""
    blank = values.isna() if values.dtype == object else pd.Series(False, index=values.index)
    if values.dtype != object:
        return np.asarray(values.str.strip() == "", dtype=bool)
    return np.asarray(
        [
            (gone and v is None) or (type(v) is str and not v.strip())
            for v, gone in zip(values, blank, strict=True)
        ],
        dtype=bool,
    )


def to_numbers(values: pd.Series, decimal_comma: bool) -> NDArray[np.float64]:
    """Each cell as a number; nan where it is none. True and False are none."""
    if values.dtype == object:
        plain = [v if type(v) in (int, float, str) else None for v in values]
        values = pd.Series(plain, index=values.index, dtype=object)
    if decimal_comma and values.dtype != object:
        comma = values.str.strip().str.fullmatch(_DECIMAL_COMMA.pattern)
        values = values.where(~comma, values.str.replace(",", ".", regex=False))
    try:
        numbers = pd.to_numeric(values, errors="coerce")
    except (OverflowError, ValueError, TypeError):  # a whole number no float can hold
        numbers = pd.to_numeric(values.map(_clipped), errors="coerce")
    return np.asarray(numbers, dtype=np.float64)


def _clipped(value: object) -> object:
    return float("inf") if type(value) is int and abs(value) > 2**63 else value


def token_counts(
    values: pd.Series, decimal_comma: bool, blank_is_zero: bool
) -> tuple[NDArray[np.int64], pd.Series, int]:
    """Whole numbers (0 where there is a fault), reasons of the faults, and blank cells taken as 0.

    >>> cells = pd.Series(["5", "-1", "x", "2.5", "inf", ""])
    >>> numbers, wrong, blank = token_counts(cells, False, blank_is_zero=True)
    >>> numbers.tolist(), blank
    ([5, 0, 0, 0, 0, 0], 1)
    >>> list(wrong)[:3]
    ["'-1' is negative", "'x' is not a number", "'2.5' is not a whole number"]
    """
    numbers, blank = to_numbers(values, decimal_comma), is_blank(values)
    with np.errstate(invalid="ignore"):
        fractional = np.isfinite(numbers) & (numbers != np.floor(numbers))
        faults: Faults = [
            (lambda cell: "is empty", blank & (not blank_is_zero)),
            (lambda cell: f"{shown(cell)} is not a number", np.isnan(numbers) & ~blank),
            (lambda cell: f"{shown(cell)} is not finite", np.isinf(numbers)),
            (lambda cell: f"{shown(cell)} is negative", numbers < 0),
            (lambda cell: f"{shown(cell)} is not a whole number", fractional),
            (lambda cell: f"{shown(cell)} is more than {MAX_TOKENS:,}", numbers > MAX_TOKENS),
        ]
    wrong = reasons(values, faults)
    good = np.isfinite(numbers) & ~np.isin(values.index, wrong.index)
    whole = np.where(good, numbers, 0).astype(np.int64)
    return whole, wrong, int((blank & blank_is_zero).sum())


def arrival_seconds(
    values: pd.Series, unit: ArrivalUnit, decimal_comma: bool
) -> tuple[NDArray[np.float64], pd.Series]:
    """Seconds from the file's own zero (for dates: from the earliest), and reasons of faults.

    >>> dates = pd.Series(["2023-11-16 18:17:03.9799600", "2023-11-16 18:17:05+00:00"])
    >>> [round(float(s), 7) for s in arrival_seconds(dates, "datetime", False)[0]]
    [0.0, 1.02004]
    """
    blank = is_blank(values)
    if unit == "datetime":
        text = values if values.dtype != object else values.map(_text_only)
        dates = pd.to_datetime(text, format="ISO8601", utc=True, errors="coerce")
        known = dates.notna().to_numpy()
        faults: Faults = [
            (lambda cell: "is empty", blank),
            (lambda cell: f"{shown(cell)} is not a date and time", ~known),
        ]
        if not known.any():
            return np.zeros(len(values)), reasons(values, faults)
        # In nanoseconds: seven digits after the point are more than a float of 1.7e9 s holds.
        ns = (dates - dates.min()).dt.as_unit("ns").astype("int64").to_numpy()
        return np.where(known, ns, 0) / 1e9, reasons(values, faults)
    numbers = to_numbers(values, decimal_comma) / _PER_SECOND[unit]
    with np.errstate(invalid="ignore"):
        faults = [
            (lambda cell: "is empty", blank),
            (lambda cell: f"{shown(cell)} is not a number", np.isnan(numbers)),
            (lambda cell: f"{shown(cell)} is not finite", np.isinf(numbers)),
            (lambda cell: f"{shown(cell)} is negative", numbers < 0),
            (lambda cell: f"{shown(cell)} is too large for a time", numbers > MAX_SECONDS),
        ]
    return np.nan_to_num(numbers, posinf=0.0, neginf=0.0), reasons(values, faults)


def _text_only(value: object) -> str | None:
    return value if isinstance(value, str) else None
