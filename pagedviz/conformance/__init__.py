"""The door for checking the engine against traces recorded from the real systems.

`CacheSession` takes the operations of allocator traces, `schedule` works out the steps of
scheduler traces, `spyre_chunk_reuse` answers a case
of Spyre's chunk rule, and `recorded_agreement` replays what the app ships. On the command line:
`python -m pagedviz.conformance PATH...`.
"""

from pagedviz.conformance.replay import Agreement, recorded_agreement
from pagedviz.conformance.schedule import schedule
from pagedviz.conformance.spyre import spyre_chunk_reuse
from pagedviz.engine.cache_session import CacheSession

__all__ = ["Agreement", "CacheSession", "recorded_agreement", "schedule", "spyre_chunk_reuse"]
