"""The table says for every step what the stage shows."""

import pytest

from pagedviz.charts.table import MEASURES, UNITS, WORDS, steps_table
from pagedviz.timeline.play import play
from pagedviz.timeline.presets import DEFAULT, preset


def test_one_row_per_step_with_its_words():
    timeline = play(DEFAULT.run)
    table = steps_table(timeline)
    assert list(table["step"]) == list(range(timeline.last + 1))
    assert tuple(table.columns) == (*WORDS, *(f"{m} {u}" for m in MEASURES for u in UNITS))
    row = table.iloc[DEFAULT.opening]
    assert (row["operation"], row["visitor"]) == ("admit", "C")
    assert "Refused: nothing changes" in row["what happened"]
    assert "needs 18 blocks, 17 free" in row["engine's words"]
    assert not table["what happened"].str.contains("*", regex=False).any()


def test_measures_add_up():
    timeline = play(preset("afternoon").run)
    table = steps_table(timeline)
    whole = table["used blocks"] + table["kept blocks"] + table["free blocks"]
    assert (whole == timeline.pool.usable).all()
    places = table["used tokens"] + table["wasted tokens"]
    assert (places == table["used blocks"] * timeline.pool.block_size).all()
    percent = table["used %"] + table["kept %"] + table["free %"]
    assert percent.to_list() == pytest.approx([100] * len(table), abs=0.2)
    assert table["tick"].iloc[-1] > 10


def test_ticks_are_missing_where_no_scheduler_drove():
    assert steps_table(play(DEFAULT.run))["tick"].isna().all()
