"""Conversations in the form of ShareGPT: texts, counted in tokens here.

What it does: of every conversation, what stands before the first answer to a person is the
prompt and that answer is the answer. Texts become tokens with cl100k_base, so lengths differ
from those of another model's tokenizer; equal beginnings of prompts are known from the tokens.

What it leaves out: later turns; the filter of vLLM's sampler (fewer than 2 turns, prompts below
4 or above 1,024 tokens), which is only counted in the remarks; the chat template.

Source: the data set's form (`conversations`, in old files `items`); vLLM, benchmarks/datasets.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pagedviz.tokens import TextError, default_tokenizer
from pagedviz.workload.checked_columns import finished
from pagedviz.workload.errors import TraceError, shown
from pagedviz.workload.token_blocks import TOKENS_PER_ID, blocks_of_tokens
from pagedviz.workload.trace import Trace, rejections

KEYS = ("conversations", "items")
PEOPLE = ("human", "user")
MODELS = ("gpt", "assistant", "chatgpt", "bing", "bard", "model")
MAX_CHARACTERS = 20_000_000  # of all texts that are counted; half a minute's work
MAX_TEXT = 1_000_000  # of one prompt or answer


def are_conversations(found: object) -> bool:
    """Whether this is a list in which the first objects have turns."""
    if not isinstance(found, list):
        return False
    head = [record for record in found[:20] if isinstance(record, dict)]
    return any(isinstance(record.get(key), list) for record in head for key in KEYS)


def read_conversations(found: list[Any], broken: pd.DataFrame, name: str) -> Trace:
    """One request per conversation that has an answer to a person."""
    tokenizer = default_tokenizer()
    rows: list[tuple[int, int, int]] = []
    prompts: list[list[int]] = []
    numbers, reasons = [], []
    characters = 0
    for number, record in enumerate(found, 1):
        turns = _first_exchange(record)
        if not isinstance(turns, str):
            characters += len(turns[0]) + len(turns[1])
            if characters > MAX_CHARACTERS:
                raise TraceError(
                    name,
                    f"has more text than is counted ({MAX_CHARACTERS:,} characters, reached in "
                    f"row {number:,})",
                    "Load a part of it.",
                )
            turns = _within_reach(*turns)
        if isinstance(turns, str):
            numbers.append(number)
            reasons.append(turns)
            continue
        try:
            prompt, answer = (tokenizer.encode(text) for text in turns)
        except TextError as error:
            numbers.append(number)
            reasons.append(str(error))
            continue
        rows.append((number, len(prompt), len(answer)))
        prompts.append(prompt)
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    requests = pd.DataFrame(
        {
            "arrival_s": np.zeros(len(table)),
            "prompt_tokens": table[:, 1],
            "output_tokens": table[:, 2],
        },
        index=pd.Index(table[:, 0], name="row"),
    )
    requests["block_hashes"] = pd.Series(
        blocks_of_tokens(prompts), index=requests.index, dtype=object
    )
    rejected = pd.concat([broken, rejections(numbers, "", reasons)], ignore_index=True)
    return finished(
        name, "ShareGPT conversations", requests, rejected, _notes(table), TOKENS_PER_ID
    )


def _first_exchange(record: object) -> tuple[str, str] | str:
    """Prompt and answer, or why there are none."""
    if not isinstance(record, dict):
        return "is not an object"
    turns = next((record[key] for key in KEYS if isinstance(record.get(key), list)), None)
    if turns is None:
        return "has no list of turns (conversations or items)"
    before: list[str] = []
    asked = False
    for at, turn in enumerate(turns, 1):
        text = turn.get("value", turn.get("content")) if isinstance(turn, dict) else None
        role = turn.get("from", turn.get("role")) if isinstance(turn, dict) else None
        if not isinstance(text, str) or not isinstance(role, str):
            return f"turn {at} has no text or nobody who says it: {shown(turn)}"
        if asked and role.lower() in MODELS:
            return "\n".join(before), text
        before.append(text)
        asked = asked or role.lower() in PEOPLE
    if not turns:
        return "has no turns"
    return "has no answer to a person"


def _within_reach(prompt: str, answer: str) -> tuple[str, str] | str:
    if not prompt.strip():
        return "has an empty prompt"
    longest = max(len(prompt), len(answer))
    if longest > MAX_TEXT:
        return f"has a text of {longest:,} characters; at most {MAX_TEXT:,} are counted"
    return prompt, answer


def _notes(table: np.ndarray[Any, np.dtype[np.int64]]) -> list[str]:
    outside = int(((table[:, 1] < 4) | (table[:, 1] > 1024)).sum())
    return [
        "Tokens were counted with cl100k_base; the model's own tokenizer gives other lengths.",
        "Of each conversation the first question and its answer count; there are no times of "
        "arrival, so all come at once.",
        f"vLLM's benchmark would leave out {outside:,} of these prompts (below 4 or above 1,024 "
        "tokens); they are kept here.",
    ]
