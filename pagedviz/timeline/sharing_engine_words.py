"""Why sharing ends, in the words of the engine: one function per kind of reason.

Leaves out: the storage room (`sharing_room_words.py`).
"""

from __future__ import annotations

from pagedviz.timeline.sharing_pieces import other_of, pieces_of, quoted
from pagedviz.timeline.sharing_reasons import Reason
from pagedviz.timeline.sharing_view import PromptView


def nobody(view: PromptView, reason: Reason) -> str:
    """Nobody before."""
    return "The prefix cache is empty: no request was admitted before."


def token(view: PromptView, reason: Reason) -> str:
    """A token differs."""
    ours, theirs = pieces_of(reason)
    miss = (
        f"First miss at block {reason.block}, token {reason.token:,}: {ours} instead of "
        f"{theirs} (req {other_of(reason).letter})."
    )
    later = view.full_blocks - reason.block - 1
    chain = " key[i] = H(key[i-1], tokens[i])" + (
        f", so {_n(later, 'later key')} {'differs' if later == 1 else 'differ'} as well"
        if later
        else ""
    )
    also = reason.also
    if also is None:
        return f"{miss}{chain}."
    equal = f"{_n(also.length, 'later token')} {'is' if also.length == 1 else 'are'} equal"
    what = "the rest is equal" if also.to_the_end else equal
    moved = f", shifted by {also.shift:+,}" if also.shift else ""
    return f"{miss}{chain}, although {what}{moved}."


def not_full(view: PromptView, reason: Reason) -> str:
    """The last block is partial."""
    held = view.prompt.num_tokens - reason.block * view.block_size
    if not view.full_blocks:
        return (
            f"{_n(held, 'token')}, block_size {view.block_size}: no full block, so no key to "
            "look up."
        )
    return (
        f"Block {reason.block} holds {held} of {view.block_size} tokens: only full blocks are "
        "hashed."
    )


def last(view: PromptView, reason: Reason) -> str:
    """The last token must be computed."""
    return (
        f"At most floor(({view.prompt.num_tokens:,} - 1) / {view.block_size}) = {reason.block} "
        f"blocks can hit: the last token must be computed, and block {reason.block} with it, "
        f"although req {other_of(reason).letter} {'has' if reason.still_there else 'had'} the "
        "same key."
    )


def evicted(view: PromptView, reason: Reason) -> str:
    """It was there, and was thrown out."""
    return (
        f"Miss at block {reason.block}: the key req {other_of(reason).letter} stored was evicted "
        f"at step {reason.step} by get_new_blocks for req {reason.by}."
    )


def salt(view: PromptView, reason: Reason) -> str:
    """The same tokens under another salt."""
    other = other_of(reason)
    adapter = "" if other.adapter == view.prompt.adapter else "; the LoRA adapters differ too"
    return (
        f"Req {other.letter} has the same tokens with {_salt(other.salt)}, this request has "
        f"{_salt(view.prompt.salt)}. The salt is part of the key of block 0, on which all "
        f"other keys hang{adapter}."
    )


def _salt(salt: str) -> str:
    return f"cache_salt {quoted(salt)}" if salt else "no cache_salt"


def adapter(view: PromptView, reason: Reason) -> str:
    """The same tokens under another adapter."""

    def named(adapter: str) -> str:
        return f"LoRA adapter {quoted(adapter)}" if adapter else "no LoRA adapter"

    other = other_of(reason)
    return (
        f"Req {other.letter} has the same tokens with {named(other.adapter)}, this request has "
        f"{named(view.prompt.adapter)}. Name and path of the adapter are part of every key."
    )


def other(view: PromptView, reason: Reason) -> str:
    """The earlier prompt ended inside the block."""
    other = other_of(reason)
    return (
        f"Req {other.letter} ends after {_n(other.num_tokens, 'token')}, inside block "
        f"{reason.block}: that block was never full, so it has no key."
    )


def waiting(view: PromptView, reason: Reason) -> str:
    """Not in yet."""
    if reason.by:
        return f"Waiting behind req {reason.by}: not looked up yet."
    return (
        f"allocate_slots -> None: needs {_n(reason.need, 'block')}, {reason.free:,} free; "
        "still waiting."
    )


def never(view: PromptView, reason: Reason) -> str:
    """Larger than the pool."""
    return f"Can never be admitted: needs {_n(reason.need, 'block')}, the pool has {reason.free:,}."


def off(view: PromptView, reason: Reason) -> str:
    """Prefix caching is off."""
    return "enable_prefix_caching is off: blocks are not hashed, nothing is looked up."


def _n(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
