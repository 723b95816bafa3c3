"""What can be set, who comes then, and what cannot be is said with the nearest value."""

import re
from dataclasses import replace
from random import Random

import pytest

from pagedviz.timeline.reservation.errors import ReservationError
from pagedviz.timeline.reservation.lengths import MIXES, draw_lengths
from pagedviz.timeline.reservation.setup import ReservationSetup

WRONG = {
    "small": ({"slots": 8}, "The memory can be from 16 to 8,192, not 8. Try 16."),
    "large": ({"slots": 10**6}, "not 1,000,000. Try 8,192."),
    "huge": ({"slots": 10**5000}, "from 16 to 8,192"),
    "text": ({"slots": "512"}, "must be a whole number from 16 to 8,192, not '512'"),
    "truth": ({"visitors": True}, "must be a whole number"),
    "fraction": ({"every": 2.5}, "The steps between two arrivals must be a whole number"),
    "visitors": ({"visitors": 61}, "from 1 to 60, not 61. Try 60."),
    "seed": ({"seed": -1}, "from 0 to 9,999, not -1. Try 0."),
    "budget": ({"token_budget": 1}, "The tokens computed in one step can be from 64"),
    "mean": ({"mean_output": 0}, "The mean length of an answer"),
    "policy": ({"policy": "first"}, "can be max, pow2 or oracle, not 'first'"),
    "mix": ({"mix": ["chat"]}, "The length mix can be"),
    "block": ({"block_size": 257}, "from 1 to 256, not 257. Try 256."),
    "rest": ({"block_size": 24}, "cut into blocks of 24 without a rest. Try blocks of 16 or 32"),
    "small rest": ({"slots": 8190, "block_size": 8}, "without a rest. Try blocks of 18"),
    "no size": ({"slots": 8191, "block_size": 7}, "Try blocks of 16 and a memory of 8,192"),
    "many": ({"slots": 4096, "block_size": 4}, "1,024 blocks, more than can be drawn; 512"),
    "longest": ({"max_model_len": 513}, "even alone such a request would not fit. Try 512"),
    "run": (
        {"slots": 500, "block_size": 10, "max_model_len": 300},
        "A run for 300 takes 512 .*none longer than 256. Try .* 256, or a memory of 512",
    ),
}


@pytest.mark.parametrize(("changed", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_is_said_with_what_can(changed, message):
    with pytest.raises(ReservationError, match=message):
        replace(ReservationSetup(), **changed)


@pytest.mark.parametrize(
    "changed",
    [{"block_size": 24}, {"slots": 8190, "block_size": 8}, {"slots": 4096, "block_size": 4}],
)
def test_the_block_sizes_offered_work(changed):
    with pytest.raises(ReservationError) as error:
        replace(ReservationSetup(), **changed)
    offered = re.search(r"Try blocks of ([\d or]+)", str(error.value)).group(1)
    for size in offered.split(" or "):
        replace(ReservationSetup(), **changed | {"block_size": int(size)})


def test_only_the_maximum_policy_needs_a_run_for_the_longest():
    replace(ReservationSetup(), slots=500, block_size=10, max_model_len=300, policy="pow2")


def test_no_run_is_longer_than_a_row_of_the_picture():
    assert ReservationSetup().row == 128
    assert replace(ReservationSetup(), max_model_len=129).row == 256
    assert replace(ReservationSetup(), max_model_len=16).row == 64
    assert replace(ReservationSetup(), slots=8192).row == 1024


@pytest.mark.parametrize("mix", MIXES)
def test_the_same_seed_brings_the_same_visitors(mix):
    setup = ReservationSetup(mix=mix, visitors=40)
    people = setup.arrivals()
    assert people == setup.arrivals()
    assert people != replace(setup, seed=1).arrivals()
    assert [v.number for v in people] == list(range(40))
    arrivals = [v.arrive for v in people]
    assert arrivals == sorted(arrivals)
    assert arrivals[0] == 1  # nobody is there at step 0
    assert all(v.prompt >= 1 and v.output >= 1 for v in people)
    assert people[8].letter == "J"


def test_arrivals_and_lengths_do_not_depend_on_each_other():
    def sizes(setup):
        return [(v.prompt, v.output) for v in setup.arrivals()]

    base = ReservationSetup()
    assert sizes(base) == sizes(replace(base, every=9))
    assert [v.arrive for v in replace(base, mix="chat").arrivals()] == [
        v.arrive for v in base.arrivals()
    ]


def test_the_rate_is_kept_on_average():
    last = [replace(ReservationSetup(), visitors=60, seed=s).arrivals()[-1] for s in range(50)]
    mean = sum(v.arrive - 1 for v in last) / len(last) / 59
    assert 3.6 < mean < 4.4
    assert {v.arrive for v in ReservationSetup(every=0).arrivals()} == {1}


def test_each_mix_is_what_it_says():
    def lengths(mix, means=(1, 1), count=4000):
        return draw_lengths(mix, count, 128, means, Random(7))

    totals = {mix: [p + o for p, o in lengths(mix)] for mix in MIXES}
    assert max(totals["mixed"]) <= 124
    three = [prompt for prompt, _ in lengths("three")]
    assert three.count(3) > len(three) * 0.8
    assert min(totals["truckload"]) >= 0.9 * 128
    assert max(totals["truckload"]) <= 128
    assert totals["giant"].count(128) == 1
    assert sorted(totals["giant"])[-2] <= 24
    chat = lengths("chat")
    assert sum(p for p, _ in chat) / len(chat) == pytest.approx(161 / 8, rel=0.05)
    assert sum(o for _, o in chat) / len(chat) == pytest.approx(338 / 8, rel=0.05)
    own = lengths("own", (100, 9))
    assert sum(p for p, _ in own) / len(own) == pytest.approx(100, rel=0.05)
    assert sum(o for _, o in own) / len(own) == pytest.approx(9, rel=0.05)


@pytest.mark.parametrize("most", [2, 3, 16])
@pytest.mark.parametrize("mix", ["three", "truckload", "giant"])
def test_the_longest_fit_even_where_little_is_allowed(mix, most):
    long = [n for n in draw_lengths(mix, 9, most, (1, 1), Random(0)) if sum(n) <= most]
    assert long
    assert min(min(n) for n in long) >= 1
