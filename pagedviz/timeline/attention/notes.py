"""What moving the blocks, breaking the table or a smaller cache did to the answer.

Derived from two readings, never typed: this one, and the same with nothing moved or broken.

Leaves out: the captions of the steps (`words.py`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pagedviz.timeline.attention.figures import counted, scientific
from pagedviz.timeline.attention.reading import Reading, read
from pagedviz.timeline.attention.words import same

Note = tuple[str, str]  # room, engine
BYTES = {"float64": 8, "float32": 4, "float16": 2, "fp8": 1}


def note(reading: Reading) -> Note | None:
    """What is to be said below the answer; None if nothing was moved or broken.

    >>> from pagedviz.timeline.attention.setup import AttentionSetup
    >>> note(read(AttentionSetup())) is None
    True
    >>> note(read(AttentionSetup(moves=1)))[1].endswith("identical, bit by bit.**")
    True
    """
    setup = reading.setup
    if setup.past:
        return _past(reading)
    if setup.reads is not None and setup.reads != tuple(range(setup.lines)):
        return _pointed(reading)
    if setup.moves:
        return _moved(reading)
    return None


def rounding_note(reading: Reading) -> Note | None:
    """What keeping the cache in few bits costs; None for float32 and float64."""
    setup = reading.setup
    if setup.numbers not in ("float16", "fp8") or setup.past or setup.reads is not None:
        return None
    worst = max(reading.rounding(head) for head in range(setup.heads))
    paging = max(reading.difference(head) for head in range(setup.heads))
    name = "16-bit" if setup.numbers == "float16" else "8-bit (FP8, E4M3)"
    part = "a half" if setup.numbers == "float16" else "a quarter"
    return (
        f"With {name} numbers the same boxes take {part} of the room. That moves the answer by "
        f"at most **{scientific(worst)}**; the scattering adds {scientific(paging)}.",
        f"KV cache in {name}, {BYTES[setup.numbers]} "
        f"byte{'' if setup.numbers == 'fp8' else 's'} a value instead of 4: the output is off "
        f"by at most **{scientific(worst)}** from float64; paging adds {scientific(paging)}.",
    )


def _moved(reading: Reading) -> Note:
    before = read(replace(reading.setup, moves=0))
    numbers = reading.output.size
    identical = reading.output.tobytes() == before.output.tobytes()
    tables = [", ".join(map(str, each.table)) for each in (before, reading)]
    if not identical:  # never seen: the kernel reads the same numbers in the same order
        worst = float(np.max(np.abs(reading.output - before.output)))
        return (
            f"The slip said {tables[0]} and now says {tables[1]}. The answer changed by {worst}.",
            f"block_table was [{tables[0]}], is [{tables[1]}]. The output changed by {worst}.",
        )
    return (
        f"The slip said {tables[0]} and now says {tables[1]}. **All {numbers} numbers of the "
        "answer are the same to the last bit.**",
        f"block_table was [{tables[0]}], is [{tables[1]}]. **All {numbers} outputs are identical, "
        "bit by bit.**",
    )


def _past(reading: Reading) -> Note:
    setup, (room, engine) = reading.setup, _worst(reading)
    extra = sum(len(line.read) for line in reading.lines) - setup.tokens
    rest = setup.lines * setup.block_size > setup.tokens  # of A's last block
    left, stale = ("boxes left behind, and ", "stale KV and ") if rest else ("", "")
    return (
        f"The hand read {counted(extra, 'place', 'places')} too far: {left}a line that was never "
        f"A's. The answer is off by **{room}**. That is why the hand must know where "
        "to stop: what is given back is not wiped.",
        f"{counted(extra, 'slot', 'slots')} beyond seq_len: {stale}a stale table entry. The "
        f"output is off by **{engine}**. That is why the mask matters: freed blocks are "
        "not zeroed.",
    )


def _pointed(reading: Reading) -> Note:
    setup, (room, engine) = reading.setup, _worst(reading)
    reads = setup.reads or ()
    foreign = [n for n, content in enumerate(reads) if content >= setup.lines]
    if foreign:
        line = reading.lines[foreign[0]]
        owner = reading.room.contents[line.content].owner
        whose = f"visitor {owner}'s" if owner else "nobody's"
        block = f"request {owner}'s block" if owner else "a free block"
        return (
            f"Line {line.number} leads to boxes that are {whose}. Nothing stops the hand: the "
            f"answer is off by **{room}**. Only the slip says what belongs to A.",
            f"block_table[{line.number}] points at {block}. The kernel cannot tell: the output "
            f"is off by **{engine}**. Isolation is the table, nothing else.",
        )
    if len(set(reads)) < len(reads):
        return (
            "One of A's shelves is read twice and another not at all: the answer is off by "
            f"**{room}**.",
            f"One block is read twice and another not at all: the output is off by **{engine}**.",
        )
    if all(same(reading, head) for head in range(setup.heads)):
        count = sum(1 for line, content in enumerate(reads) if content != line)
        return (
            f"{count} full shelves have changed places on the slip, and **nothing changes** "
            f"(by {room}). The mixture is a sum: what was read first does not "
            "matter, because each box carries its own place in the text.",
            f"{count} full blocks have changed places in block_table, and **nothing changes** "
            f"(by {engine}, from rounding). Attention adds over a set; a "
            "token's position lives in its key.",
        )
    rest = setup.tokens % setup.block_size or setup.block_size
    return (
        "The shelf that is only part full now stands elsewhere on the slip: "
        f"{counted(rest, 'box is', 'boxes are')} all that count on the last line, whatever lies "
        "there. So A's own boxes are missed, and old ones are read: off by "
        f"**{room}**.",
        "The partly filled block is no longer last. seq_len says the last line has "
        f"{counted(rest, 'token', 'tokens')} and all others are full: stale slots are read and own "
        f"tokens are not. The output is off by **{engine}**.",
    )


def _worst(reading: Reading) -> Note:
    """How far paged is from dense, of all heads; the caption speaks of the head shown."""
    heads = reading.setup.heads
    size = scientific(max(reading.difference(head) for head in range(heads)))
    if heads == 1:
        return size, size
    return f"at most {size} for the {heads} readers", f"at most {size} over {heads} heads"
