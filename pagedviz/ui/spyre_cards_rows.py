"""The plugin's table as rows to show: limits with where they come from, and memory per card.

Memory per card is blocks x 64 tokens x bytes per token / cards: each card holds all blocks, and
of each its share of the KV heads. Where a model's KV cache is not known, its bytes are None.

Leaves out: the words (`spyre_cards_words.py`); the memory that weights and programs take.

Source: engine.spyre.known_configs and resolve; shapes: timeline.kv_models, and for models of
the same shape the layers and KV heads that the plugin's own table names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from pagedviz.engine.spyre.chunks import BLOCK_SIZE
from pagedviz.engine.spyre.known_configs import KNOWN_CONFIGS, KnownConfig
from pagedviz.engine.spyre.resolve import resolve
from pagedviz.timeline.kv_models import KVModel, kv_model

CARD_BYTES: Final = 128 * 10**9  # LPDDR5 of a card; torch-spyre documentation, 2026
CARD: Final = f"{CARD_BYTES // 10**9} GB"
GIB: Final = 2**30
HEADS: Final = 32  # attention heads of every model in the plugin's table

Blank = Literal["sliding", "head size", "layers", "unknown", "share"]

# the KV cache of a model in the table; several have the shape of Granite 3.3 8B
_SHAPES: Final[dict[str, str]] = {
    "ibm-granite/granite-3.3-8b-instruct": "granite-3.3-8b",
    "ibm-granite/granite-3.3-8b-instruct-FP8": "granite-3.3-8b-fp8",
    "meta-llama/Llama-3.1-8B-Instruct": "llama-3.1-8b",
    "ibm-granite/granite-4-8b-dense": "granite-3.3-8b",
    "ibm-granite/granite-4.1-8b-fp8": "granite-3.3-8b-fp8",
    "ibm-granite/granite-4.2-8b": "granite-3.3-8b",
    "ibm-granite/granite-4.2-8b-fp8": "granite-3.3-8b-fp8",
    "ibm-granite/granite-4.1-30b": "granite-4.1-30b",
    "mistralai/Mistral-Small-3.2-24B-Instruct-2506": "mistral-small-24b",
    "mistralai/Ministral-3-14B-Instruct-2512-BF16": "mistral-small-24b",
}
_BLANK: Final[dict[str, Blank]] = {
    "ibm-granite/swa-20b": "sliding",
    "ibm-granite/granite-4-8b-dense-hybrid": "layers",
    "ibm-granite/granite-vision-3.3-2b": "head size",
    "mistralai/Ministral-3-8B-Instruct-2512-BF16": "head size",
}


class Memory(NamedTuple):
    """Bytes of KV cache on each card, or why they are not known."""

    per_card: int | None
    kv: KVModel | None
    blank: Blank | None


@dataclass(frozen=True, slots=True)
class CardRow:
    """A row of the table, resolved: what a server started with it comes up with."""

    config: KnownConfig
    product: int  # tokens
    blocks: int
    memory: Memory

    @property
    def name(self) -> str:
        """The model without its publisher."""
        return short(self.config.model)

    @property
    def shared(self) -> bool:
        """Whether the product keeps a full batch from decoding at full context."""
        return self.config.requests * self.config.context > self.product


def short(model: str) -> str:
    """A model's name without its publisher.

    >>> short("ibm-granite/granite-4.2-8b")
    'granite-4.2-8b'
    """
    return model.rsplit("/", 1)[-1]


def billions(model: str) -> int:
    """A model's size in billions of parameters, as its name says; 0 if it does not.

    >>> billions("mistralai/Ministral-3-14B-Instruct-2512-BF16"), billions("own")
    (14, 0)
    """
    found = re.search(r"(\d+)b\b", model, re.IGNORECASE)
    return int(found[1]) if found else 0


def kv_memory(model: str, blocks: int, cards: int) -> Memory:
    """Bytes of a pool of `blocks` on each of `cards`.

    >>> kv_memory("ibm-granite/granite-3.3-8b-instruct", 8192, 4).per_card == 20 * GIB
    True
    >>> kv_memory("ibm-granite/swa-20b", 8192, 4).blank
    'sliding'
    """
    kv = kv_model(_SHAPES.get(model, ""))
    if kv is None:
        return Memory(None, None, _BLANK.get(model, "unknown"))
    if kv.kv_heads % cards:
        return Memory(None, kv, "share")
    return Memory(blocks * BLOCK_SIZE * kv.bytes_per_token // cards, kv, None)


@lru_cache(maxsize=1)
def card_rows() -> tuple[CardRow, ...]:
    """All rows of the plugin's table, in its order."""
    return tuple(_row(config) for config in KNOWN_CONFIGS)


def _row(config: KnownConfig) -> CardRow:
    limits = resolve(config.model, config.cards, config.context, config.requests).limits
    memory = kv_memory(config.model, limits.num_blocks, config.cards)
    return CardRow(config, limits.batch_tkv_limit, limits.num_blocks, memory)


class Offer(NamedTuple):
    """So many requests at so long a context on so many cards, and how many models have it."""

    cards: int
    requests: int
    context: int
    product: int | None  # tokens; None: a full batch fits at full context
    models: int


def offers(rows: Iterable[CardRow]) -> list[Offer]:
    """What the rows offer, by cards, then context.

    >>> for one in offers(row for row in card_rows() if row.name == "granite-4.2-8b"):
    ...     tuple(one)
    (1, 16, 3072, None, 1)
    (1, 4, 8192, None, 1)
    (2, 4, 8192, None, 1)
    (4, 32, 32768, 131072, 1)
    """
    models: dict[tuple[int, int, int, int | None], set[str]] = {}
    for row in rows:
        one = row.config
        key = (one.cards, one.context, one.requests, row.product if row.shared else None)
        models.setdefault(key, set()).add(one.model)
    return [
        Offer(cards, requests, context, product, len(models[cards, context, requests, product]))
        for cards, context, requests, product in sorted(models, key=lambda key: key[:3])
    ]
