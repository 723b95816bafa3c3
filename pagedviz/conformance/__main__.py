"""Check recorded traces from the command line.

    python -m pagedviz.conformance PATH...

prints one line per file and a total. The exit status is 0 if every trace found agrees, and
1 if one differs, if a file cannot be read, or if there was nothing to replay.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from pagedviz.conformance.files import TraceFileError, find_trace_files, read_json
from pagedviz.conformance.replay import replay
from pagedviz.conformance.result import DamagedTraceError, UnknownFormError


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay what the command line names; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m pagedviz.conformance",
        description="Replay recordings of vLLM and of its Spyre plugin on pagedviz's engine.",
    )
    parser.add_argument("paths", metavar="PATH", nargs="+", type=Path, help="file or folder")
    agreeing = differing = unreadable = skipped = 0
    counts = {"step": 0, "case": 0}
    for path in find_trace_files(parser.parse_args(arguments).paths):
        try:
            outcome = replay(read_json(path))
        except UnknownFormError as error:
            skipped += 1
            print(f"{path}: skipped, {error}")
        except (TraceFileError, DamagedTraceError) as error:
            unreadable += 1
            print(f"{path}: {error}")
        else:
            counts[outcome.unit] += outcome.steps
            if outcome.difference is None:
                agreeing += 1
                print(f"{path}: agrees ({outcome.steps} {outcome.unit}s)")
            else:
                differing += 1
                print(f"{path}: {outcome.difference}")
    counted = ", ".join(f"{n} {unit}s" for unit, n in counts.items() if n) or "0 steps"
    total = [f"{agreeing} agree ({counted})", f"{differing} differ"]
    total += [f"{unreadable} cannot be read"] if unreadable else []
    total += [f"{skipped} skipped"] if skipped else []
    print(", ".join(total))
    return int(differing > 0 or unreadable > 0 or agreeing == 0)


def command() -> int:
    """`main`, for a reader of the output that may go away at any time."""
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:  # such as `head`, which has seen enough
        # what is still unwritten goes nowhere, or Python would complain on its way out
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


if __name__ == "__main__":
    raise SystemExit(command())
