"""The run at real size as a process of its own: spec as a line of JSON in, lines of JSON out.

    (echo '{"num_heads": 32, "num_kv_heads": 8, "head_size": 128, "context": 4096, \
"num_seqs": 4}'; cat) | python -m pagedviz.engine.real_size_worker

Lines out: kind "progress" (phase, done, of), "repetition" (done, of, paged_s, dense_s), then
one "result" or "error" (reason: "spec", "too large", "memory"; said). It ends by itself as
soon as its input is closed, which happens when whoever started it is gone; with its end all
memory goes back. It runs at low priority and lets the system end it before anybody else.

Leaves out: who may start one, and when (`ui/real_size_jobs.py`).
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from collections.abc import Mapping
from typing import Final

from pagedviz.engine.real_size import RealSizeError, spec_from_json
from pagedviz.engine.real_size_memory import estimate

ALONE: Final = 3  # exit code when the input was closed
FAILED: Final = 1
THREAD_SETTINGS: Final = (
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


def environment(base: Mapping[str, str]) -> dict[str, str]:
    """`base` with one BLAS thread; read when numpy is loaded.

    >>> environment({"PATH": "/bin"})["OPENBLAS_NUM_THREADS"]
    '1'
    """
    return {**base, **dict.fromkeys(THREAD_SETTINGS, "1")}


def main() -> int:
    """Read the spec, run it, write what happens; exit code 0 after a result."""
    try:
        spec = spec_from_json(sys.stdin.readline())
    except RealSizeError as error:
        return _fail("spec", str(error))
    threading.Thread(target=_end_with_input, args=(sys.stdin.fileno(),), daemon=True).start()
    _step_back(spec.cores)
    os.environ.update(environment({}))
    need = estimate(spec)
    if not need.fits:
        return _fail("too large", f"{need.bytes:,} bytes; at most {need.limit:,} are free for it")
    try:
        # not before: numpy reads the number of threads when it is loaded
        from pagedviz.engine.real_size_run import measure

        _tell(measure(spec, _tell).message())
    except MemoryError:
        return _fail("memory", f"{need.bytes:,} bytes could not be had")
    except BrokenPipeError:  # nobody listens any more
        os._exit(ALONE)
    return 0


def _tell(message: Mapping[str, object]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _fail(reason: str, said: str) -> int:
    _tell({"kind": "error", "reason": reason, "said": said})
    return FAILED


def _end_with_input(fileno: int) -> None:
    """Wait until the other end of the input is closed, then end at once."""
    # os.read, not sys.stdin: a thread inside a buffered reader holds up the exit of Python
    with contextlib.suppress(OSError):
        while os.read(fileno, 4096):
            pass
    os._exit(ALONE)


def _step_back(cores: int) -> None:
    """Few cores, low priority, first to go when memory runs out: where the system can do it.

    One core for both kernels is fair: the paged one would use a second to copy ahead.
    """
    if hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-cores:])
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(10)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write("1000")


if __name__ == "__main__":
    sys.exit(main())
