"""What a step of a Spyre server did, as data that a picture or a table can be made from.

A step is either one chunk of one prompt, or one token for everybody in the decode set.

Leaves out: how it came about (`scheduler`), times, words.
"""

from dataclasses import dataclass
from typing import Literal

from pagedviz.engine.spyre.admission import Reason
from pagedviz.engine.spyre.padding import Rectangle

Status = Literal["prefilling", "decoding", "paused"]


@dataclass(frozen=True, slots=True)
class PrefillStep:
    """One chunk of one prompt. Sizes in tokens unless they say blocks."""

    request_id: str
    prompt_len: int
    chunk: int  # its number, from 0; skipped chunks have numbers too
    chunks_total: int
    chunks_skipped: int  # at the front, not computed because all of them is cached
    start: int  # prompt tokens that the chunk computes: from
    end: int  # up to, exclusive; both the same if `from_cache`
    scheduled_tokens: int  # as the scheduler counts: found tokens are left out, even where the
    # card computes the whole chunk they lie in again
    left_padding: int  # in front of the prompt, all of it in the first chunk
    right_padding: int  # behind its last token, in the last chunk
    hit_blocks: int  # found in the prefix cache when the request was taken
    reused_blocks: int  # of these, not computed again
    is_first: bool  # the step in which the request is taken
    is_last: bool  # makes the first token of the answer
    from_cache: bool = False  # 1.10.0 spends a step on finding out that nothing is to be done
    hit_ids: tuple[int, ...] = ()  # in the step in which it is taken: ids of the blocks found


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request that got no step because of a rule, with the numbers behind it."""

    request_id: str
    reason: Reason
    blocks_needed: int | None = None  # to be promised; None: that is not what it lacks
    blocks_available: int | None = None  # free and promised to nobody
    projected_volume: int | None = None  # worst batch x length if it joined, in tokens


@dataclass(frozen=True, slots=True)
class Running:
    """A request that has been taken and has not left, after the step."""

    request_id: str
    status: Status
    prompt_len: int
    stored: int  # tokens whose K and V it holds; while prefilling, as the scheduler counts
    generated: int  # tokens of answer, the last of them not stored yet
    max_tokens: int
    held_blocks: int  # in its table, shared ones included
    promised_blocks: int  # set aside for it and not handed out yet


@dataclass(frozen=True, slots=True)
class Finished:
    """A request that left at the end of the step."""

    request_id: str
    generated: int
    max_tokens: int
    promise_returned: int  # blocks promised to it that it never took

    @property
    def ended_early(self) -> bool:
        """Whether it wrote less than it might have."""
        return self.generated < self.max_tokens


@dataclass(frozen=True, slots=True)
class BlockCount:
    """The pool after the step, block 0 left out. held + free = usable; promised lies in free."""

    held: int  # in some table; a shared block counts once
    promised: int  # to requests that run, not handed out yet
    free: int  # in the free queue, promised or not, whether or not they hold a kept prefix

    @property
    def available(self) -> int:
        """Free and promised to nobody."""
        return self.free - self.promised

    @property
    def usable(self) -> int:
        """All blocks but block 0."""
        return self.held + self.free


@dataclass(frozen=True, slots=True)
class StepResult:
    """One step. `prefill` and `rectangle` are the two kinds: one of them is there."""

    step: int  # on the server's clock; steps in which there was nothing to do are left out
    arrived: tuple[str, ...]  # since the step before
    prefill: PrefillStep | None
    rectangle: Rectangle | None
    newly_paused: tuple[str, ...]
    resumed: tuple[str, ...]
    paused: tuple[str, ...]
    prefill_waits: Waiting | None  # whose prompt is under way but was not computed further
    waiting: tuple[Waiting, ...]  # in the order of the queue
    running: tuple[Running, ...]  # in the order in which the scheduler has them, paused last
    finished: tuple[Finished, ...]
    new_blocks: tuple[tuple[str, tuple[int, ...]], ...]  # request id, ids at its table's end
    blocks: BlockCount
    volume_limit: int  # tokens

    @property
    def kind(self) -> Literal["prefill", "decode"]:
        """Which of the two it is."""
        return "prefill" if self.prefill is not None else "decode"

    @property
    def requests(self) -> tuple[str, ...]:
        """Who took part, in order."""
        if self.prefill is not None:
            return (self.prefill.request_id,)
        return tuple(row.request_id for row in self.rectangle.rows) if self.rectangle else ()

    @property
    def tkv(self) -> int:
        """Of the batch, in tokens; in a prefill the length of the prompt."""
        if self.prefill is not None:
            return self.prefill.prompt_len
        return self.rectangle.tkv if self.rectangle else 0

    @property
    def volume(self) -> int | None:
        """Requests x tkv of a decode step, in tokens."""
        return self.rectangle.volume if self.rectangle else None
