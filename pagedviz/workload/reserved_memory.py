"""The real reservation manager as a memory of the simulation: the systems before paging.

What it does: a run per request, whole and from the start, so that nothing is asked again until
the request ends. What is written is counted from the number of tokens, not run by run.

What it leaves out: see pagedviz.engine.reservation.
"""

from __future__ import annotations

from pagedviz.engine.request import RequestStatus
from pagedviz.engine.reservation import Policy, ReservationManager, Shortage
from pagedviz.workload.load_request import LoadRequest
from pagedviz.workload.memory import Admission


class ReservedMemory:
    """One contiguous run of slots per request, sized by `policy`."""

    kinds: tuple[str, ...] = ("token", "later", "never", "external", "free")

    def __init__(self, num_slots: int, policy: Policy, max_model_len: int) -> None:
        self.manager = ReservationManager(num_slots, policy, max_model_len)
        self.num_slots = num_slots
        self._shortage: Shortage | None = None  # of the last one who could not be placed

    def why_never(self, request: LoadRequest) -> str | None:
        """Longer than max_model_len, or than any run of this memory."""
        return self.manager.why_never(request.num_prompt_tokens, request.num_output)

    def admit(self, request: LoadRequest, budget: int, others_run: bool) -> Admission | None:
        """Reserve a run for prompt and answer; nothing is ever found in a cache."""
        placed = self.manager.admit(
            request.request_id, request.num_prompt_tokens, request.num_output
        )
        if isinstance(placed, Shortage):
            self._shortage = placed
            return None
        request.status = RequestStatus.RUNNING
        return Admission(0, min(request.count, budget))

    def extend(self, request: LoadRequest, num_tokens: int) -> bool:
        """The run is there already."""
        return True

    def release(self, request: LoadRequest) -> None:
        """Give back the run."""
        self.manager.free(request.request_id)

    def steps_to_next_call(self, computed: int) -> int:
        """Never."""
        return 0

    def news(self) -> bool:
        """There is no cache."""
        return False

    def reading(self, num_computed: int, waits: bool) -> tuple[int, int, int, int, int]:
        """Token, reserved and used later, never used, external, free; in slots."""
        counts = self.manager.counts(self._shortage if waits else None)
        will_use = counts.token + counts.later
        return num_computed, will_use - num_computed, counts.never, counts.external, counts.free
