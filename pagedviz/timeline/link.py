"""A run as a piece of a web address, and back.

"1." and then base64url of the deflated run. Runs of counting tokens are written as
[first, how many], so a usual run of a few visitors stays short.

Leaves out: long runs. Beyond MAX_LINK characters there is no link (None), and the run is
shared as a file.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping, Sequence

from pagedviz.timeline.errors import RunError
from pagedviz.timeline.frozen import thaw
from pagedviz.timeline.ops import CONFIG, FIELDS, MAX_TOKENS
from pagedviz.timeline.run import Run

MAX_LINK = 1500  # characters; mail programs and chats cut longer addresses
_VERSION = "1."
_MAX_UNPACKED = 4_000_000
_NAMES = tuple(FIELDS)
_DAMAGED = "is damaged: copy the whole link again"


def to_link(run: Run) -> str | None:
    """The run as text for an address, or None if that would be too long.

    >>> run = Run("one", {"num_blocks": 9, "block_size": 16},
    ...           [{"op": "add_request", "req": "A", "tokens": list(range(100, 140))}])
    >>> len(to_link(run)) < 150, from_link(to_link(run)) == run
    (True, True)
    """
    defaults = {key: default for key, (_, default) in CONFIG.items()}
    short = [
        run.title,
        {k: v for k, v in run.config.items() if v != defaults[k]},
        [_short(op) for op in run.ops],
    ]
    text = json.dumps(short, separators=(",", ":"), ensure_ascii=False)
    packed = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).rstrip(b"=")
    link = _VERSION + packed.decode("ascii")
    return link if len(link) <= MAX_LINK else None


def from_link(link: str) -> Run:
    """The run of a link. Raises RunError if it is damaged or from a newer release.

    The messages go on from the name of the parameter the link stands in, which the caller says.
    """
    version, dot, packed = link.partition(".")
    if not (dot and version.isdigit() and packed):
        raise RunError(_DAMAGED)
    if version + dot != _VERSION:
        raise RunError(
            f"was made by a newer release (version {version})",
            advice="Update pagedviz to open it.",
        )
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), b"-_", validate=True)
        unpack = zlib.decompressobj()
        raw = unpack.decompress(data, _MAX_UNPACKED)
        if not unpack.eof:
            raise ValueError("cut off or too large")
        title, config, ops = json.loads(raw)
        room, run_ops = MAX_TOKENS, []
        for op in ops:
            run_ops.append(_long(op, room))
            room -= len(run_ops[-1].get("tokens", ()))  # type: ignore[arg-type]
    except (
        ValueError,
        TypeError,
        KeyError,
        IndexError,
        AttributeError,
        zlib.error,
        binascii.Error,
        RecursionError,
    ) as error:
        raise RunError(_DAMAGED) from error
    return Run(title, config, run_ops, source="")


def _short(op: Mapping[str, object]) -> list[object]:
    """[number of the operation, request or null, the other keys]."""
    rest = {k: thaw(v) for k, v in op.items() if k not in ("op", "req")}
    if isinstance(tokens := op.get("tokens"), tuple):
        rest["tokens"] = _ranges(tokens)
    return [_NAMES.index(str(op["op"])), op.get("req"), *([rest] if rest else [])]


def _long(short: Sequence[object], room: int) -> dict[str, object]:
    index, req, *more = short
    if not isinstance(index, int) or index < 0 or len(more) > 1:
        raise ValueError("no operation")
    op: dict[str, object] = {"op": _NAMES[index]}
    if req is not None:
        op["req"] = req
    rest = dict(more[0]) if more else {}  # type: ignore[call-overload]
    if "tokens" in rest:
        rest["tokens"] = _unranged(rest["tokens"], room)
    return {**op, **rest}


def _ranges(tokens: Sequence[int]) -> list[int | list[int]]:
    """Three or more numbers that count up become [first, how many].

    >>> _ranges([5, 6, 7, 8, 1, 3])
    [[5, 4], 1, 3]
    """
    out: list[int | list[int]] = []
    start = 0
    for i in range(1, len(tokens) + 1):
        if i == len(tokens) or tokens[i] != tokens[i - 1] + 1:
            length = i - start
            out += [[tokens[start], length]] if length > 2 else tokens[start:i]
            start = i
    return out


def _unranged(ranges: Sequence[int | Sequence[int]], room: int) -> list[int]:
    tokens: list[int] = []
    for item in ranges:
        if isinstance(item, int):
            tokens.append(item)
        else:
            first, length = item
            # Before the list is made: a few characters must not become gigabytes.
            # Nor may the numbers be: one of 4,000 digits takes two kilobytes.
            if not 0 <= length <= room - len(tokens) or not 0 <= first < 2**63:
                raise ValueError("too many tokens")
            tokens += range(first, first + length)
    return tokens
