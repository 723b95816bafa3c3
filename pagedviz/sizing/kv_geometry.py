"""From a model's config to the shape of its KV cache.

    geometry = kv_geometry(read_config(data, "config.json"))
    geometry.bytes_per_token(2)

Each number keeps the field it came from. What cannot be known is said and not guessed: an
unknown architecture is an error that names what is missing, and `manual_geometry` takes the
shape as typed.

Leaves out: the rules themselves. Their sources stand in the modules this one puts together.
"""

from __future__ import annotations

from collections.abc import Mapping

from pagedviz.engine.errors import check_int, shown
from pagedviz.sizing.class_defaults import class_defaults
from pagedviz.sizing.decoder import read_decoder
from pagedviz.sizing.encoder_decoder import encoder_decoder
from pagedviz.sizing.errors import ConfigError, UnknownArchitectureError
from pagedviz.sizing.families import rule_of
from pagedviz.sizing.fields import (
    CONTEXT,
    HEAD_SIZE,
    HEADS,
    HIDDEN,
    KV_HEADS,
    LAYERS,
    Fields,
    check_numbers,
)
from pagedviz.sizing.geometry import KVGeometry
from pagedviz.sizing.layer_groups import LayerGroup
from pagedviz.sizing.quantization import Engine, default_bytes
from pagedviz.sizing.text_model import NO_TYPE, TextModel, missing_numbers, text_model, wrong_file
from pagedviz.sizing.values import Value

ENGINES: tuple[Engine, ...] = ("vllm", "spyre")


def kv_geometry(config: Mapping[str, object], *, engine: Engine = "vllm") -> KVGeometry:
    """The cache of a model, by its `config.json` or `params.json`. Raises ConfigError.

    engine: who serves it; decides the type that is taken if nobody asks for one.

    >>> kv_geometry({"model_type": "acme_retnet_v9", "n_blocks": 48})
    Traceback (most recent call last):
    ...
    pagedviz.sizing.errors.UnknownArchitectureError: unknown architecture 'acme_retnet_v9';
    missing layers and heads. What it keeps per token is not known here: type its shape in
    (layers, KV heads, head size)
    """
    if not isinstance(config, Mapping):
        raise ConfigError(f"a config is one object with named fields, not {shown(config)}")
    if engine not in ENGINES:
        raise ConfigError(f"engine must be vllm or spyre, not {shown(engine)}")
    if (why := wrong_file(config)) is not None:
        raise ConfigError(why)
    text = text_model(config)
    rule = "decoder" if text.model_type == NO_TYPE else rule_of(text.model_type)
    if rule == "encoder-only" or _reads_both_ways(config, text):
        return _encoder_only(text, config, engine)
    clean, note = check_numbers(text.config, text.where)
    if rule is None:
        raise _unknown(text, clean)
    fields = Fields(clean, text.model_type, class_defaults(text.model_type), text.where)
    fields.notes += [*text.notes, *([note] if note else [])]
    if rule == "encoder-decoder":
        return _encoder_decoder(fields, config, engine)
    if text.model_type == NO_TYPE:
        _without_type(fields)
    found = read_decoder(fields, engine)
    default, said = default_bytes(config, engine)
    context = fields.find("context", CONTEXT)
    return KVGeometry(
        model_type=text.named or "not named",
        engine=engine,
        groups=found.groups,
        states=found.states,
        cross=None,
        total_layers=found.layers,
        attention_heads=found.heads,
        context=None if context is None else int(context.value),
        unreached_window=found.unreached,
        default_dtype=default,
        values=tuple(fields.values),
        notes=(*fields.notes, *said),
        warnings=tuple(fields.warnings),
        unknowns=tuple(fields.unknowns),
        unsure=fields.unsure,
    )


def manual_geometry(
    layers: int,
    kv_heads: int,
    head_size: int,
    *,
    attention_heads: int | None = None,
    engine: Engine = "vllm",
) -> KVGeometry:
    """The cache of a shape that was typed in: every layer alike, no window, no state.

    >>> manual_geometry(40, 8, 128).bytes_per_token(2)
    163840
    """
    sizes = {"layers": layers, "KV heads": kv_heads, "head size": head_size}
    for name, number in sizes.items():
        check_int(name, number, 1, ConfigError)
    check_numbers({"num_hidden_layers": layers, "head_dim": head_size})
    default, notes = default_bytes({}, engine)
    return KVGeometry(
        model_type="typed",
        engine=engine,
        groups=(LayerGroup("full", layers, kv_heads, head_size, head_size),),
        states=(),
        cross=None,
        total_layers=layers,
        attention_heads=attention_heads,
        context=None,
        unreached_window=None,
        default_dtype=default,
        values=tuple(Value(name, number, "typed", "by hand") for name, number in sizes.items()),
        notes=tuple(notes),
        warnings=(),
        unknowns=(),
    )


