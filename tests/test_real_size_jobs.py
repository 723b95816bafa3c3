"""One run at a time: waiting, cancelling, being forgotten, taking too long, failing."""

import sys
import time
from pathlib import Path

import pytest

from pagedviz.engine.real_size import RealSizeSpec
from pagedviz.ui.real_size_jobs import MOST_WAITING, JobView, RealSizeQueue

SMALL = RealSizeSpec(4, 2, 16, context=100, num_seqs=3, repetitions=3)
LONG = RealSizeSpec(32, 8, 128, context=2048, num_seqs=8, repetitions=50)
HUGE = RealSizeSpec(256, 256, 1024, context=1_048_576, num_seqs=4096)
SLEEPS = (sys.executable, "-c", "import time; time.sleep(600)")


@pytest.fixture
def queue_of():
    queues = []

    def make(*command, **settings):
        if command:
            settings["command"] = command
        queues.append(RealSizeQueue(look_every=0.02, **settings))
        return queues[-1]

    yield make
    for queue in queues:
        queue.close()


def until(queue, ticket, *states):
    """Look until the run is in one of these states; half a minute is far more than it takes."""
    for _ in range(600):
        view = queue.look(ticket)
        if view.state in states:
            return view
        time.sleep(0.05)
    pytest.fail(f"still {view}")


def gone(pid):
    """No such process, not even one waiting to be collected."""
    return not Path(f"/proc/{pid}").exists()


needs_proc = pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks in /proc")


def test_a_run_from_asking_to_result(queue_of):
    queue = queue_of()
    ticket = queue.ask(SMALL)
    view = until(queue, ticket, "done", "failed")
    assert view.state == "done"
    assert view.result.spec == SMALL
    assert queue.look(ticket) == JobView("failed", failure="left")  # told once, then forgotten


@needs_proc
def test_cancel_ends_the_process(queue_of):
    queue = queue_of()
    ticket = queue.ask(LONG)
    pid = queue.pid(ticket)
    assert not gone(pid)
    while queue.look(ticket).phase == "start":  # it is at work
        time.sleep(0.01)
    queue.cancel(ticket)
    assert gone(pid)
    queue.cancel(ticket)  # nothing left to cancel
    assert queue.look(ticket).state == "failed"


def test_the_second_waits_for_the_first_and_then_runs(queue_of):
    queue = queue_of()
    first, second, third = queue.ask(LONG), queue.ask(SMALL), queue.ask(SMALL)
    assert queue.look(second) == JobView("waiting", ahead=1)
    assert queue.look(third) == JobView("waiting", ahead=2)
    assert queue.pid(second) is None
    queue.cancel(first)
    assert queue.look(third).ahead == 1
    assert until(queue, second, "done", "failed").state == "done"
    assert until(queue, third, "done", "failed").state == "done"


@needs_proc
def test_a_run_that_nobody_looks_at_is_ended(queue_of):
    queue = queue_of(*SLEEPS, forget_after=0.1)
    ticket = queue.ask(SMALL)
    pid = queue.pid(ticket)
    for _ in range(600):
        if gone(pid):
            break
        time.sleep(0.05)
    assert gone(pid)
    assert queue.look(ticket).failure == "left"


def test_a_ticket_that_nobody_looks_at_loses_its_place(queue_of):
    now = [0.0]
    queue = queue_of(*SLEEPS, clock=lambda: now[0])
    running, forgotten, waiting = (queue.ask(SMALL) for _ in range(3))
    assert queue.look(waiting).ahead == 2
    now[0] = 15.0
    queue.look(running), queue.look(waiting)
    now[0] = 30.0
    queue.look(running)
    assert queue.look(waiting).ahead == 1
    assert queue.look(forgotten).failure == "left"


def test_a_run_that_takes_too_long_is_ended(queue_of):
    queue = queue_of(*SLEEPS, most_seconds=0.1)
    assert until(queue, queue.ask(SMALL), "failed").failure == "too long"


@pytest.mark.parametrize(
    ("code", "failure"),
    [
        ("raise SystemExit(1)", "crashed"),
        ("print('no JSON'); print('{}'); print('[1]')", "crashed"),
        ('print(\'{"kind": "error", "reason": "memory", "said": ""}\')', "memory"),
        ('print(\'{"kind": "result"}\')', "crashed"),
    ],
)
def test_how_a_worker_fails_is_told_in_a_word(queue_of, code, failure):
    queue = queue_of(sys.executable, "-c", code)
    assert until(queue, queue.ask(SMALL), "failed").failure == failure


@pytest.mark.skipif(sys.platform == "win32", reason="no signals there")
def test_a_worker_that_the_system_killed(queue_of):
    code = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    queue = queue_of(sys.executable, "-c", code)
    assert until(queue, queue.ask(SMALL), "failed").failure == "killed"


def test_a_command_that_is_not_there(queue_of):
    queue = queue_of("/no/such/program")
    assert queue.look(queue.ask(SMALL)).failure == "crashed"


def test_what_fits_no_longer_is_not_started(queue_of):
    queue = queue_of()
    assert queue.look(queue.ask(HUGE)).failure == "too large"
    assert until(queue, queue.ask(SMALL), "done", "failed").state == "done"  # the slot is free


def test_the_queue_has_an_end(queue_of):
    queue = queue_of(*SLEEPS)
    tickets = [queue.ask(SMALL) for _ in range(MOST_WAITING + 1)]
    assert None not in tickets
    assert queue.ask(SMALL) is None
    queue.cancel(tickets[3])
    assert queue.ask(SMALL) is not None


@needs_proc
def test_closing_ends_whatever_runs(queue_of):
    queue = queue_of(*SLEEPS)
    ticket = queue.ask(SMALL)
    queue.ask(SMALL)
    pid = queue.pid(ticket)
    queue.close()
    assert gone(pid)


def test_progress_never_goes_back():
    ways = [
        JobView("running"),
        JobView("running", phase="fill", done=1, of=2),
        JobView("running", phase="fill", done=2, of=2),
        JobView("running", phase="warm-up", done=0, of=1),
        JobView("running", phase="repetition", done=1, of=7),
        JobView("running", phase="repetition", done=7, of=7),
    ]
    fractions = [view.fraction for view in ways]
    assert fractions == sorted(fractions)
    assert (fractions[0], fractions[-1]) == (0, 1)
