"""Who computes how many tokens in the next step: continuous batching.

What it does: every step has a budget of tokens. Running requests are served first, in
their order, then waiting ones are admitted as long as budget, seats and blocks last. A
prompt longer than the budget is computed in chunks over several steps. If a running
request finds no block, another one (or itself) is preempted: its blocks are freed, it
waits again, and later starts over, helped by whatever of its blocks is still cached.

What it leaves out: speculative decoding, images to encode, connectors, asynchronous and
pipelined steps, LoRA limits. A step is scheduled, run and updated before the next begins.

Source: vLLM 0.33.0, v1/core/sched/scheduler.py (schedule, _preempt_request,
update_from_output), sched/utils.py (check_stop), config/scheduler.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pagedviz.engine.errors import ConfigError, OperationError, check_bool, check_int
from pagedviz.engine.kv_cache_manager import KVCacheManager
from pagedviz.engine.request import Request, RequestStatus, to_token_array
from pagedviz.engine.request_queue import SchedulingPolicy, create_request_queue


@dataclass(frozen=True, slots=True)
class SchedulerConfig:
    """The limits of a step, with vLLM's defaults."""

    max_num_seqs: int = 128  # requests that may run at the same time
    max_num_batched_tokens: int = 2048  # tokens computed in one step, all requests together
    policy: SchedulingPolicy = SchedulingPolicy.FCFS
    enable_chunked_prefill: bool = True

    def __post_init__(self) -> None:
        check_int("max_num_seqs", self.max_num_seqs, 1, ConfigError)
        check_int("max_num_batched_tokens", self.max_num_batched_tokens, 1, ConfigError)
        check_bool("enable_chunked_prefill", self.enable_chunked_prefill, ConfigError)
        if not isinstance(self.policy, SchedulingPolicy):
            raise ConfigError("policy must be SchedulingPolicy.FCFS or .PRIORITY")


@dataclass(slots=True)
class SchedulerOutput:
    """What one step computes, and how it came about."""

    token_budget: int  # tokens that may still be given out in this step
    num_scheduled_tokens: dict[str, int] = field(default_factory=dict)
    new: list[str] = field(default_factory=list)  # admitted, for the first time
    resumed: list[str] = field(default_factory=list)  # admitted again after a preemption
    preempted: list[str] = field(default_factory=list)  # in the order in which it happened
    # admitted request -> tokens found in the cache, which need not be computed
    num_hit_tokens: dict[str, int] = field(default_factory=dict)


