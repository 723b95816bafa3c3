"""The kinds of layers, and the words that configs have for them.

Leaves out: which model has which layers (`layer_kinds`).

Source: transformers 5.24.0 (layer_types), and the configs of GPT-Neo, RecurrentGemma and
Nemotron-H, which have words of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pagedviz.engine.errors import shown
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.fields import Fields

LayerKind = Literal["full", "sliding", "chunked", "state", "both", "none", "cross"]

_WORDS: dict[str, LayerKind] = {
    "full_attention": "full",
    "attention": "full",
    "global": "full",
    "global_attention": "full",
    "full": "full",
    "indexed_attention": "full",
    "sliding_attention": "sliding",
    "sliding_window": "sliding",
    "sliding": "sliding",
    "local": "sliding",
    "local_attention": "sliding",
    "chunked_attention": "chunked",
    "linear_attention": "state",
    "mamba": "state",
    "mamba2": "state",
    "recurrent": "state",
    "conv": "state",
    "hybrid": "both",
    "mlp": "none",
    "moe": "none",
    "dense": "none",
    "no_attention": "none",
}

Kinds = list[LayerKind]


def read_words(words: Sequence[str], name: str, fields: Fields) -> Kinds:
    """The kinds behind the words of a list; ConfigError names the first unknown one.

    >>> read_words(["linear_attention", "full_attention"], "layer_types", Fields({}, "qwen3_next"))
    ['state', 'full']
    """
    for number, word in enumerate(words):
        if word not in _WORDS:
            raise ConfigError(
                f"{fields.where}{name} names {shown(word)} for layer {number:,}, which is not "
                f"known; known are {', '.join(sorted(set(_WORDS)))}"
            )
    return [_WORDS[word] for word in words]
