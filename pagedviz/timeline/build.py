"""Building a run by hand: visitors come, write, leave; each action returns a longer run.

The rules at the door are vLLM's: first come, first served, and whoever cannot come in holds
up those behind. After somebody has left, the first in line is tried again. After a
preemption nobody comes in at once (vLLM admits none in a step that preempted); the next
`write`, `admit`, `leave` or `add_visitor` tries.

Leaves out: a scheduler's own decisions (`drive.py`). Who can never come in does not hold up
the line here: vLLM turns such a request away before it reaches the line.
"""

from __future__ import annotations

import re
import zlib

from pagedviz.timeline.errors import RunError
from pagedviz.timeline.hand import Hand
from pagedviz.timeline.ops import MAX_REQUEST_TOKENS
from pagedviz.timeline.run import Run

_WORDS = 10_000_000  # numbers of words lie above all made-up tokens (`Hand.fresh`)


def new_run(
    num_blocks: int = 30, block_size: int = 16, caching: bool = True, title: str = "Your own run"
) -> Run:
    """An empty pool; `num_blocks` includes the null block. RunError if a size is wrong."""
    return Run(
        title,
        {
            "num_blocks": num_blocks,
            "block_size": block_size,
            "enable_caching": caching,
            "max_model_len": MAX_REQUEST_TOKENS,
        },
        (),
    )


def add_visitor(
    run: Run,
    tokens: int = 40,
    text: str | None = None,
    share_with: str | None = None,
    share_tokens: int | None = None,
) -> Run:
    """A visitor arrives and comes in if nobody waits before them and there is room.

    `tokens` is the length of the prompt; with `text` it is as long as the text has words
    and marks. With `share_with` (a letter) the prompt begins with the first `share_tokens`
    tokens of that visitor, by default as many as both have; a text comes after them.

    >>> run = add_visitor(new_run(), tokens=40)
    >>> run = add_visitor(run, tokens=50, share_with="A", share_tokens=32)
    >>> [op["op"] for op in run.ops], run.ops[0]["tokens"][:32] == run.ops[2]["tokens"][:32]
    (['add_request', 'admit', 'add_request', 'admit'], True)
    """
    hand = Hand(run)
    own = None if text is None else word_tokens(text)
    if text is not None and not own and share_with is None:
        raise RunError(
            "The text has no words",
            advice="Type at least one word.",
        )
    if own is None:
        _whole("tokens", tokens, 1, MAX_REQUEST_TOKENS)
    opening: list[int] = []
    if share_with is not None:
        known = hand.tokens_of(share_with)
        most = len(known) if own is not None else min(len(known), tokens)
        count = most if share_tokens is None else share_tokens
        _whole("share_tokens", count, 0, MAX_REQUEST_TOKENS)
        if count > most:
            raise RunError(
                f"{share_with} and the newcomer can have at most {most:,} in common, not {count:,}",
            )
        opening = known[:count]
    rest = own if own is not None else hand.fresh(tokens - len(opening))
    name = hand.new_name()
    hand.arrive({"op": "add_request", "req": name, "tokens": [*opening, *rest]})
    return hand.run()


def admit(run: Run, who: str | None = None) -> Run:
    """Try those at the door in their order, until one does not fit.

    With `who`, RunError if it is not that visitor's turn.
    """
    hand = Hand(run)
    line = hand.line()
    if not line:
        raise RunError("Nobody is waiting who could come in")
    if who is not None and (name := hand.find(who)) != line[0]:
        if name not in line:
            raise RunError(f"{who} is not waiting")
        raise RunError(
            f"{who} is waiting behind {hand.letter_of(line[0])}",
            advice="First come, first served.",
        )
    hand.let_in(ask_first=False)
    return hand.run()


def write(run: Run, who: str | None = None, n: int = 1) -> Run:
    """One visitor, or all inside in their order, write `n` tokens and get places for them.

    Who still has tokens in hand from an earlier refusal places those first, and writes only
    if that worked: a model cannot go on from tokens it has not stored. If the new ones find
    no room, they stay in hand.
    """
    _whole("n", n, 1, MAX_REQUEST_TOKENS)
    hand = Hand(run)
    inside = list(hand.running)
    if who is not None:
        name = hand.find(who)
        if name not in inside:
            raise RunError(
                f"{who} is still waiting and cannot write",
                advice="Let somebody leave first.",
            )
        inside = [name]
    if not inside:
        raise RunError("Nobody is there to write", advice="Add somebody first.")
    for name in inside:
        request = hand.session.requests[name]
        # Places can also run ahead, for drafts: then there is nothing to place first.
        if (in_hand := request.num_tokens - request.num_computed_tokens) > 0:
            placed = hand.do({"op": "allocate", "req": name, "num_new_tokens": in_hand})
            if not placed["ok"]:
                continue
        if request.num_tokens + n > hand.session.manager.max_model_len:
            raise RunError(
                f"{hand.letter_of(name)} would be {request.num_tokens + n:,} long",
                advice=f"The limit is {hand.session.manager.max_model_len:,}.",
            )
        hand.do({"op": "append", "req": name, "tokens": hand.fresh(n)})
        if (lacking := request.num_tokens - request.num_computed_tokens) > 0:
            hand.do({"op": "allocate", "req": name, "num_new_tokens": lacking})
    hand.let_in(ask_first=True)
    return hand.run()


def leave(run: Run, who: str) -> Run:
    """A visitor leaves, from inside or from the door; then those who wait are tried."""
    hand = Hand(run)
    hand.do({"op": "free", "req": hand.find(who)})
    hand.let_in(ask_first=False)
    return hand.run()


def preempt(run: Run, who: str) -> Run:
    """A visitor is sent back to the front of the line; nobody comes in at once."""
    hand = Hand(run)
    name = hand.find(who)
    if name not in hand.running:
        raise RunError(f"{who} is already waiting")
    hand.do({"op": "preempt", "req": name})
    return hand.run()


def reset(run: Run) -> Run:
    """Ask for all kept blocks to be forgotten; refused while somebody is inside."""
    return run.extended([{"op": "reset_prefix_cache"}])


def word_tokens(text: str) -> list[int]:
    """Words and marks as numbers: the same word has the same number everywhere.

    These are words and marks, not a model's tokens, which are often shorter.

    >>> a, b = word_tokens("Hello, world"), word_tokens("hello, world!")
    >>> len(a), len(b), a[0] == b[0], a[1:] == b[1:3]
    (3, 4, False, True)
    """
    words = re.findall(r"\w+|[^\w\s]", text)
    return [_WORDS + zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in words]


def _whole(field: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise RunError(
            f"must be a whole number from {low:,} to {high:,}, not {value!r}",
            field=field,
        )
