"""One task of the workload page as a process of its own: a task in, frames out.

    python -m pagedviz.ui.workload_worker

A frame is eight bytes of length and a pickle. In: one task (`workload_run.Task`). Out: any number
of ("progress", done, total), then ("done", what was found) or ("refused", a WorkloadError). Both
ends are this app: nothing that a user sent is unpickled, files come as bytes. It ends by itself
when its input is closed, which happens when whoever started it is gone. It runs at low priority
and lets the system end it before anybody else.

Leaves out: who may start one, and when (`workload_jobs.py`).
"""

from __future__ import annotations

import contextlib
import os
import pickle
import struct
import sys
import threading
import time
from typing import IO, Any, Final

from pagedviz.workload.errors import WorkloadError

ALONE: Final = 3  # exit code when the input was closed
TELL_EVERY: Final = 0.1  # seconds
MAX_FRAME: Final = 2**31
_LENGTH: Final = struct.Struct(">Q")


def frame(message: object) -> bytes:
    """A message as it goes through the pipe.

    >>> len(frame("x")) > 8
    True
    """
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


def read_frame(pipe: IO[bytes]) -> Any:
    """The next message; EOFError if the other end is gone, ValueError if it is no frame."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    if length > MAX_FRAME:
        raise ValueError(f"a frame of {length:,} bytes")
    body = pipe.read(length)
    if len(body) < length:
        raise EOFError
    return pickle.loads(body)


def main() -> int:
    """Read the task, do it, write what is found."""
    # nothing but frames may go out there, whatever a library wants to print
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _step_back()
    try:
        with open(0, "rb", buffering=0, closefd=False) as pipe:
            task = read_frame(_Whole(pipe))  # type: ignore[arg-type]
    except EOFError:
        return ALONE
    threading.Thread(target=_end_with_input, daemon=True).start()
    told = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told >= TELL_EVERY or done == total:
            told = now
            _tell(out, ("progress", done, total))

    try:
        _tell(out, ("done", task.work(progress)))
    except WorkloadError as error:
        _tell(out, ("refused", error))
    except BrokenPipeError:  # nobody listens any more
        os._exit(ALONE)
    return 0


class _Whole:
    """A raw pipe whose `read` waits for all the bytes, and takes none of the next message."""

    def __init__(self, pipe: Any) -> None:
        self._pipe = pipe

    def read(self, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            part = self._pipe.read(min(size - len(parts), 2**20))
            if not part:
                break
            parts += part
        return bytes(parts)


def _tell(out: IO[bytes], message: object) -> None:
    out.write(frame(message))
    out.flush()


def _end_with_input() -> None:
    """Wait until the other end of the input is closed, then end at once."""
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    os._exit(ALONE)


def _step_back() -> None:
    """Low priority, first to go when memory runs out: where the system can do it."""
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(10)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("1000")


if __name__ == "__main__":
    sys.exit(main())
