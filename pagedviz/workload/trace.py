"""What a load is, wherever it came from: requests, rows that could not be used, remarks.

Leaves out: reading (`read.py`), making up (`generate.py`), running (`simulate.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

MAX_TOKENS = 10_000_000  # in one prompt or answer; more is a slip of the unit


@dataclass(frozen=True)
class Trace:
    """Requests in the order of the file; treat the tables as read-only.

    `requests` has the file's row numbers (1 = first row after the header) as index "row", and
        arrival_s      float64   seconds after the first request of the file
        prompt_tokens  int64     tokens of the prompt
        output_tokens  int64     tokens of the answer; 0 = none was recorded, not simulated
        block_hashes   tuples of ids, where the file has them: one id per `hash_block_size`
                       tokens of the prompt, the last one possibly for fewer
        segments       tuples of (id, tokens), where a generator shares text: the prompt, piece
                       by piece; equal ids after equal beginnings are the same text
        answer_id      int64, beside segments: the id by which a later prompt quotes this answer
    `rejected` has row, column ("" = the whole row) and reason, one line per fault.
    """

    name: str
    form: str  # the form that was recognised, or "columns named by the user"
    requests: pd.DataFrame
    rejected: pd.DataFrame
    notes: tuple[str, ...] = ()
    hash_block_size: int | None = None  # tokens per id in block_hashes

    @property
    def num_rows(self) -> int:
        """Rows that were looked at, repeated headers and blank lines not counted."""
        return len(self.requests) + self.num_rejected_rows

    @property
    def num_rejected_rows(self) -> int:
        """Rows that cannot be used; one row may have several faults."""
        return int(self.rejected["row"].nunique())

    @property
    def knows_prefixes(self) -> bool:
        """Whether it is known which prompts begin alike, so that prefix hits can be counted."""
        return "block_hashes" in self.requests or "segments" in self.requests

    @property
    def usable(self) -> pd.DataFrame:
        """The requests that can be simulated: those with an answer."""
        return self.requests[self.requests["output_tokens"] > 0]


@dataclass(frozen=True)
class LengthSums:
    """The lengths of a trace in blocks of one size. Lengths, not slots: see `length_sums`."""

    tokens: int
    blocks: int
    waste: float  # share of the blocks' places that stay empty


def length_sums(trace: Trace, block_size: int) -> LengthSums:
    """Prompt and answer of every row, rounded up to blocks.

    In the engine the last token of an answer never gets a slot, so that a run fills one place
    fewer per request than counted here.

    >>> rows = pd.DataFrame({"prompt_tokens": [10, 20], "output_tokens": [6, 13]})
    >>> length_sums(Trace("x", "x", rows, no_rejections()), 16)
    LengthSums(tokens=49, blocks=4, waste=0.234375)
    """
    total = trace.requests["prompt_tokens"] + trace.requests["output_tokens"]
    tokens, blocks = int(total.sum()), int((-(total // -block_size)).sum())
    return LengthSums(tokens, blocks, 1 - tokens / (blocks * block_size) if blocks else 0.0)


def no_rejections() -> pd.DataFrame:
    """An empty table of rejected rows."""
    return rejections([], "", [])


def rejections(rows: Sequence[int] | pd.Index, column: str, reasons: Sequence[str]) -> pd.DataFrame:
    """A table of rejected rows that have their fault in the same column."""
    return pd.DataFrame(
        {
            "row": np.asarray(rows, dtype=np.int64),
            "column": pd.Series([column] * len(reasons), dtype=object),
            "reason": pd.Series(list(reasons), dtype=object),
        }
    )
