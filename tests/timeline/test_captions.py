"""Every operation and outcome has its sentence in both registers, with the reason."""

import re

import pytest

from pagedviz.timeline.captions import REGISTERS, caption
from pagedviz.timeline.ops import FIELDS
from pagedviz.timeline.play import play
from pagedviz.timeline.presets import PRESETS
from pagedviz.timeline.room_grammar import LONGEST
from pagedviz.timeline.run import Run
from tests.timeline import told_admitting, told_arriving, told_inside, told_leaving
from tests.timeline.operations import PAIR, add, admit, one
from tests.timeline.registers import ENGINE_ONLY, NUMBER_WORDS, ROOM_ONLY

CASES = {
    **told_arriving.CASES,
    **told_admitting.CASES,
    **told_inside.CASES,
    **told_leaving.CASES,
}

WRONG = (
    r"\b1 (shelves|boxes|blocks|tokens)\b|\b(one|1) \w*(shelves|boxes)\b|  |\*\*\*|\bNone\b "
    r"boxes|\bboxs|\bshelfs|,,|\.\.(?! \d)|\b[2-9] (shelf|box)\b"
)


def last_words(config, *ops):
    step = play(Run("words", config, ops)).steps[-1]
    return caption(step, "room"), caption(step, "engine")


def check(step):
    room, engine = (caption(step, register) for register in REGISTERS)
    for text in (room, engine):
        assert text
        assert text.count("**") % 2 == 0
        assert not re.search(WRONG, text), text
        assert not re.search(NUMBER_WORDS, text), text
    assert not re.search(ENGINE_ONLY, room), room
    assert not re.search(ROOM_ONLY, engine, re.IGNORECASE), engine
    assert room[-1] == "." or room.endswith(".**"), room
    assert len(room.replace("*", "")) <= LONGEST + 15, room
    assert len(engine) <= 220, engine


def test_recorded_traces_are_told_without_mixing_registers(golden):
    _, timeline = golden
    for step in timeline.steps:
        check(step)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.id)
def test_presets_are_told_without_mixing_registers(preset):
    for step in play(preset.run).steps:
        check(step)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_outcome_says_what_and_why(case):
    config, ops, room, engine = case
    got_room, got_engine = last_words(config, *ops)
    assert room in got_room
    assert engine in got_engine
    check(play(Run("words", config, ops)).steps[-1])


def test_every_operation_is_covered():
    assert {op["op"] for _, ops, _, _ in CASES.values() for op in ops[-1:]} == set(FIELDS)


def test_long_lists_are_shortened():
    room, engine = last_words(
        {"num_blocks": 40, "block_size": 1},
        add("a", range(30)),
        admit("a"),
        add("b", [*range(3), *range(90, 93)]),
        admit("b"),
        one("free", "a"),
    )
    assert "**30 down to 4** keep their boxes" in room
    assert "hashed -> tail [30, 29, 28, .. 24 more]" in engine


def test_lists_of_large_numbers_stay_short():
    tokens = list(range(8))
    room = {"num_blocks": 8192, "block_size": 1}
    ops = [add("z", range(1000, 7000)), admit("z")]  # so that numbers have four digits
    ops += [add("a", tokens), admit("a"), one("free", "a"), add("y", range(2000, 4184))]
    ops += [admit("y"), add("b", [*tokens, 8, 9]), admit("b"), add("c", [*tokens, 5]), admit("c")]
    ops += [one("free", "z"), add("w", range(9000, 15000)), admit("w")]
    for step in play(Run("words", room, ops)).steps:
        assert len(caption(step, "engine")) <= 220


def test_the_lookup_itself_counts_no_reference(trace):
    for step in trace("g05")[1].steps:
        text = caption(step, "engine")
        assert "ref_cnt +1" not in text.split("allocate_slots")[0]


def test_unknown_registers_are_refused():
    step = play(Run("t", PAIR, [])).steps[0]
    with pytest.raises(ValueError, match="'room' or 'engine'"):
        caption(step, "both")
