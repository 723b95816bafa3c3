"""What the pool tells the outside world: blocks stored, removed, all cleared.

A router that wants to send a request to where its prefix already lies listens to these.
One `BlockStored` covers all blocks that one `allocate_slots` call made findable; every
hash that leaves the index gets a `BlockRemoved` of its own; a prefix hit emits nothing.

What it leaves out: the ZMQ transport with its sequence numbers, and the fields that only
hybrid models, other media or sessions fill.

Source: vLLM 0.33.0, distributed/kv_events.py.
"""

from dataclasses import dataclass
from typing import Any

MEDIUM = "GPU"  # where the blocks lie; the only medium there is here
GROUP_IDX = 0  # one KV cache group: all layers use full attention
SPEC_KIND = "full_attention"

# the part of a block's key that is not tokens, as published: one entry per extra key
EventExtraKeys = tuple[Any, ...] | None


def external_block_hash(block_hash: bytes) -> int:
    """The form in which a hash leaves the process: its low 64 bits as a number.

    >>> external_block_hash(bytes(30) + bytes([1, 2]))
    258
    """
    return int.from_bytes(block_hash[-8:], "big")


@dataclass(frozen=True, slots=True)
class BlockStored:
    """Blocks that can be found by their content from now on."""

    block_hashes: tuple[int, ...]
    parent_block_hash: int | None  # of the block before the first; None at the beginning
    token_ids: tuple[int, ...]  # of all these blocks, one after the other
    block_size: int
    lora_id: int | None
    lora_name: str | None
    extra_keys: tuple[EventExtraKeys, ...]  # one per block

    def to_dict(self) -> dict[str, Any]:
        """The event as plain JSON types, with the field names vLLM publishes."""
        return {
            "type": "BlockStored",
            "block_hashes": list(self.block_hashes),
            "parent_block_hash": self.parent_block_hash,
            "token_ids": list(self.token_ids),
            "block_size": self.block_size,
            "lora_id": self.lora_id,
            "medium": MEDIUM,
            "lora_name": self.lora_name,
            "extra_keys": [_plain(keys) for keys in self.extra_keys],
            "group_idx": GROUP_IDX,
            "kv_cache_spec_kind": SPEC_KIND,
        }


@dataclass(frozen=True, slots=True)
class BlockRemoved:
    """One copy of one block that can no longer be found (another copy still may be)."""

    block_hash: int

    def to_dict(self) -> dict[str, Any]:
        """The event as plain JSON types, with the field names vLLM publishes."""
        return {
            "type": "BlockRemoved",
            "block_hashes": [self.block_hash],
            "medium": MEDIUM,
            "group_idx": GROUP_IDX,
        }


@dataclass(frozen=True, slots=True)
class AllBlocksCleared:
    """The whole prefix cache was forgotten."""

    def to_dict(self) -> dict[str, Any]:
        """The event as plain JSON types, with the field names vLLM publishes."""
        return {"type": "AllBlocksCleared"}


KVCacheEvent = BlockStored | BlockRemoved | AllBlocksCleared


def _plain(keys: EventExtraKeys) -> list[Any] | None:
    if keys is None:
        return None
    return [list(key) if isinstance(key, tuple) else key for key in keys]
