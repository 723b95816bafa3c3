"""Well-known models, so that no file is needed: shape, parameters, weights and their source.

The figures are not stored: each model is a small config, and `kv_geometry` reads it like any
other.

    model("llama-3.1-8b").geometry().bytes_per_token(2)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from pagedviz.engine.errors import shown
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.geometry import KVGeometry
from pagedviz.sizing.kv_geometry import kv_geometry
from pagedviz.sizing.models_table import EXTRA, ROWS, SAID, SHAPE_FROM, SPYRE_NAMES, WEIGHTS
from pagedviz.sizing.quantization import Engine, is_fp8, quant_config

_FIELDS = (
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "hidden_size",
    "head_dim",
    "max_position_embeddings",
)
_COUNTED = "counted from the shape with transformers 5.20"


@dataclass(frozen=True, slots=True)
class Model:
    """A model of the table."""

    id: str
    name: str
    repository: str
    parameters: int
    parameters_source: str
    weights: int  # bytes as published: bf16, or the quantized checkpoint
    dtype: str  # of the weights
    fields: tuple[tuple[str, object], ...]  # of the config
    spyre_name: str | None  # in the Spyre plugin's table; None: not in it

    @property
    def config(self) -> dict[str, object]:
        """The config, with the fields that decide the cache."""
        return dict(self.fields)

    @property
    def source(self) -> str:
        """Where the shape is from."""
        return SHAPE_FROM.get(self.id, f"config.json of {self.repository}")

    def geometry(self, engine: Engine = "vllm") -> KVGeometry:
        """The shape of its cache."""
        return kv_geometry(self.config, engine=engine)


@cache
def models() -> tuple[Model, ...]:
    """All of them, in the table's order.

    >>> len(models()) > 40
    True
    """
    return tuple(_model(line) for line in ROWS.strip().splitlines())


def model(key: str) -> Model:
    """The model with this id; ConfigError if there is none.

    >>> found = model("llama-2-13b")
    >>> found.geometry().bytes_per_token(2), found.weights
    (819200, 26031728640)
    """
    for one in models():
        if one.id == key:
            return one
    raise ConfigError(f"no model {shown(key)} in the table; one of its ids is {models()[0].id}")


def _model(line: str) -> Model:
    key, name, repository, parameters, kind, numbers = line.split("|")
    config: dict[str, object] = {"model_type": kind}
    for field, number in zip(_FIELDS, numbers.split(), strict=True):
        if number != "-":
            config[field] = int(number)
    config |= EXTRA.get(key, {})
    count = int(float(parameters)) if "e" in parameters else int(parameters)
    dtype, each = _precision(config)
    return Model(
        id=key,
        name=name,
        repository=repository,
        parameters=count,
        parameters_source=SAID.get(key, _COUNTED),
        weights=WEIGHTS.get(key, count * each),
        dtype=dtype,
        fields=tuple(config.items()),
        spyre_name=SPYRE_NAMES.get(key),
    )


def _precision(config: Mapping[str, object]) -> tuple[str, int]:
    method = quant_config(config)
    if is_fp8(method):
        return "FP8", 1
    return ("MXFP4 experts, bf16", 2) if method else ("16 bits", 2)
