"""Prefix scenarios run on vLLM 0.33.0's own KVCacheManager, as operations and facts.

Each: block size, blocks of the pool, and steps of (operation, request, tokens, facts). A fact
that is absent was not recorded. `block_ids` hold for 0.33.0.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Does(NamedTuple):
    op: str  # come (arrive and be admitted), write, go
    req: str
    tokens: range | tuple = ()
    facts: Mapping[str, object] = MappingProxyType({})


def _came(hit, usage, free, ids, events):
    return {
        "hit_tokens": hit,
        "usage": usage,
        "free_blocks": free,
        "block_ids": list(ids),
        "events": events,
        "admitted": True,
    }


def _stored(n):
    return [f"BlockStored:{n}"]


_OTHER = 1000  # tokens from here on occur in no other prompt
_SHARED = tuple(range(40))

SCENARIOS = {
    "full_prompt_repeat_64": (
        16,
        21,
        [
            Does("come", "A", range(64), _came(0, 0.2, 16, (1, 2, 3, 4), _stored(4))),
            Does("go", "A", (), {"usage": 0.0, "free_blocks": 20}),
            Does("come", "B", range(64), _came(48, 0.2, 16, (1, 2, 3, 5), _stored(1))),
        ],
    ),
    "repeat_65": (
        16,
        21,
        [
            Does("come", "A", range(65), _came(0, 0.25, 15, (1, 2, 3, 4, 5), _stored(4))),
            Does("go", "A"),
            Does("come", "B", range(65), _came(64, 0.25, 15, (1, 2, 3, 4, 5), [])),
        ],
    ),
    "shorter_than_block_15": (
        16,
        21,
        [
            Does("come", "A", range(15), _came(0, 0.05, 19, (1,), [])),
            Does("go", "A"),
            Does("come", "B", range(15), _came(0, 0.05, 19, (1,), [])),
        ],
    ),
    "shared_40_tokens": (
        16,
        21,
        [
            Does("come", "A", (*_SHARED, 1, 2, 3), _came(0, 0.15, 17, (1, 2, 3), _stored(2))),
            Does("come", "B", (*_SHARED, 4, 5, 6, 7), _came(32, 0.2, 16, (1, 2, 4), [])),
        ],
    ),
    "first_token_differs": (
        16,
        21,
        [
            Does("come", "A", range(64), _came(0, 0.2, 16, (1, 2, 3, 4), _stored(4))),
            Does(
                "come",
                "B",
                (_OTHER, *range(1, 64)),
                _came(0, 0.4, 12, (5, 6, 7, 8), _stored(4)),
            ),
        ],
    ),
    "boundary_16_then_17": (
        16,
        21,
        [
            Does("come", "A", range(16), _came(0, 0.05, 19, (1,), _stored(1))),
            Does("write", "A", (_OTHER,), {"ok": True, "block_ids": [1, 2]}),
        ],
    ),
    "block64_repeat_200": (
        64,
        21,
        [
            Does("come", "A", range(200), _came(0, 0.2, 16, (1, 2, 3, 4), _stored(3))),
            Does("go", "A"),
            Does("come", "B", range(200), _came(192, 0.2, 16, (1, 2, 3, 4), [])),
        ],
    ),
}
