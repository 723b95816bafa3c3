"""What the stage gets says exactly what happened, in plain JSON, and stays small."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings

from pagedviz.timeline.captions import REGISTERS
from pagedviz.timeline.reservation.play import play
from pagedviz.timeline.reservation.presets import RESERVATION_PRESETS
from pagedviz.timeline.reservation.setup import ReservationSetup
from pagedviz.timeline.reservation.wire import encode
from pagedviz.timeline.reservation.words import words
from pagedviz.timeline.wire import pack
from tests.timeline.reservation.setups import setups


def test_the_default_stays_small():
    assert len(pack(encode(play(ReservationSetup())))) < 60_000


@pytest.mark.parametrize("preset", RESERVATION_PRESETS, ids=lambda p: p.id)
def test_presets_stay_within_the_budget_of_a_timeline(preset):
    for size in preset.sizes or (preset.setup.block_size,):
        assert len(pack(encode(play(replace(preset.setup, block_size=size))))) < 100_000


@settings(max_examples=30, deadline=None)
@given(setups())
def test_everything_is_looked_up(setup):
    run = play(setup)
    wire = json.loads(json.dumps(encode(run), allow_nan=False))
    assert (wire["v"], wire["kind"], wire["last"]) == (1, "reservation", run.last)
    assert len(wire["steps"]) == run.last + 1
    for step, sent in zip(run.steps, wire["steps"], strict=True):
        assert sent["tick"] == step.tick
        assert sent["c"] == [words(run, step, register) for register in REGISTERS]
        assert sent.get("kinds", []) == list(step.kinds)
        assert sent.get("arrive", []) == list(step.arrived)
        assert sent.get("away", []) == [list(turned) for turned in step.turned_away]
        left, right = sent["L"], sent["R"]
        assert left["m"] == list(step.old.counts)
        assert right["m"] == list(step.paged.counts)
        assert [r[0] for r in left["runs"]] == [r.visitor for r in step.old.runs]
        for visitor, start, reserved, written, will_use, run_length in left["runs"]:
            assert written <= will_use <= reserved <= run_length
            assert start + run_length <= wire["aisles"]["row"] * wire["aisles"]["rows"]
            assert will_use == run.visitors[visitor].will_use
        assert sum(fill for _, blocks in right["blocks"] for _, fill in blocks) == right["m"][0]
        for side, frozen in ((left, step.old), (right, step.paged)):
            assert side.get("waits", []) == [[w.visitor, step.tick - w.since] for w in frozen.waits]
            assert ("why" in side) == bool(frozen.waits)
            assert side.get("new", []) == list(frozen.came)
            assert side.get("out", []) == list(frozen.left)
            assert side.get("gone", []) == list(frozen.gone)
            empty, given_out, percent = side["e"]
            assert empty == given_out - side["m"][0]
            assert percent == (round(100 * empty / given_out) if given_out else 0)
        assert right.get("kept", []) == list(step.paged.kept_blocks)
        assert right.get("fresh", []) == list(step.paged.new_blocks)
        assert right.get("back", []) == list(step.paged.preempted)
        assert wire["inside"]["L"][step.tick] == len(left["runs"])
        assert wire["inside"]["R"][step.tick] == len(right["blocks"])
    assert wire["home"] == list(run.home)
    assert wire["shelves"]["row"] * wire["shelves"]["rows"] >= wire["num_blocks"]
    for side in "LR":
        assert len(wire["kinds"][side]) == len(wire["steps"][0][side]["m"])
        assert len(wire["totals"][side]["shares"]) == len(wire["kinds"][side])


def test_visitors_know_their_own_times():
    wire = encode(play(ReservationSetup()))
    visitor = wire["visitors"][5]
    assert visitor["letter"] == "F"
    assert visitor["in"] == [32, 24]
    assert visitor["waited"] == [8, 0]
    assert visitor["arrive"] == 24
