"""What each card of a tensor parallel group keeps of the cache.

KV heads are dealt out. With fewer heads than cards each card keeps one, and heads are kept
several times; a number that does not go up evenly is refused, as the engine refuses it. A latent
is not divided. States are divided by channels and heads.

Leaves out: pipeline and data parallelism, and context parallelism.

Source: vLLM 0.33, config/model.py (verify_with_parallel_config, get_num_kv_heads),
model_executor/models/llama.py (KV heads must divide the cards, or the cards them), and
layers/mamba/mamba_utils.py (divide, extra_groups_for_head_shards).
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.engine.errors import check_int
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.layer_groups import LayerGroup, StateGroup, StatePart


@dataclass(frozen=True, slots=True)
class PerCard:
    """The share of one card. `copies` is how often a KV head is kept in the whole group."""

    cards: int
    groups: tuple[LayerGroup, ...]
    states: tuple[StateGroup, ...]
    copies: int

    def bytes_per_token(self, dtype_bytes: int) -> int:
        """Bytes a token takes on one card, inside every window."""
        return sum(group.bytes_per_token(dtype_bytes) for group in self.groups)

    def total_bytes_per_token(self, dtype_bytes: int) -> int:
        """The same on all cards together."""
        return self.cards * self.bytes_per_token(dtype_bytes)

    @property
    def state_bytes(self) -> int | None:
        """Bytes of fixed state on one card, per sequence; None if a precision is unknown."""
        parts = [state.bytes for state in self.states]
        known = [part for part in parts if part is not None]
        return sum(known) if len(known) == len(parts) else None


def split(
    groups: tuple[LayerGroup, ...],
    states: tuple[StateGroup, ...],
    heads: int | None,
    cards: int,
) -> PerCard:
    """Each card's share. ConfigError names a number of cards that works."""
    check_int("cards (tensor parallel size)", cards, 1, ConfigError)
    if why := refusal(groups, states, heads, cards):
        works = [one for one in range(1, cards + 257) if not refusal(groups, states, heads, one)]
        near = sorted(works, key=lambda one: (abs(one - cards), one))[:2]
        raise ConfigError(f"{why}; try {' or '.join(f'{one:,}' for one in sorted(near))}")
    copies = 1
    shares = []
    for group in groups:
        kv_heads = group.kv_heads
        if group.kind == "latent":
            copies = max(copies, cards)
        else:
            kv_heads = max(1, kv_heads // cards)
            copies = max(copies, cards * kv_heads // group.kv_heads)
        shares.append(
            LayerGroup(
                group.kind,
                group.layers,
                kv_heads,
                group.key_size,
                group.value_size,
                group.window,
                group.extra_bytes,
                group.extra_layers,
            )
        )
    return PerCard(cards, tuple(shares), tuple(_share(one, cards) for one in states), copies)


def refusal(
    groups: tuple[LayerGroup, ...],
    states: tuple[StateGroup, ...],
    heads: int | None,
    cards: int,
) -> str | None:
    """Why the engine would not start on so many cards, or None."""
    if heads is not None and heads % cards:
        return f"{heads:,} attention heads cannot be split over {cards:,} cards evenly"
    for group in groups:
        if group.kind == "latent" or not group.kv_heads:
            continue
        if group.kv_heads >= cards and group.kv_heads % cards:
            return f"{group.kv_heads:,} KV heads cannot be split over {cards:,} cards evenly"
        if group.kv_heads < cards and cards % group.kv_heads:
            return (
                f"{group.kv_heads:,} KV heads cannot be kept equally often on {cards:,} cards: "
                f"{cards:,} is no multiple of {group.kv_heads:,}"
            )
    for state in states:
        for part in state.parts:
            if part.units % cards and not (part.replicates and cards > part.units):
                return (
                    f"{part.units:,} units of the {state.kind} {part.name} cannot be split over "
                    f"{cards:,} cards evenly"
                )
    return None


def _share(state: StateGroup, cards: int) -> StateGroup:
    parts = tuple(
        StatePart(part.name, max(1, part.units // cards), part.size, part.bytes_each)
        for part in state.parts
    )
    return StateGroup(state.kind, state.layers, parts)
