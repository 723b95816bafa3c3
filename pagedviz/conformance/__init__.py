"""The door for checking the engine against traces recorded from the real systems.

`CacheSession` takes the operations of allocator traces, `schedule` works out the steps of
scheduler traces, and `recorded_agreement` replays what the app ships. On the command line:
`python -m pagedviz.conformance PATH...`.
"""

from pagedviz.conformance.replay import Agreement, recorded_agreement
from pagedviz.conformance.schedule import schedule
from pagedviz.engine.cache_session import CacheSession

__all__ = ["Agreement", "CacheSession", "recorded_agreement", "schedule"]
