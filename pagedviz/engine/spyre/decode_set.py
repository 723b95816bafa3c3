"""Who decodes in this step, and who sits it out.

Since plugin 2.4 requests are taken in without looking at the product. Before each decode step
those that run and those that pause are put in one order, and taken as long as requests x tkv
stays within the limit; the others pause. They keep their blocks. Who has paused longest comes
first, among equals who has written least, so everybody has a turn.

The choice is made with pausing switched off as well. It then normally finds room for all.

Leaves out: admission, which pausing makes wait (`admission`).

Source: sendnn-inference 2.6.3, v1/core/scheduler.py (_handle_decode_requests_pausing,
_can_decode_all_requests, predict_next_decode_tkv).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.spyre.chunks import BLOCK_SIZE


@dataclass(frozen=True, slots=True)
class Turn:
    """A request that could decode: tokens it holds and has written, steps it has sat out."""

    request_id: str
    stored: int  # tokens whose K and V it holds
    written: int  # of these, how many are its answer
    sat_out: int = 0  # decode steps in a row


@dataclass(frozen=True, slots=True)
class DecodeSet:
    """The outcome. `sat_out` is to be given back with the next step's turns."""

    decoding: tuple[str, ...]  # those that ran in their order, then those that come back
    paused: tuple[str, ...]
    resumed: tuple[str, ...]
    newly_paused: tuple[str, ...]
    tkv: int  # of the step, in tokens
    sat_out: Mapping[str, int]

    @property
    def volume(self) -> int:
        """Requests x tkv, in tokens."""
        return len(self.decoding) * self.tkv


def choose_decode_set(
    running: Sequence[Turn],
    paused: Sequence[Turn],
    batch_tkv_limit: int,
    long_output_priority: bool = False,
) -> DecodeSet:
    """Choose who decodes.

    running: in the order in which they run; paused: in the order in which they were set aside.
    long_output_priority: who has written most comes first, instead of least.

    >>> turns = [Turn("A", 30_000, 50)] + [Turn(f"B{i}", 200, 50) for i in range(31)]
    >>> first = choose_decode_set(turns, (), 131_072)
    >>> first.decoding, len(first.paused), first.tkv, first.volume
    (('A', 'B0', 'B1', 'B2'), 28, 30001, 120004)
    """
    # paused before running, then two stable sorts: the order in which ties are broken
    order = sorted((*paused, *running), key=lambda t: t.written, reverse=long_output_priority)
    order.sort(key=lambda t: -t.sat_out)

    was_paused = {turn.request_id for turn in paused}
    chosen: dict[str, None] = {}  # in the order of the choice
    set_aside: list[str] = []
    sat_out: dict[str, int] = {}
    width = shortest_fill = 0  # widest table in blocks; fewest places left in a last block
    for turn in order:
        blocks = cdiv(turn.stored + 1, BLOCK_SIZE)
        fill = blocks * BLOCK_SIZE - (turn.stored + 1)
        wider = max(width, blocks)
        fill = min(shortest_fill, fill) if chosen else fill
        # all rows end in the same block, so the fullest last block reaches furthest
        tkv = wider * BLOCK_SIZE - fill
        if (len(chosen) + 1) * tkv <= batch_tkv_limit:
            width, shortest_fill = wider, fill
            chosen[turn.request_id] = None
            sat_out[turn.request_id] = 0
        else:
            set_aside.append(turn.request_id)
            sat_out[turn.request_id] = turn.sat_out + 1

    resumed = tuple(name for name in chosen if name in was_paused)
    stayed = tuple(turn.request_id for turn in running if turn.request_id in chosen)
    return DecodeSet(
        decoding=stayed + resumed,
        paused=tuple(set_aside),
        resumed=resumed,
        newly_paused=tuple(name for name in set_aside if name not in was_paused),
        tkv=width * BLOCK_SIZE - shortest_fill,
        sat_out=sat_out,
    )
