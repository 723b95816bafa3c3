"""The operation language of a run, and the check of one configuration and of each operation.

The language is the one of the traces recorded from vLLM 0.33.0 ("kv-block-trace/1"): the
names and arguments of `pagedviz.engine.cache_session.CacheSession`. Two keys are ours and
are never given to the engine: `tick` (the scheduler step an operation belongs to) and
`priority` (of a request; only the words use it).

Leaves out: whether an operation makes sense in the state it meets (admitting a request
twice); that is found when the run is played.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from pagedviz.timeline.errors import RunError
from pagedviz.timeline.frozen import Frozen

FORMAT = "kv-block-trace/1"

# A run must stay readable and a page must stay quick; both are measured at these sizes.
MAX_BLOCKS = 8192
MAX_STEPS = 2000
MAX_BLOCK_SIZE = 1024  # tokens per block
MAX_REQUEST_TOKENS = 131_072  # 8,192 blocks of 16
MAX_TOKENS = 1_000_000  # in all operations of a run together
MAX_REQUESTS = 1000
MAX_NAME = 80  # characters in the name of a request, an adapter, an image

OURS = ("tick", "priority")  # keys the engine never sees

Check = Callable[[object], str | None]  # value -> what is wrong with it, or None


def is_int(value: object) -> bool:
    """A whole number; True and 1.0 are none (JSON tells them apart, Python does not)."""
    return isinstance(value, int) and not isinstance(value, bool)


def _count(low: int, high: int) -> Check:
    def check(v: object) -> str | None:
        if not is_int(v):
            return f"must be a whole number, not {_show(v)}"
        if not low <= v <= high:  # type: ignore[operator]
            return f"must be from {low:,} to {high:,}, not {_show(v)}"
        return None

    return check


def _flag(v: object) -> str | None:
    return None if isinstance(v, bool) else f"must be true or false, not {_show(v)}"


def _name(v: object) -> str | None:
    if not isinstance(v, str) or not v:
        return f"must be a text that is not empty, not {_show(v)}"
    return None if len(v) <= MAX_NAME else f"must have at most {MAX_NAME} characters"


def _text(v: object) -> str | None:
    if not isinstance(v, str):
        return f"must be a text, not {_show(v)}"
    return None if len(v) <= 400 else "must have at most 400 characters"


def _tokens(v: object) -> str | None:
    if not isinstance(v, (list, tuple)):
        return f"must be a list of token numbers, not {_show(v)}"
    if not v:
        return "must not be empty"
    if len(v) > MAX_REQUEST_TOKENS:
        return f"has {len(v):,} tokens; the limit is {MAX_REQUEST_TOKENS:,}"
    for i, t in enumerate(v):
        if type(t) is not int or not 0 <= t < 2**63:
            return f"token {i + 1} must be a whole number from 0 up, not {_show(t)}"
    return None


def _ids(v: object) -> str | None:
    if not isinstance(v, (list, tuple)) or not all(is_int(b) for b in v):
        return f"must be a list of block numbers, not {_show(v)}"
    return None if len(v) <= MAX_BLOCKS else f"lists more than {MAX_BLOCKS:,} blocks"


def _record(fields: Mapping[str, Check]) -> Check:
    def check(v: object) -> str | None:
        if not isinstance(v, Mapping):
            return f"must be an object with {', '.join(fields)}, not {_show(v)}"
        for key in v:
            if key not in fields:
                return f"has an unknown key {_show(key)}"
        for key, inner in fields.items():
            if key not in v:
                return f"lacks the key {key!r}"
            if wrong := inner(v[key]):
                return f"{key} {wrong}"
        return None

    return check


def _items(v: object) -> str | None:
    if not isinstance(v, (list, tuple)) or len(v) > 1000:
        return f"must be a list of at most 1,000 images, not {_show(v)}"
    for i, item in enumerate(v):
        if wrong := _MM(item):
            return f"item {i + 1} {wrong}"
    return None


def _show(v: object) -> str:
    text = repr(v)
    return text if len(text) <= 40 else text[:37] + "..."


_LORA = _record({"name": _name, "id": _count(1, 2**31), "path": _text})
_MM = _record(
    {
        "identifier": _name,
        "offset": _count(0, MAX_REQUEST_TOKENS),
        "length": _count(1, MAX_REQUEST_TOKENS),
    }
)
_N = _count(0, MAX_REQUEST_TOKENS)
_NEW = _count(1, MAX_REQUEST_TOKENS)

# operation -> (keys it must have, keys it may have)
FIELDS: dict[str, tuple[dict[str, Check], dict[str, Check]]] = {
    "add_request": (
        {"req": _name, "tokens": _tokens},
        {
            "cache_salt": _text,
            "lora": _LORA,
            "mm": _items,
            "skip_reading_prefix_cache": _flag,
            "priority": _count(-(10**6), 10**6),
        },
    ),
    "admit": (
        {"req": _name},
        {
            "num_new_tokens": _NEW,
            "num_lookahead_tokens": _N,
            "full_sequence_must_fit": _flag,
            "has_scheduled_reqs": _flag,
        },
    ),
    "allocate": ({"req": _name, "num_new_tokens": _NEW}, {"num_lookahead_tokens": _N}),
    "append": ({"req": _name, "tokens": _tokens}, {}),
    "rollback": ({"req": _name, "num_tokens": _N}, {}),
    "free": ({"req": _name}, {}),
    "preempt": ({"req": _name}, {}),
    "reset_prefix_cache": ({}, {}),
    "evict_blocks": ({"block_ids": _ids}, {}),
}
_TICK = _count(0, 10**9)

# key -> (check, default; None = must be given)
CONFIG: dict[str, tuple[Check, object]] = {
    "num_blocks": (_count(2, MAX_BLOCKS), None),
    "block_size": (_count(1, MAX_BLOCK_SIZE), None),
    "enable_caching": (_flag, True),
    "max_model_len": (_count(1, 10**7), 8192),
    "watermark": (lambda v: _watermark(v), 0.0),
    "enable_kv_cache_events": (_flag, True),
}


def _watermark(v: object) -> str | None:
    if isinstance(v, bool) or not isinstance(v, (int, float)) or not math.isfinite(v):
        return f"must be a number, not {_show(v)}"
    return None if 0 <= v < 1 else f"must be at least 0 and below 1, not {_show(v)}"


def check_config(config: object, source: str = "run") -> Frozen:
    """The configuration with its defaults filled in.

    >>> check_config({"num_blocks": 30, "block_size": 16})["max_model_len"]
    8192
    """
    if not isinstance(config, Mapping):
        raise RunError(
            f"must be an object, not {_show(config)}",
            source=source,
            field="config",
            advice="Give at least num_blocks and block_size.",
        )
    for key in config:
        if key not in CONFIG:
            raise RunError(
                f"has an unknown key {_show(key)}",
                source=source,
                field="config",
                advice=f"Known keys: {', '.join(CONFIG)}.",
            )
    out: dict[str, object] = {}
    for key, (check, default) in CONFIG.items():
        value = config.get(key, default)
        if value is None and key not in config:
            raise RunError(
                "is missing",
                source=source,
                field=f"config.{key}",
                advice="Give at least num_blocks and block_size.",
            )
        if wrong := check(value):
            advice = (
                "Block 0 is never given out, so a pool needs at least 2 blocks."
                if key == "num_blocks" and isinstance(value, int) and value < 2
                else ""
            )
            raise RunError(wrong, source=source, field=f"config.{key}", advice=advice)
        out[key] = float(value) if isinstance(value, int) and key == "watermark" else value
    return Frozen(out)


class OpChecker:
    """Checks operations one after the other; remembers who has arrived and the totals."""

    def __init__(self, source: str = "run") -> None:
        self.source, self.step, self.tokens, self.arrivals = source, 0, 0, 0
        self.inside: set[str] = set()

    def check(self, op: object) -> Frozen:
        """The operation, frozen; RunError if it is not one."""
        self.step += 1
        if self.step > MAX_STEPS:
            raise RunError(
                f"has more than {MAX_STEPS:,} steps", source=self.source, advice="Make it shorter."
            )
        if not isinstance(op, Mapping):
            raise self._error(f"must be an object, not {_show(op)}")
        name = op.get("op")
        if not isinstance(name, str) or name not in FIELDS:
            raise self._error(
                f"unknown operation {_show(name)}",
                field="op",
                advice=f"Known operations: {', '.join(FIELDS)}.",
            )
        required, optional = FIELDS[name]
        for key in op:
            if key not in ("op", "tick") and key not in required and key not in optional:
                allowed = [*required, *optional]
                raise self._error(
                    f"unknown key {_show(key)}",
                    name,
                    advice=f"{name} knows {', '.join(allowed) or 'no keys'}.",
                )
        for key, check in {**required, **optional, "tick": _TICK}.items():
            if key not in op:
                if key in required:
                    raise self._error("is missing", name, key)
            elif wrong := check(op[key]):
                raise self._error(wrong, name, key)
        self._follow(name, op)
        return op if isinstance(op, Frozen) else Frozen(op)

    def _follow(self, name: str, op: Mapping[str, object]) -> None:
        """What only the operations before this one can tell: who is known, how many."""
        if "req" in op:
            req = str(op["req"])
            if name == "add_request":
                if req in self.inside:
                    raise self._error(
                        f"request {req!r} is already there",
                        name,
                        "req",
                        advice="Give each request its own name.",
                    )
                self.inside.add(req)
                self.arrivals += 1
                if self.arrivals > MAX_REQUESTS:
                    raise self._error(f"more than {MAX_REQUESTS:,} requests", name)
            elif req not in self.inside:
                raise self._error(
                    f"unknown request {req!r}",
                    name,
                    "req",
                    advice="A request must be added first, and not have left.",
                )
            if name == "free":
                self.inside.discard(req)
        tokens = op.get("tokens")
        if isinstance(tokens, (list, tuple)):
            self.tokens += len(tokens)
            if self.tokens > MAX_TOKENS:
                raise self._error(
                    f"the run has more than {MAX_TOKENS:,} tokens in all",
                    name,
                    "tokens",
                    advice="Use fewer or shorter requests.",
                )

    def _error(self, problem: str, op: str = "", field: str = "", advice: str = "") -> RunError:
        return RunError(
            problem, source=self.source, step=self.step, op=op, field=field, advice=advice
        )