def _encoder_decoder(fields: Fields, config: Mapping[str, object], engine: Engine) -> KVGeometry:
    own, cross = encoder_decoder(fields)
    default, said = default_bytes(config, engine)
    each = cross.values_per_source_token * 2
    if cross.source_tokens is None:
        fields.unknowns.append(
            f"The source text keeps K and V too: {each:,} bytes per source token in 16 bits, "
            "written once per request. How long the source is stands in no config, so it is left "
            "out of the figures."
        )
    else:
        fields.notes.append(
            f"Cross-attention is fixed: {cross.source_tokens:,} source frames x {each:,} bytes = "
            f"{cross.source_tokens * each:,} bytes per request in 16 bits."
        )
    context = fields.find("context", ("max_target_positions", "max_position_embeddings"))
    return KVGeometry(
        model_type=fields.model_type,
        engine=engine,
        groups=(own,),
        states=(),
        cross=cross,
        total_layers=own.layers,
        attention_heads=own.kv_heads,
        context=None if context is None else int(context.value),
        unreached_window=None,
        default_dtype=default,
        values=tuple(fields.values),
        notes=(*fields.notes, "Only the decoder's layers count; the encoder keeps nothing.", *said),
        warnings=tuple(fields.warnings),
        unknowns=tuple(fields.unknowns),
    )


def _encoder_only(text: TextModel, config: Mapping[str, object], engine: Engine) -> KVGeometry:
    clean, _ = check_numbers(text.config, text.where)
    default, _said = default_bytes(config, engine)
    numbers = [clean[name] for name in LAYERS if type(clean.get(name)) is int]
    contexts = [clean[name] for name in CONTEXT if type(clean.get(name)) is int]
    sized = "a batch is sized by how many texts x how long the longest is"
    shapes = " (on Spyre: the warm-up shapes)" if engine == "spyre" else ""
    return KVGeometry(
        model_type=text.named,
        engine=engine,
        groups=(),
        states=(),
        cross=None,
        total_layers=int(str(numbers[0])) if numbers else 0,
        attention_heads=None,
        context=int(str(contexts[0])) if contexts else None,
        unreached_window=None,
        default_dtype=default,
        values=(),
        notes=(
            *text.notes,
            f"Encoder-only model: no KV cache, since nothing is written; {sized}{shapes}.",
        ),
        warnings=(),
        unknowns=(),
        encoder_only=True,
    )


def _reads_both_ways(config: Mapping[str, object], text: TextModel) -> bool:
    """Decoders turned into embedding models: attention looks both ways and nothing is kept."""
    for place in (config, text.config):
        if place.get("is_causal") is False or place.get("use_bidirectional_attention") is True:
            return True
    listed = config.get("architectures")
    return isinstance(listed, list) and any("Bidirectional" in str(one) for one in listed)


def _without_type(fields: Fields) -> None:
    missing = missing_numbers(fields.config)
    if missing:
        raise ConfigError(
            f"missing {' and '.join(missing)}, and no model_type names the architecture; add "
            f"{LAYERS[0]} and {HEADS[0]}, or type the shape in (layers, KV heads, head size)"
        )
    fields.unsure = True
    fields.warnings.append(
        "The config names no architecture (model_type): read as ordinary attention in every "
        "layer, which holds only if the model has nothing else."
    )


def _unknown(text: TextModel, clean: Mapping[str, object]) -> UnknownArchitectureError:
    missing = missing_numbers(clean)
    said = f"missing {' and '.join(missing)}" if missing else "layers and heads are there"
    places = {"layers": LAYERS, "heads": HEADS, "kv_heads": KV_HEADS}
    places |= {"head_size": HEAD_SIZE, "hidden_size": HIDDEN}
    found: dict[str, int] = {}
    for name, fields in places.items():
        values = [clean[field] for field in fields if type(clean.get(field)) is int]
        if values:
            found[name] = int(str(values[0]))
    return UnknownArchitectureError(
        f"unknown architecture {shown(text.named)}; {said}. What it keeps per token is not known "
        "here: type its shape in (layers, KV heads, head size)",
        found,
    )
