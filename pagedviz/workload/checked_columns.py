"""A raw table and a form to a Trace: rows whose cells are all good, and the faults of the others.

What it does: checks prompt, answer, arrival and block ids of every row, leaves out each row with
a fault and names row, column and reason. Times are counted from the earliest row that stays.

What it leaves out: repairing. A cell is never guessed at.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pandas as pd

from pagedviz.workload.cells import arrival_seconds, reasons, token_counts
from pagedviz.workload.errors import TraceError
from pagedviz.workload.forms import Form
from pagedviz.workload.raw_table import RawTable
from pagedviz.workload.token_blocks import TOKENS_PER_ID, blocks_of_tokens
from pagedviz.workload.trace import Trace, rejections


def checked(table: RawTable, form: Form) -> Trace:
    """The trace in a table. Raises TraceError if not one row can be used."""
    notes = [*table.notes, *form.notes]
    faults = list(table.rejected)
    columns: dict[str, object] = {}

    def values(name: str) -> pd.Series:
        at = table.position(name)
        assert at is not None  # the form was chosen by its columns
        return table.values(at)

    def fault(name: str, found: pd.Series) -> None:
        faults.append(rejections(found.index, name, list(found)))

    if form.arrival is not None and table.position(form.arrival) is not None:
        seconds, wrong = arrival_seconds(
            values(form.arrival), form.arrival_unit, table.decimal_comma
        )
        columns["arrival_s"] = seconds
        fault(form.arrival, wrong)
    else:
        columns["arrival_s"] = np.zeros(len(table.rows))
        notes.append("The file has no times of arrival: all requests come at once.")
    prompt, wrong_prompt, _ = token_counts(values(form.prompt), table.decimal_comma, False)
    fault(form.prompt, wrong_prompt)
    output, wrong, blank = token_counts(values(form.output), table.decimal_comma, True)
    fault(form.output, wrong)
    no_prompt = (prompt == 0) & (output > 0) & ~table.rows.isin(wrong_prompt.index)
    zero = (lambda cell: "is 0, but there is an answer", no_prompt)
    fault(form.prompt, reasons(values(form.prompt), [zero]))
    columns["prompt_tokens"], columns["output_tokens"] = prompt, output
    if blank:
        cells, are = ("1 cell", "is") if blank == 1 else (f"{blank:,} cells", "are")
        notes.append(f'{cells} of "{form.output}" {are} empty: counted as no answer.')
    requests = pd.DataFrame(columns, index=table.rows)
    size = _add_blocks(requests, table, form, faults, notes)
    rejected = pd.concat(faults, ignore_index=True).sort_values("row", kind="stable")
    return finished(table.source, form.name, requests, rejected.reset_index(drop=True), notes, size)


def finished(
    name: str,
    form: str,
    requests: pd.DataFrame,
    rejected: pd.DataFrame,
    notes: Sequence[str],
    hash_block_size: int | None = None,
) -> Trace:
    """A Trace of the rows that are not rejected, with remarks on what is in them."""
    kept = requests[~requests.index.isin(rejected["row"])].copy()
    if kept.empty:
        first = rejected.iloc[0]
        where = f"row {first['row']:,}" + (
            f', column "{first["column"]}"' if first["column"] else ""
        )
        raise TraceError(
            name, f"has no row that can be used; the first fault is in {where}: {first['reason']}"
        )
    notes = list(notes)
    kept["arrival_s"] -= kept["arrival_s"].min()
    if not kept["arrival_s"].is_monotonic_increasing:
        notes.append("The rows are not in the order of arrival; the simulation sorts them.")
    if failed := int((kept["output_tokens"] == 0).sum()):
        rows = "1 row has" if failed == 1 else f"{failed:,} rows have"
        notes.append(f"{rows} no output tokens (failed requests): kept, not simulated.")
    if num := int(rejected["row"].nunique()):
        all_rows = len(kept) + num
        notes.append(f"{len(kept):,} of {all_rows:,} rows can be used; {num:,} cannot.")
    return Trace(name, form, kept, rejected, tuple(notes), hash_block_size)


def _add_blocks(
    requests: pd.DataFrame,
    table: RawTable,
    form: Form,
    faults: list[pd.DataFrame],
    notes: list[str],
) -> int | None:
    """Add the column block_hashes if the file has something to make it from; tokens per id."""
    name = form.hashes or form.token_ids
    at = table.position(name) if name else None
    if at is None or name is None:
        return None
    raw = table.values(at)
    size = form.hash_block_size if form.hashes else 1
    assert size is not None
    found, numbers, said = [], [], []
    for number, cell, prompt in zip(raw.index, raw, requests["prompt_tokens"], strict=True):
        ids = _ids(cell)
        expected = -(prompt // -size)
        if ids is None:
            numbers.append(number)
            said.append("is not a list of whole numbers")
        elif len(ids) != expected:
            numbers.append(number)
            what = f"ids of blocks of {size}" if form.hashes else "token ids"
            said.append(f"has {len(ids):,} {what}; {prompt:,} prompt tokens need {expected:,}")
        found.append(ids or ())
    faults.append(rejections(numbers, name, said))
    if form.hashes is None:
        requests["block_hashes"] = blocks_of_tokens(found)
        notes.append(
            f"Prompts are compared by their token ids, in pieces of {TOKENS_PER_ID} tokens; the "
            "ids of the answers are not used."
        )
        return TOKENS_PER_ID
    requests["block_hashes"] = pd.Series(found, index=requests.index, dtype=object)
    notes.append(f"Prompts are compared by their block ids, {size} tokens each.")
    return size


def _ids(cell: object) -> tuple[int, ...] | None:
    if isinstance(cell, str) and cell.lstrip().startswith("["):
        try:
            cell = json.loads(cell)
        except (ValueError, RecursionError):
            return None
    if not isinstance(cell, list) or not all(type(i) is int and 0 <= i < 2**63 for i in cell):
        return None
    return tuple(cell)
