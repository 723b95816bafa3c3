"""A dropped config as text for the link: only the fields that decide a figure, packed.

A field decides if leaving it out would change the shape of the cache, for either engine, or the
count of parameters. What is left is written as JSON, deflated and in letters that a link can hold.
A config that is too long even so is not in the link, which the page then says.

Leaves out: reading the file (`pagedviz.sizing.read_config`).
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any

from pagedviz.sizing import ConfigError, kv_geometry, read_config
from pagedviz.ui.sizing_parameters import bytes_each, parameters_of

LONGEST = 1_500  # characters of a link; browsers and mail take about 2,000 in all
MOST_JSON = 100_000  # bytes that a link may unpack to
MOST_FIELDS = 600  # of a file, above which its fields are not tried one by one


def deciding(config: Mapping[str, Any]) -> dict[str, Any]:
    """The config without the fields that change nothing. ConfigError if it cannot be read.

    >>> llama = {"model_type": "llama", "num_hidden_layers": 2, "num_attention_heads": 4,
    ...          "hidden_size": 64, "rms_norm_eps": 1e-5, "torch_dtype": "bfloat16"}
    >>> sorted(deciding(llama))
    ['hidden_size', 'model_type', 'num_attention_heads', 'num_hidden_layers']
    """
    wanted = _figures(config)
    kept = dict(config)
    if _size(kept) > MOST_FIELDS:
        return kept
    for name in list(kept):
        if _same({key: value for key, value in kept.items() if key != name}, wanted):
            del kept[name]
        elif isinstance(kept[name], dict):
            for inner in list(kept[name]):
                less = {key: value for key, value in kept[name].items() if key != inner}
                if _same(kept | {name: less}, wanted):
                    kept[name] = less
    return kept


def packed(text: str) -> str | None:
    """A config's JSON as one word for the link; None if that would be too long.

    >>> text = '{"num_hidden_layers":2,"num_attention_heads":4,"hidden_size":64}'
    >>> unpacked(packed(text)) == text
    True
    """
    word = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    return word if len(word) <= LONGEST and len(text) <= MOST_JSON else None


def unpacked(word: str) -> str:
    """The JSON again. ValueError, without the parameter's name, if the word is none of ours."""
    if len(word) > LONGEST:
        raise ValueError(f"is longer than the {LONGEST:,} characters that a config may take here")
    try:
        raw = base64.urlsafe_b64decode(word + "=" * (-len(word) % 4))
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(raw, MOST_JSON)  # a small word can unpack to a great deal
    except (ValueError, binascii.Error, zlib.error):
        raise ValueError("is not a config that this page packed; it was cut or changed") from None
    if not unpacker.eof:
        raise ValueError("is not a whole config; the link was cut or unpacks to too much")
    config = read_config(data, "the link's config")
    kv_geometry(config)
    return json.dumps(config, separators=(",", ":"))


def as_text(config: Mapping[str, Any]) -> str:
    """The JSON that is kept; the same fields give the same text."""
    return json.dumps(config, separators=(",", ":"))


def _figures(config: Mapping[str, Any]) -> tuple[object, ...]:
    return (
        kv_geometry(dict(config)),
        kv_geometry(dict(config), engine="spyre"),
        parameters_of(config),
        bytes_each(config),
    )


def _same(config: Mapping[str, Any], wanted: tuple[object, ...]) -> bool:
    try:
        return _figures(config) == wanted
    except ConfigError:
        return False


def _size(value: object) -> int:
    if isinstance(value, dict):
        return 1 + sum(_size(one) for one in value.values())
    return 1
