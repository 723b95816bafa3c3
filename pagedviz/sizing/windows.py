"""How long the window of each layer is, and which windows are never reached.

Leaves out: what the layers in a window keep (`attention`).

Source: transformers 5.24.0 and vLLM 0.33: sliding_window, attention_chunk_size (Llama 4),
attention_window_size (RecurrentGemma), window_size (GPT-Neo), and a list with one entry per
layer, repeated.
"""

from __future__ import annotations

from pagedviz.engine.errors import shown
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.fields import CONTEXT, Fields
from pagedviz.sizing.layer_words import LayerKind

_CHUNK_DEFAULT = 8_192  # Llama 4
_LOCAL_DEFAULT = 256  # GPT-Neo


def layer_windows(
    fields: Fields, kinds: list[LayerKind]
) -> tuple[list[LayerKind], list[int | None], int | None]:
    """Kinds and windows layer by layer, and a window that no sequence can reach (or None).

    A layer whose window is null keeps everything, and so does one whose window is longer than
    the longest sequence the model takes.

    >>> layer_windows(Fields({"sliding_window": 4096}, "mistral"), ["sliding", "full"])
    (['sliding', 'full'], [4096, None], None)
    >>> layer_windows(Fields({"sliding_window": 9000, "max_position_embeddings": 8000}, "phi3"),
    ...               ["sliding"])
    (['full'], [None], 9000)
    """
    listed = _listed(fields, len(kinds))
    windows: list[int | None] = [None] * len(kinds)
    if listed is not None:
        kinds = [_as_listed(kind, one) for kind, one in zip(kinds, listed, strict=True)]
        windows = listed
    elif "sliding" in kinds or "chunked" in kinds:
        sliding, chunk = _sliding(fields, kinds), _chunk(fields, kinds)
        windows = [
            sliding if kind == "sliding" else chunk if kind == "chunked" else None for kind in kinds
        ]
    context = fields.find("context", CONTEXT)
    longest = None if context is None else int(context.value)
    kinds, windows = list(kinds), list(windows)
    unreached: int | None = None
    for number, window in enumerate(windows):
        if window is not None and longest is not None and window >= longest:
            unreached = max(unreached or 0, window)
            windows[number] = None
        if windows[number] is None and kinds[number] in ("sliding", "chunked"):
            kinds[number] = "full"
    if unreached is not None:
        fields.notes.append(
            f"The window of {unreached:,} tokens is never reached: the model takes "
            f"{longest:,} at most."
        )
    return kinds, windows, unreached


def _as_listed(kind: LayerKind, window: int | None) -> LayerKind:
    if kind not in ("full", "sliding"):
        return kind
    return "full" if window is None else "sliding"


def _listed(fields: Fields, layers: int) -> list[int | None] | None:
    for name in ("sliding_window", "interleaved_sliding_window"):
        found = fields.config.get(name)
        if not isinstance(found, list):
            continue
        if not found or any(one is not None and (type(one) is not int or one < 1) for one in found):
            raise ConfigError(
                f"{fields.where}{name} must be a list of whole numbers and null, not {shown(found)}"
            )
        return [found[number % len(found)] for number in range(layers)]
    return None


def _sliding(fields: Fields, kinds: list[LayerKind]) -> int | None:
    if "sliding" not in kinds:
        return None
    names = ("sliding_window", "attention_window_size", "window_size")
    if any(name in fields.config and fields.config[name] is None for name in names):
        return None
    default: str | int | None = "sliding_window"
    if fields.model_type == "gpt_neo":
        default = _LOCAL_DEFAULT
    found = fields.find("window", names, default)
    if found is None and fields.has("layer_types"):
        raise ConfigError(
            f"{fields.where}layer_types names sliding layers, and sliding_window is missing"
        )
    return None if found is None else int(found.value) or None


def _chunk(fields: Fields, kinds: list[LayerKind]) -> int | None:
    if "chunked" not in kinds:
        return None
    names = ("attention_chunk_size",)
    if "attention_chunk_size" in fields.config and not fields.has("attention_chunk_size"):
        return None
    return int(fields.count("chunk", names, _CHUNK_DEFAULT).value) or None
