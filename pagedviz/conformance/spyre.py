"""Recorded answers of the Spyre plugin: single cases, each with its inputs and `expected`.

So far the chunk rule. Leaves out: admission, decode sets and whole runs.

Source: the form of the cases recorded from sendnn-inference 2.6.3 and vllm-spyre 1.10.0.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pagedviz.engine.spyre.chunks import BLOCK_SIZE, chunk_reuse

CHUNK_INPUTS = ("prompt_len", "cached_prefix_blocks", "chunk_size", "block_size")


def spyre_chunk_reuse(case: Mapping[str, Any]) -> dict[str, Any]:
    """What the chunk rule makes of a case, in the form of its `expected`.

    Reads only the inputs; `block_size` may be absent and is 64 then.

    >>> case = {"prompt_len": 3000, "cached_prefix_blocks": 39, "chunk_size": 1024}
    >>> spyre_chunk_reuse(case)["reusable_tokens"]
    1984
    """
    found = asdict(
        chunk_reuse(
            case["prompt_len"],
            case["cached_prefix_blocks"],
            case["chunk_size"],
            case.get("block_size", BLOCK_SIZE),
        )
    )
    return {name: value for name, value in found.items() if name not in CHUNK_INPUTS}
