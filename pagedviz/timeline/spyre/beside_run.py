"""Stock vLLM's scheduler over the requests of a scenario, step by step.

Leaves out: the wire (`beside`) and words (`beside_words`).

Source: vLLM 0.33.0, through `engine.scheduler`; its front end, which refuses prompt + max_tokens
longer than the context.
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.engine.block_hash import get_request_block_hasher
from pagedviz.engine.kv_cache_manager import KVCacheManager
from pagedviz.engine.request import Request
from pagedviz.engine.scheduler import Scheduler, SchedulerConfig, SchedulerOutput
from pagedviz.engine.spyre.chunks import BLOCK_SIZE as SPYRE_BLOCK
from pagedviz.engine.spyre.releases import get_release
from pagedviz.engine.spyre.requests import SpyreRequest
from pagedviz.timeline.presets import Words
from pagedviz.timeline.spyre import beside_words
from pagedviz.timeline.spyre.beside_words import VllmStep
from pagedviz.timeline.spyre.errors import ScenarioError
from pagedviz.timeline.spyre.scenario import MAX_STEPS, Scenario

BLOCK_SIZE = 16  # tokens, vLLM's default


@dataclass(frozen=True, slots=True)
class Length:
    """How long an answer may be on stock vLLM, and is. In tokens."""

    max_tokens: int
    output: int

    @classmethod
    def of(cls, one: SpyreRequest, context: int) -> Length:
        """Without max_tokens all the context that is left, not rounded to blocks."""
        most = context - one.prompt_len if one.max_tokens is None else one.max_tokens
        return cls(most, most if one.output_len is None else min(one.output_len, most))

    def fits(self, prompt: int, context: int) -> bool:
        """Whether the front end lets it in."""
        return self.max_tokens >= 1 and prompt + self.max_tokens <= context


def steps_of(scenario: Scenario, lengths: list[Length]) -> list[VllmStep]:
    """All steps until everybody has left, or `stop_after`; ScenarioError if that is too many."""
    limits = scenario.limits
    caching = scenario.prefix_caching
    if caching is None:
        caching = get_release(scenario.release).prefix_caching_default
    manager = KVCacheManager(
        limits.usable_blocks * SPYRE_BLOCK // BLOCK_SIZE + 1,  # and the null block
        BLOCK_SIZE,
        enable_caching=caching,
        max_model_len=limits.max_model_len,
    )
    scheduler = Scheduler(
        manager,
        SchedulerConfig(limits.max_num_seqs, max_num_batched_tokens=limits.chunk_size),
    )
    hasher = get_request_block_hasher(BLOCK_SIZE) if caching else None
    numbers = {one.request_id: number for number, one in enumerate(scenario.requests)}
    coming = sorted(scenario.requests, key=lambda one: one.arrival_step)
    coming = [
        one
        for one in coming
        if lengths[numbers[one.request_id]].fits(one.prompt_len, limits.max_model_len)
    ]
    steps: list[VllmStep] = []
    clock = 0
    most = scenario.stop_after or MAX_STEPS
    while (coming or scheduler.requests) and len(steps) < most:
        if not scheduler.requests:
            clock = max(clock, coming[0].arrival_step)
        arrived = []
        while coming and coming[0].arrival_step <= clock:
            one = coming.pop(0)
            scheduler.add_request(
                Request(
                    one.request_id,
                    one.prompt_tokens(),
                    max_tokens=lengths[numbers[one.request_id]].output,
                    block_hasher=hasher,
                )
            )
            arrived.append(numbers[one.request_id])
        steps.append(_step(scheduler, scenario, numbers, clock, tuple(arrived)))
        clock += 1
    if scenario.stop_after is None and (coming or scheduler.requests):
        raise ScenarioError(
            f"requests: on stock vLLM the run takes more than the {MAX_STEPS:,} steps that can "
            "be shown; shorten the answers or leave out requests"
        )
    return steps


def _step(
    scheduler: Scheduler,
    scenario: Scenario,
    numbers: dict[str, int],
    clock: int,
    arrived: tuple[int, ...],
) -> VllmStep:
    tables = scheduler.manager.req_to_blocks
    held_before = {one.request_id: len(tables.get(one.request_id, ())) for one in scheduler.running}
    out = scheduler.schedule()
    by_name = scheduler.requests
    given = {
        # after a preemption the answer so far is computed again, along with the prompt
        numbers[name]: (
            tokens,
            tokens > 1 or by_name[name].num_computed_tokens <= by_name[name].num_prompt_tokens,
        )
        for name, tokens in out.num_scheduled_tokens.items()
    }
    waits = _waits(scheduler, out, numbers)
    lost = tuple((numbers[name], held_before.get(name, 0)) for name in out.preempted)
    fresh = {
        name: [scenario.requests[numbers[name]].output_token(by_name[name].num_output_tokens)]
        for name in out.num_scheduled_tokens
        if by_name[name].num_computed_tokens == by_name[name].num_tokens
    }
    hits = tuple((numbers[name], tokens) for name, tokens in out.num_hit_tokens.items() if tokens)
    generated = {name: by_name[name].num_output_tokens for name in fresh}
    finished = scheduler.update_from_output(fresh)
    free = scheduler.manager.block_pool.get_num_free_blocks()
    return VllmStep(
        clock,
        arrived,
        given,
        tuple(
            (
                numbers[one.request_id],
                one.num_computed_tokens,
                one.num_output_tokens,
                len(tables.get(one.request_id, ())),
            )
            for one in scheduler.running
        ),
        waits,
        tuple((numbers[name], generated[name] + 1) for name in finished),
        lost,
        hits,
        free,
    )


def _waits(
    scheduler: Scheduler, out: SchedulerOutput, numbers: dict[str, int]
) -> tuple[tuple[int, Words], ...]:
    """Who waits after scheduling, in order, and what stopped the first of them."""
    waiting = [*scheduler.waiting]
    found = []
    for place, one in enumerate(waiting):
        if place:
            why = beside_words.BEHIND
        elif out.preempted:
            why = beside_words.PREEMPTED
        elif out.token_budget == 0:
            why = beside_words.BUDGET
        elif len(scheduler.running) >= scheduler.config.max_num_seqs:
            why = beside_words.seats(scheduler.config.max_num_seqs)
        else:
            manager = scheduler.manager
            hits, hit = manager.get_computed_blocks(one)
            whole = one.num_tokens - hit  # it is admitted only if all of it fits
            demand = manager.required_blocks(one, whole, hit, hits, full_sequence_must_fit=True)
            why = beside_words.blocks(demand.need, demand.free)
        found.append((numbers[one.request_id], why))
    return tuple(found)
