"""What is wrong with a plan for a GPU, in words, and which value would make it right.

Leaves out: what would raise a plan that works (`headline`).

Source: the start-up checks of vLLM 0.33 (v1/core/kv_cache_utils.py: one request of max_model_len
must fit beside the null block; config/model.py for the longest context).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from pagedviz.sizing.gpu_inputs import GpuInputs
from pagedviz.sizing.gpu_plan import GpuPlan, gpu_plan
from pagedviz.sizing.units import gib

MOST_UTILIZATION = 0.98  # a card is never all vLLM's


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and what to set to which value. `stops`: the server does not start."""

    text: str
    fix: str
    stops: bool


def problems(plan: GpuPlan) -> tuple[Problem, ...]:
    """All that is wrong with a plan, the worst first.

    >>> from pagedviz.sizing import manual_geometry
    >>> from pagedviz.sizing.lengths import Lengths
    >>> inputs = GpuInputs(manual_geometry(36, 8, 128), 24 * 2**30, 16_400_000_000,
    ...                    Lengths(500, 300), max_model_len=8192, utilization=0.4)
    >>> found = problems(gpu_plan(inputs))[0]
    >>> print(found.text)
    The budget is 24 GiB x 0.4 = 9.6 GiB and has to hold the weights (15.3 GiB) and the room for
    activations and graphs (2 GiB) as well: 7.67 GiB short, so nothing is left for the cache.
    gpu_memory_utilization is a share of the card's total memory, weights included.
    >>> print(found.fix)
    Set gpu_memory_utilization to 0.77 or more.
    """
    inputs = plan.inputs
    found: list[Problem] = []
    if inputs.num_blocks is None and plan.available <= 0:
        found.append(_nothing_left(plan))
    elif (late := _one_does_not_fit(plan)) is not None:
        found.append(late)
    context = inputs.geometry.context
    if context is not None and inputs.max_model_len > context:
        found.append(
            Problem(
                f"max_model_len {inputs.max_model_len:,} is longer than the {context:,} tokens "
                "that the model's config names, and vLLM refuses to start.",
                f"Set max_model_len to {context:,} or less.",
                True,
            )
        )
    if inputs.lengths.mean > inputs.max_model_len:
        longest = math.ceil(inputs.lengths.mean)
        found.append(
            Problem(
                f"Requests of {longest:,} tokens on average are longer than max_model_len "
                f"{inputs.max_model_len:,}: they are refused or cut short.",
                f"Set max_model_len to {longest:,} or more.",
                False,
            )
        )
    elif plan.blocks is not None and plan.num_blocks and not plan.real.about:
        found.append(_never_admitted(plan))
    if plan.real.about > inputs.seqs:
        found.append(
            Problem(
                f"Memory would hold about {plan.real.about:,} requests, and max_num_seqs lets "
                f"{inputs.seqs:,} in at a time.",
                f"Set max_num_seqs to {plan.real.about:,}.",
                False,
            )
        )
    return tuple(found)


def _nothing_left(plan: GpuPlan) -> Problem:
    inputs = plan.inputs
    share = "" if inputs.cards == 1 else f", a {inputs.cards}th of the model's"
    text = (
        f"The budget is {gib(inputs.memory)} x {inputs.utilization:g} = {gib(plan.budget)} and has "
        f"to hold the weights ({gib(plan.weights)}{share}) and the room for activations and graphs "
        f"({gib(plan.room)}) as well: {gib(-plan.available)} short, so nothing is left for the "
        "cache. gpu_memory_utilization is a share of the card's total memory, weights included."
    )
    return Problem(text, _fix(plan), True)


