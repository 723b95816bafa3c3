"""Which blocks hold the same text, without any text: a number for every different beginning.

What it does: a request is a list of segments (id, tokens). Two requests begin alike as far as
their segments are the same in the same order; a prefix tree over the segments gives each
beginning a number, and the key of a block is that number and the position of the block. Keys
are equal exactly where hashes over the tokens themselves would be, if different ids stand for
different tokens, so the real block manager works with them as with hashes.

What it leaves out: collisions by chance (equal tokens under two ids). Answers that nobody quotes
and prompts of which nothing is known are segments of their own, like nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Segment = tuple[int, int]  # id, tokens; ids of text that may come again are not negative

_KEY_BYTES = 16


class ContentIndex:
    """Numbers for beginnings, shared by all requests of one simulation.

    >>> index = ContentIndex()
    >>> a = index.block_hashes([(7, 10), (1, 10)], 20, 4)
    >>> b = index.block_hashes([(7, 10), (2, 10)], 20, 4)
    >>> [x == y for x, y in zip(a, b)]  # 10 tokens fill two blocks; the third is mixed
    [True, True, False, False, False]
    """

    def __init__(self) -> None:
        # (number of the beginning, tokens used of its last segment, segment) -> number
        self._numbers: dict[tuple[int, int, int], int] = {}

    def block_hashes(
        self, segments: Sequence[Segment], num_tokens: int, block_size: int
    ) -> list[bytes]:
        """Keys of the full blocks of the first `num_tokens` tokens."""
        numbers, ends = [], []
        before = used = end = 0
        for segment, length in segments:
            if length == 0:
                continue
            key = (before, used, segment)
            before = self._numbers.setdefault(key, len(self._numbers) + 1)
            used = length
            end += length
            numbers.append(before)
            ends.append(end)
        blocks = np.arange(min(num_tokens, end) // block_size, dtype=np.int64)
        # A block is known by the segment of its last token: all before hang on that.
        last = np.searchsorted(ends, blocks * block_size + block_size - 1, side="right")
        keys = np.empty((len(blocks), 2), dtype=np.int64)
        keys[:, 0] = np.asarray(numbers, dtype=np.int64)[last]
        keys[:, 1] = blocks
        data = keys.tobytes()
        return [data[at : at + _KEY_BYTES] for at in range(0, len(data), _KEY_BYTES)]


def hash_segments(ids: Sequence[int], block: int, num_tokens: int) -> list[Segment]:
    """Segments of a prompt whose file has one id per `block` tokens.

    >>> hash_segments((0, 14, 15), 512, 1100)
    [(0, 512), (14, 512), (15, 76)]
    """
    return [(one, min(block, num_tokens - at * block)) for at, one in enumerate(ids)]
