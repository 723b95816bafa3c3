"""How much memory a run at real size needs, and how much it may have.

The limit is 4 GiB, or half of what is available now if that is less: other viewers and other
programs go on. Available: MemAvailable of Linux, and what its control groups (containers)
leave, whichever is less. Where a system tells neither, 2 GiB.

Leaves out: what the allocator of the operating system adds. tests/engine/test_real_size_run.py
holds the estimate against what a run really took.

Source: Linux, Documentation/filesystems/proc.rst (MemAvailable) and
admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from pagedviz.engine.real_size import LIMITS, RealSizeSpec

MOST: Final = 4 * 2**30
UNKNOWN: Final = 2 * 2**30
PYTHON: Final = 64 * 2**20  # interpreter, numpy, BLAS buffers of a thread or two
PAGED_GROUP: Final = 2 * 2**20  # of the paged kernel (`attention_kernel.py`, which needs numpy)
DENSE_GROUP: Final = 4 * 2**20  # scores of the sequences that the dense kernel takes at once


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the estimate: bytes, and the product they come from."""

    name: Literal["paged", "dense", "table", "vectors", "working"]
    bytes: int
    formula: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run needs; `most_context`, `most_seqs`: the largest that fit, all else equal.

    They are None if not even one token or sequence fits, and equal to what was asked if all
    fits. `available` is None if the system does not tell.
    """

    parts: tuple[Part, ...]
    limit: int
    available: int | None
    most_context: int | None
    most_seqs: int | None

    @property
    def bytes(self) -> int:
        """All parts together."""
        return sum(part.bytes for part in self.parts)

    @property
    def fits(self) -> bool:
        """Whether it stays within the limit."""
        return self.bytes <= self.limit


def estimate(spec: RealSizeSpec, available: int | None = None) -> Estimate:
    """What `spec` needs against what is available (by default: on this machine now), in bytes.

    >>> found = estimate(RealSizeSpec(40, 40, 128, context=2048, num_seqs=1), 2**33)
    >>> found.parts[0].formula
    '2 x 128 blocks x 16 x 40 KV heads x 128 x 4 bytes = 83,886,080 bytes'
    >>> found.fits, found.limit == 4 * 2**30
    (True, True)
    >>> estimate(RealSizeSpec(40, 40, 128, context=2048, num_seqs=40), 2**33).most_seqs
    25
    """
    free = available_memory() if available is None else available
    limit = UNKNOWN if free is None else min(MOST, free // 2)
    contexts = _largest(spec, "context", limit)
    # whole blocks, if at least one fits: nobody wants 52,427 tokens
    if contexts is not None and contexts < spec.context and contexts >= spec.block_size:
        contexts -= contexts % spec.block_size
    return Estimate(_parts(spec), limit, free, contexts, _largest(spec, "num_seqs", limit))


def available_memory(root: Path = Path("/")) -> int | None:
    """Bytes that may be taken without pushing out others, None if the system does not tell.

    root: where `proc` and `sys` are.
    """
    found = [n for n in (_mem_available(root), *_left_in_groups(root)) if n is not None]
    return max(0, min(found)) if found else None


def _parts(spec: RealSizeSpec) -> tuple[Part, ...]:
    values = f"{spec.num_kv_heads} KV heads x {spec.head_size} x {spec.value_bytes} bytes"
    per_token = 2 * spec.num_kv_heads * spec.head_size * spec.value_bytes
    paged = spec.num_blocks * spec.block_size * per_token
    dense = spec.num_seqs * spec.context * per_token
    # the queries, both results, and what a kernel makes of them at a time: up to three more
    vectors = 6 * spec.num_seqs * spec.num_heads * spec.head_size * 4
    working = PYTHON + max(_paged_working(spec), _dense_working(spec), _check_working(spec))
    return (
        Part(
            "paged",
            paged,
            f"2 x {spec.num_blocks:,} blocks x {spec.block_size} x {values} = {paged:,} bytes",
        ),
        Part(
            "dense",
            dense,
            f"2 x {spec.num_seqs:,} x {spec.context:,} x {values} = {dense:,} bytes",
        ),
        Part(
            "table",
            4 * spec.num_blocks,
            f"{spec.num_blocks:,} entries x 4 bytes = {4 * spec.num_blocks:,} bytes",
        ),
        Part(
            "vectors",
            vectors,
            f"6 x {spec.num_seqs:,} x {spec.num_heads} heads x {spec.head_size} x 4 bytes "
            f"= {vectors:,} bytes",
        ),
        Part(
            "working",
            working,
            f"{PYTHON:,} for Python and numpy + {working - PYTHON:,} for what either kernel "
            f"holds at a time = {working:,} bytes",
        ),
    )


def _paged_working(spec: RealSizeSpec) -> int:
    """Keys and values of two groups of blocks, as they are and in float32, and the scores."""
    token = max(spec.num_kv_heads * spec.head_size, spec.num_heads) * 4
    return 9 * max(PAGED_GROUP, spec.block_size * token)


def _dense_working(spec: RealSizeSpec) -> int:
    """At least one sequence: scores and, of a float16 cache, keys and values in float32."""
    sequence = spec.num_heads * spec.context * 4
    if spec.kv_dtype == "float16":
        sequence += 2 * spec.context * spec.num_kv_heads * spec.head_size * 4
    return max(DENSE_GROUP, sequence)


def _check_working(spec: RealSizeSpec) -> int:
    """Keys and values of one head in float64, and its scores a few times."""
    return spec.context * (2 * spec.head_size + 4) * 8


def _largest(spec: RealSizeSpec, name: Literal["context", "num_seqs"], limit: int) -> int | None:
    """The largest value up to the one asked for that stays within the limit."""
    low, high = LIMITS[name][0] - 1, spec.context if name == "context" else spec.num_seqs
    while low < high:
        middle = (low + high + 1) // 2
        changed = (
            replace(spec, context=middle) if name == "context" else replace(spec, num_seqs=middle)
        )
        if sum(part.bytes for part in _parts(changed)) <= limit:
            low = middle
        else:
            high = middle - 1
    return low if low >= LIMITS[name][0] else None


def _mem_available(root: Path) -> int | None:
    for line in _text(root / "proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _left_in_groups(root: Path) -> Iterator[int]:
    """What each control group around this process leaves, from the inner to the outer."""
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, kinds, path = line.split(":", 2)
        if not kinds:
            base, files = root / "sys/fs/cgroup", ("memory.max", "memory.current")
        elif "memory" in kinds.split(","):
            base = root / "sys/fs/cgroup/memory"
            files = ("memory.limit_in_bytes", "memory.usage_in_bytes")
        else:
            continue
        # In a container the path may be the host's: then only the root of it is there.
        inner = base / path.strip("/")
        for group in (inner, *inner.parents):
            most, used = (_text(group / name).strip() for name in files)
            if most.isdigit() and used.isdigit():
                yield int(most) - int(used) + _file_cache(group)
            if group == base:
                break


def _file_cache(group: Path) -> int:
    """Pages of files that the system gives back as soon as memory is wanted."""
    for line in _text(group / "memory.stat").splitlines():
        name, _, number = line.partition(" ")
        if name in {"inactive_file", "total_inactive_file"} and number.isdigit():
            return int(number)
    return 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
