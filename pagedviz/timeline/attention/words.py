"""What happens at one moment of a reading, in one sentence, in either register.

One pure function, used by the stage, by screen readers and in exports. The storage room speaks of
the question, of the cards on the boxes and of the mixture; the engine of query, keys and values.

Leaves out: what moving or breaking the table did (`notes.py`).
"""

from __future__ import annotations

from pagedviz.timeline.attention.figures import counted, fixed, listed, scientific
from pagedviz.timeline.attention.reading import Line, Moment, Reading
from pagedviz.timeline.captions import Register


def words(reading: Reading, moment: Moment, head: int, register: Register) -> str:
    """The caption of a moment for one head; `**bold**` marks emphasis.

    >>> from pagedviz.timeline.attention.reading import read
    >>> from pagedviz.timeline.attention.setup import AttentionSetup
    >>> words(read(AttentionSetup()), Moment("start", None), 0, "room")[:44]
    "A's 18 boxes lie on **5 shelves**, all over "
    """
    speak = _room if register == "room" else _engine
    return speak(reading, moment, head)


def _room(reading: Reading, moment: Moment, head: int) -> str:
    setup = reading.setup
    if moment.line is None:
        if moment.phase == "start":
            boxes = counted(setup.tokens, "box lies", "boxes lie")
            shelves = counted(setup.lines, "shelf", "shelves")
            where = ", all over the room" if setup.lines > 1 else ""
            return (
                f"A's {boxes} on **{shelves}**{where}. The hand will follow A's slip, line by "
                "line, to answer one question."
            )
        return _room_end(reading, head)
    line, step = reading.lines[moment.line], reading.steps[moment.line]
    if moment.phase == "look":
        return _room_look(reading, moment.line)
    if moment.phase == "score":
        if line.unread:
            return (
                f"Only **{len(line.read)} of {setup.block_size}** places count. "
                f"{_left_out(reading, line)} not read."
            )
        return (
            "Each box on the shelf is held against the question. A larger score means: it "
            "matters more."
        )
    before, after = float(step.max_before[head]), float(step.max_after[head])
    if moment.phase == "correct":
        if moment.line == 0:
            return f"The best score so far is **{fixed(after, 2)}**. The rest is measured by it."
        if after > before:
            return (
                f"**{fixed(after, 2)}** is better than {fixed(before, 2)}. All that was gathered "
                f"before shrinks to **{fixed(float(step.correction[head]))}** of itself."
            )
        return (
            f"Nothing here is better than {fixed(before, 2)}, so what was gathered stays as it is."
        )
    boxes = counted(len(line.read), "box goes", "boxes go")
    return (
        f"The {boxes} into the mixture, each by its weight. The hand remembers three things, "
        "and **no shelf**."
    )


def _left_out(reading: Reading, line: Line) -> str:
    """Whose boxes the hand leaves on a shelf: old ones, unless the slip leads elsewhere."""
    slots = reading.room.contents[line.content].slots[len(line.read) :]
    names = sorted({slot.owner for slot in slots if slot.owner})
    boxes = "box" if line.unread == 1 else "boxes"
    whose = f"somebody's old {boxes}"
    if names:
        whose = f"A's own {boxes}" if names == ["A"] else f"visitor {names[0]}'s {boxes}"
        whose += "" if all(slot.owner for slot in slots) else " and old ones"
    if line.unread == 1:
        return f"On the other place is {whose}: it is"
    return f"On the other {line.unread} places are {whose}: they are"


def _room_look(reading: Reading, number: int) -> str:
    line, setup = reading.lines[number], reading.setup
    content = reading.room.contents[line.content]
    if number >= setup.lines:
        whose = f"visitor {content.owner}'s now" if content.owner else "nobody's now"
        return (
            f"A's slip has ended, and the hand reads on. An old line says shelf **{line.block}**: "
            f"{whose}."
        )
    said = f"Line {number} of the slip says shelf **{line.block}**."
    if content.owner == "A" and content.logical == number:
        return f"{said} The hand goes there."
    if content.owner == "A":
        return f"{said} The hand goes there, though line {content.logical} was its place."
    return f"{said} Those boxes are {_whose(content.owner)}, and the hand cannot tell."


