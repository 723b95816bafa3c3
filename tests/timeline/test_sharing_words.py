"""Sentences about sharing: derived, complete, and in one register at a time."""

import re

import pytest

from pagedviz.timeline.sharing import reason_words
from pagedviz.timeline.sharing_pieces import quoted
from tests.timeline.prompt_lists import CASES, of, seen
from tests.timeline.registers import ENGINE_ONLY, NUMBER_WORDS, ROOM_ONLY


def test_a_differing_token_is_named_with_its_place_and_what_is_the_same_further_on():
    text = "You are the help desk"
    a, b = seen(text, "14:05 " + text, block_size=4)
    assert (b.reason.token, b.reason.ours, b.reason.theirs) == (0, "1", "Y")
    assert b.reason.other.letter == a.letter == "A"
    assert (b.reason.also.shift, b.reason.also.to_the_end) == (6, True)
    assert reason_words(b, "room") == (
        "Here **B** says “1” where A says “Y”. All 6 labels differ and nothing is shared, "
        "although the rest of the text is the same, 6 boxes further on."
    )
    assert "shifted by +6" in reason_words(b, "engine")


# of the last prompt of each case: a part of its sentence in the room, and in the engine
SAID = {
    "token_differs": ("Here **B** says “X” where A says “f”.", "block 1, token 5: “X” instead"),
    "last_token": ("**A** has the same boxes to the very end", "floor((8 - 1) / 4) = 1"),
    "block_not_full": ("Only full shelves get a label", "Block 2 holds 2 of 4 tokens"),
    "evicted": ("given to **B** in step 5", "evicted at step 5 by get_new_blocks for req B"),
    "salt_differs": ("no secret word, and B has one", "with no cache_salt, this request has"),
    "adapter_differs": ("in a different way", "with LoRA adapter “law”, this request has no"),
    "other_not_full": ("they end on this shelf", "ends after 6 tokens, inside block 1"),
    "waiting": ("3 shelves are needed, one is free", "needs 3 blocks, 1 free"),
    "not_admitted": ("the room has only 4", "needs 10 blocks, the pool has 4"),
    "caching_off": ("have no labels", "not hashed"),
    "nobody_before": ("Nobody was here before", "cache is empty"),
}


@pytest.mark.parametrize("kind", CASES)
def test_sentences_say_who_where_and_how_much(kind):
    prompts, config, _ = CASES[kind]
    *_, last = seen(*prompts, **config)
    room, engine = SAID[kind]
    assert room in reason_words(last, "room")
    assert engine in reason_words(last, "engine")


@pytest.mark.parametrize(
    ("prompts", "room", "engine"),
    [
        (["abcdefgh", "abcX"], "where A says “d”. Nothing is shared.", "tokens[i])."),
        (["abcdefgh", "abcdefgX"], "The sharing ends here.", "tokens[i])."),
        (["a1", "a"], "**B** does not fill one shelf", "1 token, block_size 4: no full block"),
        (
            ["abcdefghijklmnop", "abcXefghijklmnop"],
            "All 4 labels differ and nothing is shared, although the rest of the text is",
            "so 3 later keys differ as well, although the rest is equal.",
        ),
        (
            ["abcd12345678!", "abcd--12345678?"],
            "8 boxes after that are the same as A's, 2 boxes further on, but each label",
            "although 8 later tokens are equal, shifted by +2.",
        ),
        (
            ["abcd--12345678!", "abcd12345678?"],
            "2 boxes nearer the front",
            "shifted by -2.",
        ),
        (
            [of("abcd", salt="s"), of("abcd", salt="t")],
            "but another secret word",
            "with cache_salt “s”, this request has cache_salt “t”",
        ),
        ([of("abcd", salt="s"), of("abcd")], "a secret word, and B has none", "has no cache_salt"),
        (
            [of("abcd", salt="s"), of("abcd", adapter="law")],
            "It also reads them in another way.",
            "the LoRA adapters differ too",
        ),
    ],
)
def test_sentences_follow_what_is_there(prompts, room, engine):
    *_, last = seen(*prompts)
    assert room in reason_words(last, "room")
    assert engine in reason_words(last, "engine")


def test_who_waits_behind_somebody():
    *_, last = seen("a" * 12, "b" * 12, "c", num_blocks=5)
    assert reason_words(last, "room") == "**C** waits at the door, behind B."
    assert reason_words(last, "engine") == "Waiting behind req B: not looked up yet."


@pytest.mark.parametrize("kind", CASES)
def test_registers_never_mix(kind):
    prompts, config, _ = CASES[kind]
    for view in seen(*prompts, **config):
        room, engine = (
            re.sub("“.*?”", "", reason_words(view, register)) for register in ("room", "engine")
        )
        assert not re.search(ENGINE_ONLY, room), room
        assert not re.search(ROOM_ONLY, engine), engine
        assert not re.search(NUMBER_WORDS, room + engine), (room, engine)


def test_the_grammar_of_one_and_none():
    *_, last = seen("abcd", "efgh", block_size=4, num_blocks=2)
    assert reason_words(last, "room").endswith("one shelf is needed, none is free.")
    *_, last = seen("abc!", "aXc?", block_size=1)
    assert "One box after that is the same as A's" in reason_words(last, "room")
    assert "although 1 later token is equal." in reason_words(last, "engine")


def test_another_register_is_refused():
    with pytest.raises(ValueError, match="register must be"):
        reason_words(seen("a")[0], "poem")


def test_a_piece_can_be_anything_and_is_never_emphasis():
    assert quoted("**") == "“*\u2060*”"
    assert quoted("x" * 100) == "“" + "x" * 23 + "…”"
    assert quoted("a\r\nb\tc") == "“a↵b→c”"
    *_, last = seen("abcd", "*bcd")
    assert "“*”" in reason_words(last, "room")
