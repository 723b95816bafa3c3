"""The same memory twice: one reservation of the longest length each, and blocks on demand.

Before paging, a server set aside the memory of the longest possible request when one came in,
in one piece. How many fit then depends on the limit alone, not on what people write.

Leaves out: fragmentation between reservations, which made it worse; and compaction.

Source: Kwon et al., SOSP 2023, section 3 (maximum and power-of-two reservation).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pagedviz.engine.errors import check_int
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.geometry import KVGeometry
from pagedviz.sizing.lengths import Lengths, how_many


@dataclass(frozen=True, slots=True)
class OldAndNew:
    """Requests at a time under three rules, and the share of memory that holds tokens."""

    reserved: int  # each has the longest length set aside
    power_of_two: int  # each has its own length rounded up to a power of two
    paged: int  # each has its blocks
    reserved_used: float  # 0 to 1: of what is set aside, how much holds tokens at the end
    power_of_two_used: float
    paged_used: float

    @property
    def times(self) -> float:
        """How many times as many requests paging lets in; infinite if reservation lets in none."""
        if not self.reserved:
            return math.inf if self.paged else 1.0
        return self.paged / self.reserved


def old_plan(
    geometry: KVGeometry,
    kv_bytes: int,
    max_model_len: int,
    lengths: Lengths,
    *,
    dtype_bytes: int | None = None,
    block_size: int = 16,
) -> OldAndNew:
    """Compare on `kv_bytes` of cache for the whole model.

    >>> from pagedviz.sizing import manual_geometry
    >>> shape = manual_geometry(40, 40, 128)  # OPT-13B on the paper's 12 GB of cache
    >>> found = old_plan(shape, 12 * 10**9, 2048, Lengths(161, 338))
    >>> found.reserved, found.paged, round(found.reserved_used, 2), round(found.paged_used, 2)
    (7, 28, 0.24, 0.97)
    """
    check_int("kv_bytes", kv_bytes, 0, ConfigError)
    check_int("max_model_len", max_model_len, 1, ConfigError)
    check_int("block_size", block_size, 1, ConfigError)
    tokens = lengths.samples(max_model_len)
    # worst case before paging: no window is used either, so every layer keeps every token
    each = geometry.bytes_per_token(dtype_bytes)
    fixed = geometry.fixed_state_bytes or 0
    sizes = [geometry.sequence_bytes(one, dtype_bytes) for one in tokens]
    blocks = [
        geometry.sequence_bytes(-(-one // block_size) * block_size, dtype_bytes) for one in tokens
    ]
    powers = [min(1 << (one - 1).bit_length(), max_model_len) * each + fixed for one in tokens]
    longest = max_model_len * each + fixed
    mean = sum(sizes) / len(sizes)
    mean_power, mean_paged = sum(powers) / len(powers), sum(blocks) / len(blocks)
    return OldAndNew(
        reserved=kv_bytes // longest if longest else 0,
        power_of_two=how_many(kv_bytes, mean_power, 0)[1],
        paged=how_many(kv_bytes, mean_paged, 0)[1],
        reserved_used=mean / longest if longest else 0.0,
        power_of_two_used=mean / mean_power if mean_power else 0.0,
        paged_used=mean / mean_paged if mean_paged else 0.0,
    )
