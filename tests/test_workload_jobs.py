"""Work in processes of their own: from asking to result, waiting, cancelling, being forgotten."""

import io
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pagedviz.paths import ROOT
from pagedviz.ui.workload_jobs import MOST_WAITING, WORKER, JobView, WorkQueue
from pagedviz.ui.workload_run import Found, ReadTask, RunTask, at_once, part_of
from pagedviz.ui.workload_worker import frame, read_frame
from pagedviz.workload import (
    LoadSetup,
    SimulationSetup,
    Trace,
    TraceError,
    WorkloadError,
    generate,
    read_trace,
    simulate,
)

SETUP = SimulationSetup(4096, max_model_len=1024)
SMALL = RunTask(LoadSetup("alpaca", 20, rate=None), SETUP)
LONG = RunTask(LoadSetup("sharegpt", 200_000, rate=None), SimulationSetup(15_728))
SLEEPS = (sys.executable, "-c", "import time; time.sleep(600)")
CSV = b"arrival_s,prompt_tokens,output_tokens\n0,10,20\n1,x,5\n"


@pytest.fixture
def queue_of():
    queues = []

    def make(*command, **settings):
        if command:
            settings["command"] = command
        queues.append(WorkQueue(look_every=0.02, **settings))
        return queues[-1]

    yield make
    for queue in queues:
        queue.close()


def until(queue, ticket, wanted=lambda view: view.over):
    for _ in range(1200):
        view = queue.look(ticket)
        if wanted(view):
            return view
        assert not view.over, view
        time.sleep(0.05)
    pytest.fail(f"still {view}")


def gone(pid):
    return not Path(f"/proc/{pid}").exists()


needs_proc = pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks in /proc")


def test_a_run_finds_what_it_finds_here(queue_of):
    queue = queue_of()
    view = until(queue, ticket := queue.ask(SMALL))
    assert isinstance(view.found, Found)
    here = simulate(generate(SMALL.load), SETUP)
    assert view.found.simulation.summary().equals(here.summary())
    assert queue.look(ticket) == JobView("failed", failure="left")  # told once, then forgotten


def test_a_file_is_read(queue_of):
    queue = queue_of()
    trace = until(queue, queue.ask(ReadTask(CSV, "mine.csv"))).found
    assert isinstance(trace, Trace)
    assert trace.rejected["row"].tolist() == [2]
    columns = (("prompt_tokens", "output_tokens"), ("output_tokens", "prompt_tokens"))
    turned = until(queue, queue.ask(ReadTask(CSV, "mine.csv", columns))).found
    assert turned.requests["prompt_tokens"].tolist() == [20]


def test_a_refusal_comes_with_its_columns(queue_of):
    queue = queue_of()
    view = until(queue, queue.ask(ReadTask(b"a,b\n1,2\n", "mine.csv")))
    assert view.state == "refused"
    assert isinstance(view.error, TraceError)
    assert view.error.columns == ("a", "b")
    empty = read_trace(b"prompt_tokens,output_tokens\n5,0\n", "mine.csv")
    view = until(queue, queue.ask(RunTask(empty, SETUP)))
    assert isinstance(view.error, WorkloadError)
    assert "no request with an answer" in str(view.error)


def test_progress_counts_requests_and_never_goes_back(queue_of):
    queue = queue_of()
    ticket = queue.ask(RunTask(LoadSetup("alpaca", 3000, rate=None), SETUP))
    told = []
    while not (view := queue.look(ticket)).over:
        told.append((view.done, view.total))
        time.sleep(0.02)
    assert view.state == "done"
    counted = [pair for pair in told if pair[1]]
    assert counted
    assert counted == sorted(counted)
    assert {total for _, total in counted} == {4 * 3000}


