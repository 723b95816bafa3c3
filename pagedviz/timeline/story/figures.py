"""The figures the story computes from: a model's shape, the average chat, the aisles of a room.

Everything else follows by arithmetic or from the engine. Leaves out: published results, which
stand beside the scene that cites them.

Source: LLaMA-13B has 40 layers and 40 heads of 128 values, kept in 16 bits, and 2,048 tokens at
most; mean prompt and answer of ShareGPT: Kwon et al., SOSP 2023, section 6.
"""

from __future__ import annotations

from typing import Final

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.reservation import Reservation, ReservationManager, Shortage
from pagedviz.timeline.kv_models import KVModel, kv_model

BLOCK_SIZE: Final = 16  # tokens; vLLM's default
LONGEST: Final = 2_048  # tokens; LLaMA-13B
CHAT_PROMPT: Final = 161  # tokens, mean of ShareGPT
CHAT_ANSWER: Final = 338
CHAT: Final = CHAT_PROMPT + CHAT_ANSWER
WEIGHTS: Final = 13_000_000_000  # numbers in LLaMA-13B, about
# Who is in the made-up room of scene 2, and how many tokens each has stored.
STORED: Final = {"A": CHAT, "B": 180, "C": 760, "D": 560}


def llama() -> KVModel:
    """LLaMA-13B: the shape of its KV cache is that of its successor.

    >>> llama().bytes_per_token
    819200
    """
    found = kv_model("llama-2-13b")
    if found is None:
        raise LookupError("llama-2-13b is missing in pagedviz.timeline.kv_models")
    return found


def gigabytes(count: int) -> str:
    """GB, of 10^9 bytes.

    >>> gigabytes(819_200 * 2_048)
    '1.68 GB'
    """
    return f"{count / 1e9:.2f} GB"


def percent(part: float, whole: float = 1) -> str:
    """With one decimal.

    >>> percent(2048 - 499, 2048)
    '75.6 %'
    """
    return f"{100 * part / whole:.1f} %"


def places_on_blocks(tokens: int, size: int = BLOCK_SIZE) -> int:
    """Token places on the blocks that so many tokens need.

    >>> places_on_blocks(499)
    512
    """
    return cdiv(tokens, size) * size


def aisles() -> tuple[ReservationManager, Shortage]:
    """The room of scene 2: four runs of the longest length, and what the fifth request lacks.

    >>> memory, short = aisles()
    >>> memory.counts().token, memory.num_slots, short.free
    (1999, 8192, 0)
    """
    memory = ReservationManager(LONGEST * len(STORED), "max", LONGEST)
    for name, tokens in STORED.items():
        # The last token of an answer needs no place: one more makes room for all of these.
        if not isinstance(memory.admit(name, 1, tokens), Reservation):
            raise RuntimeError(f"no run is left for {name}")
        memory.append(name, tokens)
    short = memory.admit("E", CHAT_PROMPT, CHAT_ANSWER)
    if not isinstance(short, Shortage):
        raise RuntimeError("the room was to be full")
    return memory, short


def empty_share() -> float:
    """Share of that room's places that hold nothing."""
    memory, _ = aisles()
    return 1 - memory.counts().token / memory.num_slots
