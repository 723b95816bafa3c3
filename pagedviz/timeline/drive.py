"""Let the scheduler drive: requests arrive by chance, the engine's scheduler does the rest.

A real `Scheduler` runs over a real `KVCacheManager`; what it asks of the manager is written
down as operations, each with the scheduler step (`tick`) it belongs to. Playing those gives
the manager's states again, exactly.

Leaves out: traffic as it is measured (lengths and arrivals here are drawn evenly from a
range) and time (a tick is a step, not a millisecond).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import count
from typing import Any, Literal

from pagedviz.engine.block_hash import get_request_block_hasher
from pagedviz.engine.block_pool import KVCacheBlock
from pagedviz.engine.kv_cache_manager import KVCacheManager
from pagedviz.engine.request import Request, RequestStatus
from pagedviz.engine.request_queue import SchedulingPolicy
from pagedviz.engine.scheduler import Scheduler, SchedulerConfig
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.ops import MAX_BLOCK_SIZE, MAX_BLOCKS, MAX_STEPS
from pagedviz.timeline.run import Run
from pagedviz.timeline.step import letter

MAX_TICKS = 100_000
MAX_VISITORS = 200

Op = dict[str, object]


@dataclass(frozen=True, slots=True)
class DriveConfig:
    """A pool, a scheduler and who comes. Ranges are (shortest, longest), both included.

    RunError if it cannot be; its words are those of neither register, so both can show them.
    """

    num_blocks: int = 30  # the null block included
    block_size: int = 16  # tokens
    caching: bool = True
    visitors: int = 10  # requests in all
    arrivals: float = 0.3  # requests per tick, on average
    prompt: tuple[int, int] = (16, 96)  # tokens
    answer: tuple[int, int] = (8, 40)  # tokens
    shared_opening: int = 0  # tokens with which some prompts begin
    sharing: float = 0.5  # share of the requests that begin so
    token_budget: int = 64  # tokens computed per tick, all requests together
    max_requests: int = 8  # running at the same time
    policy: Literal["fcfs", "priority"] = "fcfs"
    seed: int = 1

    def __post_init__(self) -> None:
        _check("num_blocks", self.num_blocks, 2, MAX_BLOCKS)
        _check("block_size", self.block_size, 1, MAX_BLOCK_SIZE)
        _check("visitors", self.visitors, 1, MAX_VISITORS)
        for name in ("prompt", "answer"):
            low, high = getattr(self, name)
            _check(f"{name} (shortest)", low, 1, 100_000)
            _check(f"{name} (longest)", high, 1, 100_000)
            if low > high:
                what = "arrivals" if name == "prompt" else "answers"
                raise RunError(
                    f"The longest {what} ({high:,}) would be shorter than the shortest ({low:,})",
                    advice="Swap the two.",
                )
        _check("shared_opening", self.shared_opening, 0, 100_000)
        _check("token_budget", self.token_budget, 1, 1_000_000)
        _check("max_requests", self.max_requests, 1, 1000)
        _check("seed", self.seed, 0, 2**32)
        for name, low_f, high_f in (("arrivals", 0.01, 100.0), ("sharing", 0.0, 1.0)):
            value = getattr(self, name)
            if (
                isinstance(value, bool)
                or not isinstance(value, (int, float))
                or not low_f <= value <= high_f
            ):
                raise RunError(
                    f"must be a number from {low_f:g} to {high_f:g}, not {value!r}",
                    field=name,
                )
        if self.policy not in ("fcfs", "priority"):
            raise RunError(f"must be fcfs or priority, not {self.policy!r}", field="policy")
        longest = self.prompt[1] + self.answer[1]
        places = (self.num_blocks - 1) * self.block_size
        if longest > places:
            raise RunError(
                f"The longest arrival with the longest answer would take {longest:,} places, "
                f"but there are only {places:,}",
                advice="It could never finish: make them shorter, or give more space.",
            )


def drive(config: DriveConfig, title: str = "The scheduler drives") -> Run:
    """Run the scheduler until everybody has left; the operations it carried out.

    Raises RunError if that would take more than MAX_STEPS operations.

    >>> run = drive(DriveConfig(visitors=2, prompt=(20, 20), answer=(3, 3)))
    >>> [op["op"] for op in run.ops[:5]], run.ops[-1]["op"]
    (['add_request', 'add_request', 'admit', 'admit', 'append'], 'free')
    """
    run, _ = drive_with_manager(config, title)
    return run


def drive_with_manager(config: DriveConfig, title: str) -> tuple[Run, KVCacheManager]:
    """The run, and the scheduler's own manager as the last tick left it."""
    pool: dict[str, Any] = {
        "num_blocks": config.num_blocks,
        "block_size": config.block_size,
        "enable_caching": config.caching,
        "max_model_len": config.prompt[1] + config.answer[1] + 1,
    }
    manager = _Recorded(**pool)
    scheduler = Scheduler(
        manager,
        SchedulerConfig(config.max_requests, config.token_budget, SchedulingPolicy(config.policy)),
    )
    coming = _arrivals(config)
    due = next(coming, None)
    fresh = count(2_000_000)
    for tick in range(MAX_TICKS):
        manager.tick = tick
        while due is not None and due[0] <= tick:
            _, request, priority = due
            # Only this policy looks at the priority; elsewhere it would be idle talk.
            ranked: Op = {"priority": priority} if config.policy == "priority" else {}
            manager.note(
                "add_request", req=request.request_id, tokens=list(request.all_token_ids), **ranked
            )
            scheduler.add_request(request)
            due = next(coming, None)
        if not scheduler.requests and due is None:
            return Run(title, pool, manager.ops), manager
        scheduled = scheduler.schedule()
        sampled = {}
        for name in scheduled.num_scheduled_tokens:
            asked = scheduler.requests[name]
            if asked.num_computed_tokens == asked.num_tokens:
                sampled[name] = [next(fresh)]
        manager.listening = False  # what is freed now has finished; noted below, in order
        finished = set(scheduler.update_from_output(sampled))
        manager.listening = True
        for name, tokens in sampled.items():
            manager.note("append", req=name, tokens=tokens)
            if name in finished:
                manager.note("free", req=name)
        if len(manager.ops) > MAX_STEPS:
            break
    raise RunError(
        f"This would take more than {MAX_STEPS:,} steps",
        advice="Try fewer arrivals or shorter answers.",
    )


