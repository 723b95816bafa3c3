"""Left and right padding: how requests of different length make a rectangle of blocks.

In a decode step all block tables must be equally wide. The width is that of the longest;
shorter ones get block 0 in front, worked out anew in every step, so all rows end in the same
block. In a prefill the prompt's last block is the last block of its last chunk, and block 0
fills the front of the first. What a last block does not yet hold is right padding.

How far a row reaches from the left edge is its tkv. The batch's tkv is the largest, and what
counts against the product limit.

Leaves out: where the blocks lie; which requests decode together (`decode_set`).

Source: sendnn-inference 2.6.3, v1/worker/spyre_model_runner.py (_prepare_decode,
_prepare_chunked_prefill, _plan_chunking); scheduler.py (predict_next_decode_tkv).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pagedviz.engine.errors import OperationError, check_int
from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.spyre.chunks import BLOCK_SIZE


@dataclass(frozen=True, slots=True)
class DecodeRow:
    """A request in a decode step, the token of this step included."""

    request_id: str
    tokens: int  # whose K and V are held after the step
    left_blocks: int  # of block 0, in front
    held_blocks: int

    @property
    def left_padding(self) -> int:
        """Left padding in tokens."""
        return self.left_blocks * BLOCK_SIZE

    @property
    def right_padding(self) -> int:
        """Places of the last block that hold nothing yet, in tokens."""
        return self.held_blocks * BLOCK_SIZE - self.tokens

    @property
    def tkv(self) -> int:
        """How far the row reaches, left padding included, in tokens."""
        return self.left_padding + self.tokens


@dataclass(frozen=True, slots=True)
class Rectangle:
    """All rows of a decode step. Empty if nobody decodes."""

    rows: tuple[DecodeRow, ...] = ()

    @property
    def width_blocks(self) -> int:
        """Blocks from the left edge to the end of every row."""
        return max((row.left_blocks + row.held_blocks for row in self.rows), default=0)

    @property
    def tkv(self) -> int:
        """The largest tkv of a row, in tokens."""
        return max((row.tkv for row in self.rows), default=0)

    @property
    def volume(self) -> int:
        """Requests x tkv: what must not pass the product limit, in tokens."""
        return len(self.rows) * self.tkv

    @property
    def tokens(self) -> int:
        """Tokens in it that are anybody's; the rest of the volume is padding."""
        return sum(row.tokens for row in self.rows)


def decode_rectangle(requests: Iterable[tuple[str, int]]) -> Rectangle:
    """The rectangle of a decode step from (request id, tokens held before it) pairs.

    >>> found = decode_rectangle([("A", 200), ("B", 63), ("C", 64)])
    >>> [(row.left_blocks, row.held_blocks, row.right_padding, row.tkv) for row in found.rows]
    [(0, 4, 55, 201), (3, 1, 0, 256), (2, 2, 63, 193)]
    >>> found.tkv, found.volume, found.tokens
    (256, 768, 330)
    """
    sizes = []
    for request_id, stored in requests:
        check_int(f"tokens of {request_id}", stored, 0, OperationError)
        sizes.append((request_id, stored + 1, cdiv(stored + 1, BLOCK_SIZE)))
    width = max((blocks for _, _, blocks in sizes), default=0)
    return Rectangle(
        tuple(DecodeRow(name, tokens, width - blocks, blocks) for name, tokens, blocks in sizes)
    )


def padded_tkv(stored: Iterable[int]) -> int:
    """The tkv of requests that hold so many tokens, side by side; 0 if there are none.

    >>> padded_tkv([200, 63, 64]), padded_tkv([])
    (256, 0)
    """
    held = [(cdiv(tokens, BLOCK_SIZE), tokens) for tokens in stored]
    width = max((blocks for blocks, _ in held), default=0)
    return max((BLOCK_SIZE * (width - blocks) + tokens for blocks, tokens in held), default=0)


@dataclass(frozen=True, slots=True)
class PrefillRow:
    """A prompt laid out in chunks, left padding in front. Sizes in tokens."""

    prompt_len: int
    chunk_size: int
    chunks_total: int
    left_padding: int
    right_padding: int

    def chunk_tokens(self, chunk: int) -> tuple[int, int]:
        """The prompt tokens that chunk number `chunk` (from 0) computes: from, up to."""
        end = (chunk + 1) * self.chunk_size - self.left_padding
        start = max(0, end - self.chunk_size)
        return min(start, self.prompt_len), min(end, self.prompt_len)


def prefill_row(prompt_len: int, chunk_size: int) -> PrefillRow:
    """Lay a prompt out in chunks. `chunk_size` must be whole blocks (`check_chunk_size`).

    >>> row = prefill_row(150, 128)
    >>> row.chunks_total, row.left_padding, row.right_padding
    (2, 64, 42)
    >>> row.chunk_tokens(0), row.chunk_tokens(1)
    ((0, 64), (64, 150))
    """
    check_int("prompt_len", prompt_len, 1, OperationError)
    chunks = cdiv(prompt_len, chunk_size)
    padded = cdiv(prompt_len, BLOCK_SIZE) * BLOCK_SIZE
    return PrefillRow(
        prompt_len, chunk_size, chunks, chunks * chunk_size - padded, padded - prompt_len
    )
