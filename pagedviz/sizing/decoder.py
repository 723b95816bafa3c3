"""A decoder's layers, put together: equal ones in groups, states apart, nothing counted twice.

Leaves out: encoders (`encoder_decoder`), and the type of the cache (`quantization`).

Source: vLLM 0.33 and transformers 5.24.0, as cited in the modules used here. Layers that read
another layer's cache (Gemma 3n and 4: num_kv_shared_layers) keep none of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from pagedviz.sizing.attention import (
    Shape,
    per_kind,
    per_layer_kv_heads,
    read_head_size,
    read_heads,
    read_shape,
)
from pagedviz.sizing.fields import LAYERS, Fields
from pagedviz.sizing.layer_groups import Kind, LayerGroup, StateGroup
from pagedviz.sizing.layer_kinds import layer_kinds
from pagedviz.sizing.layer_words import LayerKind
from pagedviz.sizing.mla import has_latent, latent_group
from pagedviz.sizing.quantization import Engine
from pagedviz.sizing.states import read_state
from pagedviz.sizing.windows import layer_windows


@dataclass(frozen=True, slots=True)
class Decoder:
    """The layers of a decoder."""

    groups: tuple[LayerGroup, ...]
    states: tuple[StateGroup, ...]
    layers: int
    heads: int | None  # None: no layer attends
    unreached: int | None


def read_decoder(fields: Fields, engine: Engine) -> Decoder:
    """The layers that a config describes."""
    nested = bool(fields.where)  # saved without the fields that equal the class's defaults
    if not nested:
        for name in ("num_hidden_layers", "num_attention_heads", "hidden_size"):
            fields.defaults.pop(name, None)
    layers = _count_layers(fields)
    kinds, windows, unreached = layer_windows(fields, layer_kinds(fields, layers))
    kinds = _without_own_cache(fields, kinds)
    attends = sum(kind in ("full", "sliding", "chunked", "both") for kind in kinds)
    groups: tuple[LayerGroup, ...] = ()
    heads = read_heads(fields) if attends else None
    if attends and has_latent(fields):
        groups = (latent_group(fields, attends, engine),)
    elif attends:
        groups = _groups(fields, kinds, windows)
    with_state = sum(kind in ("state", "both") for kind in kinds)
    states = (read_state(fields, with_state),) if with_state else ()
    _say(fields, groups, states, sum(kind == "cross" for kind in kinds), engine)
    return Decoder(groups, states, layers, heads, unreached)


def _count_layers(fields: Fields) -> int:
    pattern = fields.config.get("hybrid_override_pattern")
    blocks = fields.config.get("layers_block_type")
    listed = pattern if isinstance(pattern, str) else blocks if isinstance(blocks, list) else None
    if listed and not any(fields.has(name) for name in LAYERS):  # newer Nemotron-H
        return int(fields.derive("layers", len(listed), "length of the layer pattern").value)
    layers = int(fields.count("layers", LAYERS, "num_hidden_layers").value)
    if fields.model_type == "longcat_flash":
        fields.notes.append("Each layer of LongCat attends twice, so its layers count double.")
        return int(fields.derive("attention layers", 2 * layers, f"2 x {layers}").value)
    return layers


def _without_own_cache(fields: Fields, kinds: list[LayerKind]) -> list[LayerKind]:
    """Layers that read another's cache, or that look at a picture instead of the text."""
    kinds = list(kinds)
    shared = fields.find("layers that share", ("num_kv_shared_layers",), _shared(fields))
    if shared is not None and shared.value:
        number = min(int(shared.value), len(kinds))
        kinds[len(kinds) - number :] = ["none"] * number
        fields.notes.append(
            f"The last {number} layers read the cache of earlier ones and keep none of their own."
        )
    cross = fields.config.get("cross_attention_layers")
    if fields.model_type == "mllama_text_model":
        looking = cross if isinstance(cross, list) else [3, 8, 13, 18, 23, 28, 33, 38]
        for layer in looking:
            if type(layer) is int and 0 <= layer < len(kinds):
                kinds[layer] = "cross"
    return kinds


