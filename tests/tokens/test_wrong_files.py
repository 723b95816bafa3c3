"""Files that are no tokenizer.json: the message names the file and says what it is."""

import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.tokens import TokenizerError, from_tokenizer_json, tokenizer_json
from tests.tokens.small_tokenizers import byte_level, unigram


def model(**keys):
    whole = {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}
    return {"version": "1.0", "model": {k: v for k, v in {**whole, **keys}.items() if v != "no"}}


WRONG = [
    (b"", "is empty"),
    (b" \r\n", "is empty"),
    (b"\xef\xbb\xbf", "is empty"),
    (b"PK\x03\x04\x14\x00", "is a ZIP archive. Unpack it"),
    (b"\x1f\x8b\x08\x00", "is packed with gzip. Unpack it"),
    (b"version https://git-lfs.github.com/spec/v1\noid", "is a Git LFS pointer"),
    ('{"model": 1}'.encode("utf-16"), "is UTF-16 text"),
    (b"\n<!DOCTYPE html><html>", "is a web page (a login page?)"),
    (b"\n\x0e\n\x05<unk>\x15\x00\x00\x00\x00\x18\x02", "is a SentencePiece model"),
    (b"GGUF\x03\x00", "holds a model's weights"),
    (b"\x40\x00\x00\x00\x00\x00\x00\x00" + b'{"w": {}}', "holds a model's weights"),
    (b"IQ== 0\nIg== 1\n", "is a tiktoken vocabulary"),
    (b"#version: 0.2\nt h\n", "is a merges.txt"),
    (b'{"model": "\xe4"}', "is not JSON: byte 12 is no UTF-8 text"),
    (b"hello", "is not valid JSON: something is missing or misplaced at line 1, column 1"),
    (b'{"model": {},}', "is not valid JSON: something is missing or misplaced at line 1, column 1"),
    (b'{"a": 1}\n, 2', "is not valid JSON: something follows after its end, at line 2, column 1"),
    (b'{"model": {"type": "BPE",', "is not complete: the JSON ends early at line 1, column 26"),
    (b'{"model": {"type": "BP', "is not complete: the JSON ends early"),
    (b"[" * 100_000, "is nested too deeply"),
    (b"9" * 5000, "cannot be used as a tokenizer"),
    ([{"model": 1}, 2], "should hold one object, not a list of 2"),
    (7, "should hold one object, not a single value"),
    ({"tokenizer_class": "X", "bos_token": "<s>"}, 'is a tokenizer_config.json: it has no "model"'),
    ({"architectures": ["X"], "model_type": "x"}, 'is a config.json: it has no "model"'),
    ({"bos_token_id": 1, "max_new_tokens": 5}, "is a generation_config.json"),
    ({"bos_token": "<s>", "eos_token": "</s>"}, "is a special_tokens_map.json"),
    ({"metadata": {}, "weight_map": {}}, "is the index of a model's weights"),
    ({"a": 0, "b": 1}, "is a vocab.json"),
    ({}, 'is no tokenizer.json: it has no "model"'),
    ({"version": "1.0"}, 'is no tokenizer.json: it has no "model"'),
    ({"model": []}, 'has a "model" that is no object'),
    (model(vocab="no"), 'has no vocabulary ("vocab" in "model")'),
    (model(vocab="a"), 'has a "vocab" that is neither object nor list'),
    (model(vocab={}), "has an empty vocabulary"),
    (model(type="Unigram", vocab=[], unk_id=0), "has an empty vocabulary"),
    (model(merges="no"), 'has no "merges"'),
    ({**model(), "version": "2.0"}, "has the format version 2.0, not 1.0"),
    (model(vocab={"a": -1}), "cannot be used as a tokenizer: invalid value: integer `-1`"),
    (model(merges=["a c"]), "cannot be used as a tokenizer"),
    (model(type="WordLevel", unk_token="?"), "Missing [UNK] token"),
]


@pytest.mark.parametrize(("content", "says"), WRONG, ids=[says for _, says in WRONG])
def test_what_it_is_instead(content, says):
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    with pytest.raises(TokenizerError) as caught:
        from_tokenizer_json(data, "my file.json")
    message = str(caught.value)
    assert message.startswith("my file.json ")
    assert says in message
    assert caught.value.advice in message
    assert len(message) < 400
    assert str(pickle.loads(pickle.dumps(caught.value))) == message


def test_a_panic_of_the_library_is_an_ordinary_error():
    # The merge "a b" has no token "ab": the library's code stops instead of raising.
    with pytest.raises(TokenizerError, match="cannot be used as a tokenizer"):
        from_tokenizer_json(json.dumps(model(merges=["a b"])).encode(), "x.json")


def test_too_large_is_said_before_reading(monkeypatch):
    monkeypatch.setattr(tokenizer_json, "MAX_FILE_BYTES", 10)
    with pytest.raises(TokenizerError, match=r"x\.json is too large: 11 bytes, 10 at most"):
        from_tokenizer_json(b" " * 11, "x.json")


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from([byte_level, unigram]))
def test_a_cut_or_damaged_file_never_gives_anything_but_a_tokenizer_or_the_error(data, kind):
    whole = kind()
    end = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(TokenizerError, match=r"^x\.json "):
        from_tokenizer_json(whole[:end], "x.json")
    damaged = whole[:end] + data.draw(st.binary(min_size=1, max_size=3)) + whole[end + 1 :]
    try:
        assert from_tokenizer_json(damaged, "x.json").encode("a block")
    except TokenizerError as error:
        assert str(error).startswith("x.json ")  # noqa: PT017 - either may be


@given(st.binary(max_size=40))
def test_any_bytes_give_the_error(data):
    with pytest.raises(TokenizerError, match=r"^x\.json "):
        from_tokenizer_json(data, "x.json")
