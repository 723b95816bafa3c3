"""What may be typed: refusals, replacements and the cut, each said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.tokens import MAX_CHARACTERS, TextError, check_text, default_tokenizer


@pytest.mark.parametrize(
    "text", ["plain", " a\r\nb\n", "\t", "\U0001f469\u200d\U0001f469", "\x1b["]
)
def test_a_sound_text_stays_as_it_is(text):
    if text.isspace():
        text += "x"
    assert check_text(text).text == text
    assert check_text(text).notices == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"), (b"", "empty"), (b"\xef\xbb\xbf", "empty"),
        (" \t\r\n", "only white space"), ("\u3000\u2003", "only white space"),
        (" " * (MAX_CHARACTERS + 1), "only white space"),
    ],
)  # fmt: skip
def test_nothing_to_cut(text, says):
    with pytest.raises(TextError, match=says):
        check_text(text)


@pytest.mark.parametrize(
    ("text", "becomes", "says"),
    [
        ("a\ud83d", "a\ufffd", "1 half character (lone surrogates) was replaced"),
        ("\udc80\udc81b", "\ufffd\ufffdb", "2 half characters (lone surrogates) were"),
        ("\0\0x", "\ufffd\ufffdx", "2 NUL characters were replaced"),
        (b"caf\xe9", "caf\ufffd", "Not UTF-8 from byte 4 on"),
    ],
)
def test_what_no_text_can_hold_is_replaced_and_said(text, becomes, says):
    checked = check_text(text)
    assert checked.text == becomes
    (notice,) = checked.notices
    assert says in notice


def test_two_halves_side_by_side_are_one_character():
    checked = check_text("\ud83d\ude00\ude00")
    assert checked.text == "\U0001f600\ufffd"
    assert "1 half character" in checked.notices[0]


def test_bytes_are_utf_8_with_or_without_a_mark():
    assert check_text("né".encode()).text == check_text("né".encode("utf-8-sig")).text == "né"


@pytest.mark.parametrize(
    ("more", "says"), [(1, "the other 1 is left out"), (23_456, "the other 23,456 are left out")]
)
def test_a_long_text_is_cut_and_said(more, says):
    checked = check_text("x" * (MAX_CHARACTERS + more))
    assert checked.text == "x" * MAX_CHARACTERS
    assert checked.notices == (f"Cut after 100,000 characters; {says}.",)


def test_at_the_limit_nothing_is_cut():
    assert check_text("x" * MAX_CHARACTERS).notices == ()


@given(st.text(st.characters(), max_size=30))
def test_whatever_passes_can_be_cut_into_tokens(text):
    try:
        checked = check_text(text)
    except TextError:
        assert not text.strip()
        return
    assert default_tokenizer().encode(checked.text)
    assert check_text(checked.text) == type(checked)(checked.text)
