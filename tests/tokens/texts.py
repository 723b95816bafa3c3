"""Texts that tokenizers cut in the middle, or used to fall over."""

from hypothesis import strategies as st

# Any text that has an encoding: everything but lone surrogates.
sound_text = st.text(st.characters(exclude_categories=("Cs", "Cn")), max_size=60)

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
HARD = {
    "emoji": "a \U0001f600\U0001f600 b",
    "joined emoji": FAMILY * 2,
    "flags": "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7",
    "right to left": "\u05e9\u05dc\u05d5\u05dd, \u0645\u0631\u062d\u0628\u0627 x",
    "combining": "e\u0301 a\u0308\u0304",
    "scripts": "\u4e2d\u6587 \u0939\u093f\u0928\u094d\u0926\u0940 \u0e44\u0e17\u0e22 \u1e9e",
    "white space": " \t \n\n  x\r\n y   ",
    "code": "def f(x):\n    return x ** 2  # \u2192 square\n",
    "quoted special": "<|endoftext|> <|im_start|>user",
    "numbers": "2024-06-01T12:34:56.789Z 3.14159265358979",
}
LONG = {
    "one letter": "a" * 100_000,
    "spaces before a letter": " " * 99_999 + "x",
    "tabs before a letter": "\t" * 99_999 + "x",
    "line breaks": "\n" * 100_000,
    "wide blanks": "\u2003" * 99_999 + "x",
    "one accent": "a" + "\u0301" * 99_999,
    "no blank": "acgtgca" * 14_285,
    "emoji": "\U0001f600" * 100_000,
}


def assert_pieces_make(text, pieces):
    """The pieces take the text from its first character to its last, each once, in order."""
    at = 0
    for piece in pieces:
        assert piece.start == at <= piece.end, piece
        at = piece.end
    assert at == len(text)
    assert all(piece.text for piece in pieces)
