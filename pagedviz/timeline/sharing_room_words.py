"""Why sharing ends, in the words of the storage room: one function per kind of reason.

Leaves out: every term of the engine (`sharing_engine_words.py`).
"""

from __future__ import annotations

from pagedviz.timeline.likeness import SameRun
from pagedviz.timeline.room_grammar import boxes, first, number, shelves
from pagedviz.timeline.sharing_pieces import other_of, pieces_of
from pagedviz.timeline.sharing_reasons import Reason
from pagedviz.timeline.sharing_view import PromptView


def nobody(view: PromptView, reason: Reason) -> str:
    """Nobody before."""
    return "Nobody was here before: nothing to find."


def token(view: PromptView, reason: Reason) -> str:
    """A token differs."""
    ours, theirs = pieces_of(reason)
    here = f"Here **{view.letter}** says {ours} where {other_of(reason).letter} says {theirs}."
    labels = view.full_blocks - reason.block  # this one and those after it
    chained = "each label is made from the one before it, so all later labels differ too"
    also = reason.also
    if also is None:
        ends = "Nothing is shared" if reason.block == 0 else "The sharing ends here"
        return f"{here} {ends}" + (f": {chained}." if labels > 1 else ".")
    same = _same(also, other_of(reason).letter)
    if reason.block == 0 and labels > 1:
        return f"{here} All {number(labels)} labels differ and nothing is shared, although {same}."
    return f"{here} {first(same)}, but {chained if labels > 1 else 'not from the first box on'}."


def _same(also: SameRun, other: str) -> str:
    what = (
        "the rest of the text is the same"
        if also.to_the_end
        else f"{boxes(also.length)} after that {_are(also.length)} the same as {other}'s"
    )
    if not also.shift:
        return what
    where = "further on" if also.shift > 0 else "nearer the front"
    return f"{what}, {boxes(abs(also.shift))} {where}"


def not_full(view: PromptView, reason: Reason) -> str:
    """The last block is partial."""
    if not view.full_blocks:
        return (
            f"**{view.letter}** does not fill one shelf. Only full shelves get a label, so "
            "there is nothing to look for."
        )
    return "The last shelf is not full. Only full shelves get a label."


def last(view: PromptView, reason: Reason) -> str:
    """The last token must be computed."""
    has = "has" if reason.still_there else "had"
    return (
        f"**{other_of(reason).letter}** {has} the same boxes to the very end, but the last box "
        "must always be worked out anew, and its whole shelf with it."
    )


def evicted(view: PromptView, reason: Reason) -> str:
    """It was there, and was thrown out."""
    return (
        f"**{other_of(reason).letter}** had the same boxes here. Their shelf was given to "
        f"**{reason.by}** in step {reason.step}, and its label thrown out."
    )


def salt(view: PromptView, reason: Reason) -> str:
    """The same tokens under another salt."""
    other = other_of(reason)
    if other.salt and view.prompt.salt:
        how = "another secret word"
    elif other.salt:
        how = f"a secret word, and {view.letter} has none"
    else:
        how = f"no secret word, and {view.letter} has one"
    more = "" if other.adapter == view.prompt.adapter else " It also reads them in another way."
    return (
        f"**{other.letter}** has the same boxes, but {how}. The secret word goes into the "
        f"first label, and so into all of them.{more}"
    )


def adapter(view: PromptView, reason: Reason) -> str:
    """The same tokens under another adapter."""
    return (
        f"**{other_of(reason).letter}** has the same boxes, but reads them in a different "
        "way. The way of reading goes into every label."
    )


def other(view: PromptView, reason: Reason) -> str:
    """The earlier prompt ended inside the block."""
    return (
        f"**{other_of(reason).letter}** has the same boxes, but they end on this shelf. It never "
        "became full, so it has no label."
    )


def waiting(view: PromptView, reason: Reason) -> str:
    """Not in yet."""
    if reason.by:
        return f"**{view.letter}** waits at the door, behind {reason.by}."
    free = f"{number(reason.free)} {_are(reason.free)}" if reason.free else "none is"
    return (
        f"**{view.letter}** waits at the door: {shelves(reason.need)} {_are(reason.need)} "
        f"needed, {free} free."
    )


def never(view: PromptView, reason: Reason) -> str:
    """Larger than the pool."""
    return (
        f"**{view.letter}** needs {shelves(reason.need)}, but the room has only "
        f"{number(reason.free)}: {view.letter} can never come in."
    )


def off(view: PromptView, reason: Reason) -> str:
    """Prefix caching is off."""
    return "The shelves of this room have no labels: nothing can be found again."


def _are(n: int) -> str:
    return "is" if n == 1 else "are"
