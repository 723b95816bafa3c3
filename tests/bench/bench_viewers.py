"""Many viewers at once: from a changed input to the new picture, and the server's memory.

    python tests/bench/bench_viewers.py [--viewers 25] [--rounds 6] [--changes 8] [--think 2.0]

Starts the app, and in each round opens that many windows on all pages in turn (tests/viewer.py:
websockets with Streamlit's own messages, since 25 browsers would measure themselves). Every viewer
changes an input of their page, thinks for a while, and changes it again; then all leave, and the
next ones come. A change counts from its sending until the whole page, with the stage's new run, has
arrived. Stepping is not in it: it asks nothing of the server.

Each viewer uses values that no other uses, and looks for them on what came: "mixed up" counts
pictures that showed something else. Reported, never asserted. With --think 0 nobody pauses, which
is more than people do; the load average of the machine stands beside the figures.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.browser.site import Server, start_server
from tests.viewer import Viewer
from tests.viewer_acts import ACTS, MARKS

PATIENCE = 120.0  # seconds for one change, after which it counts as lost


@dataclass
class Round:
    """What one round of viewers saw, in seconds."""

    opened: list[float] = field(default_factory=list)
    changed: dict[str, list[float]] = field(default_factory=dict)  # page -> seconds
    mixed_up: int = 0
    lost: int = 0
    received: int = 0

    def every_change(self) -> list[float]:
        return [seconds for times in self.changed.values() for seconds in times]


async def view(url: str, number: int, args: argparse.Namespace, seen: Round) -> None:
    """One viewer's visit: a page, some changes with pauses, and a last look at what is shown."""
    page = list(ACTS)[number % len(ACTS)]
    act, chance = ACTS[page], random.Random(number)
    marks = [mark for mark in range(MARKS) if mark % args.viewers == number % MARKS]
    await asyncio.sleep(chance.random() * args.think)
    async with Viewer(url, compression="deflate") as viewer:
        start = time.perf_counter()
        await asyncio.wait_for(viewer.open(act.link), PATIENCE)
        seen.opened.append(time.perf_counter() - start)
        for turn in range(args.changes):
            await asyncio.sleep(2 * chance.random() * args.think)
            mark = marks[turn % len(marks)]
            start = time.perf_counter()
            await asyncio.wait_for(act.change(viewer, mark), PATIENCE)
            seen.changed.setdefault(page, []).append(time.perf_counter() - start)
            seen.mixed_up += not act.shown(viewer, mark)
        await viewer.look()
        seen.mixed_up += not act.shown(viewer, mark)
        seen.received += viewer.received


async def visit(url: str, args: argparse.Namespace) -> Round:
    """All viewers of one round, at once."""
    seen = Round()
    visits = [view(url, number, args, seen) for number in range(args.viewers)]
    for outcome in await asyncio.gather(*visits, return_exceptions=True):
        if isinstance(outcome, BaseException):
            seen.lost += 1
            print(f"lost: {outcome!r}"[:300], file=sys.stderr)
    return seen


def memory_mb(server: Server) -> float | None:
    """What the server's process holds, where the system tells (Linux)."""
    try:
        status = Path(f"/proc/{server.process.pid}/status").read_text()
    except OSError:
        return None
    return round(int(status.split("VmRSS:")[1].split()[0]) / 1024, 1)


def ms(times: list[float]) -> dict[str, float]:
    ordered = sorted(times) or [0.0]
    return {
        "median_ms": round(1000 * statistics.median(ordered), 1),
        "p90_ms": round(1000 * ordered[int(0.9 * (len(ordered) - 1))], 1),
        "most_ms": round(1000 * ordered[-1], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--viewers", type=int, default=25, help="at once")
    parser.add_argument("--rounds", type=int, default=6, help="one after the other")
    parser.add_argument("--changes", type=int, default=8, help="of each viewer in a round")
    parser.add_argument("--think", type=float, default=2.0, help="mean seconds between two")
    args = parser.parse_args()
    load_before = os.getloadavg() if hasattr(os, "getloadavg") else None
    server = start_server()
    try:
        memory = {"started": memory_mb(server)}
        rounds = []
        for number in range(1, args.rounds + 1):
            rounds.append(asyncio.run(visit(server.url, args)))
            memory[f"after round {number}"] = memory_mb(server)
        said = server.said()
    finally:
        server.stop()
    pages: dict[str, list[float]] = {}
    for one in rounds:
        for page, times in one.changed.items():
            pages.setdefault(page, []).extend(times)
    every = [seconds for times in pages.values() for seconds in times]
    report = {
        "viewers": args.viewers,
        "changes": len(every),
        "think_s": args.think,
        "cpus": os.cpu_count(),
        "load_before": load_before,
        "load_after": os.getloadavg() if hasattr(os, "getloadavg") else None,
        "page opened": ms([seconds for one in rounds for seconds in one.opened]),
        "input to picture": ms(every),
        "by round": [ms(one.every_change()) for one in rounds],
        "by page": {page: ms(times) for page, times in pages.items()},
        "received_kb_per_change": round(
            sum(one.received for one in rounds) / max(1, len(every)) / 1000, 1
        ),
        "memory_mb": memory,
        "mixed up": sum(one.mixed_up for one in rounds),
        "viewers lost": sum(one.lost for one in rounds),
        "errors on the server": said.count("Traceback"),
    }
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
