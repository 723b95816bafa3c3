"""One line for a plan: about how many at once, how sure that is, what binds, what would help.

What would help is found by trying: each change is made, the plan is made anew, and the one that
lets most people in comes first. Nothing is estimated by rule of thumb.

Leaves out: what a change costs in money, speed or quality.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.gpu_inputs import GpuInputs
from pagedviz.sizing.gpu_plan import GpuPlan, gpu_plan
from pagedviz.sizing.gpu_problems import problems
from pagedviz.sizing.lengths import Lengths
from pagedviz.sizing.spyre_inputs import SpyreInputs
from pagedviz.sizing.spyre_plan import SpyrePlan, spyre_plan

MOST_CARDS = 16


@dataclass(frozen=True, slots=True)
class Change:
    """Something that was tried, and how many at once it gives."""

    text: str
    about: int


@dataclass(frozen=True, slots=True)
class Headline:
    """The line, and its parts. `raises`: the changes that help, best first."""

    text: str
    low: int
    about: int
    high: int
    limit: str
    raises: tuple[Change, ...]


def headline(plan: GpuPlan | SpyrePlan) -> Headline:
    """The line on top of a plan.

    >>> from pagedviz.sizing import manual_geometry
    >>> shape = manual_geometry(40, 8, 128, attention_heads=32, engine="spyre")
    >>> inputs = SpyreInputs(shape, "ibm-granite/granite-3.3-8b-instruct", Lengths(7_000, 1_192))
    >>> print(headline(spyre_plan(inputs)).text)
    About 16 at once. The limit is the product of requests and longest request (131,072 tokens).
    Prompts half as long would give 27.
    """
    if isinstance(plan, GpuPlan):
        stop = next((one for one in problems(plan) if one.stops), None)
        if stop is not None:
            return Headline(f"It does not start. {stop.fix}", 0, 0, 0, plan.limit, ())
        if plan.inputs.geometry.encoder_only:
            text = "No cache to size: an encoder-only model is sized by its batch."
            return Headline(text, 0, 0, 0, "batch", ())
        limit = _gpu_limit(plan)
        tried = list(_gpu_changes(plan.inputs))
    else:
        limit = _spyre_limit(plan)
        tried = list(_spyre_changes(plan.inputs))
    low, about, high = plan.at_once
    better = sorted((one for one in tried if one.about > about), key=lambda one: -one.about)
    number = f"About {about:,} at once" if about else "None at once"
    between = f", between {low:,} and {high:,}" if low != high else ""
    text = f"{number}{between}. The limit is {limit}."
    if better:
        text += f" {better[0].text} would give {better[0].about:,}."
    elif isinstance(plan, SpyrePlan) and about:
        text += (
            " No known configuration and no shorter request raises it on one server: a second "
            f"one on {_cards(plan.inputs.cards)} more would double it to {2 * about:,}."
        )
    return Headline(text, low, about, high, plan.limit, tuple(better))


def _gpu_limit(plan: GpuPlan) -> str:
    if plan.limit == "max_num_seqs":
        return f"max_num_seqs ({plan.inputs.seqs:,} requests)"
    return "the memory left for the cache"


def _gpu_changes(inputs: GpuInputs) -> Iterator[Change]:
    plan = gpu_plan(inputs)
    if plan.real.about > inputs.seqs:
        yield _tried(
            f"max_num_seqs {plan.real.about:,}", replace(inputs, max_num_seqs=plan.real.about)
        )
    if inputs.num_blocks is not None:
        return
    if inputs.dtype > 1:
        yield _tried("An FP8 cache (--kv-cache-dtype fp8)", replace(inputs, dtype_bytes=1))
    if inputs.utilization < 0.95:
        yield _tried("gpu_memory_utilization 0.95", replace(inputs, utilization=0.95))
    for cards in inputs.geometry.card_counts(MOST_CARDS):
        if cards >= 2 * inputs.cards:
            yield _tried(f"{cards} cards instead of {inputs.cards}", replace(inputs, cards=cards))
            break
    for text, lengths in _shorter(inputs.lengths):
        yield _tried(text, replace(inputs, lengths=lengths))


def _tried(text: str, inputs: GpuInputs) -> Change:
    return Change(text, gpu_plan(inputs).at_once[1])


def _shorter(lengths: Lengths) -> Iterator[tuple[str, Lengths]]:
    """What the sender of the requests can change."""
    answer, prompt = lengths.answer, lengths.prompt
    yield (
        "Answers half as long",
        replace(lengths, answer=answer / 2, answer_spread=lengths.answer_spread / 2),
    )
    yield (
        "Prompts half as long",
        replace(lengths, prompt=prompt / 2, prompt_spread=lengths.prompt_spread / 2),
    )


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


_SPYRE_LIMITS = {
    "requests": "the number of requests (max_num_seqs {seqs:,})",
    "product": "the product of requests and longest request ({product:,} tokens)",
    "blocks": "the blocks promised at admission ({blocks:,})",
    "context": "the context",
}


def _spyre_limit(plan: SpyrePlan) -> str:
    limits = plan.resolved.limits
    return _SPYRE_LIMITS[plan.limit].format(
        seqs=limits.max_num_seqs, product=limits.batch_tkv_limit, blocks=limits.usable_blocks
    )


def _spyre_changes(inputs: SpyreInputs) -> Iterator[Change]:
    plan = spyre_plan(inputs)
    here = (inputs.cards, inputs.context, inputs.requests)
    for row in plan.rows:
        if (row.cards, row.context, row.requests) != here:
            text = f"The row {row.context:,} x {row.requests} on {_cards(row.cards)}"
            changed = replace(
                inputs,
                cards=row.cards,
                context=row.context,
                requests=row.requests,
                limit=None,
                override_blocks=None,
            )
            yield from _spyre_tried(text, changed)
    for text, lengths in _shorter(inputs.lengths):
        yield from _spyre_tried(text, replace(inputs, lengths=lengths))


def _spyre_tried(text: str, inputs: SpyreInputs) -> Iterator[Change]:
    """The change, unless the server would not start, or refuse the requests."""
    try:
        plan = spyre_plan(inputs)
    except ConfigError:
        return
    if inputs.lengths.mean <= plan.resolved.limits.max_model_len:
        yield Change(text, plan.at_once[1])
