"""A reads its blocks: the stepped kernel over the room, moment by moment, beside dense attention.

Four moments a line: look (which block), score (its keys against the query), correct (the running
maximum, and what it does to what was gathered), add (the values). Before them a start, after them
the end. Everything shown is an array the kernel made.

Leaves out: words (`words.py`) and the form for the browser (`wire.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pagedviz.engine.attention import AttentionStep, attention_steps, dense_attention
from pagedviz.engine.kv_rounding import round_to_e4m3
from pagedviz.timeline.attention.figures import counted
from pagedviz.timeline.attention.places import Room, Slot, make_room
from pagedviz.timeline.attention.setup import AttentionSetup, SetupError

Floats = NDArray[Any]
Phase = Literal["start", "look", "score", "correct", "add", "end"]
LINE_PHASES: tuple[Phase, ...] = ("look", "score", "correct", "add")


@dataclass(frozen=True)
class Line:
    """One line of the table as it is read: which content, where, and how much of it."""

    number: int
    content: int
    block: int
    read: tuple[Slot, ...]
    unread: int  # slots of the block that the mask leaves out


@dataclass(frozen=True)
class Moment:
    """One step of the reading."""

    phase: Phase
    line: int | None  # the line it is about


@dataclass(frozen=True)
class Reading:
    """A whole reading. Arrays: (num_heads, head_size) unless a comment says otherwise."""

    setup: AttentionSetup
    room: Room
    places: tuple[int, ...]  # block of each content
    lines: tuple[Line, ...]
    steps: tuple[AttentionStep, ...]  # one per line
    query: Floats
    keys: tuple[Floats, ...]  # per line (num_read, num_kv_heads, head_size)
    values: tuple[Floats, ...]
    dense: Floats  # over A's own tokens in one run, as the cache keeps them
    exact: Floats  # the same in float64 over keys and values that were never rounded

    @property
    def output(self) -> Floats:
        """The paged answer."""
        return self.steps[-1].output

    @property
    def table(self) -> tuple[int, ...]:
        """Blocks in the order of reading."""
        return tuple(line.block for line in self.lines)

    def difference(self, head: int) -> float:
        """Largest absolute difference of paged and dense in one head."""
        return float(np.max(np.abs(self.output[head] - self.dense[head])))

    def rounding(self, head: int) -> float:
        """Largest absolute difference of the paged answer and the exact one in one head."""
        return float(np.max(np.abs(self.output[head].astype(np.float64) - self.exact[head])))

    def moments(self) -> Iterator[Moment]:
        """All steps in order; the index is the step's number."""
        yield Moment("start", None)
        for line in self.lines:
            for phase in LINE_PHASES:
                yield Moment(phase, line.number)
        yield Moment("end", None)

    def corrected(self, line: int, head: int) -> bool:
        """Whether a larger score came along after something had been gathered."""
        step = self.steps[line]
        return line > 0 and bool(step.max_after[head] > step.max_before[head])

    def shares(self, line: int) -> Floats:
        """What each token read up to this line counts for then, (num_heads, num_read)."""
        return shares(self.steps, line)

    def weights(self) -> Floats:
        """What each token read counts for in the end, (num_heads, num_read): rows sum to 1."""
        return self.shares(len(self.lines) - 1)


def triangle(setup: AttentionSetup, head: int) -> Floats:
    """Weights of every token's own query over what came before it, (num_tokens, num_tokens).

    The kernel reads the same blocks once per query, up to and with its own token: what a
    causal mask leaves. Zero above the diagonal. Broken tables are mended first.

    >>> weights = triangle(AttentionSetup(tokens=3), 0)
    >>> weights.shape, weights.sum(axis=1).round(6).tolist(), float(weights[0, 1])
    ((3, 3), [1.0, 1.0, 1.0], 0.0)
    """
    whole = read(setup.intact())
    key_cache, value_cache = (_kept(c, setup) for c in whole.room.moved(whole.places))
    compute = whole.query.dtype
    table = np.array(whole.table)
    out = np.zeros((setup.tokens, setup.tokens))
    for position, query in enumerate(whole.room.projected.query):
        steps = attention_steps(query.astype(compute), key_cache, value_cache, table, position + 1)
        out[position, : position + 1] = shares(steps, len(steps) - 1)[head]
    return out


def shares(steps: Sequence[AttentionStep], line: int) -> Floats:
    """What each token read up to this line counts for then, (num_heads, num_read)."""
    now = steps[line]
    scores = np.concatenate([step.scores for step in steps[: line + 1]], axis=1)
    return np.asarray(np.exp(scores - now.max_after[:, None]) / now.sum_after[:, None])


def read(setup: AttentionSetup) -> Reading:
    """Lay out the room of a setup and read it.

    Raises SetupError if `setup.reads` does not name a piece of content for each line.

    >>> reading = read(AttentionSetup())
    >>> [len(line.read) for line in reading.lines], reading.difference(0) < 1e-6
    ([4, 4, 4, 4, 2], True)
    """
    room = make_room(setup)
    places = room.places(setup.moves, setup.seed)
    key_cache, value_cache = (_kept(cache, setup) for cache in room.moved(places))
    lines = tuple(_lines(setup, room, places))
    compute = np.float64 if setup.numbers == "float64" else np.float32
    query = room.projected.query[-1].astype(compute)  # the newest token's
    num_read = sum(len(line.read) for line in lines)
    table = np.array([line.block for line in lines])
    steps = attention_steps(query, key_cache, value_cache, table, num_read)
    key, value = (_kept(part, setup) for part in (room.projected.key, room.projected.value))
    wide = [part.astype(np.float64) for part in (room.projected.key, room.projected.value)]
    return Reading(
        setup=setup,
        room=room,
        places=places,
        lines=lines,
        steps=steps,
        query=query,
        keys=tuple(key_cache[line.block, : len(line.read)] for line in lines),
        values=tuple(value_cache[line.block, : len(line.read)] for line in lines),
        dense=dense_attention(query, key, value),
        exact=dense_attention(query.astype(np.float64), *wide),
    )


def _kept(values: NDArray[np.float32], setup: AttentionSetup) -> Floats:
    """What is read back from a cache of these numbers."""
    if setup.numbers == "fp8":
        return round_to_e4m3(values)
    return values.astype(setup.numbers)


def _lines(setup: AttentionSetup, room: Room, places: tuple[int, ...]) -> Iterator[Line]:
    size, left = setup.block_size, setup.tokens
    contents = reads_of(setup, room)
    if setup.past:
        contents, left = (*contents, room.stale), (setup.lines + 1) * size
    for number, content in enumerate(contents):
        count = min(size, left)
        left -= count
        slots = room.contents[content].slots[:count]
        yield Line(number, content, places[content], slots, size - count)


def reads_of(setup: AttentionSetup, room: Room) -> tuple[int, ...]:
    """The content each line of A's table points at. SetupError if there is no such content."""
    if setup.reads is None:
        return tuple(range(setup.lines))
    if len(setup.reads) != setup.lines:
        lines = counted(setup.lines, "line", "lines")
        raise SetupError(f"The table has {lines}, not {len(setup.reads)}.")
    for content in setup.reads:
        if not 0 <= content < len(room.contents):
            raise SetupError(
                f"A line can point at content 0 to {len(room.contents) - 1}, not {content}."
            )
    return setup.reads
