"""Continuous batching that looks only at the steps in which something happens.

What it does: the same decisions as `engine.scheduler.Scheduler` (first come, first served;
budget of tokens; chunked prefill; last admitted preempted first), for any `Memory`. A request
that writes is left alone until a block border, its end, or its preemption; steps in which nobody
has any of these, and nobody comes in, are passed over together.

Why that is the same: who writes gets one token in every step. (At most one prompt is computed in
part, and it is the last admitted; running requests never outnumber the budget, because each
took a token of it when it came in.) Who waits and did not fit cannot fit before blocks are
freed or something new can be hit, so it is not asked again before.

What it leaves out: priorities, speculative decoding, a clock that looks at context length.

Source: vLLM 0.33.0, v1/core/sched/scheduler.py; Orca (OSDI 2022) for iteration-level scheduling.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from heapq import heappop, heappush

from pagedviz.engine.request import RequestStatus
from pagedviz.workload.account import Account
from pagedviz.workload.load_request import LoadRequest
from pagedviz.workload.memory import Memory
from pagedviz.workload.setup import SimulationSetup


class Batching:
    """One system serving one load. `requests` are in the order of arrival.

    Call `advance` until it answers False; `requests` then tell when each came and went.
    """

    def __init__(
        self, requests: Sequence[LoadRequest], memory: Memory, setup: SimulationSetup
    ) -> None:
        self.memory = memory
        self.step = 0  # the next one
        self.now = requests[0].arrival_ns if requests else 0
        self.account = Account(self.now)
        self.waiting: deque[LoadRequest] = deque()
        self.running: dict[int, LoadRequest] = {}  # place in the order of admissions -> request
        self.num_done = 0  # finished or refused
        self.num_preemptions = 0
        self.num_recomputed = 0  # tokens computed before and lost by a preemption
        self.requests = requests
        self._next_arrival = 0
        self._seats = setup.max_num_seqs
        self._budget = setup.max_num_batched_tokens
        self._base, self._per_prefill, self._per_decode = setup.cost.in_ns()
        self._seq = 0
        self._partial: LoadRequest | None = None  # its prompt is computed in part
        self._num_computed = 0  # tokens of all who run
        self._blocked = False  # the first in line was asked and did not fit
        # step -> (place, request) that must ask for memory, or writes its last token, in it
        self._calls: dict[int, list[tuple[int, LoadRequest]]] = {}
        self._ends: dict[int, list[tuple[int, LoadRequest]]] = {}
        self._steps: list[int] = []  # heap of the keys of both

    def advance(self) -> bool:
        """Take the next step in which something happens, and the dull ones after it."""
        self._arrive()
        if not self.running and not self.waiting:
            if self._next_arrival == len(self.requests):
                return False
            self._idle()
            self._arrive()
            if not self.waiting:
                return True  # who came was refused
        self._take_step()
        self._pass_dull_steps()
        return True

    # ---- between steps

    def _arrive(self) -> None:
        requests, at = self.requests, self._next_arrival
        while at < len(requests) and requests[at].arrival_ns <= self.now:
            request = requests[at]
            at += 1
            if reason := self.memory.why_never(request):
                request.refusal = reason
                self.num_done += 1
            else:
                self.waiting.append(request)
        self._next_arrival = at

    def _idle(self) -> None:
        """Nobody is here: wait for the next one. No step is taken meanwhile."""
        until = self.requests[self._next_arrival].arrival_ns
        if until > self.now:
            slots = self.memory.reading(0, False)
            self.account.add(self.now, 1, until - self.now, slots, 0, 0, idle=True)
            self.now = until

    def _pass_dull_steps(self) -> None:
        """Steps in which everyone who runs writes a token, and that is all."""
        if self._partial or not self.running:
            return
        if self.waiting and not self._blocked and len(self.running) < self._seats:
            return
        writing = len(self.running)
        duration = self._base + self._per_decode * writing
        steps = self._steps[0] - self.step
        if self._next_arrival < len(self.requests):
            gap = self.requests[self._next_arrival].arrival_ns - self.now
            steps = min(steps, -(gap // -duration))
        if steps <= 0:
            return
        slots = self.memory.reading(self._num_computed + writing, self._blocked)
        line = len(self.waiting)
        self.account.add(
            self.now, duration, steps, slots, writing, line, slope=writing, waits=self._blocked
        )
        self._num_computed += writing * steps
        self.now += duration * steps
        self.step += steps

    # ---- a step

    def _take_step(self) -> None:
        preemptions = self.num_preemptions
        self._serve_calls()
        done: list[LoadRequest] = []  # their prompt is computed: they write a first token
        writing = len(self.running) - (self._partial is not None)
        left = self._budget - writing
        if self._partial is not None:
            left = self._continue_prompt(self._partial, left, done)
        if self.memory.news():
            self._blocked = False
        preempted = self.num_preemptions > preemptions
        if not preempted and not self._blocked:  # else nobody new comes in now
            left = self._admit(left, done)
        self._num_computed += writing
        waits = bool(self.waiting) and (self._blocked or preempted)
        prefill = self._budget - writing - left
        duration = self._base + self._per_prefill * prefill + self._per_decode * writing
        slots = self.memory.reading(self._num_computed, waits)
        seated, line = len(self.running), len(self.waiting)
        self.account.add(self.now, duration, 1, slots, seated, line, waits=waits)
        self.now += duration
        self._end_step(done)

    def _serve_calls(self) -> None:
        """Those at a block border ask for memory, in the order of their admission."""
        for seq, request in sorted(self._calls.pop(self.step, ())):
            if request.seq != seq:
                continue  # preempted since
            request.bring_up_to(self.step)
            while not self.memory.extend(request, 1):
                victim = self._preempt_last()
                if victim is request:
                    break
            else:
                self._call_again(request, self.step, request.num_computed_tokens + 1)

    def _preempt_last(self) -> LoadRequest:
        """The last admitted gives everything back and waits in front of the others."""
        _, victim = self.running.popitem()
        if victim is self._partial:
            self._partial = None
        else:
            victim.bring_up_to(self.step)
        self._num_computed -= victim.num_computed_tokens
        self.num_recomputed += victim.num_computed_tokens
        self.memory.release(victim)
        victim.start_over()
        victim.seq = -1
        self.waiting.appendleft(victim)
        self.num_preemptions += 1
        self._blocked = False
        return victim

    def _continue_prompt(self, request: LoadRequest, left: int, done: list[LoadRequest]) -> int:
        """The next chunk of the prompt that did not fit into the last step's budget."""
        chunk = min(request.count - request.num_computed_tokens, left)
        while not self.memory.extend(request, chunk):
            if self._preempt_last() is request:
                return left
        request.num_computed_tokens += chunk
        self._num_computed += chunk
        if request.num_computed_tokens == request.count:
            self._partial = None
            done.append(request)
        return left - chunk

    def _admit(self, left: int, done: list[LoadRequest]) -> int:
        """Let in who waits, strictly in order, until something runs short; the budget left."""
        while self.waiting and left > 0 and len(self.running) < self._seats:
            request = self.waiting[0]
            admission = self.memory.admit(request, left, bool(self.running))
            if admission is None:
                self._blocked = True
                break
            self.waiting.popleft()
            self._seq += 1
            request.seq = self._seq
            self.running[self._seq] = request
            if request.admitted_ns < 0:
                request.admitted_ns = self.now
                request.hit_tokens = admission.hit_tokens
            computed = admission.hit_tokens + admission.num_new_tokens
            request.num_computed_tokens = computed
            self._num_computed += computed
            left -= admission.num_new_tokens
            if computed == request.count:
                done.append(request)
            else:
                self._partial = request
        return left

    # ---- after a step

    def _end_step(self, done: list[LoadRequest]) -> None:
        """Whose prompt is computed writes a token; who wrote the last one leaves."""
        step = self.step
        for request in done:
            request.anchor_step = step
            request.anchor_computed = request.count
            request.count += 1
            end = step + request.num_output - request.num_output_tokens
            self._note(self._ends, end, request)
            self._call_again(request, step, request.anchor_computed)
        for seq, request in sorted(self._ends.pop(step, ())):
            if request.seq == seq:
                self._finish(request)
        while self._steps and self._steps[0] <= step:
            heappop(self._steps)
        self.step += 1

    def _finish(self, request: LoadRequest) -> None:
        self.memory.release(request)
        del self.running[request.seq]
        request.seq = -1
        request.status = RequestStatus.FINISHED
        request.finished_ns = self.now
        request.block_hashes, request.segments = [], []
        self._num_computed -= request.last_computed
        self._blocked = False
        self.num_done += 1

    def _call_again(self, request: LoadRequest, step: int, computed: int) -> None:
        """Remember when the request must ask for memory, having `computed` after `step`."""
        wait = self.memory.steps_to_next_call(computed)
        if wait and computed + wait <= request.last_computed:
            self._note(self._calls, step + wait, request)

    def _note(
        self, when: dict[int, list[tuple[int, LoadRequest]]], step: int, request: LoadRequest
    ) -> None:
        if step not in self._calls and step not in self._ends:
            heappush(self._steps, step)
        when.setdefault(step, []).append((request.seq, request))
