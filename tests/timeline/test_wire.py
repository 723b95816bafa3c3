"""The wire: the browser's look-ups give the timeline's states, and it stays small."""

import base64
import gzip
import json
import random

import pytest

from pagedviz.engine.cache_session import CacheSession
from pagedviz.timeline.ops import MAX_BLOCKS, MAX_STEPS
from pagedviz.timeline.play import play
from pagedviz.timeline.presets import DEFAULT, PRESETS
from pagedviz.timeline.run import Run
from pagedviz.timeline.wire import encode, pack
from tests.timeline.reference_decoder import assert_same


def test_decoding_gives_the_states(golden):
    _, timeline = golden
    assert_same(timeline, json.loads(json.dumps(encode(timeline))))


@pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.id)
def test_presets_too(preset):
    timeline = play(preset.run)
    assert_same(timeline, encode(timeline))


def test_the_first_step_is_the_whole_queue_and_nothing_else():
    first = encode(play(Run("empty", {"num_blocks": 5, "block_size": 4}, [])))["steps"]
    assert len(first) == 1
    assert first[0]["q"] == [0, [], [], [1, 2, 3, 4]]
    assert set(first[0]) == {"q", "m", "c"}


def test_keys_of_one_step_of_each_kind():
    run = Run(
        "keys",
        {"num_blocks": 4, "block_size": 2},
        [
            {"op": "add_request", "req": "x", "tokens": [1, 2, 3], "tick": 4},
            {"op": "admit", "req": "x"},
            {"op": "add_request", "req": "y", "tokens": [1, 2, 3, 4, 5]},
            {"op": "admit", "req": "y"},
            {"op": "free", "req": "x"},
            {"op": "admit", "req": "y"},
        ],
    )
    wire = encode(play(run))
    arrive, admit, _, refused, free, share = wire["steps"][1:]
    assert (arrive["op"], arrive["r"], arrive["n"], arrive["tick"]) == ("add_request", 0, 3, 4)
    assert arrive["k"] == {"0": [3, 0, 0]}
    assert (admit["b"], admit["w"], admit["f"], admit["h"]) == ([1, 2], [0, 0], [2, 1], [0, -1])
    assert admit["q"] == [2, [], [], []]
    assert admit["t"] == {"0": [0, [1, 2]]}
    assert admit["x"] == {"new": [1, 2], "fill": [1, 2], "lab": [[1, 0]]}
    assert (refused["no"], refused["need"], refused["free"]) == (1, 2, 1)
    assert refused["kinds"] == ["refuse"]
    assert "q" not in refused
    assert "b" not in refused
    assert free["t"] == {"0": None}
    assert free["k"] == {"0": [3, 3, 3]}
    assert free["q"] == [0, [], [2], [1]]
    assert (free["x"]["front"], free["x"]["back"]) == ([2], [1])
    # The hit leaves from the end of the queue, then two are popped from its head.
    assert share["x"]["hit"] == [1]
    assert share["x"]["new"] == [2, 3]
    assert share["kinds"] == ["new", "share"]
    assert wire["parents"] == {"0": -1, "1": 0}
    assert wire["requests"][1] == {"id": "y", "letter": "B", "hue": 0, "step": 3}


def test_a_request_that_never_fits_says_how_many_blocks_it_needs():
    run = Run(
        "never",
        {"num_blocks": 4, "block_size": 2},
        [{"op": "add_request", "req": "x", "tokens": list(range(9))}, {"op": "admit", "req": "x"}],
    )
    arrive, admit = encode(play(run))["steps"][1:]
    assert arrive["never"] == admit["never"] == 5


def test_packing_is_reversible_and_always_the_same():
    wire = encode(play(DEFAULT.run))
    packed = pack(wire)
    assert json.loads(gzip.decompress(base64.b64decode(packed))) == wire
    assert packed == pack(encode(play(DEFAULT.run)))


def test_the_default_run_stays_under_200_kilobytes():
    assert len(pack(encode(play(DEFAULT.run)))) < 200_000


def test_the_largest_run_stays_under_5_megabytes():
    timeline = play(large_run())
    assert (timeline.pool.num_blocks, timeline.last) == (MAX_BLOCKS, MAX_STEPS)
    assert min(step.counts.free for step in timeline.steps) < 200  # it does get full
    assert len(pack(encode(timeline))) < 5_000_000


def large_run() -> Run:
    """2,000 steps over 8,192 blocks of 16, most of them in use."""
    chance = random.Random(11)
    config = {"num_blocks": MAX_BLOCKS, "block_size": 16, "max_model_len": 131_072}
    session, ops, inside, token = CacheSession(config), [], [], 10**6

    def do(name, **args):
        ops.append({"op": name, **args})
        return getattr(session, name)(**args)

    while len(ops) < MAX_STEPS:
        left = MAX_STEPS - len(ops)
        if chance.random() < 0.35 and token < 1_800_000 and left > 40:
            name, length = f"q{token}", chance.randint(200, 6000)
            opening = range(min(length, 2048)) if chance.random() < 0.5 else range(0)
            do(
                "add_request",
                req=name,
                tokens=[*opening, *range(token, token + length - len(opening))],
            )
            token += length
            while not do("admit", req=name, has_scheduled_reqs=bool(inside))["ok"]:
                do("free", req=inside.pop(chance.randrange(len(inside))))
            inside.append(name)
        elif inside and left >= 2:
            name, n = chance.choice(inside), chance.randint(1, 64)
            do("append", req=name, tokens=list(range(token, token + n)))
            token += n
            if not do("allocate", req=name, num_new_tokens=n)["ok"]:
                inside.remove(name)
                do("free" if left > 2 else "preempt", req=name)
        elif inside:
            do("free", req=inside.pop())
    return Run("large", config, ops[:MAX_STEPS])
