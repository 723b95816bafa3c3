"""What a block size costs: slots wasted in the last block against entries in the block table.

A request of n tokens takes ceil(n / size) blocks: so many table entries, and
ceil(n / size) * size - n slots of its last block stay empty.

Leaves out: what the attention kernel makes of small blocks; only memory is counted here.

Source: Kwon et al., SOSP 2023, section 7.2 (block size: small ones do not use the hardware's
parallelism, large ones waste memory; 16 by default).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pagedviz.engine.kv_cache_manager import KVCacheManager, cdiv
from pagedviz.engine.request import Request
from pagedviz.timeline.reservation.errors import ReservationError
from pagedviz.timeline.reservation.setup import MAX_BLOCK_SIZE
from pagedviz.timeline.value_checks import is_int, show

ALL_SIZES = range(1, MAX_BLOCK_SIZE + 1)


class BlockSizeRow(NamedTuple):
    """One block size, over all requests at their full length."""

    block_size: int
    wasted: float  # slots of the last block that stay empty, mean per request
    share: float  # of all slots given out, the share that is wasted, 0 to 1
    entries: float  # of the block table, mean per request


def block_size_trade_off(
    lengths: Sequence[int], sizes: Iterable[int] = ALL_SIZES
) -> tuple[BlockSizeRow, ...]:
    """One row per size, by the formula. `lengths`: tokens whose KV a request holds at its end.

    >>> for row in block_size_trade_off([499], [1, 16, 64]):
    ...     print(row.block_size, row.wasted, f"{row.share:.1%}", row.entries)
    1 0.0 0.0% 499.0
    16 13.0 2.5% 32.0
    64 13.0 2.5% 8.0
    """
    checked = _lengths(lengths)
    return tuple(_row(size, checked, [cdiv(n, size) for n in checked]) for size in _sizes(sizes))


def trade_off_by_running(
    lengths: Sequence[int], sizes: Iterable[int] = ALL_SIZES
) -> tuple[BlockSizeRow, ...]:
    """The same, counted in the block tables of a real manager; slow, for comparison.

    >>> trade_off_by_running([499, 3], [16]) == block_size_trade_off([499, 3], [16])
    True
    """
    checked = _lengths(lengths)
    rows = []
    for size in _sizes(sizes):
        blocks = sum(cdiv(n, size) for n in checked)
        manager = KVCacheManager(blocks + 1, size, enable_caching=False, max_model_len=max(checked))
        for number, n in enumerate(checked):
            manager.allocate_slots(Request(str(number), range(n)), n)
        tables = [len(manager.get_block_ids(str(number))) for number in range(len(checked))]
        rows.append(_row(size, checked, tables))
    return tuple(rows)


def _row(size: int, lengths: Sequence[int], tables: Sequence[int]) -> BlockSizeRow:
    slots, count = sum(tables) * size, len(lengths)
    wasted = slots - sum(lengths)
    return BlockSizeRow(size, wasted / count, wasted / slots, sum(tables) / count)


def _lengths(lengths: Sequence[int]) -> list[int]:
    if not lengths:
        raise ReservationError("There are no lengths to compare block sizes by; give at least one.")
    for place, n in enumerate(lengths, 1):
        if not is_int(n) or n < 1:
            raise ReservationError(
                f"Length {place} must be a whole number of at least 1, not {show(n)}."
            )
    return list(lengths)


def _sizes(sizes: Iterable[int]) -> list[int]:
    found = list(sizes)
    for n in found:
        if not is_int(n) or not 1 <= n <= MAX_BLOCK_SIZE:
            raise ReservationError(
                f"A block size can be from 1 to {MAX_BLOCK_SIZE}, not {show(n)}."
            )
    return found
