"""A step of the comparison in the storage room's words: aisles on the left, shelves on the right.

What matters most is said first, and what no longer fits two lines is left out.

Leaves out: the engine's words (`engine_words.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from pagedviz.timeline.reservation.play import ReservationRun
from pagedviz.timeline.reservation.room_reasons import (
    s,
    shelves_for,
    ticks,
    who,
    why_left,
    why_right,
)
from pagedviz.timeline.reservation.step import Step
from pagedviz.timeline.room_grammar import LONGEST, first, number


def room(run: ReservationRun, step: Step) -> str:
    """What happened, and why; `**bold**` marks emphasis."""
    if step.tick == 0:
        count = len(run.visitors)
        who = "one visitor comes" if count == 1 else f"{count} visitors come"
        return (
            f"Left and right have **{run.setup.slots:,} places** each, still empty. The same {who} "
            "to both, at the same moments."
        )
    said = ""
    for sentence in _sentences(run, step):
        longer = f"{said} {sentence}" if said else sentence
        if len(longer.replace("*", "")) <= LONGEST or not said:
            said = longer
    return said


def _sentences(run: ReservationRun, step: Step) -> Iterator[str]:
    if step.tick == run.last:
        yield _end(run, step)
        return
    yield from _turned_away(run, step)
    yield from _preempted(run, step)
    yield from _arrivals(run, step)
    yield from _home(step)
    yield from _left_side(run, step)
    yield from _right_side(run, step)
    if not step.kinds:
        yield from _quiet(run, step)


def _end(run: ReservationRun, step: Step) -> str:
    old, paged = run.home
    if not step.paged.gone:
        return "Nobody could come in: every visit is longer than allowed. Both rooms stay empty."
    if not step.old.gone:
        return f"By the shelves everybody is home, at tick **{paged}**. The aisles took in nobody."
    if old == paged:
        return f"Everybody is home, in both rooms at the same tick, **{old}**."
    return f"Everybody is home: by the shelves at tick **{paged}**, by the aisles at **{old}**."


def _turned_away(run: ReservationRun, step: Step) -> Iterator[str]:
    for turned, old, paged in step.turned_away:
        visitor = run.visitors[turned]
        total = visitor.prompt + visitor.output
        if old and paged:
            yield (
                f"**{visitor.letter}** would need {total:,} places, and "
                f"{run.setup.max_model_len:,} are the most allowed: both rooms turn "
                f"{visitor.letter} away."
            )
        else:
            yield (
                f"**{visitor.letter}** is turned away on the left: no aisle will ever have a "
                "piece that long. On the right there is no need of one."
            )


def _preempted(run: ReservationRun, step: Step) -> Iterator[str]:
    if sent := step.paged.preempted:
        loses = s(sent, "it loses of its boxes", "they lose of their boxes")
        yield (
            f"On the right the shelves ran out: {who(run, sent)}, the last to come in, "
            f"{s(sent, 'is', 'are')} sent back to the door. What {loses} is made anew."
        )


def _arrivals(run: ReservationRun, step: Step) -> Iterator[str]:
    away = {turned.visitor for turned in step.turned_away}
    old, paged = set(step.old.came), set(step.paged.came)
    groups: dict[tuple[bool, bool], list[int]] = {}  # (in on the left, in on the right)
    for v in step.arrived:
        if v not in away:
            groups.setdefault((v in old, v in paged), []).append(v)
    if only_right := groups.get((False, True)):
        yield (
            f"{who(run, only_right)} {s(only_right, 'arrives', 'arrive')}. On the left "
            f"{why_left(run, step, only_right)}; on the right "
            f"{shelves_for(step, only_right)} enough to start."
        )
    if both := groups.get((True, True)):
        comes = s(both, "arrives and comes", "arrive and come")
        yield f"{who(run, both)} {comes} in on both sides."
    if only_left := groups.get((True, False)):
        comes = s(only_left, "arrives and comes", "arrive and come")
        yield (
            f"{who(run, only_left)} {comes} in on the left; on the right "
            f"{why_right(run, step, only_left[0])}."
        )
    if neither := groups.get((False, False)):
        waits = s(neither, "arrives and waits", "arrive and wait")
        yield (
            f"{who(run, neither)} {waits} on both sides. On the right "
            f"{why_right(run, step, neither[0])}."
        )


def _home(step: Step) -> Iterator[str]:
    came = bool(step.old.gone), bool(step.paged.gone)
    for is_home, anybody, where in zip(step.home, came, ("left", "right"), strict=True):
        if is_home and anybody:
            yield f"On the {where} the last has gone home, at tick **{step.tick}**."


def _left_side(run: ReservationRun, step: Step) -> Iterator[str]:
    side = step.old
    waited = [v for v in side.came if run.visitors[v].arrive < step.tick]
    if side.left and waited:
        yield (
            f"On the left {who(run, side.left)} {s(side.left, 'leaves', 'leave')}, and "
            f"{who(run, waited)} may come in after {ticks(run, waited, step.tick)} at the door."
        )
    elif side.left:
        yield f"On the left {who(run, side.left)} {s(side.left, 'leaves', 'leave')}."
    elif waited:
        yield f"On the left {who(run, waited)} {s(waited, 'comes', 'come')} in at last."


def _right_side(run: ReservationRun, step: Step) -> Iterator[str]:
    side = step.paged
    waited = [v for v in side.came if run.visitors[v].arrive < step.tick]
    if side.left:
        free = "the shelves are free for anyone"
        if waited:
            free = f"{who(run, waited)} {s(waited, 'comes', 'come')} in"
        yield f"On the right {who(run, side.left)} {s(side.left, 'leaves', 'leave')}; {free}."
    elif waited:
        yield f"On the right {who(run, waited)} {s(waited, 'comes', 'come')} in."


def _quiet(run: ReservationRun, step: Step) -> Iterator[str]:
    old, paged = step.old, step.paged
    if old.waits and old.runs:
        yield _waiting(run, step)
    if paged.waits:
        yield f"On the right {why_right(run, step, paged.waits[0].visitor)}."
    if old.waits or paged.waits:
        return
    if not old.runs and not paged.tables:
        yield "Nobody is inside. The next visitor is still on the way."
    elif not old.runs or not paged.tables:
        where = "right" if paged.tables else "left"
        inside = len(paged.tables or old.runs)
        yield f"On the {where} {number(inside)} {'is' if inside == 1 else 'are'} still inside."
    else:
        before = run.steps[step.tick - 1]
        one_each = old.counts.token - before.old.counts.token == len(
            old.runs
        ) and paged.counts.token - before.paged.counts.token == len(paged.tables)
        yield "Everyone inside adds one box." if one_each else "Boxes are being carried in."


def _waiting(run: ReservationRun, step: Step) -> str:
    """Why the line on the left is a pity, if it is one."""
    counts, waits, short = step.old.counts, len(step.old.waits), step.old.shortage
    stand = f"{first(number(waits))} {'waits' if waits == 1 else 'wait'} on the left"
    if short is not None and short.fragmented:
        return (
            f"{stand}, although **{short.free:,} places** are free: they do not lie in one piece "
            f"of {short.run:,}."
        )
    full = round(100 * counts.token / counts.reserved)
    if full < 70:
        return f"{stand}, although only **{full} %** of what is promised there holds a box."
    return f"{stand}, where {full} % of what is promised holds a box."
