"""The result file of `vllm bench serve`: lengths of every request, if they were saved.

What it does: reads `input_lens` and `output_lens`, and `start_times` where the file has them.

What it leaves out: the times of the tokens. Lengths are there only if the benchmark ran with
--save-detailed; a file with totals alone says nothing about single requests.

Source: vLLM, benchmarks/serve.py (`result["input_lens"]` and the fields beside it).
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from pagedviz.workload.errors import TraceError
from pagedviz.workload.forms import Form
from pagedviz.workload.raw_table import RawTable

_SUMMARY = ("total_input_tokens", "completed", "request_throughput")


def is_bench_result(found: object) -> bool:
    """Whether this is the object that a benchmark writes, detailed or not."""
    return isinstance(found, dict) and ("input_lens" in found or _SUMMARY[0] in found)


def bench_table(found: dict[str, Any], name: str) -> tuple[RawTable, Form]:
    """Its requests as a table. Raises TraceError if the file has totals only."""
    lists = {key: found.get(key) for key in ("input_lens", "output_lens")}
    for key, value in lists.items():
        if not isinstance(value, list) or not value:
            raise TraceError(
                name,
                f"has no lengths per request ({key} is missing)",
                "Run the benchmark again with --save-detailed.",
            )
    if isinstance(found.get("start_times"), list):
        lists["start_times"] = found["start_times"]
    sizes = {key: len(value) for key, value in lists.items() if value is not None}
    if len(set(sizes.values())) > 1:
        said = ", ".join(f"{key} {size:,}" for key, size in sizes.items())
        raise TraceError(name, f"has lists of different lengths: {said}")
    names = list(lists)
    rows = pd.RangeIndex(1, sizes["input_lens"] + 1, name="row")

    def values(i: int) -> pd.Series:
        return pd.Series(lists[names[i]], index=rows, dtype=object)

    arrival = "start_times" if "start_times" in lists else None
    form = Form("vLLM benchmark result", "input_lens", "output_lens", arrival)
    return RawTable(name, names, values, rows), form
