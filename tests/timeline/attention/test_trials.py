"""Breaking the table: each trial reads exactly what it says, and does what it is made to show."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from pagedviz.timeline.attention.notes import note
from pagedviz.timeline.attention.places import make_room
from pagedviz.timeline.attention.reading import read
from pagedviz.timeline.attention.setup import AttentionSetup, SetupError
from pagedviz.timeline.attention.trials import TRIALS, Missing, current, point, trial
from tests.timeline.attention.setups import (
    BOUND,
    number_in,
    plain_attention,
    read_slots,
    setups,
    told_setups,
)

CHANGED = 1e-9  # in float64: more than rounding, even if the new tokens count for little


def tried(setup, name):
    """(reading of a trial, None if it cannot be made; how far off its answer must be)."""
    found = trial(setup, make_room(setup), name)
    if isinstance(found, Missing):
        return None, 0.0
    reading = read(found)
    answers = [
        plain_attention(reading.query, *read_slots(each))[0] for each in (read(setup), reading)
    ]
    off = float(np.abs(answers[1] - answers[0]).max())
    shown = max(reading.difference(head) for head in range(setup.heads))
    assert shown == pytest.approx(off, abs=2 * BOUND[setup.numbers])
    if off > 1e-3:  # else some of it may be rounding
        for text in note(reading):
            assert number_in(
                text.split("off by **")[1]
                .split("**")[0]
                .removeprefix("at most ")
                .split(" for ")[0]
                .split(" over ")[0]
            ) == pytest.approx(off, 0.06)
    return reading, off


@settings(max_examples=100, deadline=None)
@given(told_setups())
def test_the_answer_is_attention_over_the_slots_that_were_read(setup):
    reading = read(setup)
    expected, _ = plain_attention(reading.query, *read_slots(reading))
    assert np.abs(reading.output - expected).max() < BOUND[setup.numbers]


@settings(max_examples=80, deadline=None)
@given(setups())
def test_a_foreign_block_changes_the_answer(setup):
    reading, off = tried(setup, "foreign")
    line = min(2, setup.lines - 1)
    others = [number for number in range(setup.lines) if number != line]
    assert {slot.owner for slot in reading.lines[line].read} == {"C"}
    assert all(reading.lines[n].content == n for n in others)
    assert len(reading.lines) == setup.lines
    assert off > CHANGED or setup.numbers == "fp8"  # so few numbers that two may be the same
    room, engine = note(reading)
    assert f"Line {line} leads to boxes that are visitor C's" in room
    assert f"block_table[{line}] points at request C's block" in engine


@settings(max_examples=80, deadline=None)
@given(setups())
def test_too_far_is_the_rest_of_the_last_block_and_one_block_more(setup):
    reading, off = tried(setup, "past")
    own = [slot for line in reading.lines for slot in line.read][: setup.tokens]
    rest = -setup.tokens % setup.block_size
    assert [(slot.owner, slot.position) for slot in own] == [("A", n) for n in range(setup.tokens)]
    assert [len(line.read) for line in reading.lines] == [setup.block_size] * (setup.lines + 1)
    beyond = reading.lines[-2].read[setup.block_size - rest :] if rest else ()
    assert all(slot.owner == "" for slot in beyond)
    assert reading.room.contents[reading.lines[-1].content].owner != "A"
    assert off > CHANGED or setup.numbers == "fp8"  # so few numbers that two may be the same
    extra = rest + setup.block_size
    room, engine = note(reading)
    assert f"read {extra} place{'s' if extra > 1 else ''} too far" in room
    assert engine.startswith(f"{extra} slot{'s' if extra > 1 else ''} beyond seq_len")
    assert ("left behind" in room) == (rest > 0)


@settings(max_examples=80, deadline=None)
@given(setups())
def test_two_full_blocks_swapped_change_nothing(setup):
    reading, off = tried(setup, "swap_full")
    if reading is None:
        assert setup.tokens < 2 * setup.block_size
        return
    changed = [line for line in reading.lines if line.content != line.number]
    assert len(changed) == 2
    assert all(reading.room.contents[line.content].fill == setup.block_size for line in changed)
    assert off < 1e-13
    assert all("**nothing changes**" in text for text in note(reading))


@settings(max_examples=80, deadline=None)
@given(setups())
def test_the_partly_filled_block_swapped_does_change_it(setup):
    reading, off = tried(setup, "swap_part")
    if reading is None:
        assert setup.tokens % setup.block_size == 0 or setup.lines < 2
        return
    changed = [line for line in reading.lines if line.content != line.number]
    assert len(changed) == 2
    assert changed[-1].number == setup.lines - 1
    assert off > CHANGED or setup.numbers == "fp8"  # so few numbers that two may be the same
    rest = setup.tokens % setup.block_size
    assert len(reading.lines[-1].read) == rest
    room, engine = note(reading)
    assert f"{rest} box{'es are' if rest > 1 else ' is'} all that count" in room
    assert f"the last line has {rest} token{'s' if rest > 1 else ''}" in engine


@settings(max_examples=60, deadline=None)
@given(setups())
def test_a_trial_is_known_again_and_mends_what_was_broken_before(setup):
    room = make_room(setup)
    broken = replace(setup, reads=(0,) * setup.lines, past=True, moves=3)
    for name in TRIALS:
        found = trial(broken, room, name)
        if isinstance(found, Missing):
            assert found.room.startswith("needs ")
            assert found.engine.startswith("needs ")
            continue
        assert current(found, room) == name
        assert found == replace(trial(setup, room, name), moves=3)
    if setup.lines > 1:
        assert current(replace(setup, reads=(0,) * setup.lines), room) is None


@pytest.mark.parametrize("moves", [0, 2])
def test_a_line_points_where_it_is_told_wherever_that_lies_now(moves):
    setup = AttentionSetup(moves=moves, past=True)
    room = make_room(setup)
    places = room.places(moves, setup.seed)
    for content, block in enumerate(places):
        pointed = point(setup, room, 3, block)
        reading = read(pointed)
        assert reading.lines[3].block == reading.table[3] == block
        assert reading.lines[3].content == content
        assert not pointed.past
    assert point(point(setup, room, 3, places[0]), room, 3, places[3]) == setup.intact()


def test_what_is_no_line_and_no_block_is_refused():
    setup = AttentionSetup()
    room = make_room(setup)
    for line in (-1, 5, 10**12):
        with pytest.raises(SetupError, match=f"lines 0 to 4, not {line}"):
            point(setup, room, line, 3)
    for block in (-1, 0, 16, 10**12):
        with pytest.raises(SetupError, match=f"block 1 to 15, not {block}"):
            point(setup, room, 0, block)


@pytest.mark.parametrize(
    ("reads", "said"),
    [
        ((1, 2, 0, 3, 4), "3 full blocks have changed places"),
        ((0, 1, 3, 2, 4), "2 full blocks have changed places"),
        ((0, 0, 2, 3, 4), "read twice"),
        ((0, 1, 2, 3, 14), "points at a free block"),
        ((0, 1, 2, 5, 4), "points at request B's block"),
        ((4, 1, 2, 3, 0), "partly filled block is no longer last"),
    ],
)
def test_the_note_says_what_was_done_to_the_table(reads, said):
    room, engine = note(read(AttentionSetup(reads=reads)))
    assert said in engine
    assert room != engine
    assert "**" in room


def test_a_table_in_its_own_order_is_not_broken():
    assert note(read(AttentionSetup(reads=(0, 1, 2, 3, 4)))) is None