class _Recorded(KVCacheManager):
    """A block manager that writes down what the scheduler asks of it."""

    def __init__(self, **pool: Any) -> None:
        super().__init__(**pool)
        self.ops: list[Op] = []
        self.tick = 0
        self.listening = True

    def note(self, name: str, **args: object) -> None:
        self.ops.append({"op": name, **args, "tick": self.tick})

    def allocate_slots(
        self,
        request: Request,
        num_new_tokens: int,
        num_new_computed_tokens: int = 0,
        new_computed_blocks: Sequence[KVCacheBlock] = (),
        num_lookahead_tokens: int = 0,
        full_sequence_must_fit: bool = False,
        has_scheduled_reqs: bool = False,
    ) -> list[KVCacheBlock] | None:
        if request.status is RequestStatus.RUNNING:
            self.note("allocate", req=request.request_id, num_new_tokens=num_new_tokens)
        else:
            rest = request.num_tokens - num_new_computed_tokens
            chunk: Op = {"num_new_tokens": num_new_tokens} if num_new_tokens < rest else {}
            self.note(
                "admit", req=request.request_id, **chunk, has_scheduled_reqs=has_scheduled_reqs
            )
        return super().allocate_slots(
            request,
            num_new_tokens,
            num_new_computed_tokens,
            new_computed_blocks,
            num_lookahead_tokens,
            full_sequence_must_fit,
            has_scheduled_reqs,
        )

    def free(self, request: Request) -> None:
        if self.listening:
            self.note("preempt", req=request.request_id)
        super().free(request)


def _arrivals(config: DriveConfig) -> Iterator[tuple[int, Request, int]]:
    """(tick, request, priority), in order of time; the same for the same seed."""
    chance = random.Random(config.seed)
    hasher = get_request_block_hasher(config.block_size) if config.caching else None
    fresh, time = count(100_000), 0.0
    for number in range(config.visitors):
        length = chance.randint(*config.prompt)
        shared = config.shared_opening if chance.random() < config.sharing else 0
        opening = range(1, min(shared, length) + 1)
        tokens = [*opening, *(next(fresh) for _ in range(length - len(opening)))]
        priority = chance.randint(0, 2)
        request = Request(
            letter(number),
            tokens,
            max_tokens=chance.randint(*config.answer),
            priority=priority if config.policy == "priority" else 0,
            arrival_time=float(number),
            block_hasher=hasher,
        )
        yield int(time), request, priority
        time += chance.expovariate(config.arrivals)


def _check(name: str, value: object, low: int, high: int) -> None:
    assert name.split()[0] in {f.name for f in fields(DriveConfig)}
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise RunError(
            f"must be a whole number from {low:,} to {high:,}, not {value!r}",
            field=name,
        )
