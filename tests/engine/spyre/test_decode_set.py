"""Who decodes and who pauses."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.conformance import spyre_decode_sets
from pagedviz.conformance.files import read_json
from pagedviz.engine.errors import OperationError
from pagedviz.engine.spyre.decode_set import Turn, choose_decode_set
from pagedviz.engine.spyre.padding import decode_rectangle
from pagedviz.paths import GOLDEN

CASES = read_json(GOLDEN / "spyre" / "decode_sets.json.gz")
LIMIT = 131_072


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_agrees_with_the_plugin(case):
    inputs = {name: value for name, value in case.items() if name != "steps"}
    found = spyre_decode_sets({**inputs, "num_steps": len(case["steps"])})
    assert found == case["steps"]
    assert spyre_decode_sets(case) == case["steps"]


def test_all_cases_are_here():
    assert len(CASES) == 11


def alike(requests, tokens):
    return [Turn(str(i), tokens - 1, 20) for i in range(requests)]


@pytest.mark.parametrize(
    ("tokens", "together"),
    [(4_096, 32), (4_097, 31), (8_192, 16), (8_193, 15), (32_768, 4)],
)
def test_at_the_boundaries_of_the_published_rows(tokens, together):
    found = choose_decode_set(alike(32, tokens), (), LIMIT)
    assert len(found.decoding) == together
    assert found.tkv == tokens
    assert found.volume == together * tokens
    assert len(found.paused) == 32 - together
    assert found.newly_paused == found.paused
    assert found.resumed == ()


def test_one_of_30000_beside_31_short_ones_takes_turns():
    case = {
        "limits": {"tkv_limit": LIMIT},
        "running": [{"prompt_len": 30_000, "generated": 1, "max_tokens": 50}]
        + [{"prompt_len": 200, "generated": 1, "max_tokens": 50}] * 31,
        "num_steps": 4,
    }
    assert [step["batch"] for step in spyre_decode_sets(case)] == [4, 31, 4, 31]


def test_longest_paused_first_then_who_wrote_least_then_paused_before_running():
    running = [Turn("new", 100, 5), Turn("old", 100, 5)]
    paused = [Turn("tired", 100, 90, sat_out=2), Turn("rested", 100, 5, sat_out=1)]
    found = choose_decode_set(running, paused, 101)  # room for one
    assert found.decoding == ("tired",)
    assert found.paused == ("rested", "new", "old")
    assert found.newly_paused == ("new", "old")
    assert found.resumed == ("tired",)
    assert dict(found.sat_out) == {"tired": 0, "rested": 2, "new": 1, "old": 1}
    equal = choose_decode_set([Turn("a", 100, 5)], [Turn("b", 100, 5)], 101)
    assert equal.decoding == ("b",)
    less = choose_decode_set([Turn("a", 100, 4)], [Turn("b", 100, 5)], 101)
    assert less.decoding == ("a",)
    more = choose_decode_set([Turn("a", 100, 4)], [Turn("b", 100, 5)], 101, True)
    assert more.decoding == ("b",)


def test_those_that_ran_keep_their_order_and_those_that_come_back_follow():
    running = [Turn("a", 100, 9), Turn("b", 100, 1)]
    paused = [Turn("c", 100, 5, sat_out=3)]
    assert choose_decode_set(running, paused, 1_000).decoding == ("a", "b", "c")


def test_a_small_one_behind_a_long_one_still_finds_room():
    turns = [Turn("a", 500, 1), Turn("long", 900, 2), Turn("b", 400, 3)]
    found = choose_decode_set(turns, (), 1_100)
    assert found.decoding == ("a", "b")
    assert found.paused == ("long",)


def test_nobody_is_chosen_from_nobody():
    found = choose_decode_set((), (), LIMIT)
    assert (found.decoding, found.paused, found.tkv, found.volume) == ((), (), 0, 0)


TURNS = st.lists(
    st.tuples(st.integers(1, 900), st.integers(0, 50), st.integers(0, 3), st.booleans()),
    min_size=1,
    max_size=10,
)


@settings(deadline=None)
@given(TURNS, st.integers(64, 4_000), st.booleans())
def test_the_set_is_the_greedy_one_and_its_volume_fits(turns, limit, longest):
    """Against a plain account of the rule: sort, then try each with a real rectangle."""
    made = [
        (Turn(str(i), stored, min(written, stored), sat if pause else 0), pause)
        for i, (stored, written, sat, pause) in enumerate(turns)
    ]
    running = [turn for turn, pause in made if not pause]
    paused = [turn for turn, pause in made if pause]
    sign = -1 if longest else 1
    order = sorted(paused + running, key=lambda t: (-t.sat_out, sign * t.written))
    chosen = []
    for turn in order:
        rectangle = decode_rectangle((t.request_id, t.stored) for t in [*chosen, turn])
        if rectangle.volume <= limit:
            chosen.append(turn)
    found = choose_decode_set(running, paused, limit, longest)
    assert set(found.decoding) == {t.request_id for t in chosen}
    assert found.volume == decode_rectangle((t.request_id, t.stored) for t in chosen).volume
    assert found.volume <= limit
    assert len(found.decoding) + len(found.paused) == len(turns)
    assert found.tkv == decode_rectangle((t.request_id, t.stored) for t in chosen).tkv


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.tuples(st.integers(1, 700), st.integers(2, 12)), min_size=1, max_size=9),
    st.integers(800, 3_000),
)
def test_nobody_starves(requests, limit):
    """All get to their last token, and nobody sits out longer than it takes all others in turn."""
    case = {
        "limits": {"tkv_limit": limit},
        "running": [{"prompt_len": p, "generated": 1, "max_tokens": m} for p, m in requests],
        "num_steps": 10_000,
    }
    steps = spyre_decode_sets(case)
    for i, (_, max_tokens) in enumerate(requests):
        taken = [number for number, step in enumerate(steps) if i in step["decoding"]]
        assert len(taken) == max_tokens - 1
        waits = [b - a for a, b in zip([-1, *taken], taken, strict=False)]
        assert max(waits) <= len(requests)
    assert all(step["volume"] <= limit for step in steps)
    assert steps[-1]["paused"] == []


def test_requests_that_are_done_leave_and_a_request_beyond_the_limit_is_an_error():
    case = {
        "limits": {"tkv_limit": 1_000},
        "running": [
            {"prompt_len": 100, "generated": 1, "max_tokens": 3},
            {"prompt_len": 100, "generated": 1, "max_tokens": 2},
        ],
        "num_steps": 9,
    }
    found = spyre_decode_sets(case)
    assert [step["decoding"] for step in found] == [[0, 1], [0]]
    short = {**case, "limits": {"tkv_limit": 1_000, "max_model_len": 102}}
    assert [step["decoding"] for step in spyre_decode_sets(short)] == [[0, 1]]
    with pytest.raises(OperationError, match="longer than the product limit 50"):
        spyre_decode_sets({**case, "limits": {"tkv_limit": 50}})
