"""Work for the workload page in processes of their own: who runs, who waits, what is ended.

A viewer gets a ticket, looks at it from time to time, and by looking says that somebody is still
there. Two run at a time; the next is started when its viewer looks and there is room. Work is
ended when it is cancelled, when nobody has looked for a while, or when it takes too long; what
ends is the process, so its memory is free at once and other viewers never wait for it.

Leaves out: Streamlit; the worker itself (`workload_worker.py`), which also ends when this server
does.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from pagedviz.paths import ROOT
from pagedviz.ui.workload_run import Found, Task
from pagedviz.ui.workload_worker import frame, read_frame
from pagedviz.workload import Trace, WorkloadError

WORKER: Final = (sys.executable, "-m", "pagedviz.ui.workload_worker")
MOST_RUNNING: Final = 2  # cores of the smallest machine it is made for
MOST_WAITING: Final = 8
FORGET_AFTER: Final = 20.0  # seconds without a look
MOST_SECONDS: Final = 300.0

_log = logging.getLogger(__name__)
Failure = Literal["killed", "crashed", "too long", "left"]


@dataclass(frozen=True)
class JobView:
    """What a viewer sees of their work: a copy, no more changed.

    ahead: tasks that run or wait before this one; done, total: requests, once per system, both 0
    as long as nothing can be told.
    """

    state: Literal["waiting", "running", "done", "refused", "failed"]
    ahead: int = 0
    done: int = 0
    total: int = 0
    found: Found | Trace | None = None
    error: WorkloadError | None = None
    failure: Failure | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.state in ("done", "refused", "failed")


@dataclass
class _Job:
    ticket: str
    task: Task | None
    seen: float
    started: float = 0.0
    process: subprocess.Popen[bytes] | None = None
    view: JobView = field(default_factory=lambda: JobView("waiting"))


class WorkQueue:
    """The server's places and the tickets before them. Any thread may call any method."""

    def __init__(
        self,
        *,
        command: Sequence[str] = WORKER,
        running: int = MOST_RUNNING,
        forget_after: float = FORGET_AFTER,
        most_seconds: float = MOST_SECONDS,
        look_every: float = 0.5,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._command = tuple(command)
        self._running = running
        self._forget_after = forget_after
        self._most_seconds = most_seconds
        self._look_every = look_every
        self._clock = clock
        self._lock = threading.RLock()
        self._jobs: dict[str, _Job] = {}  # ticket -> job, in the order of asking

    def ask(self, task: Task) -> str | None:
        """A ticket, None if too many wait already. Work starts at once if there is room."""
        with self._lock:
            self._drop_forgotten()
            if len(self._active()) >= self._running + MOST_WAITING:
                return None
            ticket = secrets.token_hex(8)
            self._jobs[ticket] = _Job(ticket, task, self._clock())
            self._start_if_room(self._jobs[ticket])
            return ticket

    def look(self, ticket: str) -> JobView:
        """How the work stands; the end of it is told once, then the ticket is forgotten."""
        with self._lock:
            job = self._jobs.get(ticket)
            if job is None:
                return JobView("failed", failure="left")
            job.seen = self._clock()
            self._drop_forgotten()
            self._start_if_room(job)
            if job.view.over:
                del self._jobs[ticket]
            elif job.process is None:
                return JobView("waiting", ahead=self._active().index(job))
            return job.view

    def cancel(self, ticket: str) -> None:
        """End the work and wait until its process is gone."""
        with self._lock:
            job = self._jobs.pop(ticket, None)
        if job is not None and job.process is not None:
            job.process.kill()
            job.process.wait()

    def pid(self, ticket: str) -> int | None:
        """Process of work that is going on."""
        with self._lock:
            job = self._jobs.get(ticket)
            return None if job is None or job.process is None else job.process.pid

    def close(self) -> None:
        """End whatever runs or waits."""
        for ticket in list(self._jobs):
            self.cancel(ticket)

    def _active(self) -> list[_Job]:
        return [job for job in self._jobs.values() if not job.view.over]

    def _drop_forgotten(self) -> None:
        """Tickets that nobody looks at; running ones are ended by `_watch`."""
        old = self._clock() - self._forget_after
        for job in list(self._jobs.values()):
            if job.seen < old and (job.process is None or job.view.over):
                del self._jobs[job.ticket]

    def _start_if_room(self, job: _Job) -> None:
        active = self._active()
        if job.process is not None or job.view.over or active.index(job) >= self._running:
            return
        try:
            job.process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
            )
        except OSError:
            job.view = JobView("failed", failure="crashed")
            return
        job.started = self._clock()
        job.view = JobView("running")
        for work in (self._listen, self._watch):
            threading.Thread(target=work, args=(job, job.process), daemon=True).start()

    def _listen(self, job: _Job, process: subprocess.Popen[bytes]) -> None:
        """Send the task, take in what the worker says, to the end."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            # the input stays open: the worker ends itself when it closes
            process.stdin.write(frame(job.task))
            process.stdin.flush()
            job.task = None  # a file of many megabytes
            while True:
                self._take(job, read_frame(process.stdout))
        except (OSError, EOFError):  # it has ended: in good order, died first, or was ended
            pass
        except Exception:  # not one of our frames: nothing it says can be trusted
            _log.exception("the worker of the workload page said something else than frames")
            with self._lock:
                job.view = JobView("failed", failure="crashed")
            process.kill()
        code = process.wait()
        with self._lock:
            if not job.view.over:
                # below 0: ended by a signal, which for this one means: memory ran out
                job.view = JobView("failed", failure="killed" if code < 0 else "crashed")
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()

    def _take(self, job: _Job, message: tuple[Any, ...]) -> None:
        kind, *rest = message
        if kind == "done":
            view = JobView("done", found=rest[0])
        elif kind == "refused":
            view = JobView("refused", error=rest[0])
        else:
            view = JobView("running", done=rest[0], total=rest[1])
        with self._lock:
            if not job.view.over:
                job.view = view

    def _watch(self, job: _Job, process: subprocess.Popen[bytes]) -> None:
        """End work that nobody looks at, or that takes too long."""
        while process.poll() is None:
            now = self._clock()
            with self._lock:
                left = now - job.seen > self._forget_after
                late = now - job.started > self._most_seconds
                if left or late:
                    if not job.view.over:
                        job.view = JobView("failed", failure="left" if left else "too long")
                    process.kill()
            time.sleep(self._look_every)
