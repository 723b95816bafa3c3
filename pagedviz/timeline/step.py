"""One step of a timeline: the operation, its outcome, and what is worth saying about it.

A step is self-contained: its words (`captions.py`) need nothing but the step.

Leaves out: how it is worked out (`recorder.py`) and how it is sent (`wire.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pagedviz.timeline.state import Change, Counts, RequestView

# No I and no O: "I shares" reads wrong, and O looks like a zero.
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
NUM_HUES = 7
NO_HUE = -1

Pairs = tuple[tuple[int, int], ...]  # (block, hash class)


def letter(number: int) -> str:
    """The letter of the request that arrived as number `number` (from 0).

    >>> letter(0), letter(8), letter(23), letter(24), letter(48)
    ('A', 'J', 'Z', 'A2', 'A3')
    """
    turn, place = divmod(number, len(LETTERS))
    return LETTERS[place] + (str(turn + 1) if turn else "")


@dataclass(frozen=True, slots=True)
class RequestInfo:
    """A request over the whole timeline."""

    number: int  # by arrival, from 0
    request_id: str
    letter: str
    hue: int  # 0 to 6, or NO_HUE if it never came in
    step: int  # of its arrival


@dataclass(frozen=True, slots=True)
class PoolInfo:
    """The pool a step happens in."""

    num_blocks: int  # the null block included
    block_size: int  # tokens
    caching: bool
    max_model_len: int  # tokens

    @property
    def usable(self) -> int:
        """Blocks that can be given out."""
        return self.num_blocks - 1


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there was no room: `need` blocks (and `watermark` more) against `free` ones."""

    need: int
    watermark: int
    free: int
    kept_hits: int  # of `need`: kept blocks that would be found again and leave the queue
    never: int  # blocks in all for what was asked, if not even an empty pool has them; else 0


@dataclass(frozen=True, slots=True)
class Effects:
    """What a step did, read off the states before and after it."""

    new: tuple[int, ...] = ()  # taken from the head of the queue
    hit: tuple[int, ...] = ()  # found by their hash
    kept_hits: tuple[int, ...] = ()  # of `hit`: those nobody owned just before
    evict: Pairs = ()  # taken blocks that lost the hash they were kept by
    freed_front: tuple[int, ...] = ()  # without a hash, new head first
    freed_back: tuple[int, ...] = ()  # hashed, in queue order
    stay: tuple[int, ...] = ()  # of a leaver: blocks that others still hold
    fills: tuple[int, ...] = ()  # owned blocks whose fill changed, in table order
    placed_before: int = 0  # tokens that went on blocks the request already had
    stored: Pairs = ()  # can be found from now on
    unlabelled: Pairs = ()  # hashes dropped where they lie (reset, evict_blocks)
    duplicates: tuple[tuple[int, int], ...] = ()  # (new copy, first copy) of equal content
    recomputed: int = 0  # block computed anew because the last token must be (0 = none)
    refusal: Refusal | None = None
    never: int = 0  # blocks this request would need if the pool cannot hold that many
    too_long: bool = False  # more tokens than max_model_len
    returning: bool = False  # has been inside before
    room_for: str = ""  # letter of the request whose refusal led to this preemption
    victim_why: str = ""  # "last" admitted or lowest "priority", if that is so
    kinds: frozenset[str] = frozenset()  # new share evict refuse preempt leave clear


@dataclass(frozen=True, slots=True)
class Step:
    """Step 0 is the empty pool and has no operation."""

    index: int
    pool: PoolInfo
    op: Mapping[str, object] | None
    result: Mapping[str, object]
    events: tuple[Mapping[str, object], ...]  # as the engine's `take_events` gives them
    request: RequestInfo | None  # None: step 0, or an operation on the whole pool
    view_before: RequestView | None  # of that request
    view: RequestView | None
    table_before: int  # blocks in its table
    table: int
    before: Counts
    counts: Counts
    effects: Effects
    change: Change = field(repr=False)

    @property
    def name(self) -> str:
        """The operation's name, empty for step 0."""
        return str(self.op["op"]) if self.op else ""

    @property
    def refused(self) -> bool:
        """The engine answered no; nothing changed."""
        return self.result.get("ok") is False

    @property
    def tick(self) -> int | None:
        """The scheduler step this belongs to, if a scheduler drove the run."""
        tick = self.op.get("tick") if self.op else None
        return tick if isinstance(tick, int) else None

    @property
    def num_tokens_of_op(self) -> int:
        """Tokens the operation is about: added, placed or taken back."""
        if self.op is None:
            return 0
        if isinstance(tokens := self.op.get("tokens"), tuple):
            return len(tokens)
        for value in (
            self.result.get("num_new_tokens"),
            self.op.get("num_new_tokens"),
            self.op.get("num_tokens"),
        ):
            if isinstance(value, int):
                return value
        return 0
