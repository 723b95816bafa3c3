"""Every step is told in both registers, with the reason, and the registers never mix."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings

from pagedviz.timeline.reservation.play import play
from pagedviz.timeline.reservation.presets import RESERVATION_PRESETS
from pagedviz.timeline.reservation.setup import ReservationSetup
from pagedviz.timeline.reservation.words import reasons, words
from pagedviz.timeline.room_grammar import LONGEST
from tests.timeline.registers import ENGINE_ONLY, NUMBER_WORDS, ROOM_ONLY
from tests.timeline.reservation.setups import setups

WRONG = (
    r"\b1 (shelves|boxes|blocks|ticks|places|requests|are)\b|\b(one|1) \w*(shelves|boxes)\b|"
    r"  |\*\*\*|\bNone\b|,,|\.\.(?! \d)|\b[2-9] (shelf|box)\b|"
    r"\bone (wait|are|stand)\b|\bno (wait|are|stand)\b"
)


def check(run, step):
    room, engine = words(run, step, "room"), words(run, step, "engine")
    told = [(room, engine), *(reason for reason in reasons(run, step) if reason)]
    for ours, theirs in told:
        for text in (ours, theirs):
            assert text
            assert text.count("**") % 2 == 0
            assert not re.search(WRONG, text), text
            assert not re.search(NUMBER_WORDS, text), text
        assert not re.search(ENGINE_ONLY, ours), ours
        assert not re.search(ROOM_ONLY, theirs, re.IGNORECASE), theirs
        assert ours[-1] == "."
    assert room[:1] == room[:1].upper()
    assert len(room.replace("*", "")) <= LONGEST + 15, room
    assert len(engine.replace("*", "")) <= 220, engine
    for side, reason in zip((step.old, step.paged), reasons(run, step), strict=True):
        assert bool(side.waits) == (reason is not None)


@pytest.mark.parametrize("preset", RESERVATION_PRESETS, ids=lambda p: p.id)
def test_presets(preset):
    for size in preset.sizes or (preset.setup.block_size,):
        run = play(replace(preset.setup, block_size=size))
        for step in run.steps:
            check(run, step)


@settings(max_examples=60, deadline=None)
@given(setups())
def test_any_setup(setup):
    run = play(setup)
    for step in run.steps:
        check(run, step)


def test_large_numbers_stay_short():
    sizes = {"slots": 8192, "max_model_len": 1024}
    run = play(ReservationSetup(visitors=45, every=0, mix="truckload", **sizes))
    for step in run.steps:
        check(run, step)


def told(run, tick, register="room"):
    return words(run, run.steps[tick], register).replace("**", "")


def test_the_story_of_the_default():
    run = play(ReservationSetup())
    assert told(run, 0) == (
        "Left and right have 512 places each, still empty. The same 18 visitors come to both, "
        "at the same moments."
    )
    assert told(run, 24) == (
        "F arrives. On the left every aisle is promised, and F waits; on the right one shelf is "
        "enough to start."
    )
    assert told(run, 25) == (
        "One waits on the left, although only 31 % of what is promised there holds a box."
    )
    assert told(run, 26).startswith(
        "G arrives. On the left every aisle is promised, and one stands before G"
    )
    assert told(run, 32).startswith("On the left C leaves, and F may come in after 8 ticks")
    assert told(run, 46).startswith("On the right the shelves ran out: R, the last to come in")
    assert "S needs 3 shelves, and only one is free" in told(run, 48)
    assert told(run, run.last) == (
        "Everybody is home: by the shelves at tick 106, by the aisles at 166."
    )
    assert told(run, 24, "engine") == (
        "F queued; paged admits F; F needs a run of 128, 0 free. contiguous: 4 running, "
        "1 waiting, 157/512 reserved slots hold KV. paged: 5 running, 0 waiting, 171/192."
    )


def test_fragmentation_is_told():
    run = play(ReservationSetup(policy="oracle"))
    lone = [s for s in run.steps if s.old.shortage is not None and s.old.shortage.fragmented]
    assert lone
    quiet = [told(run, s.tick) for s in lone if not s.kinds]
    assert all("they do not lie in one piece of" in text for text in quiet)
    engine = [told(run, s.tick, "engine") for s in lone]
    assert any("free, longest run" in text for text in engine)


def test_who_is_turned_away_is_told():
    run = play(ReservationSetup(max_model_len=64))
    step = next(step for step in run.steps if step.turned_away)
    assert "places, and 64 are the most allowed: both rooms turn" in told(run, step.tick)
    assert "both refuse G: 113 tokens are more than" in told(run, step.tick, "engine")
    nobody = play(ReservationSetup(max_model_len=2))
    assert told(nobody, nobody.last).startswith("Nobody could come in")
    half = play(
        ReservationSetup(
            slots=120, max_model_len=120, policy="oracle", block_size=8, visitors=2, mix="giant"
        )
    )
    step = next(step for step in half.steps if step.turned_away)
    assert "B is turned away on the left" in told(half, step.tick)


def test_a_side_that_took_in_nobody_is_told():
    run = play(
        ReservationSetup(
            slots=120,
            max_model_len=120,
            policy="oracle",
            block_size=8,
            visitors=1,
            mix="own",
            mean_prompt=75,
            mean_output=15,
            seed=6,
        )
    )
    assert [t.paged for step in run.steps for t in step.turned_away] == [""]
    assert told(run, run.last).endswith("The aisles took in nobody.")


def test_both_home_at_once():
    run = play(ReservationSetup(visitors=1))
    assert told(run, run.last) == f"Everybody is home, in both rooms at the same tick, {run.last}."
    assert told(run, 0).endswith("The same one visitor comes to both, at the same moments.")
