"""Published forms of request traces, known by the names of their columns.

What it does: says for each form which column is which and in what unit the time is. Columns are
found by name, never by position: BurstGPT's second release put two columns in the middle, and so
did Azure's third.

What it leaves out: forms that are no table (`bench_result.py`, `conversations.py`). The name of
a file says nothing: synthetic files go by the names of published ones.

Source: Azure/AzurePublicDataset (AzureLLMInferenceTrace_*), HPMLL/BurstGPT, kvcache-ai/Mooncake
FAST25-release, microsoft/vidur data/processed_traces, casys-kaist/LLMServingSim.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from pagedviz.workload.errors import TraceError, WorkloadError
from pagedviz.workload.raw_table import RawTable

ArrivalUnit = Literal["datetime", "s", "ms", "us", "ns"]
ARRIVAL_UNITS: tuple[ArrivalUnit, ...] = get_args(ArrivalUnit)
OUR_NAMES = ("arrival_s", "prompt_tokens", "output_tokens", "block_hashes", "hash_block_size")


@dataclass(frozen=True)
class Form:
    """Which column of a file is which; None: the file has no such column."""

    name: str
    prompt: str
    output: str
    arrival: str | None = None
    arrival_unit: ArrivalUnit = "s"
    hashes: str | None = None  # ids of blocks of the prompt
    hash_block_size: int | None = None  # tokens per id
    token_ids: str | None = None  # token numbers of the prompt
    needs_arrival: bool = True
    notes: tuple[str, ...] = ()

    def fits(self, table: RawTable) -> bool:
        """Whether the table has the columns by which this form is known."""
        names = [self.prompt, self.output] + ([self.arrival or ""] if self.needs_arrival else [])
        return all(table.position(name) is not None for name in names)


KNOWN = (
    Form(
        "Azure LLM inference trace",
        prompt="ContextTokens",
        output="GeneratedTokens",
        arrival="TIMESTAMP",
        arrival_unit="datetime",
        notes=("The file has no text and no hashes: prefix hits cannot be known from it.",),
    ),
    Form(
        "BurstGPT",
        prompt="Request tokens",
        output="Response tokens",
        arrival="Timestamp",
        notes=(
            "BurstGPT starts with days of very little traffic: its first rows alone are a "
            "lighter load than the whole.",
        ),
    ),
    Form(
        "Mooncake",
        prompt="input_length",
        output="output_length",
        arrival="timestamp",
        arrival_unit="ms",
        hashes="hash_ids",
        hash_block_size=512,
    ),
    Form(
        "Vidur",
        prompt="num_prefill_tokens",
        output="num_decode_tokens",
        arrival="arrived_at",
        needs_arrival=False,
    ),
    Form(
        "LLMServingSim",
        prompt="input_toks",
        output="output_toks",
        arrival="arrival_time_ns",
        arrival_unit="ns",
        token_ids="input_tok_ids",
    ),
    Form(
        "arrival_s, prompt_tokens, output_tokens",
        prompt="prompt_tokens",
        output="output_tokens",
        arrival="arrival_s",
        needs_arrival=False,
    ),
)


def recognise(table: RawTable) -> Form:
    """The form of a table. Raises TraceError, with the columns, if it is none of the known."""
    for form in KNOWN:
        if form.fits(table):
            return form
    few = ", ".join(f'"{name}"' for name in table.names[:12])
    more = f" and {len(table.names) - 12:,} more" if len(table.names) > 12 else ""
    raise TraceError(
        table.source,
        f"has no columns of a form that is known; it has {few}{more}",
        "Say which column holds the prompt's tokens and which the answer's.",
        tuple(table.names),
    )


def named_by_user(columns: Mapping[str, str], table: RawTable) -> Form:
    """The form that `columns` (our name -> the file's name) describes.

    Keys: prompt_tokens and output_tokens; arrival_s together with arrival_unit (datetime, s, ms,
    us or ns); block_hashes together with hash_block_size (tokens per id).
    """
    allowed = (*OUR_NAMES, "arrival_unit")
    for key in columns:
        if key not in allowed:
            raise WorkloadError("columns", f"has no {key!r}", f"Known: {', '.join(allowed)}.")
    for key in ("prompt_tokens", "output_tokens"):
        if not columns.get(key):
            raise TraceError(
                table.source, f"needs a column for {key}", "Name it.", tuple(table.names)
            )
    for key in ("arrival_s", "prompt_tokens", "output_tokens", "block_hashes"):
        if columns.get(key) and table.position(columns[key]) is None:
            raise TraceError(
                table.source,
                f'has no column "{columns[key]}" for {key}',
                "Take one of: " + ", ".join(table.names[:12]) + ".",
                tuple(table.names),
            )
    return Form(
        "columns named by the user",
        prompt=columns["prompt_tokens"],
        output=columns["output_tokens"],
        arrival=columns.get("arrival_s") or None,
        arrival_unit=_unit(columns),
        hashes=columns.get("block_hashes") or None,
        hash_block_size=_hash_block_size(columns),
    )


def _unit(columns: Mapping[str, str]) -> ArrivalUnit:
    unit = columns.get("arrival_unit")
    if not columns.get("arrival_s"):
        return "s"
    for known in ARRIVAL_UNITS:
        if unit == known:
            return known
    raise WorkloadError(
        "arrival_unit",
        f"must be one of {', '.join(ARRIVAL_UNITS)}, not {unit!r}",
        "A number alone does not say whether it counts seconds or milliseconds.",
    )


def _hash_block_size(columns: Mapping[str, str]) -> int | None:
    if not columns.get("block_hashes"):
        return None
    text = str(columns.get("hash_block_size", ""))
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65_536):
        raise WorkloadError(
            "hash_block_size",
            f"must be a whole number from 1 to 65,536, not {text!r}",
            "It is the number of prompt tokens that one id of block_hashes stands for.",
        )
    return int(text)
