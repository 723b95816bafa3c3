"""How vLLM cuts a card's KV memory into blocks when layers differ.

One group of equal layers: a block is block_size tokens of all of them. Full and windowed layers
of the same page: vLLM makes groups with equally many layers, which draw from one pool; a block is
one group's share, and a request takes blocks for every group. With states the block size is
raised until a block of attention is as large as a layer's state.

Leaves out: layers with pages of different sizes (Gemma 4, sparse indexers). Their block is
counted over all layers in full, and `exact` says so. Speculative decoding, context parallelism.

Source: vLLM 0.33, v1/core/kv_cache_planning.py (_get_kv_cache_groups_uniform_page_size),
v1/kv_cache_interface.py (max_admission_blocks_per_request), platforms/interface.py (block size of
hybrid models).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.sizing.geometry import KVGeometry
from pagedviz.sizing.layer_groups import LayerGroup
from pagedviz.sizing.per_card import PerCard

STATE_BLOCKS = 2  # the running state and a checkpoint, with prefix caching on


@dataclass(frozen=True, slots=True)
class Table:
    """Block tables of one kind that every request has: `count` of them."""

    kind: str  # full, sliding, chunked, latent; state, source; whole: one block, all in all
    window: int | None
    count: int


@dataclass(frozen=True, slots=True)
class Blocks:
    """The cut of one card's memory."""

    block_size: int  # tokens
    bytes_per_block: int
    tables: tuple[Table, ...]
    source_tokens: int = 0
    exact: bool = True

    def per_request(self, tokens: int, in_flight: int = 0) -> int:
        """Blocks of a request of `tokens`.

        in_flight: tokens scheduled and not yet settled, which windowed layers keep as well. vLLM
        reserves for them at start-up; a request that merely runs keeps its window.

        >>> Blocks(16, 2 * 2**20, (Table("full", None, 1),)).per_request(8192)
        512
        >>> mixed = (Table("full", None, 1), Table("sliding", 1024, 5))
        >>> Blocks(16, 1, mixed).per_request(8192)  # 512 + 5 x (64 + 1)
        837
        """
        total = 0
        for table in self.tables:
            if table.kind == "whole":
                total += table.count
            elif table.kind == "state":
                total += table.count * STATE_BLOCKS
            elif table.kind == "source":
                total += table.count * cdiv(self.source_tokens, self.block_size)
            elif table.window is None:
                total += table.count * cdiv(tokens, self.block_size)
            elif table.kind == "sliding":
                kept = min(table.window - 1 + in_flight, tokens)
                total += table.count * (cdiv(kept, self.block_size) + 1)
            else:
                kept = min(table.window + in_flight, tokens)
                total += table.count * cdiv(kept, self.block_size)
        return max(total, 1)


def cut(
    geometry: KVGeometry, share: PerCard, dtype_bytes: int, block_size: int
) -> tuple[Blocks | None, list[str]]:
    """The cut of a card, and what there is to say about it; None if nothing is kept."""
    notes: list[str] = []
    groups = share.groups
    if share.states:
        return _with_states(geometry, share, dtype_bytes, block_size, notes), notes
    if not groups:
        return None, notes
    source = 0 if geometry.cross is None else geometry.cross.source_tokens or 0
    pages = {_page(group, dtype_bytes) for group in groups}
    if len(pages) > 1 or any(group.extra_layers for group in groups):
        each = sum(group.bytes_per_token(dtype_bytes) for group in groups) * block_size
        latent_alone = len(groups) == 1
        if not latent_alone:
            notes.append(
                "Layers differ in size: the blocks are counted as if every layer kept every "
                "token, as with the hybrid cache manager off. With it on there is more room."
            )
        table = Table(groups[0].kind if latent_alone else "full", None, 1)
        return Blocks(block_size, each, (table,), exact=latent_alone), notes
    page = pages.pop() * block_size
    counted: Counter[tuple[str, int | None]] = Counter()
    for group in groups:
        counted[group.kind, group.window] += group.layers
    if source and geometry.cross is not None:
        counted["source", None] += geometry.cross.layers
    size, tables = _grouped(counted, notes)
    return Blocks(block_size, page * size, tables, source), notes


def _page(group: LayerGroup, dtype_bytes: int) -> int:
    """Bytes per token of one layer."""
    return group.kv_heads * (group.key_size + group.value_size) * dtype_bytes


def _grouped(
    counted: Counter[tuple[str, int | None]], notes: list[str]
) -> tuple[int, tuple[Table, ...]]:
    """Layers per group, and the tables: the smallest kind decides, unless they nearly agree."""
    fewest, most = min(counted.values()), max(counted.values())
    size = most if most < 1.5 * fewest else fewest
    tables = []
    for (kind, window), layers in counted.items():
        number = cdiv(layers, size)
        if number * size != layers:
            notes.append(
                f"vLLM pads {layers} {kind} layers to {number} groups of {size}, which costs "
                f"{100 * (number * size - layers) / layers:.0f} % of their memory."
            )
        tables.append(Table(kind, window, number))
    return size, tuple(tables)


def _with_states(
    geometry: KVGeometry, share: PerCard, dtype_bytes: int, block_size: int, notes: list[str]
) -> Blocks | None:
    state = max(
        ((one.bytes_if(4) or 0) // one.layers for one in share.states if one.layers), default=0
    )
    if any(one.bytes is None for one in share.states):
        notes.append("The state is counted with 4 bytes per value of its recurrent part.")
    number = sum(one.layers for one in share.states)
    if not share.groups:
        notes.append("No layer attends: a block is the state of a whole sequence.")
        return Blocks(block_size, number * state, (Table("whole", None, 1),))
    attention = max(_page(group, dtype_bytes) for group in share.groups)
    raised = max(block_size, 16 * cdiv(state, 16 * attention))
    if raised != block_size:
        notes.append(
            f"vLLM raises the block size from {block_size} to {raised:,} tokens, so that a block "
            "of attention is as large as a layer's state."
        )
    counted: Counter[tuple[str, int | None]] = Counter()
    for group in share.groups:
        counted[group.kind, group.window] += group.layers
    counted["state", None] += number
    size, tables = _grouped(counted, notes)
    return Blocks(raised, size * attention * raised, tables)
