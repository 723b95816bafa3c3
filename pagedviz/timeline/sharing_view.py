"""A prompt seen through a played run: what the page shows beside it.

Leaves out: how it is found out (`sharing.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.timeline.prompts import Prompt
from pagedviz.timeline.sharing_reasons import Reason

_SHORT = 4  # hex digits of a hash that are shown


@dataclass(frozen=True, slots=True)
class BlockView:
    """One logical block of a prompt: tokens `start` to `end` (exclusive)."""

    start: int
    end: int
    digest: str | None  # 64 hex digits; None if the block is not full or nothing is hashed

    @property
    def short_hash(self) -> str | None:
        """The first four digits."""
        return None if self.digest is None else self.digest[:_SHORT]


@dataclass(frozen=True, slots=True)
class PromptView:
    """A prompt and what became of it."""

    prompt: Prompt
    place: int  # in the list of prompts
    number: int  # of the request, by arrival
    letter: str  # by arrival, as the stage and the sentences call it
    block_size: int
    arrival: int  # step
    admission: int | None  # step; None if it has not come in
    departure: int | None  # step; None if it has not left
    blocks: tuple[BlockView, ...]
    hits: int  # blocks found at admission
    same_beginning: int  # tokens: longest with anyone before, salt and adapter being the same
    reason: Reason

    @property
    def full_blocks(self) -> int:
        """Number of blocks that are full."""
        return self.prompt.num_tokens // self.block_size

    @property
    def hit_tokens(self) -> int:
        """Tokens found at admission."""
        return self.hits * self.block_size
