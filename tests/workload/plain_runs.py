"""The engine's own schedulers, token by token, over a load: what the simulation must agree with.

Written for clarity: real requests with real tokens and real hashes, one step after the other.
"""

from pagedviz.engine.block_hash import get_request_block_hasher
from pagedviz.engine.kv_cache_manager import KVCacheManager
from pagedviz.engine.request import Request
from pagedviz.engine.reservation import ReservationManager
from pagedviz.engine.reservation_scheduler import ReservationScheduler
from pagedviz.engine.scheduler import Scheduler, SchedulerConfig
from pagedviz.workload.load_request import LoadRequest


def load(rows):
    """Requests from (arrival in ms, prompt, output[, segments]); segments make up the prompt."""
    found = []
    for index, (arrival, prompt, output, *segments) in enumerate(sorted(rows, key=lambda r: r[0])):
        own = list(segments[0]) if segments else [(-2 * index - 1, prompt)]
        assert sum(length for _, length in own) == prompt
        answer = segments[1] if len(segments) > 1 else -2 * index - 2
        found.append(
            LoadRequest(
                index,
                arrival * 10**6,
                prompt,
                output,
                [*own, (answer, output)],
                shares_answer=answer >= 0,
            )
        )
    return found


def tokens_of(request):
    """A token is a segment and a place in it, as one number."""
    return [
        (segment + 2**20) * 2**20 + place
        for segment, length in request.segments
        for place in range(length)
    ]


class PlainPaged:
    """`engine.Scheduler`, step by step."""

    def __init__(self, requests, setup, max_model_len):
        manager = KVCacheManager(
            setup.num_blocks + 1,
            setup.block_size,
            enable_caching=setup.prefix_caching,
            max_model_len=max_model_len,
        )
        config = SchedulerConfig(setup.max_num_seqs, setup.max_num_batched_tokens)
        self.scheduler = Scheduler(manager, config)
        self.requests = requests
        self.tokens = {request.request_id: tokens_of(request) for request in requests}
        self.hasher = get_request_block_hasher(setup.block_size) if setup.prefix_caching else None
        self.cost = setup.cost
        self.now = requests[0].arrival_ns
        self.step = 0
        self.at = 0
        self.finished = {}
        self.hits = {}
        self.preemptions = 0
        self.writers = set()  # whose prompt is computed
        self.seen = []  # (duration, kinds, running, waiting) of every step

    def take_step(self, refused):
        if not self.scheduler.requests:
            while self.requests[self.at].request_id in refused:
                self.at += 1
            self.now = max(self.now, self.requests[self.at].arrival_ns)
        while self.at < len(self.requests) and self.requests[self.at].arrival_ns <= self.now:
            r = self.requests[self.at]
            self.at += 1
            if r.request_id not in refused:
                prompt = self.tokens[r.request_id][: r.num_prompt_tokens]
                self.scheduler.add_request(
                    Request(r.request_id, prompt, max_tokens=r.num_output, block_hasher=self.hasher)
                )
        output = self.scheduler.schedule()
        for request_id in output.new:
            self.hits[request_id] = output.num_hit_tokens[request_id]
        self.preemptions += len(output.preempted)
        by_id = self.scheduler.requests
        ready = [
            one
            for one in output.num_scheduled_tokens
            if by_id[one].num_computed_tokens == by_id[one].num_tokens
        ]
        scheduled = output.num_scheduled_tokens
        self.writers -= set(output.preempted)
        writing = len(self.writers & set(scheduled))
        prefill = sum(scheduled.values()) - writing
        duration = self.cost.of(prefill, writing)
        self.seen.append(
            (duration, self.kinds(), len(self.scheduler.running), len(self.scheduler.waiting))
        )
        self.writers |= set(ready)
        sampled = {one: [self.tokens[one][by_id[one].num_tokens]] for one in ready}
        self.now += duration
        for one in self.scheduler.update_from_output(sampled):
            self.finished[one] = self.now
            self.writers.discard(one)
        self.step += 1

    def kinds(self):
        """Slots by kind, counted block by block."""
        pool = self.scheduler.manager.block_pool
        size = self.scheduler.manager.block_size
        fill = {}
        for request in self.scheduler.running:
            table = self.scheduler.manager.get_block_ids(request.request_id)
            for place, block in enumerate(table):
                held = min(max(request.num_computed_tokens - place * size, 0), size)
                assert fill.setdefault(block, held) == held
        tokens = sum(fill.values())
        free = list(pool.free_block_queue)
        kept = sum(block.block_hash is not None for block in free)
        return tokens, len(fill) * size - tokens, kept * size, 0, (len(free) - kept) * size

    def state(self):
        running, waiting = self.scheduler.running, self.scheduler.waiting
        found = _common(self.step, self.now, running, waiting, self.preemptions)
        return found | _blocks(self.scheduler.manager, running)


