"""From a GPU's memory to requests, the way vLLM counts at start-up.

    budget = ceil(memory x utilization)
    KV     = budget - weights - room for activations and graphs
    blocks = floor(KV / bytes per block)

Three figures come out, and are not the same: what the start-up line prints (every request as long
as max_model_len), how many requests of one length fit, and how many real ones with their mean and
spread. Block 0 belongs to nobody, yet the line counts it.

Leaves out: preemption and prefix caching. Shared prefixes let more requests in than is said here.

Source: vLLM 0.33, v1/worker/gpu_worker.py, v1/core/kv_cache_utils.py (get_kv_cache_capacity,
update_kv_cache_capacity).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean, pstdev

from pagedviz.engine.errors import check_int
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.gpu_inputs import GpuInputs
from pagedviz.sizing.gpu_pool import Blocks, cut
from pagedviz.sizing.lengths import how_many
from pagedviz.sizing.per_card import PerCard
from pagedviz.sizing.units import GIB
from pagedviz.sizing.values import Value


@dataclass(frozen=True, slots=True)
class Startup:
    """What vLLM's lines would say."""

    tokens: int  # int(concurrency x max_model_len), null block included
    concurrency: float
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Real:
    """Requests of the user's own lengths at a time, by memory alone."""

    sure: int  # in 95 % of cases so many fit, each at its end
    about: int
    best: int
    in_motion: int  # about, with answers half written on average


@dataclass(frozen=True, slots=True)
class GpuPlan:
    """The arithmetic, step by step. Bytes are one card's."""

    inputs: GpuInputs
    share: PerCard
    budget: int
    weights: int
    room: int
    available: int  # for the cache; below 0 if the rest does not fit
    blocks: Blocks | None  # None: the model keeps nothing
    num_blocks: int  # block 0 included
    startup: Startup | None
    real: Real
    notes: tuple[str, ...]
    values: tuple[Value, ...]

    @property
    def usable_blocks(self) -> int:
        """Blocks that requests can have: all but block 0."""
        return max(self.num_blocks - 1, 0)

    @property
    def pool_tokens(self) -> int:
        """Tokens that the usable blocks hold, for one sequence after the other at any length."""
        if self.blocks is None:
            return 0
        tables = sum(table.count for table in self.blocks.tables if table.window is None)
        return self.usable_blocks // max(tables, 1) * self.blocks.block_size

    def of_length(self, tokens: int) -> int:
        """How many requests of `tokens` fit at a time, by memory alone."""
        check_int("tokens", tokens, 1, ConfigError)
        if self.blocks is None:
            return 0
        return self.usable_blocks // self.blocks.per_request(tokens)

    @property
    def at_full_length(self) -> int:
        """How many fit if each is as long as max_model_len."""
        return self.of_length(self.inputs.max_model_len)

    @property
    def at_once(self) -> tuple[int, int, int]:
        """Real requests at a time under every limit: surely, about, at best."""
        most = self.inputs.seqs
        real = self.real
        return min(real.sure, most), min(real.about, most), min(real.best, most)

    @property
    def limit(self) -> str:
        """What keeps `at_once` from being larger: memory, max_num_seqs, or nothing is kept."""
        if self.inputs.geometry.encoder_only:
            return "batch"
        return "max_num_seqs" if self.real.about > self.inputs.seqs else "memory"


def gpu_plan(inputs: GpuInputs) -> GpuPlan:
    """The plan. Raises ConfigError if the cards cannot share the model.

    >>> from pagedviz.sizing import manual_geometry
    >>> from pagedviz.sizing.lengths import Lengths
    >>> plan = gpu_plan(GpuInputs(manual_geometry(32, 8, 128), 24 * GIB, 15 * GIB,
    ...                           Lengths(500, 300), max_model_len=8192, num_blocks=1000))
    >>> print(plan.startup.lines[-1])
    GPU KV cache size: 16,000 tokens, Maximum concurrency for 8,192 tokens per request: 1.95x
    """
    geometry = inputs.geometry
    share = geometry.per_card(inputs.cards)
    budget = math.ceil(inputs.memory * inputs.utilization)
    weights = math.ceil(inputs.weights / inputs.cards)
    available = budget - weights - inputs.room_bytes
    blocks, said = cut(geometry, share, inputs.dtype, inputs.block_size)
    number = 0
    if blocks is not None:
        number = max(available, 0) // blocks.bytes_per_block
        if inputs.num_blocks is not None:
            number = inputs.num_blocks
    notes = list(said)
    if share.copies > 1:
        notes.append(_copies(geometry.groups[0].kind == "latent", share))
    startup = None
    if blocks is not None and number:
        startup = _startup(inputs, blocks, number, available)
    return GpuPlan(
        inputs=inputs,
        share=share,
        budget=budget,
        weights=weights,
        room=inputs.room_bytes,
        available=available,
        blocks=blocks,
        num_blocks=number,
        startup=startup,
        real=_real(inputs, blocks, max(number - 1, 0)),
        notes=tuple(notes),
        values=inputs.values(),
    )


def _startup(inputs: GpuInputs, blocks: Blocks, number: int, available: int) -> Startup:
    longest = inputs.max_model_len
    concurrency = number / blocks.per_request(longest, inputs.in_flight)
    tokens = int(concurrency * longest)
    return Startup(
        tokens,
        concurrency,
        (
            f"Available KV cache memory: {available / GIB:.2f} GiB",
            f"GPU KV cache size: {tokens:,} tokens, Maximum concurrency for {longest:,} tokens "
            f"per request: {concurrency:.2f}x",
        ),
    )


def _real(inputs: GpuInputs, blocks: Blocks | None, usable: int) -> Real:
    if blocks is None:
        return Real(0, 0, 0, 0)
    lengths, longest = inputs.lengths, inputs.max_model_len
    each = [blocks.per_request(tokens) for tokens in lengths.samples(longest)]
    moving = [blocks.per_request(tokens) for tokens in lengths.samples_in_motion(longest)]
    sure, about, best = how_many(usable, fmean(each), pstdev(each))
    return Real(sure, about, best, how_many(usable, fmean(moving), 0)[1])


def _copies(latent: bool, share: PerCard) -> str:
    if latent:
        return (
            f"Each of the {share.cards} cards keeps the whole latent of every token: the group "
            "holds no more tokens than one card's share of memory does."
        )
    return (
        f"There are fewer KV heads than cards, so every head is kept {share.copies} times over the "
        f"{share.cards} cards."
    )
