"""Sums over time: the curve's bins and the totals agree, however the steps lie."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.workload.account import MAX_POINTS, Account

STRETCHES = st.lists(
    st.tuples(
        st.sampled_from([1, 1000, 700_001, 10**7, 10**11]),  # nanoseconds a step
        st.integers(1, 5000),  # steps
        st.integers(0, 50),  # tokens at first
        st.integers(0, 3),  # more with every step
        st.booleans(),
    ),
    max_size=12,
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(STRETCHES)
def test_bins_add_up_to_the_totals_and_steps_one_by_one(stretches):
    whole, single = Account(start=7), Account(start=7)
    time = 7
    for duration, steps, tokens, slope, waits in stretches:
        rest = 10**6 - tokens
        whole.add(
            time, duration, steps, (tokens, rest, 0, 2, 5), 3, 1,
            slope=slope, waits=waits,
        )  # fmt: skip
        for at in range(steps):
            more = slope * at
            single.add(
                time + at * duration, duration, 1, (tokens + more, rest - more, 0, 2, 5), 3, 1,
                waits=waits,
            )  # fmt: skip
        time += duration * steps
    assert whole.busy == single.busy
    assert whole.pressed == single.pressed
    assert whole.points() == single.points()
    points = whole.points()
    assert len(points) <= MAX_POINTS
    assert [sum(sums[i] for _, sums in points) for i in range(8)] == whole.busy


def test_idle_time_is_in_the_curve_and_not_in_the_totals():
    account = Account(start=0)
    account.add(0, 1, 10**9, (0, 0, 3, 0, 7), 0, 0, idle=True)
    assert account.busy == [0] * 8
    assert sum(sums[0] for _, sums in account.points()) == 10**9
    assert sum(sums[3] for _, sums in account.points()) == 3 * 10**9