@needs_proc
def test_cancel_ends_the_process(queue_of):
    queue = queue_of()
    ticket = queue.ask(LONG)
    until(queue, ticket, lambda view: view.state == "running")
    pid = queue.pid(ticket)
    queue.cancel(ticket)
    assert gone(pid)
    queue.cancel(ticket)  # nothing left to cancel
    assert queue.look(ticket).state == "failed"


def test_so_many_at_a_time_and_the_next_when_there_is_room(queue_of):
    queue = queue_of(*SLEEPS, running=2)
    tickets = [queue.ask(SMALL) for _ in range(4)]
    assert [queue.look(ticket).state for ticket in tickets] == ["running"] * 2 + ["waiting"] * 2
    assert [queue.look(ticket).ahead for ticket in tickets[2:]] == [2, 3]
    queue.cancel(tickets[0])
    assert queue.look(tickets[2]).state == "running"


def test_a_full_queue_gives_no_ticket(queue_of):
    queue = queue_of(*SLEEPS, running=1)
    tickets = [queue.ask(SMALL) for _ in range(1 + MOST_WAITING)]
    assert all(tickets)
    assert queue.ask(SMALL) is None


@needs_proc
@pytest.mark.parametrize(
    ("settings", "failure"), [({"forget_after": 1e9, "most_seconds": 0.2}, "too long")]
)
def test_work_that_takes_too_long_is_ended(queue_of, settings, failure):
    queue = queue_of(*SLEEPS, **settings)
    ticket = queue.ask(SMALL)
    pid = queue.pid(ticket)
    view = until(queue, ticket)
    assert view.failure == failure
    while not gone(pid):
        time.sleep(0.02)


@needs_proc
def test_work_that_nobody_watches_is_ended(queue_of):
    now = [0.0]
    queue = queue_of(*SLEEPS, forget_after=20, clock=lambda: now[0])
    pid = queue.pid(queue.ask(SMALL))
    now[0] = 21.0
    while not gone(pid):
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("code", "failure"),
    [
        ("import sys; sys.exit(1)", "crashed"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "killed"),
        ("print('no frame at all')", "crashed"),
    ],
)
def test_a_worker_that_fails_is_told(queue_of, code, failure):
    queue = queue_of(sys.executable, "-c", code)
    assert until(queue, queue.ask(SMALL)).failure == failure


def test_a_command_that_is_not_there_is_told(queue_of):
    queue = queue_of("/no/such/program")
    assert until(queue, queue.ask(SMALL)).failure == "crashed"


def test_a_worker_ends_when_its_input_is_closed():
    process = subprocess.Popen(WORKER, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(frame(LONG))
    process.stdin.close()
    process.stdout.read()
    assert process.wait() == 3
    process.stdout.close()


def test_frames():
    pipe = io.BytesIO(frame(("progress", 1, 2)) + frame("x"))
    assert read_frame(pipe) == ("progress", 1, 2)
    assert read_frame(pipe) == "x"
    with pytest.raises(EOFError):
        read_frame(pipe)
    with pytest.raises(EOFError):
        read_frame(io.BytesIO(frame("cut off")[:-1]))


def test_a_part_of_a_trace_begins_at_its_own_first_arrival():
    trace = read_trace(b"arrival_s,prompt_tokens,output_tokens\n0,1,1\n5,2,1\n9,3,1\n", "mine.csv")
    assert part_of(trace, 1, 0) is trace
    part = part_of(trace, 2, 1)
    assert part.requests.to_dict("list") == {
        "arrival_s": [0.0],
        "prompt_tokens": [2],
        "output_tokens": [1],
    }
    assert part.requests.index.tolist() == [2]  # still the file's row
    assert part.notes[-1] == "Requests 2 to 2 of 3 are used."


def test_what_is_run_at_once_is_small():
    assert at_once(generate(LoadSetup("alpaca", 1000)))
    assert not at_once(generate(LoadSetup("alpaca", 1001)))
    assert not at_once(generate(LoadSetup("sharegpt", 900)))  # long answers
    assert not at_once(generate(LoadSetup("documents", 900)))  # long prompts
