"""The model that was chosen: its shape, the bytes of its weights, and where both come from.

A model comes from the table, from a dropped config, or from a typed shape. Weights come from what
was typed, else from the table, else from counting; if none of these gives a figure they stay
unknown, and the page asks for them.

Leaves out: the plan (`sizing_answer.py`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from pagedviz.sizing import ConfigError, KVGeometry, kv_geometry, manual_geometry
from pagedviz.sizing.gpu_inputs import weights_bytes
from pagedviz.sizing.models import Model, model, models
from pagedviz.sizing.quantization import Engine
from pagedviz.sizing.units import GIB
from pagedviz.sizing.values import Value
from pagedviz.ui.sizing_inputs import FILE, TYPED, Sizing
from pagedviz.ui.sizing_parameters import COUNTED, bytes_each, parameters_of

WEIGHTS = "weights (bytes)"
FAMILIES = {
    "granite": "IBM Granite",
    "llama": "Meta Llama",
    "mistral": "Mistral",
    "mixtral": "Mistral",
    "qwen": "Qwen",
    "gemma": "Google Gemma",
    "phi": "Microsoft Phi",
    "gpt-oss": "OpenAI",
    "deepseek": "DeepSeek",
    "glm": "GLM",
    "command": "Cohere",
}
OTHERS = "Others"


@dataclass(frozen=True)
class Chosen:
    """A model as a plan needs it. weights: bytes of the whole model, None if nobody knows."""

    name: str
    geometry: KVGeometry
    weights: Value | None
    source: str  # of the shape
    spyre_name: str  # the name the Spyre plugin would look up
    parameters: float | None  # what the figure rests on, if it rests on a count
    each: float | None


def family(key: str) -> str:
    """The family of a model of the table, by its id.

    >>> family("mixtral-8x7b"), family("falcon-7b")
    ('Mistral', 'Others')
    """
    return next((name for begin, name in FAMILIES.items() if key.startswith(begin)), OTHERS)


def by_family() -> list[Model]:
    """The models of the table, family by family; those without one last."""
    order = [*dict.fromkeys(FAMILIES.values()), OTHERS]
    return sorted(models(), key=lambda one: order.index(family(one.id)))


def chosen(sizing: Sizing) -> Chosen:
    """The model of these inputs. ConfigError if its shape or weights cannot be."""
    engine: Engine = "spyre" if sizing.where == "spyre" else "vllm"
    if sizing.model == FILE:
        if not sizing.config:
            raise ConfigError("no config is here any more: drop it again, or choose a model")
        config = json.loads(sizing.config)
        counted = parameters_of(config)
        return _made(
            sizing,
            kv_geometry(config, engine=engine),
            f"the dropped file {sizing.name}",
            counted,
            COUNTED,
            bytes_each(config),
            None,
        )
    if sizing.model == TYPED:
        shape = _typed_shape(sizing, engine)
        return _made(sizing, shape, "typed by hand", None, "", 2.0, None)
    found = model(sizing.model)
    return _made(
        sizing,
        found.geometry(engine),
        found.source,
        found.parameters,
        found.parameters_source,
        bytes_each(found.config),
        found,
    )


def _typed_shape(sizing: Sizing, engine: Engine) -> KVGeometry:
    layers, kv_heads, size = sizing.layers, sizing.kv_heads, sizing.head_size
    missing = [
        name
        for name, value in (("layers", layers), ("KV heads", kv_heads), ("head size", size))
        if value is None
    ]
    if layers is None or kv_heads is None or size is None:
        raise ConfigError(
            f"the shape lacks {' and '.join(missing)}: type a whole number of 1 or more"
        )
    return manual_geometry(layers, kv_heads, size, attention_heads=sizing.heads, engine=engine)


def _made(
    sizing: Sizing,
    geometry: KVGeometry,
    source: str,
    parameters: float | None,
    parameters_source: str,
    each: float | None,
    known: Model | None,
) -> Chosen:
    weights = None
    if known is not None:
        weights = Value(
            WEIGHTS,
            known.weights,
            "cited",
            f"{known.parameters:,} parameters ({known.parameters_source}), {known.dtype}",
        )
    if sizing.parameters is not None:
        parameters, parameters_source = sizing.parameters * 1e9, "typed"
    if sizing.each is not None:
        each = sizing.each
    typed = sizing.parameters is not None or sizing.each is not None
    if parameters is not None and each is not None and (typed or known is None):
        weights = Value(
            WEIGHTS,
            weights_bytes(parameters, each),
            "typed" if typed else "derived",
            f"{round(parameters):,} parameters ({parameters_source}) x {each:g} bytes",
        )
    if sizing.weights is not None:
        if not 0 <= sizing.weights <= 10**5:
            raise ConfigError(
                f"weights must be from 0 to 100,000 GiB, not {sizing.weights:g}; leave it empty to "
                "have them counted"
            )
        weights = Value(WEIGHTS, round(sizing.weights * GIB), "typed", f"{sizing.weights:g} GiB")
        parameters = each = None
    name = known.name if known is not None else sizing.name or "your model"
    repository = known.repository if known is not None else name
    spyre_name = (known.spyre_name if known is not None else None) or repository
    return Chosen(name, geometry, weights, source, spyre_name, parameters, each)
