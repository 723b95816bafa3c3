"""The curves of the chart: the chosen model and those beside it, each in 16 bits and in FP8.

On a GPU memory decides, so each type has its curve. On Spyre the plugin's limits decide whatever
the type; what the cards' memory alone would hold is drawn beside it, in both types.

Leaves out: the drawing (`charts.sizing_lengths`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from pagedviz.charts.sizing_lengths import Curve, lengths_up_to
from pagedviz.sizing import ConfigError
from pagedviz.sizing.gpu_plan import gpu_plan
from pagedviz.sizing.spyre_inputs import CARD_MEMORY
from pagedviz.sizing.spyre_plan import spyre_plan
from pagedviz.ui.sizing_answer import answer, gpu_inputs, spyre_inputs
from pagedviz.ui.sizing_inputs import Sizing

TYPES = ((2, "16 bits"), (1, "FP8"))
Counts = Callable[[int], int]  # tokens -> requests at once


@dataclass(frozen=True)
class Curves:
    """What is drawn, the limit across, and the names of models that have no curve, with why."""

    curves: tuple[Curve, ...]
    limit: int | None
    missing: tuple[tuple[str, str], ...]


def sizings(sizing: Sizing) -> list[Sizing]:
    """The inputs of each model: the chosen one, then the table's models beside it.

    >>> [one.model for one in sizings(Sizing(beside=("granite-3.3-8b", "qwen3-8b")))]
    ['granite-3.3-8b', 'qwen3-8b']
    """
    plain = replace(sizing, parameters=None, each=None, weights=None, dtype=None)
    others = (key for key in sizing.beside if key != sizing.model)
    return [replace(sizing, dtype=None), *(replace(plain, model=key) for key in others)]


@st.cache_data(max_entries=64, show_spinner=False)
def curves_of(sizing: Sizing) -> Curves:
    """All curves for these inputs."""
    counts: list[tuple[str, int, bool, bool, int, Counts]] = []
    missing: list[tuple[str, str]] = []
    limit = None
    for hue, one in enumerate(sizings(sizing)):
        try:
            found = answer(one)
            if found.plan is None:
                missing.append((found.chosen.name, found.why))
                continue
            of_one = _gpu(one) if one.where == "gpu" else _spyre(one)
        except ConfigError as error:
            missing.append((one.model, str(error)))
            continue
        name = found.chosen.name
        if not any(count(1) for _, _, _, _, count in of_one):
            missing.append((name, "does not fit"))
            continue
        counts += [
            (f"{name}, {kind}", hue, dashed, strong, longest, count)
            for kind, dashed, strong, longest, count in of_one
        ]
        limit = limit or _limit(found.sizing)
    ends = {longest for _, _, _, _, longest, _ in counts}
    curves = []
    for name, hue, dashed, strong, longest, count in counts:
        lengths = sorted({*lengths_up_to(longest), *(end for end in ends if end <= longest)})
        points = tuple((tokens, count(tokens)) for tokens in lengths)
        curves.append(Curve(name, points, hue, dashed, strong))
    return Curves(tuple(curves), limit, tuple(missing))


def _limit(sizing: Sizing) -> int | None:
    found = answer(sizing)
    if sizing.where == "gpu":
        return gpu_inputs(sizing, found.chosen, found.lengths).seqs
    plan = spyre_plan(spyre_inputs(sizing, found.chosen, found.lengths))
    return plan.resolved.limits.max_num_seqs


def _gpu(sizing: Sizing) -> list[tuple[str, bool, bool, int, Counts]]:
    found = answer(sizing)
    curves: list[tuple[str, bool, bool, int, Counts]] = []
    for size, kind in TYPES:
        inputs = replace(gpu_inputs(sizing, found.chosen, found.lengths), dtype_bytes=size)
        longest = min(inputs.max_model_len, found.chosen.geometry.context or inputs.max_model_len)
        curves.append((kind, size == 1, False, longest, gpu_plan(inputs).of_length))
    return curves


def _spyre(sizing: Sizing) -> list[tuple[str, bool, bool, int, Counts]]:
    found = answer(sizing)
    plan = spyre_plan(spyre_inputs(sizing, found.chosen, found.lengths))
    longest = plan.resolved.limits.max_model_len
    longest = min(longest, found.chosen.geometry.context or longest)
    weights = 0 if found.chosen.weights is None else int(found.chosen.weights.value)
    left = max(0, CARD_MEMORY - -(-weights // sizing.spyre_cards))

    def memory(size: int) -> Counts:
        each = max(1, plan.share.bytes_per_token(size))
        return lambda tokens: left // (each * tokens)

    return [
        ("limits", False, True, longest, lambda tokens: plan.of_length(tokens).decoding),
        *(
            (f"memory alone, {kind}", size == 1, False, longest, memory(size))
            for size, kind in TYPES
        ),
    ]
