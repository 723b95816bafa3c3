"""The formula of a cache's size as text, with the numbers in it.

One term for each group of layers that differ, then what does not grow.
"""

from __future__ import annotations

from collections.abc import Sequence

from pagedviz.sizing.layer_groups import LayerGroup, StateGroup


def formula_text(
    groups: Sequence[LayerGroup], states: Sequence[StateGroup], dtype_bytes: int
) -> str:
    """Bytes per token as a product, or a sum of products.

    >>> print(formula_text([LayerGroup("full", 4, 1, 256, 256),
    ...                     LayerGroup("sliding", 22, 1, 256, 256, 512)], [], 2))
    2 (K and V) x 4 layers x 1 KV head x 256 x 2 bytes = 4,096
    + 2 (K and V) x 22 layers x 1 KV head x 256 x 2 bytes = 22,528 up to 512 tokens
    = 26,624 bytes per token, 4,096 beyond the window
    """
    if not groups:
        return "0 bytes per token: no layer keeps K and V" + _states(states)
    total = sum(group.bytes_per_token(dtype_bytes) for group in groups)
    if len(groups) == 1 and groups[0].window is None:
        return f"{_product(groups[0], dtype_bytes)} = {total:,} bytes per token" + _states(states)
    beyond = sum(one.bytes_per_token(dtype_bytes) for one in groups if one.window is None)
    lines = []
    for group in groups:
        window = "" if group.window is None else f" up to {group.window:,} tokens"
        own = group.bytes_per_token(dtype_bytes)
        lines.append(f"{_product(group, dtype_bytes)} = {own:,}{window}")
    tail = f"= {total:,} bytes per token"
    if beyond != total:
        tail += f", {beyond:,} beyond the window"
    return "\n+ ".join(lines) + f"\n{tail}" + _states(states)


def _product(group: LayerGroup, dtype_bytes: int) -> str:
    unit = "byte" if dtype_bytes == 1 else "bytes"
    layers = f"{group.layers} {'layer' if group.layers == 1 else 'layers'}"
    if group.kind == "latent":
        text = f"{layers} x {group.key_size} (latent and position part) x {dtype_bytes} {unit}"
        if group.extra_layers:
            text += f" + {group.extra_layers} x {group.extra_bytes} bytes of the indexer"
        return text
    heads = f"{group.kv_heads} {'KV head' if group.kv_heads == 1 else 'KV heads'}"
    if group.key_size == group.value_size:
        return f"2 (K and V) x {layers} x {heads} x {group.key_size} x {dtype_bytes} {unit}"
    sizes = f"({group.key_size} of K + {group.value_size} of V)"
    return f"{layers} x {heads} x {sizes} x {dtype_bytes} {unit}"


def _states(states: Sequence[StateGroup]) -> str:
    lines = []
    for state in states:
        parts = " + ".join(
            f"{part.units:,} x {part.size:,} x "
            f"{'? bytes' if part.bytes_each is None else f'{part.bytes_each} bytes'}"
            for part in state.parts
        )
        total = "not known" if state.bytes is None else f"{state.bytes:,} bytes per sequence"
        lines.append(f"\n{state.kind} state: {state.layers} layers x ({parts}) = {total}")
    return "".join(lines)
