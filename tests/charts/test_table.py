"""The table says for every step what the stage shows, in the words of one register."""

import re

import pytest

from pagedviz.charts.table import MEASURES, UNITS, steps_table
from pagedviz.timeline.captions import REGISTERS
from pagedviz.timeline.play import play
from pagedviz.timeline.presets import DEFAULT, preset
from tests.timeline.registers import ENGINE_ONLY, ROOM_ONLY

WORDS = {
    "room": ("step", "visitor", "what happened"),
    "engine": ("step", "operation", "request", "what happened"),
}


@pytest.mark.parametrize("register", REGISTERS)
def test_one_row_per_step_with_its_words(register):
    timeline = play(DEFAULT.run)
    table = steps_table(timeline, register)
    assert list(table["step"]) == list(range(timeline.last + 1))
    figures = tuple(f"{m} ({u})" for m in MEASURES for u in UNITS[register])
    assert tuple(table.columns) == (*WORDS[register], *figures)
    assert not table["what happened"].str.contains("*", regex=False).any()


def test_the_refusal_of_the_default_run_in_both_registers():
    timeline = play(DEFAULT.run)
    room = steps_table(timeline).iloc[DEFAULT.opening]
    assert room["visitor"] == "C"
    assert "needs 18 shelves, but the queue holds only 17" in room["what happened"]
    engine = steps_table(timeline, "engine").iloc[DEFAULT.opening]
    assert (engine["operation"], engine["request"]) == ("admit", "C")
    assert "needs 18 blocks, 17 free" in engine["what happened"]


@pytest.mark.parametrize(("register", "foreign"), [("room", ENGINE_ONLY), ("engine", ROOM_ONLY)])
def test_registers_never_mix(register, foreign):
    table = steps_table(play(preset("afternoon").run), register)
    texts = [*table.columns, *table["what happened"], *(table.get("operation", []))]
    assert not [text for text in texts if re.search(foreign, text)]


@pytest.mark.parametrize("register", REGISTERS)
def test_measures_add_up(register):
    timeline = play(preset("afternoon").run)
    table = steps_table(timeline, register)
    block, token = UNITS[register]
    whole = table[f"used ({block})"] + table[f"kept ({block})"] + table[f"free ({block})"]
    assert (whole == timeline.pool.usable).all()
    places = table[f"used ({token})"] + table[f"wasted ({token})"]
    assert (places == table[f"used ({block})"] * timeline.pool.block_size).all()


def test_ticks_stand_only_where_a_scheduler_drove():
    driven = steps_table(play(preset("afternoon").run), "engine")
    assert list(driven.columns[:2]) == ["step", "tick"]
    assert driven["tick"].isna().to_list() == [True] + [False] * (len(driven) - 1)
    assert driven["tick"].iloc[-1] > 10
    assert "tick" not in steps_table(play(DEFAULT.run), "engine").columns
    assert "tick" not in steps_table(play(preset("afternoon").run), "room").columns