def _room_end(reading: Reading, head: int) -> str:
    difference = reading.difference(head)
    if difference == 0:
        return "Divided by the sum of the weights, it is **the same answer** as from one long row."
    if same(reading, head):
        return (
            "Divided by the sum of the weights, it is **the same answer** as from one long row, "
            f"to within {scientific(difference)}."
        )
    return (
        f"Divided by the sum of the weights, it is **another answer**: off by "
        f"{scientific(difference)} from the one of A's own boxes in a row."
    )


def _engine(reading: Reading, moment: Moment, head: int) -> str:
    setup = reading.setup
    if moment.line is None:
        if moment.phase == "start":
            blocks, *rest = reading.room.key_cache.shape
            return (
                f"paged_attention: query ({setup.heads}, {setup.head_size}), key_cache and "
                f"value_cache ({blocks}, {', '.join(map(str, rest))}), block_table "
                f"({len(reading.lines)},), seq_len = {_seq_len(reading)}"
            )
        what = f"out = acc / l, max|paged − dense| = **{scientific(reading.difference(head))}**"
        verdict = "" if same(reading, head) else "; not the answer to these tokens"
        return f"{what} in {_computed_in(reading)}{verdict}"
    line, step = reading.lines[moment.line], reading.steps[moment.line]
    if moment.phase == "look":
        first = moment.line * setup.block_size
        text = f"block_table[{moment.line}] = **{line.block}**, tokens {first} to "
        text += f"{first + len(line.read) - 1}"
        if line.unread:
            text += f", {counted(line.unread, 'slot', 'slots')} beyond seq_len: masked"
        return text + _engine_wrong(reading, moment.line)
    scores = step.scores[head]
    if moment.phase == "score":
        return f"s = q · Kᵀ / √{setup.head_size} = **{listed(scores)}**"
    before, after = float(step.max_before[head]), float(step.max_after[head])
    alpha = float(step.correction[head])
    if moment.phase == "correct":
        return (
            f"m = max({fixed(before)}, {fixed(float(scores.max()))}) = **{fixed(after)}**, "
            f"α = exp({fixed(before)} − {fixed(after)}) = **{fixed(alpha)}**"
        )
    gathered = fixed(float(step.weights[head].sum()))
    return (
        f"l = {fixed(alpha)} · {fixed(float(step.sum_before[head]))} + {gathered} = "
        f"**{fixed(float(step.sum_after[head]))}**, acc = α · acc + p · V"
    )


def _engine_wrong(reading: Reading, number: int) -> str:
    content = reading.room.contents[reading.lines[number].content]
    if number >= reading.setup.lines:
        owner = f"request {content.owner}'s block" if content.owner else "a free block"
        return f"; beyond the table: a stale entry, {owner}"
    if content.owner != "A":
        return f"; request {content.owner}'s block" if content.owner else "; a free block"
    return f"; holds logical block {content.logical}" if content.logical != number else ""


def _seq_len(reading: Reading) -> int:
    return sum(len(line.read) for line in reading.lines)


def _computed_in(reading: Reading) -> str:
    numbers = reading.setup.numbers
    kept = {"float16": ", cache in float16", "fp8": ", cache in FP8 (E4M3)"}.get(numbers, "")
    return ("float64" if numbers == "float64" else "float32") + kept


def _whose(owner: str) -> str:
    return f"visitor {owner}'s" if owner else "nobody's, left behind"


def same(reading: Reading, head: int) -> bool:
    """Whether paged and dense agree as well as the arithmetic can."""
    size = max(1.0, float(abs(reading.dense[head]).max()))
    return reading.difference(head) <= size * (
        1e-12 if reading.setup.numbers == "float64" else 1e-5
    )
