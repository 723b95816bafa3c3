"""Which part of a config is the decoder, and what its architecture is called.

Models of pictures and sound keep the decoder's numbers in `text_config` or a like-named part;
only that part counts. Llama's own `params.json` has no architecture and other names.

Leaves out: what the numbers mean.

Source: transformers 5.24.0 (get_text_config), vLLM 0.33 transformers_utils/config.py; the
params.json of Llama and Mistral models.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pagedviz.engine.errors import shown
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.families import ALIASES, WRAPPERS, rule_of, type_of_architecture
from pagedviz.sizing.fields import HEADS, HIDDEN, LAYERS
from pagedviz.sizing.json_file import which_file

_PARTS = ("text_config", "thinker_config", "llm_config", "language_config", "language_model_config")
_PARAMS = {
    "dim": "hidden_size",
    "n_layers": "num_hidden_layers",
    "n_heads": "num_attention_heads",
    "n_kv_heads": "num_key_value_heads",
    "head_dim": "head_dim",
    "max_seq_len": "max_position_embeddings",
    "max_position_embeddings": "max_position_embeddings",
    "sliding_window": "sliding_window",
    "kv_lora_rank": "kv_lora_rank",
    "qk_rope_head_dim": "qk_rope_head_dim",
}
NO_TYPE = "none"


@dataclass(frozen=True, slots=True)
class TextModel:
    """The part of a config that counts."""

    config: Mapping[str, object]
    model_type: str  # the name it is read by; "none" if the config names no architecture
    named: str  # as the config writes it
    where: str  # "text_config." if the numbers are in there
    notes: tuple[str, ...] = ()


def text_model(config: Mapping[str, object]) -> TextModel:
    """The decoder in a config.

    >>> found = text_model({"model_type": "llava", "text_config": {"model_type": "mistral"}})
    >>> found.model_type, found.where
    ('mistral', 'text_config.')
    >>> text_model({"dim": 4096, "n_layers": 32, "n_heads": 32}).named
    'params.json'
    """
    if "dim" in config and "n_layers" in config:
        return _params(config)
    outer = _named(config)
    part = config
    where, notes = "", []
    inside = outer
    for _ in range(3):  # thinker_config has a text_config of its own
        name = next((one for one in _PARTS if _is_part(part.get(one))), None)
        if name is None:
            break
        found = part[name]
        assert isinstance(found, Mapping)
        named = _named(found)
        part, where = found, f"{where}{name}."
        inside = named if named is not None else WRAPPERS.get(inside or "", inside)
    if where:
        notes.append(f"Only {where.rstrip('.')} counts: what looks or listens keeps no cache.")
    elif inside is not None and inside in WRAPPERS:
        if not any(name in config for name in LAYERS):
            raise ConfigError(
                f"the config of a {shown(inside)} has no text_config with the decoder's numbers "
                "in it; take the config.json of the decoder"
            )
        inside = WRAPPERS[inside]  # older Qwen2-VL, Phi-3-Vision: the numbers stand at the top
    if inside is None:
        return TextModel(part, NO_TYPE, "", where, tuple(notes))
    known = ALIASES.get(inside, inside)
    if rule_of(known) is None and (by_class := _by_architecture(part, config, bool(where))):
        notes.append(f"Read as {by_class}: the name stands in architectures.")
        known = by_class
    return TextModel(part, known, inside, where, tuple(notes))


def _is_part(value: object) -> bool:
    return isinstance(value, Mapping) and bool(value)


def _named(config: Mapping[str, object]) -> str | None:
    """model_type, or what `architectures` says if there is none; None if neither is there."""
    name = config.get("model_type")
    if isinstance(name, str) and name:
        return name
    if name is not None and not isinstance(name, str):
        raise ConfigError(f"model_type must be text, not {shown(name)}")
    listed = config.get("architectures")
    first = listed[0] if isinstance(listed, list) and listed else None
    if not isinstance(first, str):
        return None
    return type_of_architecture(first) or first


def _by_architecture(
    part: Mapping[str, object], config: Mapping[str, object], nested: bool
) -> str | None:
    for place in (part,) if nested else (part, config):
        listed = place.get("architectures")
        if isinstance(listed, list) and listed and isinstance(listed[0], str):
            found = type_of_architecture(listed[0])
            if found is not None:
                return ALIASES.get(found, found)
    return None


def _params(config: Mapping[str, object]) -> TextModel:
    renamed = {_PARAMS[name]: value for name, value in config.items() if name in _PARAMS}
    kind = "deepseek_v3" if config.get("kv_lora_rank") is not None else "llama"
    note = "A params.json: dim, n_layers, n_heads and n_kv_heads are read."
    if isinstance(mamba := config.get("model_type"), str) and "mamba" in mamba.lower():
        raise ConfigError("params.json of a Mamba model: take the config.json in Hugging Face form")
    return TextModel(renamed, kind, "params.json", "", (note,))


def missing_numbers(config: Mapping[str, object]) -> list[str]:
    """What a config does not name, in words; empty if layers and heads are there.

    >>> missing_numbers({"num_hidden_layers": 3})
    ['heads']
    """
    gone = []
    if not any(name in config for name in LAYERS):
        gone.append("layers")
    if not any(name in config for name in HEADS):
        gone.append("heads")
    return gone


def wrong_file(config: Mapping[str, object]) -> str | None:
    """A sentence if this is no model's config at all."""
    if any(name in config for name in (*LAYERS, *HEADS, *HIDDEN, *_PARTS)):
        return None
    if config.get("model_type") is not None or config.get("architectures") is not None:
        return None
    other = which_file(dict(config))
    looks = f" (this looks like {other})" if other else ""
    return f"wrong file{looks}: a config.json is needed, no layers or heads were found in this one"
