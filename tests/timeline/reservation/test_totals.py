"""What a comparison comes to: weighted by time, and everybody's own waiting."""

import pytest
from hypothesis import given, settings

from pagedviz.timeline.reservation.play import play
from pagedviz.timeline.reservation.setup import ReservationSetup
from pagedviz.timeline.reservation.totals import totals
from tests.timeline.reservation.setups import setups


def test_totals_are_weighted_by_time():
    run = play(ReservationSetup(visitors=3, every=0))
    old, paged = totals(run)
    assert run.home[0] == run.home[1] == old.home == run.last
    busy = run.steps[1 : run.last]
    for kind in ("token", "never"):
        slots = sum(getattr(step.old.counts, kind) for step in busy)
        assert old.shares[kind] == pytest.approx(slots / 512 / len(busy))
    assert sum(old.shares.values()) == pytest.approx(1)
    assert sum(paged.shares.values()) == pytest.approx(1)
    assert old.shares["token"] == paged.shares["token"]  # room for all: the same is written
    assert (old.most, old.mean_wait, old.preemptions) == (3, 0, 0)
    assert [stay.admitted for stay in old.stays] == [1, 1, 1]


@settings(max_examples=30, deadline=None)
@given(setups())
def test_waits_add_up(setup):
    run = play(setup)
    for side, steps in zip(
        totals(run),
        ([s.old for s in run.steps], [s.paged for s in run.steps]),
        strict=True,
    ):
        assert sum(stay.waited for stay in side.stays) == sum(len(s.waits) for s in steps)
        for stay in side.stays:
            if stay.admitted < 0:
                assert stay.left == -1
                continue
            v = run.visitors[stay.visitor]
            assert stay.waited >= stay.admitted - v.arrive
            if not side.preemptions:
                assert stay.waited == stay.admitted - v.arrive
        assert sum(side.shares.values()) == pytest.approx(1)
        assert 0 <= side.empty < 1
