"""What a tokenizer gives: token ids, and for each token the piece of the text it stands for.

Leaves out: decoding ids without their text. Prompts are typed here, never generated.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Piece(NamedTuple):
    """One token and its place in the text.

    `text` is what to show. `text[start:end]` of the whole text are the characters that are
    complete with this token; the ranges of neighbours never overlap. A character spread over
    several tokens belongs to the last of them: the others show their bytes ("⟨e280⟩") and have
    `start == end` unless they hold other characters too. All of them have `split` set.
    A token that a tokenizer adds by itself ("<s>") shows its name and has `start == end`.
    """

    id: int
    text: str
    start: int  # in characters
    end: int
    split: bool = False  # holds only some bytes of a character


class Tokenizer(Protocol):
    """Cuts text into tokens. The same text always gives the same tokens."""

    @property
    def name(self) -> str:
        """Short, for a label: "cl100k_base (OpenAI, tiktoken)"."""
        ...

    @property
    def about(self) -> str:
        """A sentence for the page: whose vocabulary it is and how large."""
        ...

    def encode(self, text: str) -> list[int]:
        """Token ids of a text that went through `check_text`.

        Raises TextError for lone surrogates, TokenizerError if the tokenizer fails on it.
        """
        ...

    def pieces(self, text: str) -> list[Piece]:
        """The same tokens, each with its piece of the text."""
        ...


def show_bytes(raw: bytes) -> str:
    """Bytes that are no whole character, as shown in a piece.

    >>> show_bytes(bytes([0xE2, 0x80]))
    '⟨e280⟩'
    """
    return f"⟨{raw.hex()}⟩" if raw else ""
