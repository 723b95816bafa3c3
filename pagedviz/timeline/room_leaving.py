"""How shelves come back in the storage room: somebody leaves or is sent away, labels come off.

Says where each shelf goes and why: to the front of the queue without a label, to the end with
one, nowhere while others use it.

Leaves out: everything that puts boxes on shelves (`room_words.py`).
"""

from __future__ import annotations

from pagedviz.timeline.room_grammar import first, fits, listed, shelf, shelves, verb, who_is
from pagedviz.timeline.step import Step


def leave(step: Step) -> str:
    """Someone leaves or is sent back to the door."""
    who, _, _ = who_is(step)
    e = step.effects
    if not step.table_before:
        return f"{who} gives up waiting and leaves the door."
    if step.name == "free":
        what = f"{who} leaves."
    else:
        what = f"{who} is sent back to the door{_why_sent_back(step)}."
    ways = [what]
    if e.freed_front:
        plain = ", without a label," if step.pool.caching else ""
        ways.append(
            f"{first(shelf(e.freed_front))}{plain} "
            f"{verb(len(e.freed_front), 'go')} to the front of the queue."
        )
    if e.freed_back:
        n = len(e.freed_back)
        ways.append(
            f"{first(shelf(e.freed_back))} {'keeps its' if n == 1 else 'keep their'} boxes and "
            f"{verb(n, 'go')} to {'the end' if e.freed_front else 'the end of the queue'}."
        )
    if e.stay:
        ways.append(
            f"{first(shelf(e.stay))} {verb(len(e.stay), 'stay')}: others still use "
            f"{'it' if len(e.stay) == 1 else 'them'}."
        )
    long = " ".join(ways)
    return long if fits(long) else f"{what} {_where_to(step)}"


def reset(step: Step) -> str:
    """All labels off, if nobody is inside."""
    if step.refused:
        n = step.counts.used
        return (
            "Someone asks to clear away all kept boxes. **Refused:** "
            f"{shelves(n)} {'is' if n == 1 else 'are'} in use."
        )
    n = len(step.effects.unlabelled)
    if not n:
        return "Someone asks to clear away all kept boxes, but none were kept."
    return (
        f"All labels come off. What was kept on {shelves(n)} is forgotten; the queue "
        "keeps its order."
    )


def evict_blocks(step: Step) -> str:
    """Labels off some shelves."""
    ids = [b for b, _ in step.effects.unlabelled]
    if not ids:
        return "Someone asks to take labels off, but those shelves have none. Nothing changes."
    it = "it" if len(ids) == 1 else "them"
    return (
        f"{'The label comes' if len(ids) == 1 else 'The labels come'} off {shelf(ids)}: "
        f"nobody can find what stands on {it} any more. The queue keeps its order."
    )


def _why_sent_back(step: Step) -> str:
    e, letter = step.effects, step.request.letter if step.request else ""
    why = {"last": f"{letter} came in last", "priority": f"{letter} is the least urgent", "": ""}[
        e.victim_why
    ]
    if e.room_for == letter:
        return f": no shelf was left{' and ' + why if why else ''}"
    if e.room_for:
        return f" to make room for **{e.room_for}**{': ' + why if why else ''}"
    return ""


def _where_to(step: Step) -> str:
    """The same in fewer words: to the front, to the end, stays."""
    e, ways = step.effects, []
    if e.freed_front:
        ways.append(f"**{listed(e.freed_front)}** to the front of the queue")
    if e.freed_back:
        end = "the end" if e.freed_front else "the end of the queue"
        ways.append(f"**{listed(e.freed_back)}**, boxes kept, to {end}")
    if e.stay:
        ways.append(f"**{listed(e.stay)}** {verb(len(e.stay), 'stay')} with others")
    return f"Shelves: {'; '.join(ways)}."
