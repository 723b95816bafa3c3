"""Random setups of the comparison, small enough to be played often."""

from hypothesis import strategies as st

from pagedviz.engine.buddy import power_of_two
from pagedviz.engine.reservation import POLICIES
from pagedviz.timeline.reservation.lengths import MIXES
from pagedviz.timeline.reservation.setup import ReservationSetup


@st.composite
def setups(draw, mixes=MIXES):
    slots = draw(st.sampled_from([64, 96, 120, 128, 200, 256, 512]))
    policy = draw(st.sampled_from(POLICIES))
    longest = 1 << (slots.bit_length() - 1)
    most = draw(st.integers(16, longest if policy == "max" else slots))
    assert policy != "max" or power_of_two(most) <= longest
    return ReservationSetup(
        slots=slots,
        max_model_len=most,
        policy=policy,
        block_size=draw(st.sampled_from([n for n in range(1, 65) if slots % n == 0])),
        visitors=draw(st.integers(1, 14)),
        every=draw(st.integers(0, 6)),
        mix=draw(st.sampled_from(mixes)),
        mean_prompt=draw(st.integers(1, 60)),
        mean_output=draw(st.integers(1, 30)),
        seed=draw(st.integers(0, 99)),
        token_budget=draw(st.sampled_from([64, 100, 2048])),
    )
