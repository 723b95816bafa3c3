"""What happens in the runs to start from: one function per preset, from its title to its run.

Most are made by hand, in the steps a viewer could take (`build.py`); where the point is what the
scheduler decides, it decides it here too (`drive.py`).

Leaves out: what each run is there to show (`presets.py`).
"""

from __future__ import annotations

from pagedviz.timeline.build import add_visitor, leave, new_run, write
from pagedviz.timeline.drive import DriveConfig, drive
from pagedviz.timeline.run import Run


def three_visitors(title: str) -> Run:
    """Sharing, a refusal, and how it resolves once somebody has left."""
    run = add_visitor(new_run(30, 16, title=title), 150)
    run = _writes(run, 3)
    run = add_visitor(run, 40, share_with="A", share_tokens=16)
    run = _writes(run, 3)
    run = add_visitor(run, 280)  # 18 shelves; 17 are free
    run = _writes(run, 2)
    run = leave(run, "B")  # now C fits
    run = _writes(run, 4)
    run = leave(run, "A")
    return leave(_writes(run, 2), "C")


def one_visitor(title: str) -> Run:
    """A prompt of a block and a half, then nine tokens one by one."""
    return leave(_writes(add_visitor(new_run(10, 4, title=title), 6), 9), "A")


def room_full(title: str) -> Run:
    """Refused at the door, refused behind somebody refused, refused inside."""
    run = new_run(12, 4, title=title)
    for tokens in (20, 16, 12):  # 5 + 4 of 11 shelves; 3 more do not fit
        run = add_visitor(run, tokens)
    run = add_visitor(run, 4)  # one shelf would be there, but C is first in line
    run = _writes(run, 2)  # A and B want one each: the last two
    run = leave(run, "B")
    run = _writes(run, 1)
    return leave(leave(leave(run, "A"), "C"), "D")


def preemption(title: str) -> Run:
    """The scheduler runs out of blocks and sends back the last admitted."""
    return drive(
        DriveConfig(
            num_blocks=11,
            block_size=4,
            visitors=3,
            arrivals=0.6,
            prompt=(7, 13),
            answer=(8, 12),
            token_budget=16,
            seed=44,
        ),
        title,
    )


def same_opening(title: str, caching: bool = True) -> Run:
    """Three prompts with one prefix; a fourth that differs in its first token."""
    run = add_visitor(new_run(26, 8, caching, title), 44)
    run = add_visitor(run, 52, share_with="A", share_tokens=36)
    run = add_visitor(run, 38, share_with="A", share_tokens=32)
    run = _writes(run, 2)
    run = leave(run, "A")  # B and C keep the opening in use
    # The same words after another first one: nothing in front of them is the same.
    first = next(iter(run.ops[0]["tokens"]))  # type: ignore[call-overload]
    opening = list(range(first + 1, first + 32))
    run = run.extended(
        [
            {"op": "add_request", "req": "D", "tokens": [7, *opening]},
            {"op": "admit", "req": "D", "has_scheduled_reqs": True},
        ]
    )
    return leave(leave(leave(run, "C"), "B"), "D")


def same_question(title: str) -> Run:
    """A prompt, the very same again, and the same with one token more."""
    run = add_visitor(new_run(16, 4, title=title), 12)
    run = add_visitor(run, 12, share_with="A")  # the very same 12
    run = add_visitor(run, 13, share_with="A")  # the same 12, and one more
    run = _writes(run, 2)
    return leave(leave(leave(run, "A"), "B"), "C")


def kept(title: str) -> Run:
    """What freed blocks keep, how it is evicted, and what of it is found again."""
    run = add_visitor(new_run(12, 4, title=title), 14)
    run = leave(run, "A")  # 4 to the front; 3, 2, 1 to the end
    run = leave(add_visitor(run, 10), "B")
    run = add_visitor(run, 26)  # takes the front of the queue, then what was kept
    run = add_visitor(run, 14, share_with="A")  # A's words again: what is left of them
    return leave(leave(run, "C"), "D")


def design_page(title: str) -> Run:
    """The worked example of vLLM's design page, as recorded from the real code."""
    r0 = [43, 38, 5, 39, 42, 47, 40, 32, 2, 40, 23, 28, 33, 6, 43]
    r1 = [*r0[:10], 467, 615, 814, 288]
    r2 = [
        *r0[:12],
        947,
        387,
        996,
        753,
        433,
        454,
        147,
        982,
        819,
        994,
        924,
        858,
        50,
        93,
        423,
        76,
        556,
    ]
    return Run(
        title,
        {"num_blocks": 11, "block_size": 4},
        [
            {"op": "add_request", "req": "r0", "tokens": r0},
            {"op": "admit", "req": "r0", "has_scheduled_reqs": False},
            {"op": "append", "req": "r0", "tokens": [1]},
            {"op": "allocate", "req": "r0", "num_new_tokens": 1},
            {"op": "append", "req": "r0", "tokens": [2]},
            {"op": "allocate", "req": "r0", "num_new_tokens": 1},
            {"op": "add_request", "req": "r1", "tokens": r1},
            {"op": "admit", "req": "r1", "has_scheduled_reqs": True},
            {"op": "free", "req": "r0"},
            {"op": "free", "req": "r1"},
            {"op": "add_request", "req": "r2", "tokens": r2},
            {"op": "admit", "req": "r2", "has_scheduled_reqs": False},
            {"op": "free", "req": "r2"},
        ],
    )


def afternoon(title: str) -> Run:
    """Sixteen requests through the scheduler, half of them with a common prefix."""
    return drive(
        DriveConfig(
            num_blocks=31,
            block_size=4,
            visitors=16,
            arrivals=0.45,
            prompt=(8, 30),
            answer=(4, 12),
            shared_opening=12,
            sharing=0.5,
            token_budget=24,
            seed=0,
        ),
        title,
    )


def _writes(run: Run, times: int) -> Run:
    for _ in range(times):
        run = write(run)
    return run
