"""Every value and figure of an answer as rows: what, how much, where from.

One list serves the page's tables, the sheet and the CSV, so that they cannot disagree.

Leaves out: words of the storage room (`sizing_say.told` gives them), and the layout.
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.sizing.gpu_inputs import GpuInputs
from pagedviz.sizing.gpu_plan import GpuPlan
from pagedviz.sizing.spyre_inputs import CARD_MEMORY
from pagedviz.sizing.spyre_plan import SpyrePlan
from pagedviz.sizing.units import both, gib, kib
from pagedviz.sizing.values import Value
from pagedviz.ui.sizing_answer import NO_CONTEXT, Answer
from pagedviz.ui.sizing_chosen import WEIGHTS
from pagedviz.ui.sizing_gpus import GPU_BY_KEY, OWN, SOURCE

DEFAULT = "vLLM 0.33's default"
TYPED = "typed"


@dataclass(frozen=True)
class Row:
    """One line. `part` groups them: input, shape, figure."""

    part: str
    name: str
    value: float | str
    unit: str
    source: str

    @property
    def shown(self) -> str:
        """The value as people read it.

        >>> Row("figure", "KV blocks", 22960, "", "").shown
        '22,960'
        >>> Row("input", "weights", 16_341_729_280, "bytes", "").shown
        '16.3 GB = 15.2 GiB'
        """
        if isinstance(self.value, str):
            return self.value
        if self.unit == "bytes":
            return both(self.value) if abs(self.value) >= 10**8 else f"{kib(self.value)}"
        text = (
            f"{self.value:,.2f}".rstrip("0").rstrip(".") if self.value % 1 else f"{self.value:,.0f}"
        )
        return f"{text} {self.unit}".strip()


def rows_of(found: Answer) -> list[Row]:
    """All rows, inputs first."""
    return [*inputs_of(found), *shape_of(found), *figures_of(found)]


def inputs_of(found: Answer) -> list[Row]:
    """What the answer rests on, but for the shape."""
    sizing, model, lengths = found.sizing, found.chosen, found.lengths
    rows = [
        Row("input", "model", model.name, "", model.source),
        Row("input", "prompt", sizing.prompt, "tokens", f"{TYPED}, ± {sizing.prompt_spread:,}"),
        Row("input", "answer", sizing.answer, "tokens", f"{TYPED}, ± {sizing.answer_spread:,}"),
        Row("input", "prompt and answer", lengths.mean, "tokens", f"± {lengths.spread:,.0f}"),
    ]
    if model.weights is not None:
        rows.append(_row(model.weights))
    if isinstance(found.plan, GpuPlan):
        return rows + _gpu_inputs(found, found.plan.inputs)
    if isinstance(found.plan, SpyrePlan):
        return rows + _spyre_inputs(found, found.plan)
    return rows


def _gpu_inputs(found: Answer, inputs: GpuInputs) -> list[Row]:
    sizing = found.sizing
    rows = [Row("input", "memory of a card", inputs.memory, "bytes", _memory_source(found))]
    rows.append(
        _typed("cards (tensor parallel size)", inputs.cards, "", inputs.cards != 1, DEFAULT)
    )
    for value in inputs.values():
        if value.name not in ("memory of a card (bytes)", WEIGHTS):
            rows.append(_row(value))
    context = inputs.geometry.context
    usual = f"typical: the config names no context, so {NO_CONTEXT:,}"
    if context is not None:
        usual = "the model's own context, vLLM's default"
    longest = inputs.max_model_len
    rows.append(_typed("max_model_len", longest, "tokens", sizing.longest is not None, usual))
    batched = sizing.batched is not None
    for_card = f"{DEFAULT} for a card of this size"
    rows.append(_typed("tokens a step", inputs.batched_tokens, "", batched, for_card))
    if inputs.num_blocks is not None:
        rows.append(_typed("blocks, by hand", inputs.num_blocks, "", True, ""))
    return rows


def _spyre_inputs(found: Answer, plan: SpyrePlan) -> list[Row]:
    resolved, sizing = plan.resolved, found.sizing
    limits = resolved.limits
    rows = [
        Row("input", "memory of a card", CARD_MEMORY, "bytes", "torch-spyre documentation, 2026"),
        Row("input", "cards (tensor parallel size)", resolved.cards, "", "chosen"),
        Row("input", "max_model_len", limits.max_model_len, "tokens", resolved.context_from),
        Row("input", "max_num_seqs", limits.max_num_seqs, "", resolved.requests_from),
    ]
    kept = found.chosen.geometry.default_dtype
    size = plan.inputs.dtype
    rows.append(_typed("bytes per value", size, "", sizing.dtype is not None, kept.source))
    return rows


def _memory_source(found: Answer) -> str:
    key = found.sizing.gpu
    return TYPED if key == OWN else f"typical: {GPU_BY_KEY[key].name}, {SOURCE}"


def shape_of(found: Answer) -> list[Row]:
    """Every number of the formula, once each."""
    values = {value.name: value for value in found.chosen.geometry.values}
    return [Row("shape", one.name, one.value, "", _source(one)) for one in values.values()]


def figures_of(found: Answer) -> list[Row]:
    """What comes out."""
    geometry = found.chosen.geometry
    dtype = found.sizing.dtype
    rows = [
        Row("figure", "bytes per token", geometry.bytes_per_token(dtype), "bytes", "the formula"),
    ]
    beyond = geometry.bytes_per_token_beyond_window(dtype)
    if beyond != geometry.bytes_per_token(dtype):
        rows.append(
            Row("figure", "bytes per token beyond the window", beyond, "bytes", "the formula")
        )
    if geometry.states or geometry.cross:
        fixed = geometry.fixed_state_bytes
        size: float | str = "not known" if fixed is None else fixed
        rows.append(Row("figure", "fixed state per sequence", size, "bytes", "the formula"))
    if isinstance(found.plan, GpuPlan):
        rows += _gpu_figures(found.plan)
    elif isinstance(found.plan, SpyrePlan):
        rows += _spyre_figures(found.plan)
    if found.headline is not None and found.headline.about:
        low, about, high = found.headline.low, found.headline.about, found.headline.high
        rows.append(Row("figure", "at once, about", about, "", f"surely {low:,}, at best {high:,}"))
    if found.old is not None:
        old = "the longest length reserved for each"
        rows.append(Row("figure", "under maximum reservation", found.old.reserved, "", old))
    return rows


def _gpu_figures(plan: GpuPlan) -> list[Row]:
    inputs = plan.inputs
    share = f"{gib(inputs.memory)} x {inputs.utilization:g}"
    left = f"{gib(plan.budget)} - {gib(plan.weights)} weights - {gib(plan.room)} room"
    rows = [
        Row("figure", "budget of a card", plan.budget, "bytes", share),
        Row("figure", "left for the cache, per card", plan.available, "bytes", left),
    ]
    if plan.blocks is None:
        return rows
    each = plan.blocks.bytes_per_block
    rows += [
        Row(
            "figure",
            "bytes of a block, per card",
            each,
            "bytes",
            f"{plan.blocks.block_size:,} tokens",
        ),
        Row(
            "figure",
            "KV blocks",
            plan.num_blocks,
            "",
            "rounded down; the null block is one of them",
        ),
    ]
    if plan.startup is not None:
        longest = f"each of {inputs.max_model_len:,} tokens"
        rows.append(
            Row("figure", "start-up concurrency", round(plan.startup.concurrency, 2), "", longest)
        )
        rows.append(
            Row("figure", "start-up size", plan.startup.tokens, "tokens", "concurrency x length")
        )
    mean = round(inputs.lengths.mean)
    rows.append(
        Row("figure", f"requests of {mean:,} tokens", plan.of_length(max(mean, 1)), "", "all alike")
    )
    rows.append(Row("figure", "real requests, about", plan.real.about, "", "by memory alone"))
    return rows


def _spyre_figures(plan: SpyrePlan) -> list[Row]:
    limits, resolved = plan.resolved.limits, plan.resolved
    real = plan.real
    return [
        Row("figure", "product limit", limits.batch_tkv_limit, "tokens", resolved.product_from),
        Row("figure", "KV blocks", limits.num_blocks, "", resolved.blocks_from),
        Row("figure", "bytes of a block, per card", plan.bytes_per_block, "bytes", "64 tokens"),
        Row("figure", "pool, per card", plan.pool_bytes, "bytes", "blocks x bytes of a block"),
        Row("figure", "product limit, per card", plan.product_bytes, "bytes", "in bytes"),
        Row(
            "figure",
            "decoding together",
            real.decoding,
            "",
            f"the longest has {real.tokens:,} tokens",
        ),
        Row("figure", "admitted", real.admitted, "", "by the blocks they promise"),
    ]


def _typed(name: str, value: float, unit: str, typed: bool, usual: str) -> Row:
    return Row("input", name, value, unit, TYPED if typed else usual)


def _row(value: Value) -> Row:
    name, unit = value.name, ""
    if name.endswith(" (bytes)"):
        name, unit = name.removesuffix(" (bytes)"), "bytes"
    elif name.endswith(" (tokens)"):
        name, unit = name.removesuffix(" (tokens)"), "tokens"
    return Row("input", name, value.value, unit, _source(value))


def _source(value: Value) -> str:
    """Where a value comes from, in a few words.

    >>> _source(Value("KV heads", 8, "config", "num_key_value_heads"))
    'num_key_value_heads in the config'
    """
    if value.origin == "config":
        return f"{value.source} in the config"
    if value.origin == "class default":
        return f"not in the config, {value.source}"
    if value.origin in ("typed", "typical") and value.source != "by hand":
        return f"{value.origin}: {value.source}"
    return TYPED if value.origin == "typed" else value.source
