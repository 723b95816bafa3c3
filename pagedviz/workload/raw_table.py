"""A file as columns of raw values, before anybody asks whether they are numbers.

`csv_table` and `record_table` make one; `checked_columns` turns its columns into numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pandas as pd

from pagedviz.workload.errors import TraceError

MAX_ROWS = 2_000_000


@dataclass
class RawTable:
    """Names as the file has them (a name may be there twice), and values by row number."""

    source: str  # the file's name, for messages
    names: list[str]
    values: Callable[[int], pd.Series]  # position of a name -> its column; index: row number
    rows: pd.Index  # numbers of the rows that are there
    notes: list[str] = field(default_factory=list)
    rejected: list[pd.DataFrame] = field(default_factory=list)  # rows that are not in `rows`
    decimal_comma: bool = False

    def position(self, name: str) -> int | None:
        """Where a column is, by name; upper and lower case and outer spaces do not matter.

        A name in the very spelling goes before another. Raises TraceError if it is there twice.
        """
        exact = [i for i, own in enumerate(self.names) if own == name]
        wanted = plain(name)
        found = exact or [i for i, own in enumerate(self.names) if plain(own) == wanted]
        if len(found) > 1:
            raise TraceError(
                self.source,
                f'has the column "{name}" {_times(len(found))}',
                "Rename one of them, so that it is clear which one counts.",
                tuple(self.names),
            )
        return found[0] if found else None


def plain(name: str) -> str:
    """A column's name without what people write differently.

    >>> plain(" Request  Tokens ")
    'request tokens'
    """
    return " ".join(name.split()).casefold()


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"