def _shared(fields: Fields) -> int | None:
    return 15 if fields.model_type == "gemma3n_text" and fields.where else None


def _groups(
    fields: Fields, kinds: Sequence[LayerKind], windows: Sequence[int | None]
) -> tuple[LayerGroup, ...]:
    """Equal layers put together, those that keep everything first."""
    listed = per_layer_kv_heads(fields, len(kinds))
    if listed is not None:
        size = read_head_size(fields, read_heads(fields))
        shapes = [Shape(number, size, size) for number in listed]
        fields.notes.append("The number of KV heads differs from layer to layer.")
    else:
        usual = read_shape(fields)
        other = per_kind(fields, usual)
        shapes = [other.get("full" if kind == "both" else kind, usual) for kind in kinds]
    counted: Counter[tuple[Kind, int | None, Shape]] = Counter()
    for layer_kind, window, shape in zip(kinds, windows, shapes, strict=True):
        kind = "full" if layer_kind == "both" else layer_kind
        if kind in ("full", "sliding", "chunked") and shape.kv_heads:
            counted[cast(Kind, kind), window, shape] += 1
    found = [
        LayerGroup(kind, times, one.kv_heads, one.key_size, one.value_size, window)
        for (kind, window, one), times in counted.items()
    ]
    return tuple(sorted(found, key=lambda one: one.window or 0))


def _say(
    fields: Fields,
    groups: Sequence[LayerGroup],
    states: Sequence[StateGroup],
    crosses: int,
    engine: Engine,
) -> None:
    """Notes that belong to the shape as a whole."""
    if any(group.kind == "sliding" for group in groups):
        fields.notes.append(
            "Layers in a window keep the last tokens alone. vLLM frees the blocks left of the "
            "window when its hybrid cache manager is on; off, every layer is charged in full."
            if engine == "vllm"
            else "Layers in a window: the Spyre plugin's pool counts whole blocks of every layer."
        )
    if any(group.kind == "chunked" for group in groups):
        fields.notes.append(
            "Chunked layers keep the tokens of the present chunk; the figure takes a full chunk."
        )
    if groups and all(group.window is not None for group in groups):
        fields.notes.append(
            "Every layer has a window, so a sequence stops growing at its end however long it is."
        )
    if not groups and states:
        fields.notes.append("No per-token KV cache: a constant state per sequence.")
    for state in states:
        _say_state(fields, state)
    if crosses:
        fields.unknowns.append(
            f"{crosses} layers keep K and V of pictures, not of text: their bytes depend on the "
            "pictures of a request and are not counted."
        )
    if fields.has("num_nextn_predict_layers") and fields.config["num_nextn_predict_layers"]:
        layers = fields.config["num_nextn_predict_layers"]
        each = sum(group.bytes_per_token(2) // group.layers for group in groups)
        fields.notes.append(
            f"num_nextn_predict_layers {layers}: a layer that predicts ahead adds {each:,} bytes "
            "a token in 16 bits, only with speculative decoding."
        )
    if any(fields.has(name) for name in ("num_local_experts", "num_experts", "n_routed_experts")):
        fields.notes.append("Experts do not change the cache: attention is not split into experts.")


def _say_state(fields: Fields, state: StateGroup) -> None:
    if state.bytes is not None:
        sizes = sorted({part.bytes_each for part in state.parts if part.bytes_each is not None})
        fields.notes.append(
            f"{state.kind} state: {state.bytes:,} bytes per sequence over {state.layers} layers, "
            f"kept in {' and '.join(str(size) for size in sizes)} bytes per value."
        )
        return
    two, four = state.bytes_if(2), state.bytes_if(4)
    fields.unknowns.append(
        f"{state.kind} state: the config does not say its precision. Per sequence it is {four:,} "
        f"bytes with 4 bytes per value of the recurrent state and {two:,} with 2; it is left out "
        "of the figures."
    )
