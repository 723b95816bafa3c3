"""What a viewer may set on the attention page, checked at the door.

Leaves out: where the blocks lie (`places.py`), what the numbers are (`toy_model.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.tokens import Tokenizer, check_text, visible

MAX_TOKENS, MAX_LINES, MAX_BLOCK_SIZE = 48, 24, 16
MAX_HEADS, MAX_HEAD_SIZE = 8, 16
MAX_SEED = 9999
MAX_MOVES = 9999

# How the cache keeps a number. float32 and float64 are also what is computed in; the two small
# ones are computed in float32, as kernels do.
Numbers = Literal["float32", "float64", "float16", "fp8"]
NUMBERS: tuple[Numbers, ...] = get_args(Numbers)


class SetupError(ValueError):
    """Something set on the attention page that cannot be; the message says what can."""


@dataclass(frozen=True)
class AttentionSetup:
    """One request and the cache it reads. Sizes are small enough to be read.

    Attributes:
        tokens: context length of request A, 1 to 48.
        block_size: tokens per block, 1 to 16; at most 24 blocks for A.
        heads: query heads; `kv_heads` divides it.
        kv_heads: KV heads, each read by heads / kv_heads query heads.
        head_size: numbers per head; even, since positions turn pairs of them (RoPE).
        seed: of the tokens, the projections and the room.
        text: a sentence typed by the viewer; `ids` and `pieces` are its tokens. "": made-up
            tokens.
        numbers: how the cache keeps a number.
        moves: how often all blocks have been moved to other places.
        reads: where each line of the table points, as the number of a piece of content: 0 to
            lines - 1 are A's own blocks in order, above them everybody else's. None: as it is.
        past: whether reading goes on past A's last token.
    """

    tokens: int = 18
    block_size: int = 4
    heads: int = 4
    kv_heads: int = 2
    head_size: int = 8
    seed: int = 91
    text: str = ""
    ids: tuple[int, ...] = ()
    pieces: tuple[str, ...] = ()
    numbers: Numbers = "float32"
    moves: int = 0
    reads: tuple[int, ...] | None = None
    past: bool = False

    def __post_init__(self) -> None:
        _whole("The number of tokens", self.tokens, 1, MAX_TOKENS)
        _whole("The block size", self.block_size, 1, MAX_BLOCK_SIZE)
        _whole("The number of query heads", self.heads, 1, MAX_HEADS)
        _whole("The number of KV heads", self.kv_heads, 1, MAX_HEADS)
        _whole("The head size", self.head_size, 2, MAX_HEAD_SIZE)
        _whole("The seed", self.seed, 0, MAX_SEED)
        _whole("The number of moves", self.moves, 0, MAX_MOVES)
        if self.heads % self.kv_heads:
            fewer = [n for n in range(1, self.heads + 1) if self.heads % n == 0]
            more = list(range(self.kv_heads, MAX_HEADS + 1, self.kv_heads))
            raise SetupError(
                f"{self.heads} query heads cannot share {self.kv_heads} KV heads evenly. "
                f"{self.heads} query heads go with {_any(fewer)} KV heads, {self.kv_heads} KV "
                f"heads with {_any(more)} query heads."
            )
        if self.head_size % 2:
            raise SetupError(
                f"The head size must be even, since a position turns pairs of numbers (RoPE). "
                f"Try {self.head_size - 1 or 2} or {self.head_size + 1}."
            )
        if self.lines > MAX_LINES:
            least = cdiv(self.tokens, MAX_LINES)
            raise SetupError(
                f"{self.tokens} tokens in blocks of {self.block_size} are {self.lines} blocks, "
                f"too many to read; {MAX_LINES} are the most. Try blocks of {least} or more."
            )
        if self.numbers not in NUMBERS:
            raise SetupError(f"Numbers can be {_any(NUMBERS)}, not {self.numbers!r:.40}.")
        if (self.text or self.ids) and len(self.ids) != self.tokens:
            raise SetupError("The sentence's tokens are missing: use with_text().")

    @property
    def lines(self) -> int:
        """Lines of A's block table: logical blocks."""
        return cdiv(self.tokens, self.block_size)

    @property
    def group(self) -> int:
        """Query heads that read the same KV head."""
        return self.heads // self.kv_heads

    def intact(self) -> AttentionSetup:
        """The same with nothing broken: each line points at A's own block, none too far."""
        return replace(self, reads=None, past=False)


def with_text(setup: AttentionSetup, text: str, tokenizer: Tokenizer) -> AttentionSetup:
    """The setup with the tokens of a sentence; blank text goes back to made-up tokens.

    Raises TextError for text that is none, SetupError for too many tokens.

    >>> from pagedviz.tokens import default_tokenizer
    >>> with_text(AttentionSetup(), "The cat sat", default_tokenizer()).pieces
    ('The', '·cat', '·sat')
    """
    if not text.strip():
        return replace(setup, text="", ids=(), pieces=(), reads=None, past=False)
    checked = check_text(text).text
    cut = tokenizer.pieces(checked)
    if len(cut) > MAX_TOKENS:
        raise SetupError(
            f"The sentence has {len(cut):,} tokens; at most {MAX_TOKENS} can be read here. "
            "Shorten it."
        )
    least = cdiv(len(cut), MAX_LINES)
    return replace(
        setup,
        text=checked,
        ids=tuple(piece.id for piece in cut),
        pieces=tuple(visible(piece.text) for piece in cut),
        tokens=len(cut),
        block_size=max(setup.block_size, least),
        reads=None,
        past=False,
    )


def _whole(what: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise SetupError(f"{what} must be a whole number from {least} to {most:,}.")
    if not least <= value <= most:
        raise SetupError(f"{what} can be from {least} to {most:,}, not {value:,}.")


def _any(values: Sequence[object]) -> str:
    texts = [str(value) for value in values]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"
