"""The old way: one contiguous run of slots per request, reserved before its first token.

What it does: says how many slots a policy reserves for a request, has a buddy allocator place
them, counts what is written, and tells for every slot what it is: exactly one of `SlotKind`.

    max     as many slots as the longest allowed request has
    pow2    the prompt, and the next power of two of the answer's true length
    oracle  exactly the slots that will be written; nobody can know that in advance

Whether a reserved slot is used later or never is known only in hindsight: the true length of
the answer is given at admission, to count by, and only pow2 and oracle look at it.
The last token of an answer never gets a slot: nothing is computed from it any more.

What it leaves out: who is admitted when (`reservation_scheduler.py`); growing or moving a run
once it is placed.

Source: Kwon et al., "Efficient Memory Management for Large Language Model Serving with
PagedAttention", SOSP 2023, section 3.1, figures 2 and 3 (reserved slots, internal and external
fragmentation); section 6.1 (Orca as Max, Pow2, Oracle: "over-reserves the space for outputs by
at most 2x. For example, if the true output length is 25, it reserves 32 positions").
"""

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from pagedviz.engine.buddy import BuddyAllocator, power_of_two
from pagedviz.engine.errors import ConfigError, OperationError, check_int, check_text, shown

Policy = Literal["max", "pow2", "oracle"]
POLICIES: tuple[Policy, ...] = get_args(Policy)


class SlotKind(IntEnum):
    """What one slot of memory is at one moment."""

    TOKEN = 0  # holds the KV of a token
    LATER = 1  # reserved, and will be written by the end of its request
    NEVER = 2  # reserved, and never written: internal fragmentation
    EXTERNAL = 3  # reserved for nobody, and of no use to who waits: external fragmentation
    FREE = 4  # could be given to the next request


class SlotCounts(NamedTuple):
    """How many slots of each kind; together always the whole memory."""

    token: int
    later: int
    never: int
    external: int
    free: int

    @property
    def reserved(self) -> int:
        """Slots given out to requests."""
        return self.token + self.later + self.never


@dataclass(frozen=True, slots=True)
class Reservation:
    """A request's run at one moment, in slots."""

    request_id: str
    start: int
    run: int  # what the allocator took: `reserved` rounded up to a power of two
    reserved: int  # what the policy asked for
    will_use: int  # what will have been written in the end
    written: int


@dataclass(frozen=True, slots=True)
class Shortage:
    """Why a request cannot be placed now. Nothing is wrong with it: it waits."""

    run: int  # slots in one piece that it needs
    free: int  # slots that are free, all together
    longest: int  # of them, the longest run

    @property
    def fragmented(self) -> bool:
        """Whether it would fit if the free slots lay in one piece."""
        return self.free >= self.run