class Scheduler:
    """Serves requests with the blocks of `manager`, one step after the other.

    >>> manager = KVCacheManager(num_blocks=9, block_size=4)
    >>> scheduler = Scheduler(manager, SchedulerConfig(max_num_batched_tokens=8))
    >>> scheduler.add_request(Request("A", range(10), max_tokens=2))
    >>> scheduler.schedule().num_scheduled_tokens  # the first chunk: nothing sampled yet
    {'A': 8}
    >>> scheduler.update_from_output({})
    []
    >>> scheduler.schedule().num_scheduled_tokens
    {'A': 2}
    >>> scheduler.update_from_output({"A": [10]})
    []
    >>> scheduler.schedule().num_scheduled_tokens
    {'A': 1}
    >>> scheduler.update_from_output({"A": [11]})
    ['A']
    """

    def __init__(self, manager: KVCacheManager, config: SchedulerConfig | None = None) -> None:
        self.manager = manager
        self.config = config or SchedulerConfig()
        self.requests: dict[str, Request] = {}  # those that have not finished
        self.running: list[Request] = []  # in the order of their admission
        self.waiting = create_request_queue(self.config.policy)
        self._step: SchedulerOutput | None = None  # scheduled, but not yet updated

    def add_request(self, request: Request) -> None:
        """Let a request join the waiting line."""
        if request.request_id in self.requests:
            raise OperationError(f"request {request.request_id!r} is already here")
        if request.status is not RequestStatus.WAITING:
            raise OperationError(f"{request} does not wait to be scheduled")
        if request.num_tokens >= self.manager.max_model_len:
            raise OperationError(
                f"the prompt of {request.request_id!r} has {request.num_tokens} tokens; with "
                f"max_model_len {self.manager.max_model_len} there is no room for an answer"
            )
        self.requests[request.request_id] = request
        self.waiting.add_request(request)

    # ---- before the step

    def schedule(self) -> SchedulerOutput:
        """Decide what the next step computes, and take the blocks for it."""
        if self._step is not None:
            raise OperationError("the last step has no outcome yet; call update_from_output")
        step = SchedulerOutput(token_budget=self.config.max_num_batched_tokens)
        self._schedule_running(step)
        # A request was just thrown out for want of blocks: nobody new comes in now.
        if not step.preempted:
            self._schedule_waiting(step)
        for request_id, num_tokens in step.num_scheduled_tokens.items():
            self.requests[request_id].num_computed_tokens += num_tokens
        self._step = step
        return step

    def _schedule_running(self, step: SchedulerOutput) -> None:
        """Serve those who run, one after the other; preempt when blocks run out."""
        # A walk by hand: preemption removes requests before or behind the present one.
        index = 0
        while index < len(self.running) and step.token_budget > 0:
            request = self.running[index]
            num_new_tokens = min(
                request.num_tokens - request.num_computed_tokens, step.token_budget
            )
            if num_new_tokens == 0:
                index += 1  # nothing was sampled for it, so there is nothing to compute
                continue
            while self.manager.allocate_slots(request, num_new_tokens) is None:
                victim = self._choose_victim()
                if self.running.index(victim) < index:
                    index -= 1
                self._preempt(victim, step)
                if victim is request:
                    break
            if request.status is RequestStatus.RUNNING:
                step.num_scheduled_tokens[request.request_id] = num_new_tokens
                step.token_budget -= num_new_tokens
                index += 1
            # else it gave way itself, and `index` already points at the next one

    def _choose_victim(self) -> Request:
        """The least urgent of those who run: the last admitted, or the worst priority."""
        if self.config.policy is SchedulingPolicy.PRIORITY:
            return max(self.running, key=lambda r: (r.priority, r.arrival_time))
        return self.running[-1]

    def _preempt(self, victim: Request, step: SchedulerOutput) -> None:
        """Free the victim's blocks and send it back to wait; it will start over."""
        self.running.remove(victim)
        # If it already had its turn in this step, its tokens are free for others again.
        step.token_budget += step.num_scheduled_tokens.pop(victim.request_id, 0)
        self.manager.free(victim)
        victim.start_over()
        self.waiting.prepend_request(victim)
        step.preempted.append(victim.request_id)

    def _schedule_waiting(self, step: SchedulerOutput) -> None:
        """Admit those who wait, strictly in their order, until something runs short."""
        while self.waiting and step.token_budget > 0:
            if len(self.running) >= self.config.max_num_seqs:
                return
            request = self.waiting.peek_request()
            hits, num_hit_tokens = self.manager.get_computed_blocks(request)
            num_new_tokens = request.num_tokens - num_hit_tokens
            if num_new_tokens > step.token_budget and not self.config.enable_chunked_prefill:
                return
            num_new_tokens = min(num_new_tokens, step.token_budget)
            new_blocks = self.manager.allocate_slots(
                request,
                num_new_tokens,
                num_hit_tokens,
                hits,
                full_sequence_must_fit=True,
                has_scheduled_reqs=bool(self.running),
            )
            if new_blocks is None:
                return  # those behind wait too, even if they would fit
            self.waiting.pop_request()
            self.running.append(request)
            first_time = request.status is RequestStatus.WAITING
            (step.new if first_time else step.resumed).append(request.request_id)
            request.status = RequestStatus.RUNNING
            request.num_computed_tokens = num_hit_tokens
            step.num_hit_tokens[request.request_id] = num_hit_tokens
            step.num_scheduled_tokens[request.request_id] = num_new_tokens
            step.token_budget -= num_new_tokens

    # ---- after the step

    def update_from_output(self, sampled: Mapping[str, Sequence[int]]) -> list[str]:
        """Take in the tokens the model produced; the ids of requests that are done.

        Those who finished their prompt (or are past it) may have sampled a token; those
        in the middle of it may not.
        """
        if self._step is None:
            raise OperationError("there is no step to update; call schedule first")
        tokens = {}
        for request_id, token_ids in sampled.items():
            request = self.requests.get(request_id)
            if request is None or request_id not in self._step.num_scheduled_tokens:
                raise OperationError(f"{request_id!r} was not scheduled and cannot sample")
            if request.num_computed_tokens < request.num_tokens:
                raise OperationError(f"{request_id!r} has prompt left and cannot sample yet")
            tokens[request_id] = to_token_array(token_ids)
        finished = []
        for request_id in self._step.num_scheduled_tokens:
            request = self.requests[request_id]
            for token in tokens.get(request_id, ()):
                request.append_output_token_ids([token])
                if self._is_done(request):
                    self._finish(request)
                    finished.append(request_id)
                    break
        self._step = None
        return finished

    def _is_done(self, request: Request) -> bool:
        return (
            request.num_output_tokens >= request.max_tokens
            or request.num_tokens >= self.manager.max_model_len
        )

    def _finish(self, request: Request) -> None:
        self.manager.free(request)
        request.status = RequestStatus.FINISHED
        self.running.remove(request)
        del self.requests[request.request_id]
