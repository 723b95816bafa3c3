"""A reading as the browser gets it: one JSON object, everything looked up, nothing worked out.

All heads are in it, so that switching heads needs no server. Of a line: b (block), n (slots
read), unread, c (content), own (A's own block in its place), t (labels of the slots read). Of a
head: per line s (scores), m, a (correction), l0, ls, l (sum before, corrected, after), p (weights),
accs, acc (accumulator corrected, after), part, off (output so far, and how far from dense), w
(share of each token read so far); besides them query, out, dense, diff, most. Of a step: phase,
line, kinds and c (captions), the last two per head. Of a block: o (owner), f (fill), c (which
content lies there, so that a move can be followed), l (logical block), t (labels of its slots).

Leaves out: other sequences' keys and values; the stage shows none of them until they are read.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagedviz.timeline.attention.notes import note, rounding_note
from pagedviz.timeline.attention.places import Slot
from pagedviz.timeline.attention.reading import Line, Moment, Reading
from pagedviz.timeline.attention.trials import TRIALS, Missing, current, trial
from pagedviz.timeline.attention.words import same, words
from pagedviz.timeline.captions import REGISTERS

VERSION = 1
OWNERS = ("A", "B", "C")


def encode(reading: Reading) -> dict[str, object]:
    """The reading in wire format 1, kind "attention".

    >>> from pagedviz.timeline.attention.reading import read
    >>> from pagedviz.timeline.attention.setup import AttentionSetup
    >>> wire = encode(read(AttentionSetup()))
    >>> wire["last"], len(wire["heads"]), wire["lines"][4]["n"]
    (21, 4, 2)
    """
    setup, room = reading.setup, reading.room
    moments = list(reading.moments())
    heads = range(setup.heads)
    blocks: list[dict[str, Any]] = [{"o": -1, "f": 0, "c": -1, "t": []}] * room.num_blocks
    for number, content in enumerate(room.contents):
        blocks[reading.places[number]] = {
            "o": OWNERS.index(content.owner) if content.owner else -1,
            "f": content.fill,
            "c": number,
            "l": content.logical,
            "t": [_label(slot) for slot in content.slots],
        }
    tried = current(setup, room)
    return {
        "v": VERSION,
        "kind": "attention",
        "title": "",
        "num_blocks": room.num_blocks,
        "block_size": setup.block_size,
        "last": len(moments) - 1,
        "requests": [{"id": name, "letter": name, "hue": k} for k, name in enumerate(OWNERS)],
        "tokens": setup.tokens,
        "pieces": list(setup.pieces),
        "group": setup.group,
        "numbers": setup.numbers,
        "blocks": blocks,
        "lines": [_line(reading, line) for line in reading.lines],
        "keys": _by_kv_head(reading.keys),
        "values": _by_kv_head(reading.values),
        "heads": [_head(reading, head) for head in heads],
        "steps": [_step(reading, moment, heads) for moment in moments],
        "note": note(reading),
        "rounding": rounding_note(reading),
        "trial": tried,
        "trials": {
            name: [found.room, found.engine] if isinstance(found, Missing) else None
            for name in TRIALS
            for found in [trial(setup, room, name)]
        },
        "moves": setup.moves,
    }


def dumps(reading: Reading) -> str:
    """The same as text, for tests of its size."""
    return json.dumps(encode(reading), separators=(",", ":"), ensure_ascii=False)


def _line(reading: Reading, line: Line) -> dict[str, object]:
    content = reading.room.contents[line.content]
    own = content.owner == "A" and content.logical == line.number
    return {
        "b": line.block,
        "n": len(line.read),
        "unread": line.unread,
        "c": line.content,
        "own": own and line.number < reading.setup.lines,
        "past": line.number >= reading.setup.lines,
        "t": [_label(slot) for slot in line.read],
    }


def _label(slot: Slot) -> str | int:
    """A's tokens by position, the others by owner; "" for what somebody left behind."""
    return slot.position if slot.owner == "A" else slot.owner if slot.owner in OWNERS else ""


def _head(reading: Reading, head: int) -> dict[str, object]:
    wide = reading.setup.numbers == "float64"
    steps = reading.steps
    dense = reading.dense[head]
    shares = [reading.shares(line.number)[head] for line in reading.lines]
    return {
        "query": _numbers(reading.query[head]),
        "s": [_numbers(step.scores[head]) for step in steps],
        "m": [_number(step.max_after[head]) for step in steps],
        "a": [_number(step.correction[head]) for step in steps],
        "l0": [_number(step.sum_before[head]) for step in steps],
        "ls": [_number(step.sum_before[head] * step.correction[head]) for step in steps],
        "l": [_number(step.sum_after[head]) for step in steps],
        "p": [_numbers(step.weights[head]) for step in steps],
        "accs": [_numbers(step.accumulator_before[head] * step.correction[head]) for step in steps],
        "acc": [_numbers(step.accumulator_after[head]) for step in steps],
        "part": [_numbers(step.output[head]) for step in steps],
        "off": [_numbers(np.abs(step.output[head] - dense)) for step in steps],
        "w": [_numbers(share, 4) for share in shares],
        "out": _numbers(reading.output[head], 17 if wide else 9),
        "dense": _numbers(dense, 17 if wide else 9),
        "diff": _numbers(np.abs(reading.output[head] - dense)),
        "most": _number(reading.difference(head)),
        "same": same(reading, head),
    }


def _step(reading: Reading, moment: Moment, heads: range) -> dict[str, object]:
    marked = moment.phase == "correct" and moment.line is not None
    return {
        "phase": moment.phase,
        "line": -1 if moment.line is None else moment.line,
        "kinds": [
            ["correct"] if marked and reading.corrected(moment.line or 0, head) else []
            for head in heads
        ],
        "c": [[words(reading, moment, head, reg) for reg in REGISTERS] for head in heads],
    }


def _by_kv_head(lines: tuple[NDArray[Any], ...]) -> list[list[list[list[float]]]]:
    """[kv head][line][slot][number]."""
    count = lines[0].shape[1]
    return [[[_numbers(row[kv]) for row in line] for line in lines] for kv in range(count)]


def _numbers(values: NDArray[Any], digits: int = 6) -> list[float]:
    return [_number(value, digits) for value in values]


def _number(value: Any, digits: int = 6) -> float:
    return float(f"{float(value):.{digits}g}")
