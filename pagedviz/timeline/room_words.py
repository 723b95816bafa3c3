"""The words of the storage room: visitors arrive, come in, and put boxes on shelves.

One function per operation; each takes a step and returns one or two sentences that fit
two lines on the stage.

Leaves out: how shelves come back (`room_leaving.py`), how the room says no
(`room_refusals.py`), and every term of the engine (`engine_words.py`).
"""

from __future__ import annotations

from pagedviz.timeline.room_grammar import (
    boxes,
    first,
    fits,
    from_queue,
    number,
    shelf,
    verb,
    who_is,
)
from pagedviz.timeline.room_refusals import at_door, inside
from pagedviz.timeline.state import RUNNING
from pagedviz.timeline.step import Step


def start(step: Step) -> str:
    """The room before anyone came."""
    if step.pool.usable == 1:
        return "The storage room is empty. Its one shelf is in the queue."
    return (
        f"The storage room is empty. All {number(step.pool.usable)} shelves are in the "
        "queue, shelf **1** first."
    )


def add_request(step: Step) -> str:
    """Someone arrives."""
    who, letter, view = who_is(step)
    e, op = step.effects, step.op or {}
    arrives = f"{who} arrives with {boxes(view.num_tokens)}"
    if e.never:
        return (
            f"{arrives}. That takes {number(e.never)} shelves, and the room has only "
            f"{number(step.pool.usable)}: **{letter} can never come in.**"
        )
    if e.too_long:
        return (
            f"{arrives}, more than the {step.pool.max_model_len:,} one visitor may "
            f"have: the real door would turn {letter} away."
        )
    more = ""
    if op.get("cache_salt"):
        more = f" {letter} has a secret word: only those who know it can share with {letter}."
    elif op.get("lora"):
        more = f" {letter} reads boxes in a way of its own and shares only with its like."
    elif op.get("mm"):
        more = " Some of them are a picture: to share, the picture must be the same too."
    elif op.get("skip_reading_prefix_cache"):
        more = f" {letter} will not look for boxes that already stand somewhere."
    return f"{arrives} and waits at the door.{more}"


def append(step: Step) -> str:
    """New boxes, not placed yet."""
    who, _, view = who_is(step)
    new = step.num_tokens_of_op
    added = f"{number(new)} new {'box' if new == 1 else 'boxes'}"
    if view.status != RUNNING:
        return f"{who}, still at the door, now has {boxes(view.num_tokens)}."
    if not view.in_hand:
        places = "is already a place for it" if new == 1 else "are already places for them"
        return f"{who} has {added}; there {places}."
    total = "" if view.in_hand == new else f", {number(view.in_hand)} in all"
    return f"{who} has {added} in hand{total}, with no place yet."


def admit(step: Step) -> str:
    """Someone comes in, or is refused at the door."""
    e = step.effects
    if e.refusal is not None:
        return at_door(step, e.refusal)
    who, letter, view = who_is(step)
    comes = f"{who} comes {'back ' if e.returning else ''}in"
    rest = (
        f" {first(boxes(view.in_hand))} {verb(view.in_hand, 'stay')} in hand for now."
        if view.in_hand
        else ""
    )
    beyond = view.num_computed_tokens - step.pool.max_model_len
    if e.too_long and beyond > 0:
        rest = (
            f" {first(boxes(beyond))} beyond the {step.pool.max_model_len:,} one visitor may "
            f"have {verb(beyond, 'get')} no place."
        )
    if not e.hit:
        got = f"gets {shelf(e.new)}, {from_queue(e.new)}" if e.new else "needs no shelf"
        return f"{comes} and {got}.{_thrown_out(step)}{_copy(step)}{rest}"
    count = len(e.hit) * step.pool.block_size
    found = "box" if count == 1 else boxes(count)
    them, labels = ("it", "label") if len(e.hit) == 1 else ("them", "labels")
    if not e.kept_hits:
        stand, shares = f"already {verb(count, 'stand')} on", f"{letter} shares {them}"
    elif len(e.kept_hits) == len(e.hit):
        kept = "was" if count == 1 else "were"
        stand, shares = f"{kept} kept on", f"{letter} takes {them} out of the queue"
    else:  # some in use, some kept
        stand, shares = "already stand on", f"{letter} uses {them} too"
    if e.recomputed:
        twin = dict(e.duplicates)[e.recomputed]
        return (
            f"{comes}. The first {found} {stand} {shelf(e.hit)}: {shares}. Shelf "
            f"**{twin}** has the rest, but the last box must be worked out anew, on "
            f"{shelf(e.new)}{_throwing_out(step)}."
        )
    got = f"gets {shelf(e.new)} for the rest" if e.new else "needs no other"
    begin, end = (
        f"{comes}. The first {found} {stand} {shelf(e.hit)}",
        f": {shares} and {got}{_throwing_out(step)}.{_copy(step)}{rest}",
    )
    long = f"{begin}, same {labels}{end}"
    if fits(long) or not e.duplicates:
        return long if fits(long) else begin + end
    # Both do not fit: what is new counts more than what is twice.
    return begin + end.replace(_copy(step), "")


