"""The one door for files: bytes in, a Trace out, or a TraceError that says why not.

What it does: text (`text`), then JSON (`record_table`, or the forms `bench_result` and
`conversations`) or CSV (`csv_table`), then which column is which (`forms`), then the checks
(`checked_columns`). What kind of file it is is seen from its content; the name is for messages.

What it leaves out: files larger than 256 MiB or with more than 2,000,000 rows.
"""

from __future__ import annotations

from collections.abc import Mapping

from pagedviz.workload.bench_result import bench_table, is_bench_result
from pagedviz.workload.checked_columns import checked
from pagedviz.workload.conversations import are_conversations, read_conversations
from pagedviz.workload.csv_table import csv_table
from pagedviz.workload.errors import TraceError
from pagedviz.workload.forms import Form, named_by_user, recognise
from pagedviz.workload.raw_table import RawTable
from pagedviz.workload.record_table import looks_like_json, parse, record_table
from pagedviz.workload.text import to_text
from pagedviz.workload.trace import Trace, no_rejections


def read_trace(data: bytes, name: str, columns: Mapping[str, str] | None = None) -> Trace:
    """Read a file of requests.

    columns: which column is which, where the file is of no known form or another reading is
        wanted: prompt_tokens, output_tokens, arrival_s with arrival_unit (datetime, s, ms, us,
        ns), block_hashes with hash_block_size. Ours -> the file's name.

    Raises TraceError (with `columns`, the names the file has) if nothing can be read.

    >>> trace = read_trace(b"TIMESTAMP,ContextTokens,GeneratedTokens\\n"
    ...                    b"2023-11-16 18:17:03.9799600,4808,10\\n"
    ...                    b"2023-11-16 18:17:04.0319600,many,8\\n", "azure.csv")
    >>> trace.form, trace.requests["prompt_tokens"].to_dict()
    ('Azure LLM inference trace', {1: 4808})
    >>> trace.rejected.to_dict("records")
    [{'row': 2, 'column': 'ContextTokens', 'reason': "'many' is not a number"}]
    """
    text, notes = to_text(data, name)
    form: Form | None = None
    if looks_like_json(text):
        found, broken, by_line = parse(text, name)
        if is_bench_result(found) and isinstance(found, dict):
            table, form = bench_table(found, name)
        elif isinstance(found, dict):
            table = _single(found, name)
        elif are_conversations(found) and columns is None:
            return read_conversations(found, broken, name)
        else:
            table = record_table(found, broken, name, by_line)
    else:
        table = csv_table(text, name)
    table.notes[:0] = notes
    if columns is not None:
        form = named_by_user(columns, table)
    elif form is None:
        form = recognise(table)
    return checked(table, form)


def _single(found: dict[str, object], name: str) -> RawTable:
    """One object: a file of one line, or something that holds no requests."""
    table = record_table([found], no_rejections(), name, True)
    try:
        recognise(table)
    except TraceError as error:
        keys = ", ".join(f'"{key}"' for key in list(found)[:8])
        raise TraceError(
            name,
            f"is one JSON object, not a list of requests; it has {keys or 'no fields'}",
            "Load a trace: a list of objects, or one object per line.",
            tuple(found),
        ) from error
    return table
