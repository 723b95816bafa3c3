"""All that can be set on the sizing page, as one frozen value.

Everything but the model, the place and the lengths may be left open (None): then the value that
the engine takes by itself counts.

Leaves out: what follows from it (`sizing_answer.py`), which also checks it; the link
(`sizing_link.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FILE, TYPED = "file", "typed"  # the model is a dropped config, or a shape typed by hand
MOST_BESIDE = 3
Where = Literal["gpu", "spyre"]


@dataclass(frozen=True)
class Sizing:
    """All that is set. Memory, room and weights in GiB, parameters in billions, lengths in tokens.

    The shape (layers, kv_heads, head_size, heads) counts only for a model that is typed, `config`
    (JSON) only for one that was dropped.
    """

    model: str = "granite-3.3-8b"
    beside: tuple[str, ...] = ("llama-2-13b",)
    config: str = ""
    name: str = ""
    layers: int | None = None
    kv_heads: int | None = None
    head_size: int | None = None
    heads: int | None = None
    where: Where = "gpu"
    prompt: int = 1_000
    prompt_spread: int = 500
    answer: int = 300
    answer_spread: int = 150
    # the model's weights
    parameters: float | None = None
    each: float | None = None
    weights: float | None = None
    dtype: int | None = None  # bytes per value of the cache
    # vLLM on a GPU
    gpu: str = "h100"
    memory: float | None = None
    cards: int = 1
    utilization: float | None = None
    room: float | None = None
    block_size: int | None = None
    longest: int | None = None
    seqs: int | None = None
    batched: int | None = None
    num_blocks: int | None = None
    # IBM Spyre
    spyre_cards: int = 4
    spyre_context: int = 32_768
    spyre_requests: int = 32
    limit: int | None = None
    spyre_blocks: int | None = None