def allocate(step: Step) -> str:
    """Places for boxes in hand."""
    e, (who, letter, view) = step.effects, who_is(step)
    n = step.num_tokens_of_op
    if e.refusal is not None:
        return inside(step, e.refusal)
    guesses = min(n, max(0, view.num_computed_tokens - view.num_tokens))
    sure = n - guesses
    what = "the box" if sure == 1 else f"the {number(sure)} boxes"
    if guesses:
        guessed = f"{number(guesses)} {'guess' if guesses == 1 else 'guesses'}"
        what = f"{what} and {guessed}" if sure else guessed
    if not e.new:
        where = f" on {shelf(e.fills)}, where there is room" if e.fills else ""
        return f"{who} puts {what}{where}.{_labelled(step)}"
    place = from_queue(e.new)
    old = [b for b in e.fills if b not in e.new]
    left = n - e.placed_before
    if not left:
        return (
            f"{who} puts {what} on {shelf(old)} and gets {shelf(e.new)}, {place}, "
            f"for guesses to come.{_thrown_out(step)}"
        )
    if not old:
        held = "shelf is" if step.table_before == 1 else "shelves are"
        return f"{who}'s {held} full, so {letter} gets {shelf(e.new)}, {place}.{_thrown_out(step)}"
    other = "the other" if left == 1 and e.placed_before == 1 else f"the other {number(left)}"
    full = "is then full" if len(old) == 1 else "are then full"
    return (
        f"{who} puts {boxes(e.placed_before)} on {shelf(old)}, which {full}, and gets "
        f"{shelf(e.new)}, {place}, for {other}.{_thrown_out(step)}"
    )


def rollback(step: Step) -> str:
    """Wrong guesses are taken back."""
    who, _, _ = who_is(step)
    n = step.num_tokens_of_op
    if not n:
        return f"All guesses were right: {who} takes nothing back."
    wrong = "One guess was wrong" if n == 1 else f"{first(number(n))} guesses were wrong"
    return f"{wrong}: {who} takes {'it' if n == 1 else 'them'} off again and keeps the shelves."


def _thrown_out(step: Step) -> str:
    e = step.effects
    if not e.evict:
        return ""
    if len(e.evict) < len(e.new):
        where = f"on {shelf([b for b, _ in e.evict])}"
    else:
        where = "there" if len(e.new) > 1 else "on it"
    return f" What was kept {where} is thrown out."


def _throwing_out(step: Step) -> str:
    """The same as a clause, where another shelf was named before."""
    e = step.effects
    if not e.evict:
        return ""
    if len(e.evict) == len(e.new):
        return ", throwing out what was kept there"
    return f"; what {shelf([b for b, _ in e.evict])} kept is thrown out"


def _copy(step: Step) -> str:
    """The same boxes on two shelves: lists only grow, so both stay."""
    e = step.effects
    if not e.duplicates:
        return ""
    copies, firsts = [c for c, _ in e.duplicates], [f for _, f in e.duplicates]
    if e.recomputed:
        return f" {first(shelf(firsts))} has the same, but the last box must be worked out anew."
    are = "is a copy" if len(copies) == 1 else "are copies"
    return f" {first(shelf(copies))} {are} of {shelf(firsts)}."


def _labelled(step: Step) -> str:
    blocks = [b for b, _ in step.effects.stored]
    if not blocks:
        return ""
    if step.effects.duplicates:
        copy, twin = step.effects.duplicates[0]
        return f" Shelf **{copy}** is full and gets the same label as shelf **{twin}**."
    one = len(blocks) == 1
    return (
        " It is full now and gets its label."
        if one
        else f" {first(shelf(blocks))} are full now and get their labels."
    )
