"""The block size's price: by formula and by counting in a real manager."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.timeline.reservation.errors import ReservationError
from pagedviz.timeline.reservation.play import play
from pagedviz.timeline.reservation.setup import ReservationSetup
from pagedviz.timeline.reservation.trade_off import block_size_trade_off, trade_off_by_running


@given(
    st.lists(st.integers(1, 600), min_size=1, max_size=6),
    st.lists(st.integers(1, 256), min_size=1, max_size=6),
)
def test_the_formula_is_what_the_manager_does(lengths, sizes):
    assert block_size_trade_off(lengths, sizes) == trade_off_by_running(lengths, sizes)


def test_all_sizes_of_one_load():
    lengths = [v.will_use for v in ReservationSetup(visitors=60, mix="chat").arrivals()]
    rows = block_size_trade_off(lengths)
    assert [row.block_size for row in rows] == list(range(1, 257))
    assert rows[0].wasted == rows[0].share == 0
    assert rows[0].entries == sum(lengths) / len(lengths)
    entries = [row.entries for row in rows]
    assert entries == sorted(entries, reverse=True)
    for row in rows:
        assert 0 <= row.wasted < row.block_size
        assert row.share == pytest.approx(row.wasted / (row.wasted + rows[0].entries))
    assert rows[255].share > rows[63].share > rows[15].share > 0


def test_by_hand():
    # 499: 32 blocks of 16 with 13 empty slots; 17: 2 blocks with 15
    (row,) = block_size_trade_off([499, 17], [16])
    assert row == (16, 14.0, 28 / 544, 17.0)


def test_a_finished_request_of_a_run_has_as_many_entries():
    run = play(ReservationSetup())
    for visitor in run.visitors:
        tables = [t for step in run.steps for t in step.paged.tables if t.visitor == visitor.number]
        (row,) = block_size_trade_off([visitor.will_use], [16])
        assert len(tables[-1].blocks) == row.entries
        assert 16 - tables[-1].blocks[-1][1] == row.wasted


@pytest.mark.parametrize(
    ("lengths", "sizes", "message"),
    [
        ([], [16], "no lengths"),
        ([5, 0], [16], "Length 2 must be a whole number of at least 1, not 0"),
        ([5, True], [16], "Length 2"),
        ([5], [0], "from 1 to 256, not 0"),
        ([5], [257], "not 257"),
    ],
)
def test_what_cannot_be(lengths, sizes, message):
    with pytest.raises(ReservationError, match=message):
        block_size_trade_off(lengths, sizes)
