"""Continuous batching over reserved runs: the same clock as `scheduler.py`, the old memory.

What it does: in every step each running request computes its next token, prompts are computed
under a budget of tokens, and who waits is admitted strictly in order as long as budget, seats
and a run for the first in line last. A run is reserved whole, so nobody is ever preempted.

What it leaves out: priorities. Tokens themselves: only their number matters to this memory.

Source: Yu et al., "Orca", OSDI 2022, section 3.1 (scheduling by iterations); admission and
budget as in vLLM 0.33.0, v1/core/sched/scheduler.py, so that only the memory differs.
"""

from dataclasses import dataclass, field

from pagedviz.engine.errors import ConfigError, OperationError
from pagedviz.engine.request_queue import SchedulingPolicy
from pagedviz.engine.reservation import ReservationManager, Shortage
from pagedviz.engine.scheduler import SchedulerConfig


@dataclass(slots=True)
class ReservationStep:
    """What one step computes, and why nobody else came in."""

    token_budget: int  # tokens that may still be given out in this step
    num_scheduled_tokens: dict[str, int] = field(default_factory=dict)
    new: list[str] = field(default_factory=list)
    shortage: Shortage | None = None  # what the first in line waits for, if for memory


@dataclass(slots=True)
class _Request:
    num_prompt_tokens: int
    num_output_tokens: int  # in the end
    num_sampled: int = 0
    num_computed: int = 0

    @property
    def num_uncomputed(self) -> int:
        return self.num_prompt_tokens + self.num_sampled - self.num_computed


class ReservationScheduler:
    """Serves requests with the runs of `manager`, one step after the other.

    >>> scheduler = ReservationScheduler(ReservationManager(8, "max", max_model_len=8))
    >>> scheduler.add_request("A", 3, 2)
    >>> scheduler.add_request("B", 1, 1)
    >>> scheduler.schedule()
    ReservationStep(token_budget=2045, num_scheduled_tokens={'A': 3}, new=['A'],
                    shortage=Shortage(run=8, free=0, longest=0))
    >>> scheduler.update(), scheduler.schedule().num_scheduled_tokens
    ([], {'A': 1})
    >>> scheduler.update(), scheduler.schedule().new
    (['A'], ['B'])
    """

    def __init__(self, manager: ReservationManager, config: SchedulerConfig | None = None) -> None:
        self.manager = manager
        self.config = config or SchedulerConfig()
        if self.config.policy is not SchedulingPolicy.FCFS:
            raise ConfigError("reserved runs are given first come, first served: use FCFS")
        self.running: list[str] = []  # in the order of their admission
        self.waiting: list[str] = []  # the first is the next
        self._requests: dict[str, _Request] = {}
        self._step: ReservationStep | None = None  # scheduled, but not yet updated

    def add_request(self, request_id: str, num_prompt_tokens: int, num_output_tokens: int) -> None:
        """Let a request join the waiting line; OperationError if it can never be placed."""
        if request_id in self._requests:
            raise OperationError(f"request {request_id!r} is already here")
        if never := self.manager.why_never(num_prompt_tokens, num_output_tokens):
            raise OperationError(f"request {request_id!r} can never be placed: {never}")
        self._requests[request_id] = _Request(num_prompt_tokens, num_output_tokens)
        self.waiting.append(request_id)

    def schedule(self) -> ReservationStep:
        """Decide what the next step computes, and reserve runs for those who come in."""
        if self._step is not None:
            raise OperationError("the last step has no outcome yet; call update")
        step = ReservationStep(self.config.max_num_batched_tokens)
        for request_id in self.running:
            self._compute(request_id, step)
        while self.waiting and step.token_budget and self._admit(self.waiting[0], step):
            self.running.append(self.waiting.pop(0))
        self._step = step
        return step

    def _admit(self, request_id: str, step: ReservationStep) -> bool:
        """Let the first in line in, or leave it where it is, and everybody behind it."""
        request = self._requests[request_id]
        if len(self.running) >= self.config.max_num_seqs:
            return False
        if request.num_prompt_tokens > step.token_budget and not self.config.enable_chunked_prefill:
            return False
        placed = self.manager.admit(
            request_id, request.num_prompt_tokens, request.num_output_tokens
        )
        if isinstance(placed, Shortage):
            step.shortage = placed
            return False
        step.new.append(request_id)
        self._compute(request_id, step)
        return True

    def _compute(self, request_id: str, step: ReservationStep) -> None:
        request = self._requests[request_id]
        num_new_tokens = min(request.num_uncomputed, step.token_budget)
        if num_new_tokens:
            self.manager.append(request_id, num_new_tokens)
            request.num_computed += num_new_tokens
            step.num_scheduled_tokens[request_id] = num_new_tokens
            step.token_budget -= num_new_tokens

    def update(self) -> list[str]:
        """Everyone whose tokens are all computed writes one more; who is done gives back its run.

        Returns the ids of those who are done.
        """
        if self._step is None:
            raise OperationError("there is no step to update; call schedule first")
        finished = []
        for request_id in self._step.num_scheduled_tokens:
            request = self._requests[request_id]
            if request.num_uncomputed == 0:
                request.num_sampled += 1
                if request.num_sampled == request.num_output_tokens:
                    finished.append(request_id)
        for request_id in finished:
            self.manager.free(request_id)
            self.running.remove(request_id)
            del self._requests[request_id]
        self._step = None
        return finished