class ReservationManager:
    """The memory of a system that reserves before it serves.

    Three requests in 16 slots, with known lengths:

    >>> memory = ReservationManager(16, "oracle", max_model_len=16)
    >>> memory.admit("A", 3, 2)  # 3 of the prompt, 1 of the answer's 2
    Reservation(request_id='A', start=0, run=4, reserved=4, will_use=4, written=0)
    >>> memory.admit("B", 4, 2).start, memory.append("A", 3)
    (8, 3)
    >>> memory.counts()  # B's run of 8 has 3 slots that nobody asked for
    SlotCounts(token=3, later=6, never=0, external=3, free=4)
    >>> memory.admit("C", 6, 1)
    Shortage(run=8, free=4, longest=4)
    """

    def __init__(self, num_slots: int, policy: Policy = "max", max_model_len: int = 2048) -> None:
        if policy not in POLICIES:
            raise ConfigError(f"policy must be one of {', '.join(POLICIES)}, not {shown(policy)}")
        self.policy = policy
        self.max_model_len = check_int("max_model_len", max_model_len, 2, ConfigError)
        self.allocator = BuddyAllocator(num_slots)
        self._held: dict[str, Reservation] = {}
        # Sums over all that is held, so that counting costs the same however many run.
        self._written = self._will_use = self._reserved = 0

    # ---- asking

    @property
    def num_slots(self) -> int:
        """Slots of the memory."""
        return self.allocator.num_slots

    def slots_to_reserve(self, num_prompt_tokens: int, num_output_tokens: int) -> int:
        """What the policy reserves for a request.

        >>> for policy in POLICIES:
        ...     ReservationManager(4096, policy, 2048).slots_to_reserve(100, 25)
        2048
        132
        124
        """
        if self.policy == "max":
            return self.max_model_len
        if self.policy == "pow2":
            asked = num_prompt_tokens + power_of_two(num_output_tokens)
            return min(asked, self.max_model_len)
        return num_prompt_tokens + num_output_tokens - 1

    def why_never(self, num_prompt_tokens: int, num_output_tokens: int) -> str | None:
        """Why a request can never be placed, even if nobody else is there; None if it can."""
        check_int("num_prompt_tokens", num_prompt_tokens, 1, OperationError)
        check_int("num_output_tokens", num_output_tokens, 1, OperationError)
        length = num_prompt_tokens + num_output_tokens
        if length > self.max_model_len:
            return f"{length} tokens are more than max_model_len {self.max_model_len}"
        run = power_of_two(self.slots_to_reserve(num_prompt_tokens, num_output_tokens))
        if run > self.allocator.longest_run:
            return (
                f"it needs a run of {run} slots; the longest in a memory of {self.num_slots} "
                f"is {self.allocator.longest_run}"
            )
        return None

    def shortage(self, num_prompt_tokens: int, num_output_tokens: int) -> Shortage | None:
        """Why a request cannot be placed now; None if it can."""
        asked = self.slots_to_reserve(num_prompt_tokens, num_output_tokens)
        if self.allocator.can_allocate(asked):
            return None
        return Shortage(
            power_of_two(asked), self.allocator.num_free_slots, self.allocator.longest_free_run
        )

    def reservations(self) -> tuple[Reservation, ...]:
        """Every run as it stands, by address."""
        return tuple(sorted(self._held.values(), key=lambda r: r.start))

    def counts(self, waiting: Shortage | None = None) -> SlotCounts:
        """Slots by kind. `waiting`: what the first in line waits for, if it waits for memory.

        What lies between the end of a reservation and the end of its run is external at all
        times: nobody asked for it, and nobody can be given it. Free runs are external while
        the first in line finds none of them long enough.
        """
        free = self.allocator.num_free_slots
        rounding = self.num_slots - free - self._reserved
        unusable = free if waiting is not None else 0
        return SlotCounts(
            token=self._written,
            later=self._will_use - self._written,
            never=self._reserved - self._will_use,
            external=rounding + unusable,
            free=free - unusable,
        )

    def slot_kinds(self, waiting: Shortage | None = None) -> NDArray[np.uint8]:  # (num_slots,)
        """The `SlotKind` of every slot; agrees with `counts`."""
        kinds = np.full(
            self.num_slots, SlotKind.FREE if waiting is None else SlotKind.EXTERNAL, np.uint8
        )
        for held in self._held.values():
            end = held.start
            for length, kind in (
                (held.written, SlotKind.TOKEN),
                (held.will_use - held.written, SlotKind.LATER),
                (held.reserved - held.will_use, SlotKind.NEVER),
                (held.run - held.reserved, SlotKind.EXTERNAL),
            ):
                kinds[end : end + length] = kind
                end += length
        return kinds

    # ---- doing

    def admit(
        self, request_id: str, num_prompt_tokens: int, num_output_tokens: int
    ) -> Reservation | Shortage:
        """Reserve a run, or say what is short; then nothing has changed.

        num_output_tokens: the answer's true length, known in hindsight.
        """
        check_text("the request id", request_id, OperationError)
        if request_id in self._held:
            raise OperationError(f"request {request_id!r} holds a run already")
        if never := self.why_never(num_prompt_tokens, num_output_tokens):
            raise OperationError(f"request {request_id!r} can never be placed: {never}")
        if short := self.shortage(num_prompt_tokens, num_output_tokens):
            return short
        asked = self.slots_to_reserve(num_prompt_tokens, num_output_tokens)
        start = self.allocator.allocate(asked)
        assert start is not None  # there was no shortage
        will_use = num_prompt_tokens + num_output_tokens - 1
        placed = Reservation(request_id, start, power_of_two(asked), asked, will_use, written=0)
        self._held[request_id] = placed
        self._reserved += asked
        self._will_use += will_use
        return placed

    def append(self, request_id: str, num_tokens: int) -> int:
        """Write the KV of `num_tokens` more; how many the run holds now."""
        held = self._find(request_id)
        check_int("num_tokens", num_tokens, 0, OperationError)
        if held.written + num_tokens > held.will_use:
            raise OperationError(
                f"request {request_id!r} was announced with {held.will_use} slots to write and "
                f"has written {held.written}; {num_tokens} more do not fit"
            )
        self._held[request_id] = replace(held, written=held.written + num_tokens)
        self._written += num_tokens
        return held.written + num_tokens

    def free(self, request_id: str) -> None:
        """Give back the whole run."""
        held = self._find(request_id)
        del self._held[request_id]
        self.allocator.free(held.start)
        self._written -= held.written
        self._will_use -= held.will_use
        self._reserved -= held.reserved

    def _find(self, request_id: str) -> Reservation:
        if request_id not in self._held:
            raise OperationError(f"request {shown(request_id)} holds no run")
        return self._held[request_id]