def _one_does_not_fit(plan: GpuPlan) -> Problem | None:
    """The start-up check: one request of max_model_len beside the null block."""
    inputs, blocks = plan.inputs, plan.blocks
    if blocks is None:
        return None
    needed = blocks.per_request(inputs.max_model_len, inputs.in_flight)
    if needed <= plan.usable_blocks:
        return None
    fits = longest_that_fits(plan)
    text = (
        f"One request of {inputs.max_model_len:,} tokens takes {needed:,} blocks "
        f"({gib(needed * blocks.bytes_per_block)}), and {plan.usable_blocks:,} are there beside "
        "the null block: vLLM does not start, and if it did, such a request could never be "
        "admitted."
    )
    shorter = f"Set max_model_len to {fits:,} or less" if fits else ""
    other = "" if inputs.num_blocks is not None else _fix(plan)
    if shorter and other:
        return Problem(text, f"{shorter}, or: {other[0].lower()}{other[1:]}", True)
    return Problem(text, (shorter + ".") if shorter else other, True)


def _never_admitted(plan: GpuPlan) -> Problem:
    assert plan.blocks is not None
    needed = plan.blocks.per_request(math.ceil(plan.inputs.lengths.mean))
    return Problem(
        f"A request of {math.ceil(plan.inputs.lengths.mean):,} tokens takes {needed:,} blocks and "
        f"{plan.usable_blocks:,} are there: it can never be admitted, however long it waits.",
        _fix(plan),
        False,
    )


def longest_that_fits(plan: GpuPlan) -> int:
    """The largest max_model_len the pool starts with, in tokens; 0 if none does.

    >>> from pagedviz.sizing import manual_geometry
    >>> from pagedviz.sizing.lengths import Lengths
    >>> longest_that_fits(gpu_plan(GpuInputs(manual_geometry(32, 32, 128), 24 * 2**30, 0,
    ...     Lengths(500, 300), max_model_len=4096, num_blocks=229)))  # 228 x 16
    3648
    """
    if plan.blocks is None:
        return 0
    low, high = 0, max(plan.inputs.max_model_len, 1)
    while low < high:
        middle = (low + high + 1) // 2
        if plan.blocks.per_request(middle, plan.inputs.in_flight) <= plan.usable_blocks:
            low = middle
        else:
            high = middle - 1
    return low


def _fix(plan: GpuPlan) -> str:
    """Utilization, cards or memory that would make one request of max_model_len fit."""
    inputs = plan.inputs
    if (share := _utilization(inputs)) is not None:
        return f"Set gpu_memory_utilization to {share:.2f} or more."
    for cards in inputs.geometry.card_counts(64):
        if cards > inputs.cards and _works(replace(inputs, cards=cards)):
            return f"Use {cards} cards (tensor parallel size {cards}){_fewer(inputs, cards)}."
    needed = math.ceil((_needed(inputs)) / inputs.utilization)
    return f"Use a card with at least {gib(math.ceil(needed / 2**30) * 2**30)}."


def _fewer(inputs: GpuInputs, cards: int) -> str:
    """The same with fewer cards and a smaller max_model_len that still takes the mean request."""
    for fewer in inputs.geometry.card_counts(cards - 1):
        plan = gpu_plan(replace(inputs, cards=fewer))
        if fewer > inputs.cards and plan.available > 0:
            fits = longest_that_fits(plan)
            if fits >= inputs.lengths.mean:
                return f", or {fewer} cards with max_model_len {fits:,} or less"
    return ""


def _utilization(inputs: GpuInputs) -> float | None:
    """The smallest share in hundredths that works, above the present one."""
    start = math.floor(inputs.utilization * 100) + 1
    for hundredths in range(start, int(MOST_UTILIZATION * 100) + 1):
        if _works(replace(inputs, utilization=hundredths / 100)):
            return hundredths / 100
    return None


def _works(inputs: GpuInputs) -> bool:
    plan = gpu_plan(inputs)
    if plan.available < 0 or plan.blocks is None:
        return plan.available >= 0
    needed = plan.blocks.per_request(inputs.max_model_len, inputs.in_flight)
    return needed <= plan.usable_blocks


def _needed(inputs: GpuInputs) -> int:
    plan = gpu_plan(inputs)
    kept = 0
    if plan.blocks is not None:
        number = plan.blocks.per_request(inputs.max_model_len, inputs.in_flight) + 1
        kept = number * plan.blocks.bytes_per_block
    return plan.weights + plan.room + kept
