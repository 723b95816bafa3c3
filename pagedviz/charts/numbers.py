"""The numbers of a chart as an HTML table that a screen reader and the keyboard can walk.

What stands in a cell is escaped, whatever a model, a file or a typed word says. Numbers keep to
the right and have thousands commas; the same table goes under the chart and into its file.

Leaves out: which numbers a chart has, which stands beside each figure (`*_rows`, `*_table`).
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import pandas as pd

PLAIN: Final[Mapping[str, str]] = MappingProxyType({})
SENTENCE: Final = 40  # characters; more than that need a column of some width


def numbers_html(table: pd.DataFrame, formats: Mapping[str, str] = PLAIN, label: str = "") -> str:
    """The table as HTML, in a frame of its own that scrolls and takes the focus.

    formats: column -> format of its numbers (".1%"); "" stands for all others with fractions.
    label: says what the table is to who cannot see it. A named index is the first column, and
    the first column names the row.

    >>> shown = numbers_html(pd.DataFrame({"who": ["<b>"], "n": [1234], "share": [0.5]}))
    >>> shown[shown.index("<tbody>"):shown.index("</tbody>")]
    '<tbody><tr><th scope="row">&lt;b&gt;</th><td class="n">1,234</td><td class="n">0.5</td></tr>'
    >>> '<td class="t">' in numbers_html(pd.DataFrame({"n": [1], "said": ["a sentence " * 4]}))
    True
    """
    flat = table if table.index.name is None else table.reset_index()
    heads = "".join(
        f'<th scope="col"{_side(flat.iloc[:, at])}>{html.escape(str(name))}</th>'
        for at, name in enumerate(flat.columns)
    )
    sides = [_side(flat.iloc[:, at]) for at in range(flat.shape[1])]
    rest = [formats.get("", "") if kind.kind == "f" else "" for kind in flat.dtypes]
    specs = [formats.get(str(n), other) for n, other in zip(flat.columns, rest, strict=True)]
    rows = []
    for row in flat.itertuples(index=False):
        cells = [html.escape(told(value, spec)) for value, spec in zip(row, specs, strict=True)]
        tds = "".join(f"<td{side}>{c}</td>" for side, c in zip(sides[1:], cells[1:], strict=True))
        rows.append(f'<tr><th scope="row"{sides[0]}>{cells[0]}</th>{tds}</tr>')
    return (
        f'<div class="pv-numbers" role="region" tabindex="0" aria-label="{html.escape(label)}">'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def told(value: object, spec: str = "") -> str:
    """A cell as it is shown: nothing for a gap, commas, no zeros that say nothing.

    >>> told(12345), told(0.125), told(12.5, ".1%"), told(None), told(2.0, ",.1f"), told("a")
    ('12,345', '0.12', '1250.0\xa0%', '', '2.0', 'a')
    >>> told(0.00004)
    '0.00004'
    """
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool | str):
        return str(value)
    number = value if isinstance(value, int) else float(value)  # type: ignore[arg-type]
    if spec:
        return f"{number:{spec}}".replace("%", "\N{NO-BREAK SPACE}%")
    if isinstance(number, int) or number.is_integer():
        return f"{number:,.0f}"
    if abs(number) < 0.01:
        return f"{number:.5f}".rstrip("0").rstrip(".")
    return f"{number:,.2f}".rstrip("0").rstrip(".")


def _side(column: pd.Series) -> str:
    numeric = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    if numeric:
        return ' class="n"'
    long = not column.empty and column.map(lambda cell: len(told(cell))).max() > SENTENCE
    return ' class="t"' if long else ""
