"""Plays a run through the engine and keeps every step: operations in, a timeline out.

Time is data: seeking is an index, stepping back undoes nothing. A timeline holds each step
with what it changed, and a whole state every hundredth step, from which any other is
rebuilt exactly.

Leaves out: the words (`captions.py`) and the wire (`wire.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pagedviz.engine.cache_session import CacheSession
from pagedviz.engine.errors import EngineError
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.frozen import Frozen
from pagedviz.timeline.reasons import Reasons
from pagedviz.timeline.recorder import Recorder
from pagedviz.timeline.run import Run, apply
from pagedviz.timeline.state import GONE, Change, PoolState
from pagedviz.timeline.step import (
    NO_HUE,
    NUM_HUES,
    Effects,
    PoolInfo,
    RequestInfo,
    Step,
    letter,
)
from pagedviz.timeline.work import Work

CHECKPOINT_EVERY = 100


@dataclass(frozen=True)
class Timeline:
    """A played run. `steps[0]` is the empty pool, `steps[i]` the i-th operation.

    >>> run = Run("one", {"num_blocks": 4, "block_size": 2},
    ...           [{"op": "add_request", "req": "A", "tokens": [7, 8, 9]},
    ...            {"op": "admit", "req": "A"}, {"op": "free", "req": "A"}])
    >>> timeline = play(run)
    >>> timeline.last, timeline.state(2).tables, timeline.state(3).queue
    (3, {0: (1, 2)}, (2, 3, 1))
    """

    run: Run
    pool: PoolInfo
    requests: tuple[RequestInfo, ...]
    steps: tuple[Step, ...]
    parents: tuple[int, ...]  # hash class -> class of the block before it, or -1
    checkpoints: tuple[PoolState, ...] = field(repr=False)

    @property
    def last(self) -> int:
        """Index of the last step."""
        return len(self.steps) - 1

    def state(self, index: int) -> PoolState:
        """The whole state after step `index`; IndexError beyond the last."""
        if not 0 <= index <= self.last:
            raise IndexError(f"step {index} of a timeline with steps 0 to {self.last}")
        near = index // CHECKPOINT_EVERY
        between = self.steps[near * CHECKPOINT_EVERY + 1 : index + 1]
        return self.checkpoints[near].after([s.change for s in between])

    def info(self, who: str) -> RequestInfo | None:
        """The request with this letter, or else with this id that arrived last."""
        for key in ("letter", "request_id"):
            for info in reversed(self.requests):
                if getattr(info, key) == who:
                    return info
        return None


class _Arrivals:
    """Numbers requests by arrival and gives out the hues of those inside."""

    def __init__(self) -> None:
        self.infos: list[RequestInfo] = []
        self.current: dict[str, int] = {}  # request id -> number of its latest arrival
        self.inside: dict[int, int] = {}  # number -> hue, while it has not left

    def arrive(self, request_id: str, step: int) -> None:
        number = len(self.infos)
        self.infos.append(RequestInfo(number, request_id, letter(number), NO_HUE, step))
        self.current[request_id] = number

    def admit(self, number: int) -> None:
        """A hue for a first admission: the lowest of those the fewest inside hold."""
        if self.infos[number].hue == NO_HUE:
            held = list(self.inside.values())
            hue = min(range(NUM_HUES), key=lambda h: (held.count(h), h))
            self.infos[number] = replace(self.infos[number], hue=hue)
            self.inside[number] = hue


def play(run: Run) -> Timeline:
    """Run all operations on a fresh pool.

    Raises RunError with the step number if the engine refuses one as impossible. That a
    request finds no room is an outcome, not an error. Nor may a run move too much (`work.py`).
    """
    try:
        session = CacheSession(dict(run.config))
    except EngineError as error:
        raise RunError(str(error), source="run", field="config") from error
    pool = PoolInfo(run.num_blocks, run.block_size, run.caching, session.manager.max_model_len)
    recorder = Recorder(session, run.num_blocks, run.block_size)
    reasons, arrivals, work = Reasons(pool, recorder.mirror), _Arrivals(), Work()
    counts = recorder.counts()
    steps = [
        Step(
            0,
            pool,
            None,
            Frozen({}),
            (),
            None,
            None,
            None,
            0,
            0,
            counts,
            counts,
            Effects(),
            Change(),
        )
    ]
    checkpoints = [recorder.snapshot()]
    for index, op in enumerate(run.ops, 1):
        name, req = str(op["op"]), op.get("req")
        number = None
        if isinstance(req, str):
            if name == "add_request":
                arrivals.arrive(req, index)
            number = arrivals.current[req]
        first_open = session.manager.num_cached_block.get(str(req), 0)
        before = recorder.views.get(number) if number is not None else None
        table_before = len(recorder.tables.get(number, ())) if number is not None else 0
        result = apply(session, op, index)
        refusal = reasons.refusal(session, op, result)
        change = recorder.record(number, op, result, first_open)
        events = session.take_events()
        work.spend(index, name, change, result, events)
        view = None
        if number is not None:
            view = change.request[1] if change.request else before
            if name == "admit" and result["ok"]:
                arrivals.admit(number)
            if view is not None and view.status == GONE:
                arrivals.inside.pop(number, None)
        effects = reasons.explain(number, op, result, change, view, refusal)
        after = recorder.counts()
        steps.append(
            Step(
                index,
                pool,
                op,
                Frozen(result),
                tuple(Frozen(event) for event in events),
                None if number is None else arrivals.infos[number],
                before,
                view,
                table_before,
                len(recorder.tables.get(number, ())) if number is not None else 0,
                counts,
                after,
                effects,
                change,
            )
        )
        counts = after
        if index % CHECKPOINT_EVERY == 0:
            checkpoints.append(recorder.snapshot())
    infos = tuple(arrivals.infos)
    # A request gets its hue when it first comes in; its earlier steps show it too.
    full = tuple(
        s
        if s.request is None or s.request.hue != NO_HUE
        else replace(s, request=infos[s.request.number])
        for s in steps
    )
    return Timeline(run, pool, infos, full, tuple(recorder.mirror.parents), tuple(checkpoints))
