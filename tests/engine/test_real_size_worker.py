"""The worker as a real process: result, refusals, and its end when nobody is there any more."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pagedviz.engine.real_size import RealSizeSpec
from pagedviz.engine.real_size_result import result_from_message
from pagedviz.engine.real_size_worker import ALONE, FAILED
from pagedviz.paths import ROOT

COMMAND = [sys.executable, "-m", "pagedviz.engine.real_size_worker"]
SMALL = RealSizeSpec(4, 2, 16, context=100, num_seqs=3, repetitions=3)
LONG = RealSizeSpec(32, 8, 128, context=2048, num_seqs=8, repetitions=50)


def start():
    return subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )


def send(worker, text):
    worker.stdin.write(text + "\n")
    worker.stdin.flush()


def test_from_spec_to_result():
    with start() as worker:
        send(worker, SMALL.to_json())
        messages = [json.loads(line) for line in worker.stdout]
    assert worker.returncode == 0
    assert [m["kind"] for m in messages[-4:]] == ["repetition"] * 3 + ["result"]
    filling = [m["done"] for m in messages if m.get("phase") == "fill"]
    assert filling == sorted(set(filling))
    assert filling[-1] == 100
    found = result_from_message(messages[-1])
    assert found.spec == SMALL
    assert found.max_difference < 2e-6


@pytest.mark.skipif(not hasattr(__import__("os"), "sched_setaffinity"), reason="Linux only")
def test_one_core_is_one_core():
    with start() as worker:
        send(worker, SMALL.to_json())
        last = json.loads(worker.stdout.read().splitlines()[-1])
    assert last["one_core"] is True


@pytest.mark.parametrize("text", ["nonsense", "", '{"num_heads": 3}'])
def test_what_is_no_spec_is_said_in_a_line(text):
    with start() as worker:
        send(worker, text)
        message = json.loads(worker.stdout.read())
    assert worker.returncode == FAILED
    assert (message["kind"], message["reason"]) == ("error", "spec")


def test_a_size_beyond_all_memory_is_refused_by_the_worker_too():
    huge = RealSizeSpec(256, 256, 1024, context=1_048_576, num_seqs=4096)
    with start() as worker:
        send(worker, huge.to_json())
        message = json.loads(worker.stdout.read())
    assert (message["kind"], message["reason"]) == ("error", "too large")


def test_it_ends_when_its_input_is_closed():
    with start() as worker:
        send(worker, LONG.to_json())
        worker.stdout.readline()  # it is at work
        worker.stdin.close()
        assert worker.wait(30) == ALONE


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks a process up in /proc")
def test_it_ends_when_its_parent_is_killed():
    code = (
        "import subprocess, sys\n"
        f"worker = subprocess.Popen({COMMAND!r}, stdin=subprocess.PIPE, text=True,"
        " stdout=subprocess.PIPE)\n"
        f"worker.stdin.write({LONG.to_json()!r} + '\\n')\n"
        "worker.stdin.flush()\n"
        "worker.stdout.readline()\n"
        "print(worker.pid, flush=True)\n"
        "worker.wait()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as parent:
        pid = int(parent.stdout.readline())
        assert alive(pid)
        parent.kill()
    for _ in range(300):
        if not alive(pid):
            return
        time.sleep(0.1)
    pytest.fail(f"worker {pid} outlived its parent")


def alive(pid):
    """Whether the process runs; one that has ended and waits to be collected does not."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] != "Z"
