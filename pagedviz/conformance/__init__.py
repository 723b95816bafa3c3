"""The door for checking the engine against traces recorded from the real systems.

`CacheSession` takes the operations of allocator traces, `schedule` works out the steps of
scheduler traces. `spyre_chunk_reuse`, `spyre_admission` and `spyre_decode_sets` answer cases of
the Spyre plugin, `spyre_steps` runs its server. `recorded_agreement` replays what the app ships.
On the command line: `python -m pagedviz.conformance PATH...`.
"""

from pagedviz.conformance.replay import Agreement, recorded_agreement
from pagedviz.conformance.schedule import schedule
from pagedviz.conformance.spyre import spyre_admission, spyre_chunk_reuse, spyre_decode_sets
from pagedviz.conformance.spyre_steps import spyre_steps
from pagedviz.engine.cache_session import CacheSession

__all__ = [
    "Agreement",
    "CacheSession",
    "recorded_agreement",
    "schedule",
    "spyre_admission",
    "spyre_chunk_reuse",
    "spyre_decode_sets",
    "spyre_steps",
]
