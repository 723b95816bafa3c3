"""From the inputs to the answer: the plan, its one line, its problems, the old rule beside it.

    found = answer(Sizing())
    found.headline.text     # "About 280 at once, between 270 and 291. ..."

A model without a cache, or whose weights nobody knows, has no plan; `why` then says what is
missing or what sizes it instead.

Leaves out: the arithmetic (`pagedviz.sizing`), and every word for a viewer but `why`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from pagedviz.sizing import ConfigError
from pagedviz.sizing.gpu_inputs import BLOCK_SIZE, UTILIZATION, GpuInputs
from pagedviz.sizing.gpu_plan import GpuPlan, gpu_plan
from pagedviz.sizing.gpu_problems import problems
from pagedviz.sizing.headline import Headline, headline
from pagedviz.sizing.lengths import Lengths
from pagedviz.sizing.old_plan import OldAndNew, old_plan
from pagedviz.sizing.spyre_inputs import SpyreInputs
from pagedviz.sizing.spyre_plan import SpyrePlan, encoder_shapes, spyre_plan
from pagedviz.sizing.units import GIB
from pagedviz.ui.sizing_chosen import Chosen, chosen
from pagedviz.ui.sizing_gpus import GPU_BY_KEY, OWN
from pagedviz.ui.sizing_inputs import Sizing

NO_CONTEXT = 8_192  # tokens; the longest request of a model whose config names no context
SPYRE_BLOCK = 64
MISSING = "weights"  # `why` of a model whose weights nobody knows


@dataclass(frozen=True)
class Answer:
    """All that the page shows. `fixes`: what is wrong, and what to set."""

    sizing: Sizing
    chosen: Chosen
    lengths: Lengths
    plan: GpuPlan | SpyrePlan | None
    headline: Headline | None
    old: OldAndNew | None
    fixes: tuple[tuple[str, str], ...]
    why: str  # there is no plan


def answer(sizing: Sizing) -> Answer:
    """Work everything out. Raises ConfigError if the inputs cannot be.

    >>> found = answer(Sizing())
    >>> found.headline.about, found.old.reserved
    (280, 2)
    >>> answer(Sizing(where="spyre")).headline.about
    32
    """
    model = chosen(sizing)
    lengths = Lengths(sizing.prompt, sizing.answer, sizing.prompt_spread, sizing.answer_spread)
    if sizing.where == "spyre":
        return _spyre(sizing, model, lengths)
    if model.weights is None:
        return Answer(sizing, model, lengths, None, None, None, (), MISSING)
    plan = gpu_plan(gpu_inputs(sizing, model, lengths))
    fixes = tuple((one.text, one.fix) for one in problems(plan))
    old = None
    if plan.blocks is not None and plan.num_blocks:
        old = old_plan(
            model.geometry,
            whole_cache(plan),
            plan.inputs.max_model_len,
            lengths,
            dtype_bytes=plan.inputs.dtype_bytes,
            block_size=plan.blocks.block_size,
        )
        # block tables of several kinds, as the plan counts them, and not the plain sum
        old = replace(old, paged=plan.real.about)
    return Answer(sizing, model, lengths, plan, headline(plan), old, fixes, "")


def gpu_inputs(sizing: Sizing, model: Chosen, lengths: Lengths) -> GpuInputs:
    """The inputs of a plan for a GPU; what was left open takes the engine's value."""
    if model.weights is None:
        raise ConfigError(f"the weights of {model.name} are not known: type its parameters")
    return GpuInputs(
        geometry=model.geometry,
        memory=memory_of(sizing),
        weights=int(model.weights.value),
        lengths=lengths,
        max_model_len=sizing.longest or model.geometry.context or NO_CONTEXT,
        cards=sizing.cards,
        utilization=UTILIZATION if sizing.utilization is None else sizing.utilization,
        room=None
        if sizing.room is None
        else _bytes("room for activations and graphs", sizing.room),
        dtype_bytes=sizing.dtype,
        block_size=BLOCK_SIZE if sizing.block_size is None else sizing.block_size,
        max_num_seqs=sizing.seqs,
        max_num_batched_tokens=sizing.batched,
        num_blocks=sizing.num_blocks,
    )


def memory_of(sizing: Sizing) -> int:
    """Bytes of one card: typed, or of the card chosen."""
    if sizing.gpu != OWN:
        return GPU_BY_KEY[sizing.gpu].memory
    if sizing.memory is None:
        raise ConfigError("memory of a card: type it in GiB, for instance 80")
    if sizing.memory <= 0:
        raise ConfigError(f"memory of a card must be more than 0 GiB, not {sizing.memory:g}")
    return _bytes("memory of a card", sizing.memory)


def _bytes(name: str, gib: float) -> int:
    if not math.isfinite(gib) or not 0 <= gib <= 10**5:
        raise ConfigError(f"{name} must be from 0 to 100,000 GiB, not {gib:g}")
    return round(gib * GIB)


def whole_cache(plan: GpuPlan) -> int:
    """Bytes for the cache of the whole model, each head counted once however often it is kept."""
    if plan.blocks is None:
        return 0
    card = plan.usable_blocks * plan.blocks.bytes_per_block
    dtype = plan.inputs.dtype
    each = plan.share.bytes_per_token(dtype)
    if not each:
        return card * plan.inputs.cards
    return card * plan.inputs.geometry.bytes_per_token(dtype) // each


def _spyre(sizing: Sizing, model: Chosen, lengths: Lengths) -> Answer:
    if model.geometry.encoder_only:
        longest = math.ceil(lengths.prompt)
        shapes, refused = encoder_shapes(model.spyre_name, longest)
        listed = "; ".join(
            f"{one.batch_size:,} texts of {one.prompt_len:,} tokens" for one in shapes
        )
        why = f"warm-up shapes: {listed or 'none known for this model'}"
        fixes = ((refused, f"Set the prompt to {shapes[0].prompt_len:,}."),) if refused else ()
        return Answer(sizing, model, lengths, None, None, None, fixes, why)
    plan = spyre_plan(spyre_inputs(sizing, model, lengths))
    old = old_plan(
        model.geometry,
        plan.resolved.limits.num_blocks
        * SPYRE_BLOCK
        * model.geometry.bytes_per_token(plan.inputs.dtype),
        plan.resolved.limits.max_model_len,
        lengths,
        dtype_bytes=sizing.dtype,
        block_size=SPYRE_BLOCK,
    )
    return Answer(sizing, model, lengths, plan, headline(plan), old, plan.problems, "")


def spyre_inputs(sizing: Sizing, model: Chosen, lengths: Lengths) -> SpyreInputs:
    """The inputs of a plan for Spyre cards."""
    return SpyreInputs(
        geometry=model.geometry,
        model=model.spyre_name,
        lengths=lengths,
        cards=sizing.spyre_cards,
        context=sizing.spyre_context,
        requests=sizing.spyre_requests,
        limit=sizing.limit,
        override_blocks=sizing.spyre_blocks,
        dtype_bytes=sizing.dtype,
        weights=0 if model.weights is None else int(model.weights.value),
    )
