"""From the bytes of a file to the dictionary that `kv_geometry` reads, or a sentence why not.

Takes a Hugging Face `config.json` or a Llama `params.json`: UTF-8 with or without a byte order
mark, and the tokens NaN and Infinity, which Python writes and strict JSON does not have.

Leaves out: what the dictionary means (`kv_geometry`), and repairs. Comments and trailing commas
are reported with their place, not guessed around.
"""

from __future__ import annotations

import codecs
import json
import re

from pagedviz.sizing.errors import ConfigError

MAX_BYTES = 4_000_000  # a config.json has some thousand bytes
MAX_DEPTH = 64  # levels; a real one has about five

_MAGIC = (
    (b"PK\x03\x04", "is a ZIP archive: unpack it first and take the config.json inside"),
    (b"\x1f\x8b", "is packed with gzip: unpack it first"),
    (b"GGUF", "is a GGUF file with a model's weights: take the config.json of the original model"),
    (b"\x89PNG", "is a picture: take the config.json"),
    (b"%PDF", "is a PDF: take the config.json"),
)
_LFS = b"version https://git-lfs"
_LFS_SIZE = re.compile(rb"^size (\d{1,15})$", re.MULTILINE)
# Keys that a config.json does not have -> the file they are from. Only asked without layers.
_OTHER_FILES = (
    ("tokenizer_class", "tokenizer_config.json"),
    ("added_tokens_decoder", "tokenizer_config.json"),
    ("chat_template", "tokenizer_config.json"),
    ("weight_map", "the index of a model's weights"),
    ("added_tokens", "tokenizer.json"),
    ("max_new_tokens", "generation_config.json"),
    ("_from_model_config", "generation_config.json"),
    ("image_processor_type", "preprocessor_config.json"),
    ("feature_extractor_type", "preprocessor_config.json"),
    ("peft_type", "adapter_config.json"),
    ("bos_token", "special_tokens_map.json"),
)


def read_config(data: bytes, name: str) -> dict[str, object]:
    """The dictionary in a config file. `name` is the file's, for the message.

    >>> read_config(b'{"model_type": "llama", "limit": Infinity}', "config.json")
    {'model_type': 'llama', 'limit': inf}
    >>> read_config(b'{"model_type": "llama", "num', "config.json")
    Traceback (most recent call last):
    ...
    pagedviz.engine.errors.ConfigError: config.json is not valid JSON: it ends early at line 1,
    column 25. Download it again.
    """
    if len(data) > MAX_BYTES:
        raise ConfigError(
            f"{name} has {len(data):,} bytes, and a config.json is never larger than "
            f"{MAX_BYTES:,}: this looks like another file"
        )
    _refuse_other_kinds(data, name)
    text = _text(data, name)
    if (depth := _depth(text)) > MAX_DEPTH:
        raise ConfigError(f"{name} is nested {depth:,} levels deep; {MAX_DEPTH} is the limit")
    try:
        found: object = json.loads(text)
    except json.JSONDecodeError as error:
        raise ConfigError(f"{name} {_broken(error, text)}") from None
    except ValueError:  # a number of thousands of digits
        raise ConfigError(f"{name} has a number of thousands of digits in it") from None
    if isinstance(found, list):
        raise ConfigError(
            f"{name}: expected one object, got a list of {len(found):,}; save one of them alone"
        )
    if not isinstance(found, dict):
        raise ConfigError(f"{name}: expected one object, got a single value")
    if not found:
        raise ConfigError(f"{name} is an empty object: no layers or heads in it")
    return found


def which_file(config: dict[str, object]) -> str | None:
    """The file a dictionary without layers is from, or None.

    >>> which_file({"tokenizer_class": "PreTrainedTokenizerFast"})
    'tokenizer_config.json'
    """
    return next((file for key, file in _OTHER_FILES if key in config), None)


def _refuse_other_kinds(data: bytes, name: str) -> None:
    if not data.removeprefix(codecs.BOM_UTF8).strip(b" \t\r\n\x00"):
        raise ConfigError(f"{name} is empty; take the config.json from the model's folder")
    for magic, what in _MAGIC:
        if data.startswith(magic):
            raise ConfigError(f"{name} {what}")
    if data.startswith(_LFS):
        size = _LFS_SIZE.search(data)
        large = f" ({int(size.group(1)):,} bytes, elsewhere)" if size else ""
        raise ConfigError(
            f"{name} is a Git LFS pointer, not the data{large}; run git lfs pull, or download it"
        )
    start = data[:1024].removeprefix(codecs.BOM_UTF8).lstrip().lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml", b"<head", b"<body")):
        raise ConfigError(
            f"{name} is an HTML page (a login page?), not a config; log in and download it again"
        )


def _text(data: bytes, name: str) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            raise ConfigError(f"{name} starts as UTF-16 text and is cut off") from None
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{name} is not UTF-8 text: byte {error.start + 1:,} is wrong; save it as UTF-8"
        ) from None
    if (place := text.find("\x00")) >= 0:
        raise ConfigError(f"{name} has a zero byte at character {place + 1:,}: not a text file")
    return text


def _depth(text: str) -> int:
    """How deep brackets are nested, strings left out; Python's reader would stop at thousands."""
    deepest = depth = 0
    in_text = escaped = False
    for char in text:
        if in_text:
            in_text = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            in_text = True
        elif char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


def _broken(error: json.JSONDecodeError, text: str) -> str:
    place = f"line {error.lineno:,}, column {error.colno:,}"
    rest = text[error.pos :].strip()
    if not rest or error.msg.startswith("Unterminated"):
        return f"is not valid JSON: it ends early at {place}. Download it again."
    if error.msg == "Extra data":
        return f"is not valid JSON: something follows after its end, at {place}"
    if rest.startswith(("//", "/*", "#")):
        return f"is not valid JSON: a comment at {place}; JSON has none, so take it out"
    if rest[0] in "}]" or text[: error.pos].rstrip().endswith(","):
        return f"is not valid JSON: a comma too many before {place}; take it out"
    return f"is not valid JSON: something is missing or misplaced at {place}"
