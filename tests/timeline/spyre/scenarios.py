"""Random scenarios and mixes, small enough that all rules are met."""

from hypothesis import strategies as st

from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.releases import RELEASES
from pagedviz.engine.spyre.requests import SpyreRequest
from pagedviz.timeline.spyre.mix import Mix, MixGroup
from pagedviz.timeline.spyre.scenario import Scenario
from pagedviz.timeline.step import letter

PAUSING = "sendnn_2_6_3_default_pausing"


@st.composite
def limits(draw, blocks=(17, 36)):
    return SpyreLimits(
        draw(st.integers(1, 6)),
        512,
        draw(st.sampled_from([512, 700, 1024, 2048])),
        chunk_size=draw(st.sampled_from([64, 128, 512])),
        num_blocks=draw(st.integers(*blocks)),
    )


@st.composite
def requests(draw, name):
    prompt = draw(st.integers(1, 460))
    most = draw(st.one_of(st.none(), st.integers(1, 120)))
    written = draw(st.one_of(st.none(), st.integers(1, 40)))
    if most is not None and written is not None:
        written = min(written, most)
    if most is None and written is None:
        written = 20
    shared = draw(st.sampled_from([0, 0, 64, 200]))
    return SpyreRequest(
        name,
        prompt,
        most,
        written,
        arrival_step=draw(st.integers(0, 30)),
        shared_prefix="manual" if shared else "",
        shared_tokens=min(shared, prompt),
    )


@st.composite
def scenarios(draw):
    release = draw(st.sampled_from(list(RELEASES)))
    # 1.10.0 counts no blocks and stops the server when they run out
    few = (17, 36) if RELEASES[release].promises_blocks else (200, 240)
    count = draw(st.integers(1, 6))
    return Scenario(
        draw(limits(few)),
        tuple(draw(requests(letter(i))) for i in range(count)),
        release=release,
        prefix_caching=draw(st.sampled_from([None, True, False])),
        interleave=draw(st.booleans()),
    )


@st.composite
def mixes(draw, release=None):
    found = draw(limits((60, 80)))
    left = found.max_num_seqs + draw(st.sampled_from([0, 0, 3]))  # these three wait
    groups = []
    while left and (not groups or draw(st.booleans())):
        count = draw(st.integers(1, left))
        prompt = draw(st.integers(1, 448))
        room = 512 - -(-prompt // 64) * 64
        groups.append(MixGroup(count, prompt, draw(st.integers(1, room))))
        left -= count
    return Mix(tuple(groups), found, release or draw(st.sampled_from(list(RELEASES))))
