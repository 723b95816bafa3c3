"""A tokenizer of the user's own: the `tokenizer.json` that most models on Hugging Face have.

Read by Hugging Face's `tokenizers` (Apache 2.0), the library that vLLM uses for such models.
Tokens that the file adds to every text ("<s>" in front) are added here too, for vLLM's
completions endpoint does so by default and they count in the prefix. Truncation and padding,
which a file may ask for, are switched off: vLLM uses neither for a prompt.

Leaves out: SentencePiece `.model` files, tiktoken files, chat templates.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import tokenizers

from pagedviz.tokens.byte_pieces import pieces_of
from pagedviz.tokens.errors import TextError, TokenizerError
from pagedviz.tokens.other_file import what_is_wrong
from pagedviz.tokens.piece import Piece, Tokenizer, show_bytes

MAX_FILE_BYTES = 64_000_000  # the largest in use (vocabularies of 260,000) are half of that


def from_tokenizer_json(data: bytes, name: str) -> Tokenizer:
    """The tokenizer in the bytes of a file called `name`.

    Raises TokenizerError, which says what the file is instead where that can be told.
    """
    if len(data) > MAX_FILE_BYTES:
        raise TokenizerError(
            f"is too large: {len(data):,} bytes, {MAX_FILE_BYTES:,} at most",
            source=name,
            advice="A tokenizer.json is seldom larger than 40 MB.",
        )
    try:
        with _library_errors(name, "cannot be used as a tokenizer"):
            inner = tokenizers.Tokenizer.from_buffer(data.removeprefix(codecs.BOM_UTF8))
            inner.no_truncation()
            inner.no_padding()
            size = inner.get_vocab_size()
            if size:
                inner.encode("Hello, 😀")  # some files load and then fail on any text
    except TokenizerError as error:
        if (known := what_is_wrong(data)) is None:
            raise
        problem, advice = known
        raise TokenizerError(problem, source=name, advice=advice) from error
    if not size:
        raise TokenizerError("has an empty vocabulary", source=name, advice="Download it again.")
    return _FromFile(inner, name)


class _FromFile:
    """A loaded tokenizer.json."""

    def __init__(self, inner: tokenizers.Tokenizer, source: str) -> None:
        self._inner, self._source = inner, source
        # Added tokens are matched as text; all others may be written in the byte alphabet.
        self._added = {
            token: added.content.encode()
            for token, added in inner.get_added_tokens_decoder().items()
        }

    @property
    def name(self) -> str:
        return f"{self._source} ({type(self._inner.model).__name__}, Hugging Face tokenizers)"

    @property
    def about(self) -> str:
        kind, size = type(self._inner.model).__name__, self._inner.get_vocab_size()
        return f"{self._source}: {kind}, {size:,} tokens. Kept in this session only."

    def encode(self, text: str) -> list[int]:
        return list(self._cut(text).ids)

    def pieces(self, text: str) -> list[Piece]:
        cut = self._cut(text)
        return self._by_bytes(text, cut) or _by_offsets(text, cut)

    def _cut(self, text: str) -> tokenizers.Encoding:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise TextError("The text holds half a character, which is no text.") from error
        with _library_errors(self._source, "cannot cut this text"):
            cut = self._inner.encode(text)
        if text and not cut.ids:
            raise TokenizerError(
                "knows no character of this text",
                source=self._source,
                advice="Type other text or load another file.",
            )
        return cut

    def _by_bytes(self, text: str, cut: tokenizers.Encoding) -> list[Piece]:
        """Exact pieces of a byte-level tokenizer; [] if it is none, or changes the text.

        The proof is in the sum: read as bytes, the tokens must be the text.
        """
        known: dict[int, bytes] = dict(self._added)
        raw: list[bytes] = []
        words, mask = cut.tokens, cut.special_tokens_mask  # each access copies the list
        for token, word, is_added in zip(cut.ids, words, mask, strict=True):
            if token not in known:
                try:
                    known[token] = word.translate(_BYTE_LETTERS).encode("latin-1")
                except UnicodeEncodeError:
                    return []
            raw.append(b"" if is_added else known[token])
        if b"".join(raw) != text.encode():
            return []
        pieces = pieces_of(zip(cut.ids, raw, strict=True))
        return [
            piece._replace(text=word) if is_added else piece
            for piece, word, is_added in zip(pieces, words, mask, strict=True)
        ]


def _by_offsets(text: str, cut: tokenizers.Encoding) -> list[Piece]:
    """Pieces from the places the library reports; white space it left out stays out."""
    out: list[Piece] = []
    at = reached = 0  # shown so far; reported so far
    spans = [
        (len(text), len(text)) if is_added else span
        for span, is_added in zip(cut.offsets, cut.special_tokens_mask, strict=True)
    ]
    rows = zip(
        cut.ids,
        cut.tokens,
        cut.special_tokens_mask,
        pairwise([*spans, (len(text), len(text))]),
        strict=True,
    )
    for token, word, is_added, ((start, stop), (following, _)) in rows:
        if is_added:
            out.append(Piece(token, word, at, at))
            continue
        # All tokens of a spread character report the whole of it: the last one gets it.
        end = max(at, min(stop, following))
        # Some files report a word without the space that its token begins with.
        begin = at if word[:1] in _SPACES and text[at:start].isspace() else max(at, start)
        begin = min(begin, end)
        split = following < stop or start < reached
        reached = max(reached, stop)
        own = text[begin:end] or _own_text(word)
        out.append(Piece(token, own, begin, end, split))
        at = end
    return out


def _own_text(word: str) -> str:
    """A token that completes no character of the text: its byte, or a space added to it."""
    try:
        if len(word) == 6 and word.startswith("<0x"):
            raw = bytes.fromhex(word[3:5])
        else:
            raw = word.translate(_BYTE_LETTERS).encode("latin-1")
    except ValueError:  # neither hexadecimal nor of the byte alphabet
        return word.replace("▁", " ")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return show_bytes(raw)


@contextmanager
def _library_errors(source: str, problem: str) -> Iterator[None]:
    """Turn whatever the library raises into a TokenizerError."""
    try:
        yield
    except BaseException as error:
        # A panic of the library is a BaseException of a class that has no public name.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        said = str(error).removeprefix("Cannot instantiate Tokenizer from buffer: ")
        raise TokenizerError(
            f"{problem}: {said[:200]}", source=source, advice="Load another tokenizer.json."
        ) from error


def _byte_letters() -> dict[int, str]:
    """Letter of the byte-level alphabet -> the byte, as the character of that number.

    Printable Latin-1 stands for itself, the other 68 bytes for the letters from U+0100 on
    (GPT-2, encoder.py `bytes_to_unicode`), so a space is "Ġ".
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in printable]
    return {0x100 + i: chr(byte) for i, byte in enumerate(rest)}


_BYTE_LETTERS = _byte_letters()
_SPACES = ("Ġ", "▁")
