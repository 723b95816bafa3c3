"""A tokenizer of the user's own, of each kind: same ids as the library, pieces that fit."""

import json
from itertools import pairwise

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.tokens import TextError, TokenizerError, from_tokenizer_json, tokenizer_json
from tests.tokens.small_tokenizers import (
    KINDS,
    PAGE,
    byte_level,
    sentencepiece_bpe,
    unigram,
    word_piece,
)
from tests.tokens.texts import HARD, LONG, assert_pieces_make, sound_text


def load(data, name="own.json"):
    return from_tokenizer_json(data, name)


def changed(data, **keys):
    return json.dumps({**json.loads(data), **keys}).encode()


def tiny(vocab, **keys):
    model = {"type": "BPE", "vocab": vocab, "merges": []}
    return json.dumps({"version": "1.0", "model": model, **keys}).encode()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", [PAGE[0], *HARD.values()], ids=["page", *HARD])
def test_ids_are_the_librarys_and_each_has_a_piece(kind, text):
    data = KINDS[kind]()
    tokenizer = load(data)
    ids = tokenizers.Tokenizer.from_buffer(data).encode(text).ids
    assert tokenizer.encode(text) == ids
    pieces = tokenizer.pieces(text)
    assert [piece.id for piece in pieces] == ids
    assert all(piece.text for piece in pieces)
    for one, following in pairwise(pieces):
        assert one.start <= one.end <= following.start


@settings(max_examples=150, deadline=None)
@given(sound_text)
def test_byte_level_pieces_make_the_text(text):
    assert_pieces_make(text, load(byte_level()).pieces(text))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(KINDS)), sound_text)
def test_pieces_of_any_kind_stay_in_order_and_inside(kind, text):
    try:
        pieces = load(KINDS[kind]()).pieces(text)
    except TokenizerError as error:
        assert "knows no character" in str(error)  # noqa: PT017 - not every text has tokens
        return
    at = 0
    for piece in pieces:
        assert at <= piece.start <= piece.end <= len(text)
        at = piece.end


def test_byte_level_shows_spaces_and_spread_characters():
    pieces = load(byte_level()).pieces("a block \u00e9\n")
    assert [piece.text for piece in pieces[-4:]] == [" ", "⟨c3⟩", "\u00e9", "\n"]
    assert "".join(piece.text for piece in pieces[:-4]) == "a block"


def test_a_byte_level_file_that_changes_the_text_falls_back_to_places():
    pieces = load(byte_level("Lowercase")).pieces("A BLOCK\U0001f600")
    assert "".join(piece.text for piece in pieces[:-4]) == "A BLOCK"
    assert [piece.text for piece in pieces[-4:]] == ["⟨f0⟩", "⟨9f⟩", "⟨98⟩", "\U0001f600"]
    assert [piece.split for piece in pieces[-5:]] == [False, True, True, True, True]


def test_sentencepiece_shows_what_is_added_and_bytes():
    pieces = load(sentencepiece_bpe()).pieces("a block\U0001f600")
    assert (pieces[0].text, pieces[0].start, pieces[0].end) == ("<s>", 0, 0)
    assert [piece.text for piece in pieces[-4:]] == ["⟨f0⟩", "⟨9f⟩", "⟨98⟩", "\U0001f600"]
    assert_pieces_make("a block\U0001f600", pieces)


def test_a_space_that_the_tokenizer_adds_shows_as_one_and_takes_no_text():
    pieces = load(sentencepiece_bpe()).pieces("\U0001f600")
    assert [(piece.text, piece.start, piece.end) for piece in pieces[:2]] == [
        ("<s>", 0, 0), (" ", 0, 0),
    ]  # fmt: skip


def test_one_letter_that_becomes_two_tokens_shows_both_parts():
    pieces = load(tiny({"f": 0, "i": 1}, normalizer={"type": "NFKC"})).pieces("\ufb01")
    assert [(piece.text, piece.start, piece.end, piece.split) for piece in pieces] == [
        ("f", 0, 0, True), ("\ufb01", 0, 1, True),
    ]  # fmt: skip


def test_a_token_that_only_looks_like_a_byte_shows_its_name():
    signs = {sign: i for i, sign in enumerate("<0xZ>")}
    merges = ["< 0", "<0 x", "<0x Z", "<0xZ Z", "<0xZZ >"]
    names = {"".join(merge.split()): 10 + i for i, merge in enumerate(merges)}
    model = {"type": "BPE", "vocab": {**signs, **names}, "merges": merges}
    content = {"version": "1.0", "normalizer": {"type": "Prepend", "prepend": "<0xZZ>"}}
    pieces = load(json.dumps({**content, "model": model}).encode()).pieces("x")
    assert [piece.text for piece in pieces] == ["<0xZZ>", "x"]


def test_word_piece_keeps_the_letters_as_typed_and_drops_spaces():
    pieces = load(word_piece()).pieces("A Block")
    assert [piece.text for piece in pieces] == ["[CLS]", "A", "Block", "[SEP]"]
    assert (pieces[2].start, pieces[2].end) == (2, 7)


def test_a_special_token_in_the_text_is_one_token_as_in_vllm():
    (one,) = load(byte_level()).pieces("<|end|>")
    assert (one.text, one.start, one.end) == ("<|end|>", 0, 7)


def test_truncation_and_padding_of_the_file_are_off():
    data = changed(
        byte_level(),
        truncation={"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
        padding={"strategy": {"Fixed": 64}, "direction": "Right", "pad_to_multiple_of": None,
                 "pad_id": 0, "pad_type_id": 0, "pad_token": "<|end|>"},
    )  # fmt: skip
    assert tokenizers.Tokenizer.from_buffer(data).encode("a b").ids != load(data).encode("a b")
    assert load(data).encode(PAGE[0]) == load(byte_level()).encode(PAGE[0])


def test_a_mark_at_the_start_of_the_file_is_no_fault():
    assert load(b"\xef\xbb\xbf" + unigram()).encode("a") == load(unigram()).encode("a")


def test_two_files_cut_differently_and_are_named():
    first, second = load(byte_level(), "one.json"), load(unigram(), "two.json")
    assert first.encode(PAGE[0]) != second.encode(PAGE[0])
    assert first.name == "one.json (BPE, Hugging Face tokenizers)"
    assert second.about.startswith("two.json: Unigram, ")


@pytest.mark.parametrize(
    "text", [LONG["one letter"], LONG["spaces before a letter"], LONG["emoji"]]
)
@pytest.mark.parametrize("kind", KINDS)
def test_long_texts_come_through(kind, text):
    assert load(KINDS[kind]()).pieces(text)


def test_half_a_character_is_refused():
    with pytest.raises(TextError, match="half a character"):
        load(byte_level()).pieces("\udc00")


def test_a_text_without_any_token_is_said():
    tokenizer = load(tiny({"a": 0}))
    assert tokenizer.encode("xa") == [0]
    assert tokenizer.encode("") == []
    with pytest.raises(TokenizerError, match=r"own\.json knows no character of this text"):
        tokenizer.encode("xyz")


def test_a_keyboard_interrupt_is_not_taken_for_a_bad_file(monkeypatch):
    def interrupt(data):
        raise KeyboardInterrupt

    monkeypatch.setattr(tokenizer_json.tokenizers.Tokenizer, "from_buffer", interrupt)
    with pytest.raises(KeyboardInterrupt):
        load(b"{}")