class PlainReserved:
    """`engine.ReservationScheduler`, step by step."""

    def __init__(self, requests, setup, policy, max_model_len):
        manager = ReservationManager(setup.memory_slots, policy, max_model_len)
        config = SchedulerConfig(setup.max_num_seqs, setup.max_num_batched_tokens)
        self.scheduler = ReservationScheduler(manager, config)
        self.requests = requests
        self.cost = setup.cost
        self.now = requests[0].arrival_ns
        self.step = 0
        self.at = 0
        self.finished = {}
        self.writers = set()
        self.written = {}
        self.seen = []

    def take_step(self, refused):
        scheduler = self.scheduler
        if not scheduler.running and not scheduler.waiting:
            while self.requests[self.at].request_id in refused:
                self.at += 1
            self.now = max(self.now, self.requests[self.at].arrival_ns)
        while self.at < len(self.requests) and self.requests[self.at].arrival_ns <= self.now:
            r = self.requests[self.at]
            self.at += 1
            if r.request_id not in refused:
                scheduler.add_request(r.request_id, r.num_prompt_tokens, r.num_output)
        output = scheduler.schedule()
        scheduled = output.num_scheduled_tokens
        writing = len(self.writers & set(scheduled))
        for one, count in scheduled.items():
            self.written[one] = self.written.get(one, 0) + count
            if self.written[one] >= self.requests[int(one)].num_prompt_tokens:
                self.writers.add(one)
        duration = self.cost.of(sum(scheduled.values()) - writing, writing)
        kinds = tuple(scheduler.manager.counts(output.shortage))
        self.seen.append((duration, kinds, len(scheduler.running), len(scheduler.waiting)))
        self.now += duration
        for one in scheduler.update():
            self.finished[one] = self.now
            self.writers.discard(one)
        self.step += 1

    def state(self):
        s = self.scheduler
        runs = [(r.request_id, r.start, r.run) for r in s.manager.reservations()]
        return {
            "step": self.step,
            "now": self.now,
            "running": list(s.running),
            "waiting": list(s.waiting),
            "runs": runs,
        }


def paged_state(batching):
    """The state of the simulation, as `PlainPaged.state` has it."""
    running = list(batching.running.values())
    found = _common(
        batching.step, batching.now, running, batching.waiting, batching.num_preemptions
    )
    return found | _blocks(batching.memory.manager, running)


def reserved_state(batching):
    """The state of the simulation, as `PlainReserved.state` has it."""
    runs = [(r.request_id, r.start, r.run) for r in batching.memory.manager.reservations()]
    running = batching.running.values()
    found = _common(batching.step, batching.now, running, batching.waiting, 0)
    del found["preemptions"]
    return found | {"runs": runs}


def _common(step, now, running, waiting, preemptions):
    return {
        "step": step,
        "now": now,
        "running": [r.request_id for r in running],
        "waiting": [r.request_id for r in waiting],
        "preemptions": preemptions,
    }


def _blocks(manager, running):
    pool = manager.block_pool
    return {
        "tables": {r.request_id: manager.get_block_ids(r.request_id) for r in running},
        "free": [block.block_id for block in pool.free_block_queue],
        "hashed": [block.block_hash is not None for block in pool.blocks],
    }


def totals(seen):
    """Sums as `Account.busy` has them."""
    sums = [0] * 8
    for duration, kinds, running, waiting in seen:
        for at, value in enumerate((1, *kinds, running, waiting)):
            sums[at] += duration * value
    return sums
