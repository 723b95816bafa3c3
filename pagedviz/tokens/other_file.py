"""What a file that is no `tokenizer.json` is instead, told from its first bytes or its keys.

Only asked after the library has refused the file, so a good file is never read twice.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Mapping

_GET_IT = "Take the tokenizer.json from the model's own folder."
_MAGIC = (
    (b"PK\x03\x04", "is a ZIP archive", "Unpack it and choose the tokenizer.json inside."),
    (b"\x1f\x8b", "is packed with gzip", "Unpack it first."),
    (b"version https://git-lfs", "is a Git LFS pointer, not the file itself", "Run git lfs pull."),
    (b"\xff\xfe", "is UTF-16 text", "Save it as UTF-8."),
    (b"\xfe\xff", "is UTF-16 text", "Save it as UTF-8."),
)
# A key that only the file in question has -> that file. Asked in this order.
_BY_KEY = (
    ("added_tokens_decoder", "tokenizer_config.json"),
    ("tokenizer_class", "tokenizer_config.json"),
    ("chat_template", "tokenizer_config.json"),
    ("weight_map", "the index of a model's weights"),
    ("architectures", "config.json"),
    ("model_type", "config.json"),
    ("num_hidden_layers", "config.json"),
    ("_from_model_config", "generation_config.json"),
    ("max_new_tokens", "generation_config.json"),
    ("bos_token", "special_tokens_map.json"),
    ("eos_token", "special_tokens_map.json"),
    ("unk_token", "special_tokens_map.json"),
)
_RANK_LINE = re.compile(rb"[A-Za-z0-9+/]+={0,2} \d+\r?\n")


def what_is_wrong(data: bytes) -> tuple[str, str] | None:
    """What is wrong with the file, and what to do; None if only the library knows.

    >>> what_is_wrong(b'{"model_type": "llama"}')[0]
    'is a config.json: it has no "model"'
    >>> what_is_wrong(b'{"model": {"vocab"')[0]
    'is not complete: the JSON ends early at line 1, column 19'
    """
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data.strip():
        return "is empty", _GET_IT
    if (known := _by_first_bytes(data)) is not None:
        return known
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return f"is not JSON: byte {error.start + 1:,} is no UTF-8 text", _GET_IT
    try:
        found: object = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno:,}, column {error.colno:,}"
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
            return f"is not complete: the JSON ends early at {place}", "Download it again."
        if error.msg == "Extra data":
            return f"is not valid JSON: something follows after its end, at {place}", _GET_IT
        return f"is not valid JSON: something is missing or misplaced at {place}", _GET_IT
    except RecursionError:
        return "is nested too deeply", _GET_IT
    except ValueError:  # a number of thousands of digits
        return None
    if not isinstance(found, dict):
        what = f"a list of {len(found):,}" if isinstance(found, list) else "a single value"
        return f"should hold one object, not {what}", _GET_IT
    return _in_model(found) if "model" in found else (_without_model(found), _GET_IT)


def _by_first_bytes(data: bytes) -> tuple[str, str] | None:
    for magic, problem, advice in _MAGIC:
        if data.startswith(magic):
            return problem, advice
    start = data[:512].lstrip().lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml")):
        return "is a web page (a login page?)", "Log in and download the file again."
    # A SentencePiece model is a protobuf whose first records are its special pieces.
    if data[:1] == b"\n" and (b"<unk>" in data[:64] or b"<pad>" in data[:64]):
        return "is a SentencePiece model", _GET_IT
    if data.startswith(b"GGUF") or data[8:10] == b'{"':
        return "holds a model's weights", _GET_IT
    if _RANK_LINE.match(data):
        return "is a tiktoken vocabulary", _GET_IT
    if data.startswith(b"#version"):
        return "is a merges.txt, one half of an older tokenizer", _GET_IT
    return None


def _without_model(found: Mapping[str, object]) -> str:
    for key, file in _BY_KEY:
        if key in found:
            article = "" if file.startswith("the") else "a "
            return f'is {article}{file}: it has no "model"'
    if found and all(type(value) is int for value in found.values()):
        return "is a vocab.json: token numbers without the rules to cut text"
    return 'is no tokenizer.json: it has no "model"'


def _in_model(found: Mapping[str, object]) -> tuple[str, str] | None:
    model = found["model"]
    if not isinstance(model, dict):
        return 'has a "model" that is no object', _GET_IT
    vocab = model.get("vocab")
    if vocab is None:
        return 'has no vocabulary ("vocab" in "model")', _GET_IT
    if not isinstance(vocab, dict | list):
        return 'has a "vocab" that is neither object nor list', _GET_IT
    if not vocab:
        return "has an empty vocabulary", _GET_IT
    if model.get("type") == "BPE" and not isinstance(model.get("merges"), list):
        return 'has no "merges", the rules of its byte-pair encoding', _GET_IT
    if (version := found.get("version", "1.0")) != "1.0":
        return f"has the format version {version}, not 1.0", "Load another tokenizer.json."
    return None
