"""The same visitors in another room: what a run meant, done again in a pool of other size.

Who arrives, writes, leaves or is sent back by hand is kept; what only followed from the old
room (who was let in when, what was refused, whom the scheduler preempted) is decided anew.
Leaves out: operations on block ids, which mean nothing in another room, and rollbacks.
"""

from collections.abc import Mapping

from pagedviz.timeline.hand import Hand
from pagedviz.timeline.run import Run


def rebuilt(run: Run, *, num_blocks: int, block_size: int, caching: bool) -> Run:
    """The run's visitors in a pool of `num_blocks` (the null block included) and `block_size`.

    Raises RunError if a size is out of range or the new run would be too long.

    >>> from pagedviz.timeline.build import add_visitor, new_run
    >>> run = add_visitor(add_visitor(new_run(30), tokens=40), tokens=40)
    >>> [op["op"] for op in rebuilt(run, num_blocks=5, block_size=16, caching=True).ops]
    ['add_request', 'admit', 'add_request', 'admit']
    """
    sizes = {"num_blocks": num_blocks, "block_size": block_size, "enable_caching": caching}
    config = {**run.config, **sizes}
    if config == dict(run.config):
        return run
    hand = Hand(Run(run.title, config, ()))
    for op in run.ops:
        plain = {key: value for key, value in op.items() if key != "tick"}
        _carry_out(hand, plain, scheduled="tick" in op)
    return hand.run()


def _carry_out(hand: Hand, op: Mapping[str, object], scheduled: bool) -> None:
    name, req = op["op"], str(op.get("req", ""))
    if name == "add_request":
        hand.arrive(op)
    elif name == "append" and req in hand.running:
        _write(hand, op, req)
    elif name == "free" and req in hand.session.requests:
        hand.do(op)
        hand.let_in(ask_first=False)
    elif name == "reset_prefix_cache" or (
        name == "preempt" and req in hand.running and not scheduled
    ):
        hand.do(op)


def _write(hand: Hand, op: Mapping[str, object], req: str) -> None:
    """As `build.write`: first place what is still in hand, and write only if that worked."""
    request = hand.session.requests[req]
    in_hand = request.num_tokens - request.num_computed_tokens
    if in_hand and not _place(hand, req, in_hand):
        return
    hand.do(op)
    _place(hand, req, request.num_tokens - request.num_computed_tokens)
    hand.let_in(ask_first=True)


def _place(hand: Hand, req: str, tokens: int) -> bool:
    return bool(hand.do({"op": "allocate", "req": req, "num_new_tokens": tokens})["ok"])
