"""One run at real size at a time on this server: who runs, who waits, and when a run is ended.

A viewer gets a ticket, looks at it from time to time, and by looking says that somebody is
still there. The next in the queue is started when its viewer looks and nobody runs. A run is
ended when it is cancelled, when nobody has looked for a while, or when it takes too long;
what ends is the process, so its memory is free at once.

Leaves out: Streamlit; the worker itself (`engine/real_size_worker.py`), which also ends when
this server does.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from pagedviz.engine.real_size import RealSizeError, RealSizeSpec
from pagedviz.engine.real_size_memory import estimate
from pagedviz.engine.real_size_result import RealSizeResult, result_from_message
from pagedviz.engine.real_size_worker import environment
from pagedviz.paths import ROOT

WORKER: Final = (sys.executable, "-m", "pagedviz.engine.real_size_worker")
FORGET_AFTER: Final = 20.0  # seconds without a look
MOST_SECONDS: Final = 180.0  # for one run, filling included
MOST_WAITING: Final = 8

Failure = Literal["too large", "memory", "killed", "crashed", "too long", "left", "full"]


@dataclass(frozen=True, slots=True)
class JobView:
    """What a viewer sees of a run: a copy, no more changed.

    ahead: runs before this one; done, of: of the present phase; last: seconds of the newest
    repetition, paged and dense.
    """

    state: Literal["waiting", "running", "done", "failed"]
    ahead: int = 0
    phase: Literal["start", "fill", "warm-up", "repetition"] = "start"
    done: int = 0
    of: int = 1
    last: tuple[float, float] | None = None
    result: RealSizeResult | None = None
    failure: Failure | None = None

    @property
    def fraction(self) -> float:
        """How far it is, 0 to 1: filling is the first two fifths.

        >>> JobView("running", phase="repetition", done=7, of=7).fraction
        1.0
        """
        begin, share = {"start": (0, 0), "fill": (0, 40), "warm-up": (40, 10)}.get(
            self.phase, (50, 50)
        )
        return (begin + share * self.done / self.of) / 100


@dataclass(slots=True)
class _Job:
    ticket: str
    spec: RealSizeSpec
    seen: float
    started: float = 0.0
    process: subprocess.Popen[str] | None = None
    view: JobView = field(default_factory=lambda: JobView("waiting"))

    @property
    def over(self) -> bool:
        return self.view.state in ("done", "failed")


class RealSizeQueue:
    """The server's one slot and the tickets before it. All methods may be called by any thread."""

    def __init__(
        self,
        *,
        command: Sequence[str] = WORKER,
        forget_after: float = FORGET_AFTER,
        most_seconds: float = MOST_SECONDS,
        look_every: float = 0.5,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._command = tuple(command)
        self._forget_after = forget_after
        self._most_seconds = most_seconds
        self._look_every = look_every
        self._clock = clock
        self._lock = threading.RLock()
        self._jobs: dict[str, _Job] = {}  # ticket -> job, in the order of asking

    def ask(self, spec: RealSizeSpec) -> str | None:
        """A ticket for a run, None if too many wait already. It starts at once if nobody runs."""
        with self._lock:
            self._drop_forgotten()
            if sum(not job.over for job in self._jobs.values()) > MOST_WAITING:
                return None
            ticket = secrets.token_hex(8)
            self._jobs[ticket] = _Job(ticket, spec, self._clock())
            self._start_if_first(self._jobs[ticket])
            return ticket

    def look(self, ticket: str) -> JobView:
        """How the run stands. A ticket that is not known any more: failed, "left"."""
        with self._lock:
            job = self._jobs.get(ticket)
            if job is None:
                return JobView("failed", failure="left")
            job.seen = self._clock()
            self._drop_forgotten()
            self._start_if_first(job)
            if job.over:
                del self._jobs[ticket]
            elif job.process is None:
                ahead = list(self._active()).index(job)
                return JobView("waiting", ahead=ahead)
            return job.view

    def cancel(self, ticket: str) -> None:
        """End the run and wait until its process is gone; one that is over stays as it is."""
        with self._lock:
            job = self._jobs.pop(ticket, None)
        if job is not None:
            _end(job)

    def pid(self, ticket: str) -> int | None:
        """Process of a run that is going on."""
        with self._lock:
            job = self._jobs.get(ticket)
            return None if job is None or job.process is None else job.process.pid

    def close(self) -> None:
        """End whatever runs or waits."""
        for ticket in list(self._jobs):
            self.cancel(ticket)

    def _active(self) -> list[_Job]:
        return [job for job in self._jobs.values() if not job.over]

    def _drop_forgotten(self) -> None:
        """Tickets that nobody looks at; running ones are ended by `_watch`."""
        old = self._clock() - self._forget_after
        for job in list(self._jobs.values()):
            if job.seen < old and (job.process is None or job.over):
                del self._jobs[job.ticket]

    def _start_if_first(self, job: _Job) -> None:
        if job.process is not None or job.over or self._active()[0] is not job:
            return
        if not estimate(job.spec).fits:  # memory may have gone while it waited
            job.view = JobView("failed", failure="too large")
            return
        try:
            job.process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                cwd=ROOT,
                env=environment(os.environ),
            )
        except OSError:
            job.view = JobView("failed", failure="crashed")
            return
        job.started = self._clock()
        job.view = JobView("running")
        for work in (self._listen, self._watch):
            threading.Thread(target=work, args=(job, job.process), daemon=True).start()

    def _listen(self, job: _Job, process: subprocess.Popen[str]) -> None:
        """Send the spec, take in what the worker says, to the end."""
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(OSError, ValueError):  # it died first, or was ended
            # the input stays open: the worker ends itself when it closes
            process.stdin.write(job.spec.to_json() + "\n")
            process.stdin.flush()
            for line in process.stdout:
                self._take(job, line)
        code = process.wait()
        with self._lock:
            if not job.over:
                # below 0: ended by a signal, which for this one means: memory ran out
                job.view = JobView("failed", failure="killed" if code < 0 else "crashed")
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()

    def _take(self, job: _Job, line: str) -> None:
        try:
            view = _view(json.loads(line))
        except (KeyError, TypeError, ValueError, RealSizeError):
            return  # not one of ours: the exit code will tell
        with self._lock:
            if not job.over:
                job.view = view

    def _watch(self, job: _Job, process: subprocess.Popen[str]) -> None:
        """End a run that nobody looks at, or that takes too long."""
        while process.poll() is None:
            now = self._clock()
            with self._lock:
                left = now - job.seen > self._forget_after
                late = now - job.started > self._most_seconds
                if left or late:
                    if not job.over:
                        job.view = JobView("failed", failure="left" if left else "too long")
                    process.kill()
            time.sleep(self._look_every)


def _end(job: _Job) -> None:
    if job.process is not None:
        job.process.kill()
        job.process.wait()


def _view(message: dict[str, Any]) -> JobView:
    """A line of the worker as what a viewer sees."""
    kind = message["kind"]
    if kind == "result":
        return JobView("done", result=result_from_message(message))
    if kind == "error":
        known: dict[str, Failure] = {"too large": "too large", "memory": "memory"}
        return JobView("failed", failure=known.get(message["reason"], "crashed"))
    done, of = int(message["done"]), max(1, int(message["of"]))
    if kind == "repetition":
        last = float(message["paged_s"]), float(message["dense_s"])
        return JobView("running", phase="repetition", done=done, of=of, last=last)
    phase: Literal["fill", "warm-up"] = "fill" if message["phase"] == "fill" else "warm-up"
    return JobView("running", phase=phase, done=done, of=of)
