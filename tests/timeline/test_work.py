"""Runs that say little and move much are refused before they grow."""

import random

import pytest

from pagedviz.timeline.errors import RunError
from pagedviz.timeline.link import from_link
from pagedviz.timeline.play import play
from pagedviz.timeline.run import Run
from pagedviz.timeline.wire import encode, pack
from pagedviz.timeline.work import MAX_WORK, Work
from tests.timeline.operations import add, admit, one
from tests.timeline.test_link import packed
from tests.timeline.test_wire import large_run

BIG = {"num_blocks": 8192, "block_size": 16, "max_model_len": 131_072}
BACK_AND_FORTH = [one("preempt", "a"), admit("a")]


def spent(timeline):
    work = Work()
    for step in timeline.steps[1:]:
        work.spend(step.index, step.name, step.change, step.result, step.events)
    return work.spent


def test_a_short_link_can_mean_too_much():
    ops = [[0, "a", {"tokens": [[0, 131_056]]}], [1, "a"], *[[6, "a"], [1, "a"]] * 999]
    run = from_link(packed(["x", BIG, ops]))
    with pytest.raises(RunError, match="moves more blocks than a picture can follow") as caught:
        play(run)
    assert caught.value.step < 60
    assert caught.value.advice


@pytest.mark.parametrize(
    ("config", "ops", "soon"),
    [
        (
            BIG | {"block_size": 1},
            [add("a", range(8191)), admit("a"), *BACK_AND_FORTH * 999],
            60,
        ),
        (
            BIG | {"block_size": 1},
            [op for r in map(str, range(1000)) for op in (add(r, range(990)), admit(r))],
            200,
        ),
        # Few blocks, but each time 131,072 tokens are told to those who listen.
        (
            BIG | {"block_size": 1024, "num_blocks": 129},
            [
                *(add("a", range(131_072)), admit("a")),
                *[one("evict_blocks", block_ids=[*range(1, 129)]), *BACK_AND_FORTH] * 600,
            ],
            400,
        ),
        # Refused again and again: nothing moves, but all that was found is listed each time.
        (
            {"num_blocks": 4001, "block_size": 1},
            [
                *(add("a", range(3999)), admit("a"), add("b", range(4003))),
                *[admit("b")] * 1900,
            ],
            300,
        ),
    ],
    ids=["block size 1", "1,000 sharers", "events", "refused"],
)
def test_other_ways_to_move_too_much(config, ops, soon):
    with pytest.raises(RunError, match="moves more blocks") as caught:
        play(Run("t", config, ops))
    assert caught.value.step < soon


def test_a_full_room_of_the_largest_size_is_below_the_limit():
    assert spent(play(large_run())) < MAX_WORK * 0.7


def test_all_that_may_be_moved_stays_under_5_megabytes():
    chance, ops, inside = random.Random(4), [], []
    for i in range(400):  # many long visitors whose shelves are mixed more and more
        while len(inside) > 7:
            ops.append(one("free", inside.pop(chance.randrange(len(inside)))))
        name = f"r{i}"
        ops += [add(name, range(i * 1000, (i + 1) * 1000)), admit(name)]
        inside.append(name)
    low, high = 2, len(ops)
    config = {"num_blocks": 8192, "block_size": 1}
    while high - low > 50:  # the longest beginning that may be played
        middle = (low + high) // 2
        try:
            longest = play(Run("t", config, ops[:middle]))
            low = middle
        except RunError:
            high = middle
    assert spent(longest) > MAX_WORK * 0.7
    assert len(pack(encode(longest))) < 5_000_000
