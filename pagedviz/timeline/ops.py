"""The operation language of a run: its operations, their keys, the configuration, the limits.

The language is the one of the traces recorded from vLLM 0.33.0 ("kv-block-trace/1"): the
names and arguments of `pagedviz.engine.cache_session.CacheSession`. Two keys are ours and
are never given to the engine: `tick` (the scheduler step an operation belongs to) and
`priority` (of a request; only the words use it).

Leaves out: how a run is held to this (`op_checker.py`), and whether an operation makes sense in
the state it meets (admitting a request twice); that is found when the run is played.
"""

from __future__ import annotations

from pagedviz.timeline.value_checks import (
    Check,
    block_ids,
    count,
    flag,
    fraction,
    name,
    record,
    records,
    text,
    tokens,
)

FORMAT = "kv-block-trace/1"

# A run must stay readable and a page must stay quick; both are measured at these sizes.
MAX_BLOCKS = 8192
MAX_STEPS = 2000
MAX_BLOCK_SIZE = 1024  # tokens per block
MAX_REQUEST_TOKENS = 131_072  # 8,192 blocks of 16
MAX_TOKENS = 1_000_000  # in all operations of a run together
MAX_REQUESTS = 1000
MAX_CHARACTERS = 8_500_000  # of all tokens and block ids in a file: the page opens 10 MB
MAX_NAME = 80  # characters in the name of a request, an adapter, an image

OURS = ("tick", "priority")  # keys the engine never sees

_NAME = name(MAX_NAME)
_TEXT = text(400)
_TOKENS = tokens(MAX_REQUEST_TOKENS)
_LORA = record({"name": _NAME, "id": count(1, 2**31), "path": _TEXT})
_IMAGE = record(
    {
        "identifier": _NAME,
        "offset": count(0, MAX_REQUEST_TOKENS),
        "length": count(1, MAX_REQUEST_TOKENS),
    }
)
_N = count(0, MAX_REQUEST_TOKENS)
_NEW = count(1, MAX_REQUEST_TOKENS)

# operation -> (keys it must have, keys it may have)
FIELDS: dict[str, tuple[dict[str, Check], dict[str, Check]]] = {
    "add_request": (
        {"req": _NAME, "tokens": _TOKENS},
        {
            "cache_salt": _TEXT,
            "lora": _LORA,
            "mm": records(_IMAGE, 1000, "images"),
            "skip_reading_prefix_cache": flag,
            "priority": count(-(10**6), 10**6),
        },
    ),
    "admit": (
        {"req": _NAME},
        {
            "num_new_tokens": _NEW,
            "num_lookahead_tokens": _N,
            "full_sequence_must_fit": flag,
            "has_scheduled_reqs": flag,
        },
    ),
    "allocate": ({"req": _NAME, "num_new_tokens": _NEW}, {"num_lookahead_tokens": _N}),
    "append": ({"req": _NAME, "tokens": _TOKENS}, {}),
    "rollback": ({"req": _NAME, "num_tokens": _N}, {}),
    "free": ({"req": _NAME}, {}),
    "preempt": ({"req": _NAME}, {}),
    "reset_prefix_cache": ({}, {}),
    "evict_blocks": ({"block_ids": block_ids(MAX_BLOCKS)}, {}),
}
TICK = count(0, 10**9)

# key -> (check, default; None = must be given)
CONFIG: dict[str, tuple[Check, object]] = {
    "num_blocks": (count(2, MAX_BLOCKS), None),
    "block_size": (count(1, MAX_BLOCK_SIZE), None),
    "enable_caching": (flag, True),
    "max_model_len": (count(1, 10**7), 8192),
    "watermark": (fraction, 0.0),
    "enable_kv_cache_events": (flag, True),
}
