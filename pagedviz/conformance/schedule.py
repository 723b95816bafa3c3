"""Runs the scheduler through a recorded trace's requests, in the form of its steps.

Of the trace it reads `config`, `requests` and, from each step, only `sampled`: the tokens
the model produced. Everything else is worked out here.

Source: the form of the traces recorded from vLLM 0.33.0 ("kv-sched-trace/1").
"""

from collections.abc import Mapping
from typing import Any

from pagedviz.engine.block_hash import get_request_block_hasher
from pagedviz.engine.errors import ConfigError, shown
from pagedviz.engine.kv_cache_manager import KVCacheManager
from pagedviz.engine.request import Request
from pagedviz.engine.request_queue import SchedulingPolicy
from pagedviz.engine.scheduler import Scheduler, SchedulerConfig, SchedulerOutput

# a recorded config names only what differs from these
DEFAULTS: Mapping[str, Any] = {
    "block_size": 16,
    "max_num_seqs": 8,
    "max_num_batched_tokens": 64,
    "enable_caching": True,
    "enable_chunked_prefill": True,
    "watermark": 0.0,
    "policy": "fcfs",
    "enable_kv_cache_events": True,
    "max_model_len": 1024,
}


def schedule(trace: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The steps of a scheduler trace, as many as the trace has.

    >>> steps = schedule({
    ...     "config": {"num_blocks": 8, "block_size": 4},
    ...     "requests": [{"req": "A", "tokens": [1, 2, 3], "max_tokens": 1, "arrive_step": 0}],
    ...     "steps": [{"sampled": {"A": [4]}}],
    ... })
    >>> steps[0]["scheduled"], steps[0]["after_schedule"]["tables"]
    ({'A': 3}, {'A': [1]})
    >>> steps[0]["after_update"]["live"], steps[0]["after_update"]["free_queue"]
    ([], [1, 2, 3, 4, 5, 6, 7])
    """
    scheduler = make_scheduler(trace["config"])
    caching = scheduler.manager.enable_caching
    hasher = get_request_block_hasher(scheduler.manager.block_size) if caching else None
    steps = []
    for number, recorded in enumerate(trace["steps"]):
        arriving = [r for r in trace["requests"] if r["arrive_step"] == number]
        for position, request in enumerate(arriving):
            scheduler.add_request(
                Request(
                    request["req"],
                    request["tokens"],
                    max_tokens=request["max_tokens"],
                    priority=request.get("priority", 0),
                    arrival_time=number + 0.001 * position,
                    block_hasher=hasher,
                )
            )
        output = scheduler.schedule()
        after_schedule = _after_schedule(scheduler)
        scheduler.update_from_output(recorded["sampled"])
        steps.append(
            {
                "step": number,
                "added": [request["req"] for request in arriving],
                **_decisions(output),
                "after_schedule": after_schedule,
                "sampled": recorded["sampled"],
                "events": [event.to_dict() for event in scheduler.manager.take_events()],
                "after_update": _after_update(scheduler),
            }
        )
    return steps


def make_scheduler(config: Mapping[str, Any]) -> Scheduler:
    """A scheduler with its own block manager, from a recorded config."""
    unknown = sorted(set(config) - set(DEFAULTS) - {"num_blocks"})
    if unknown or "num_blocks" not in config:
        wrong = (
            f"has no use for {', '.join(map(shown, unknown))}" if unknown else "lacks num_blocks"
        )
        raise ConfigError(f"the config {wrong}; it takes num_blocks, {', '.join(DEFAULTS)}")
    full = {**DEFAULTS, **config}
    manager = KVCacheManager(
        full["num_blocks"],
        full["block_size"],
        enable_caching=full["enable_caching"],
        max_model_len=full["max_model_len"],
        watermark=full["watermark"],
        enable_kv_cache_events=full["enable_kv_cache_events"],
    )
    try:
        policy = SchedulingPolicy(full["policy"])
    except ValueError:
        raise ConfigError(f"policy must be fcfs or priority, not {full['policy']!r}") from None
    limits = SchedulerConfig(
        max_num_seqs=full["max_num_seqs"],
        max_num_batched_tokens=full["max_num_batched_tokens"],
        policy=policy,
        enable_chunked_prefill=full["enable_chunked_prefill"],
    )
    return Scheduler(manager, limits)


def _decisions(output: SchedulerOutput) -> dict[str, Any]:
    return {
        "scheduled": dict(output.num_scheduled_tokens),
        "new": output.new + output.resumed,
        "preempted": sorted(output.preempted),
        "computed_at_admit": dict(output.num_hit_tokens),
    }


def _after_schedule(scheduler: Scheduler) -> dict[str, Any]:
    manager = scheduler.manager
    tables = {req: manager.get_block_ids(req) for req in scheduler.requests}
    return {
        "running": [request.request_id for request in scheduler.running],
        "waiting": [request.request_id for request in scheduler.waiting],
        "tables": {req: table for req, table in tables.items() if table},
        "free_queue": [block.block_id for block in manager.block_pool.free_block_queue],
        "ref_cnt": [block.ref_cnt for block in manager.block_pool.blocks],
        "usage": manager.usage,
    }


def _after_update(scheduler: Scheduler) -> dict[str, Any]:
    pool = scheduler.manager.block_pool
    return {
        "live": sorted(scheduler.requests),
        "running": [request.request_id for request in scheduler.running],
        "waiting": [request.request_id for request in scheduler.waiting],
        "free_queue": [block.block_id for block in pool.free_block_queue],
        "cached": pool.get_cached_blocks(),
    }
