"""What cannot be seen becomes a sign, and everything else stays as it is."""

import unicodedata

import pytest
from hypothesis import given

from pagedviz.tokens import default_tokenizer, visible
from tests.tokens.texts import FAMILY, HARD, sound_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (" the", "·the"), ("  ", "··"), ("\n", "↵"), ("\r\n", "␍↵"), ("\t", "→"),
        ("\u00a0", "⍽"), ("\u2028", "⟨U+2028⟩"), ("\u3000", "⟨U+3000⟩"), ("\x1b", "␛"),
        ("\x7f", "␡"), ("\ufeff", "⟨U+FEFF⟩"), ("a\u200bb", "a⟨U+200B⟩b"), ("", ""),
        ("⟨f09f⟩", "⟨f09f⟩"),
    ],
)  # fmt: skip
def test_signs(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    [FAMILY, HARD["right to left"].replace(" ", ""), HARD["scripts"].replace(" ", ""),
     "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\U0001f3f4\U000e0067\U000e007f",
     "\u2764\ufe0f"],
)  # fmt: skip
def test_letters_joiners_and_emoji_stay(text):
    assert visible(text) == text


@pytest.mark.parametrize("mark", ["\u0301", "\u093f", "\ufe0f", "\u200d"])
def test_a_mark_without_its_letter_gets_a_circle(mark):
    assert visible(mark + "x") == "◌" + mark + "x"
    assert visible("x" + mark) == "x" + mark


def test_no_direction_control_is_left_that_would_turn_its_neighbours():
    controls = [chr(c) for c in range(0x110000) if unicodedata.bidirectional(chr(c)) in
                {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}]  # fmt: skip
    assert len(controls) == 9
    for char in controls:
        assert char not in visible("a" + char)


@given(sound_text)
def test_nothing_shown_is_blank(text):
    for piece in default_tokenizer().pieces(text):
        shown = visible(piece.text)
        assert shown
        assert not any(char.isspace() or unicodedata.category(char) == "Cc" for char in shown)
