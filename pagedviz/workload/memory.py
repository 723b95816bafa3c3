"""What the simulation asks of a memory: one interface, two memories.

`PagedMemory` is the real block manager of `engine`, `ReservedMemory` its real reservation
manager. Continuous batching (`batching.py`) is the same for both.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from pagedviz.workload.load_request import LoadRequest


class Admission(NamedTuple):
    """A request that was let in."""

    hit_tokens: int  # found in the cache, need not be computed
    num_new_tokens: int  # computed in this step


class Memory(Protocol):
    """Memory for the KV of requests, and what it is used for."""

    kinds: tuple[str, ...]
    """Names of the five kinds of slots, "token" first. A token written takes a place of the
    second kind and makes it one of the first; the others change only when the memory is asked."""
    num_slots: int

    def why_never(self, request: LoadRequest) -> str | None:
        """Why a request can never be let in; None if it can."""

    def admit(self, request: LoadRequest, budget: int, others_run: bool) -> Admission | None:
        """Let the first in line in, or change nothing and answer None."""

    def extend(self, request: LoadRequest, num_tokens: int) -> bool:
        """Room for `num_tokens` more; False, with nothing changed, if there is none."""

    def release(self, request: LoadRequest) -> None:
        """Take back all that the request holds."""

    def steps_to_next_call(self, computed: int) -> int:
        """In how many steps a writing request with so many tokens computed must ask `extend`
        again; in the steps before, nothing but its number of tokens changes. 0: never."""

    def news(self) -> bool:
        """Whether, since the last call, something was put in the cache that who waits may hit."""

    def reading(self, num_computed: int, waits: bool) -> tuple[int, int, int, int, int]:
        """Slots of each kind. num_computed: tokens of all who run, counted once per request;
        waits: the first in line waits for memory."""
