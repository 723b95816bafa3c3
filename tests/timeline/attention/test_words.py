"""Sentences of a reading: complete, in one register, short, and with the numbers of the arrays."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from pagedviz.timeline.attention.figures import fixed, scientific
from pagedviz.timeline.attention.notes import note, rounding_note
from pagedviz.timeline.attention.places import make_room
from pagedviz.timeline.attention.reading import read
from pagedviz.timeline.attention.setup import AttentionSetup
from pagedviz.timeline.attention.trials import TRIALS, Missing, trial
from pagedviz.timeline.attention.words import words
from tests.timeline import registers
from tests.timeline.attention.setups import number_in, told_setups

LONGEST = 190  # characters
ENGINE_ONLY = (
    registers.ENGINE_ONLY + r"|(?i:query|\bkeys?\b|\bvalues?\b|\bheads?\b|softmax|dense|"
    r"paged|mask|\bacc\b|output|kernel|seq_len)"
)
ROOM_ONLY = (
    registers.ROOM_ONLY + r"|(?i:\bhand\b|\bcards?\b|mixture|question|\bslip\b|answer is|stale box)"
)
NUMBER = r"−?(?:\d+\.\d+|∞)"


def sound(text, register):
    """One sentence or two, whole, in its own register."""
    assert not re.search(r"(?i)nan|\binf\b|None|\{|\}|\*\*\*|  ", text), text
    assert text.count("**") % 2 == 0, text
    assert all(part.strip() == part != "" for part in text.split("**")[1::2]), text
    assert not re.search(r"−0\.0+(?!\d)", text), text
    assert not re.search(r"\b1 (boxes|places|tokens|slots|shelves|blocks|bytes)\b", text), text
    other = ENGINE_ONLY if register == "room" else ROOM_ONLY
    assert not re.search(other, text), (register, re.search(other, text), text)
    assert not text[0].islower() or register == "engine", text


@settings(max_examples=100, deadline=None)
@given(told_setups())
def test_every_caption_is_whole_short_and_in_one_register(setup):
    reading = read(setup)
    for moment in reading.moments():
        for head in range(setup.heads):
            for register in ("room", "engine"):
                text = words(reading, moment, head, register)
                sound(text, register)
                assert len(text.replace("**", "")) <= LONGEST, text


@settings(max_examples=150, deadline=None)
@given(told_setups())
def test_every_note_is_whole_and_in_one_register(setup):
    reading = read(setup)
    for said in (note(reading), rounding_note(reading)):
        if said is not None:
            room, engine = said
            sound(room, "room")
            sound(re.sub(r"None", "", engine), "engine")
    intact = setup.reads in (None, tuple(range(setup.lines))) and not setup.past
    assert (note(reading) is None) == (intact and not setup.moves)


def test_reasons_for_a_trial_that_cannot_be_are_in_one_register():
    seen = set()
    for tokens, size in ((3, 4), (4, 4), (5, 4), (1, 1)):
        setup = AttentionSetup(tokens=tokens, block_size=size)
        for name in TRIALS:
            found = trial(setup, make_room(setup), name)
            if isinstance(found, Missing):
                seen.add(found.room)
                assert not re.search(ENGINE_ONLY, found.room)
                assert not re.search(ROOM_ONLY, found.engine)
    assert len(seen) == 3


@settings(max_examples=60, deadline=None)
@given(told_setups())
def test_digits_are_those_of_the_arrays(setup):
    reading = read(setup)
    for moment in reading.moments():
        if moment.line is None:
            continue
        line, step = reading.lines[moment.line], reading.steps[moment.line]
        for head in range(setup.heads):
            engine = words(reading, moment, head, "engine")
            numbers = [number_in(text) for text in re.findall(NUMBER, engine)]
            if moment.phase == "look":
                first = moment.line * setup.block_size
                last = first + len(line.read) - 1
                said = f"block_table[{moment.line}] = **{line.block}**, tokens {first} to {last}"
                assert engine.startswith(said)
                assert f"**{line.block}**" in words(reading, moment, head, "room")
            elif moment.phase == "score":
                scores = step.scores[head].tolist()
                shown = scores if len(scores) <= 8 else [*scores[:6], scores[-1]]
                assert numbers == pytest.approx(shown, abs=6e-4)
            elif moment.phase == "correct":
                before, after = step.max_before[head], step.max_after[head]
                here, alpha = step.scores[head].max(), step.correction[head]
                expected = [before, here, after, before, after, alpha]
                assert numbers == pytest.approx([float(x) for x in expected], abs=6e-4)
                assert numbers[2] == max(numbers[:2])
            else:
                alpha, sum_before, gathered, total = numbers
                assert alpha * sum_before + gathered == pytest.approx(total, abs=0.02)
                assert gathered == pytest.approx(float(step.weights[head].sum()), abs=6e-4)
                assert total == pytest.approx(float(step.sum_after[head]), abs=6e-4)


@settings(max_examples=80, deadline=None)
@given(told_setups())
def test_the_end_says_the_same_answer_only_if_it_is(setup):
    reading = read(setup)
    end = list(reading.moments())[-1]
    slots = sorted((slot.owner, slot.position) for line in reading.lines for slot in line.read)
    own = slots == [("A", position) for position in range(setup.tokens)]
    for head in range(setup.heads):
        off = float(np.abs(reading.output[head] - reading.dense[head]).max())
        room, engine = (words(reading, end, head, register) for register in ("room", "engine"))
        assert ("the same answer" in room) != ("another answer" in room)
        assert ("another answer" in room) == ("not the answer" in engine)
        if own:
            assert "the same answer" in room
        if off > 1e-4:  # else what was read wrongly counts for next to nothing
            assert not own
            assert "another answer" in room
        [shown] = re.findall(r"\*\*([^*]+)\*\* in float", engine)
        assert number_in(shown) == pytest.approx(off, rel=0.06)
        assert ("FP8" in engine) == (setup.numbers == "fp8")
        assert ("float64" in engine) == (setup.numbers == "float64")


def caption(setup, phase, line, register="room"):
    reading = read(setup)
    [moment] = [m for m in reading.moments() if (m.phase, m.line) == (phase, line)]
    return words(reading, moment, 0, register)


def test_whose_boxes_are_left_out_on_the_last_line():
    setup = AttentionSetup()
    assert "other 2 places are somebody's old boxes" in caption(setup, "score", 4)
    swapped = replace(setup, reads=(0, 4, 2, 3, 1))
    assert "other 2 places are A's own boxes" in caption(swapped, "score", 4)
    foreign = replace(setup, reads=(0, 1, 2, 3, 5))
    assert "other 2 places are visitor B's boxes" in caption(foreign, "score", 4)
    one = AttentionSetup(tokens=15)
    assert "other place is somebody's old box:" in caption(one, "score", 3)


def test_what_is_wrong_with_a_line_is_said_where_it_is_read():
    setup = AttentionSetup(reads=(0, 1, 5, 1, 4))
    assert "visitor B's" in caption(setup, "look", 2)
    assert caption(setup, "look", 2, "engine").endswith("; request B's block")
    assert "line 1 was its place" in caption(setup, "look", 3)
    assert caption(setup, "look", 3, "engine").endswith("; holds logical block 1")
    assert caption(setup, "look", 1).endswith("The hand goes there.")
    assert "slip has ended" in caption(AttentionSetup(past=True), "look", 5)
    assert "beyond the table" in caption(AttentionSetup(past=True), "look", 5, "engine")
    assert "beyond seq_len: masked" in caption(AttentionSetup(), "look", 4, "engine")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(-0.0, "0.000"), (-0.0004, "0.000"), (-0.0006, "−0.001"), (float("inf"), "∞")],
)
def test_zero_has_no_sign(value, shown):
    assert fixed(value) == shown


@pytest.mark.parametrize("power", range(-18, 12))
def test_scientific_can_be_read_back(power):
    for factor in (1.0, 1.96, 9.96, 9.4, -3.3):
        value = factor * 10.0**power
        text = scientific(value)
        assert "e" not in text
        assert number_in(text) == pytest.approx(value, rel=0.051)
