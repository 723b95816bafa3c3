"""Loads that are made up: means, arrivals, what is shared, and settings that cannot be."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.workload import Lengths, LoadSetup, SimulationSetup, WorkloadError, generate, simulate
from pagedviz.workload.generate import KINDS, LENGTHS


@pytest.mark.parametrize(("kind", "means"), [("sharegpt", (161, 338)), ("alpaca", (19, 58))])
def test_published_means(kind, means):
    trace = generate(LoadSetup(kind, num_requests=100_000, seed=3))
    found = trace.requests[["prompt_tokens", "output_tokens"]].mean()
    assert found.tolist() == pytest.approx(means, rel=0.015)
    assert any(f"{means[0]} and {means[1]}" in note for note in trace.notes)
    assert any("log-normal" in note for note in trace.notes)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    mean=st.floats(5, 4000), spread=st.floats(0.1, 2), room=st.floats(1.2, 20), seed=st.integers(0)
)
def test_mean_and_ceiling_hold_whatever_the_spread(mean, spread, room, seed):
    lengths = Lengths(mean, spread, int(mean * room) + 1)
    drawn = lengths.draw(np.random.default_rng(seed), 40_000)
    assert drawn.min() >= 1
    assert drawn.max() <= lengths.ceiling
    # whole numbers of at least 1 lift small means a little
    assert drawn.mean() == pytest.approx(mean, rel=0.08, abs=0.5)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_is_the_same_load(kind):
    one, two, other = (generate(LoadSetup(kind, 300, seed=seed)).requests for seed in (5, 5, 6))
    assert one.equals(two)
    assert not one.equals(other)
    assert len(one) == 300
    assert one["arrival_s"].is_monotonic_increasing
    assert one["arrival_s"].iloc[0] == 0


def test_poisson_arrivals_have_the_rate_and_its_spread():
    gaps = generate(LoadSetup("alpaca", 50_000, rate=4.0)).requests["arrival_s"].diff().dropna()
    assert gaps.mean() == pytest.approx(0.25, rel=0.03)
    assert gaps.std() == pytest.approx(0.25, rel=0.03)


def test_all_at_once():
    assert (generate(LoadSetup("own", 50, rate=None)).requests["arrival_s"] == 0).all()


def test_own_lengths():
    setup = LoadSetup("own", 50, prompt=Lengths(70, 0, 100), output=Lengths(9, 0, 10))
    rows = generate(setup).requests
    assert set(rows["prompt_tokens"]) == {70}
    assert set(rows["output_tokens"]) == {9}


@pytest.mark.parametrize("kind", ["chat", "documents", "agents"])
def test_segments_add_up_to_the_prompt(kind):
    for row in generate(LoadSetup(kind, 100)).requests.itertuples():
        assert sum(length for _, length in row.segments) == row.prompt_tokens


def test_an_agent_repeats_the_conversation_so_far_with_its_answers():
    rows = generate(LoadSetup("agents", 8, rate=None, turns=4, turn_s=0.0, seed=1)).requests
    for session in (rows.iloc[:4], rows.iloc[4:]):
        said = [(0, 500)]
        for row in session.itertuples():
            assert row.segments[:-1] == tuple(said)
            said = [*row.segments, (row.answer_id, row.output_tokens)]


def hits(kind, **settings):
    setup = SimulationSetup(2**22, 16, 500, systems=("paged",))
    trace = generate(LoadSetup(kind, 200, **settings))
    return simulate(trace, setup).systems["paged"]


def test_a_shared_system_prompt_is_hit_by_all_but_the_first():
    # 500 tokens fill 31 blocks of 16
    assert hits("chat").hit_tokens == 199 * 31 * 16


def test_documents_share_nothing_and_lengths_alone_say_nothing():
    assert hits("documents").hit_tokens == 0
    assert hits("sharegpt").hit_tokens is None


def test_agents_hit_what_was_said_before_and_more_than_the_system_prompt():
    result = hits("agents")
    assert result.hit_tokens > 199 * 31 * 16
    assert result.hit_rate > 0.5


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"kind": "poem"}, "kind must be one of"),
        ({"num_requests": 0}, "num_requests must be a whole number from 1"),
        ({"num_requests": 10.0}, "not 10.0"),
        ({"seed": -1}, "seed must be"),
        ({"rate": 0}, "rate must be from 0.001"),
        ({"rate": float("nan")}, "rate must be"),
        ({"turns": True}, "turns must be"),
        ({"prompt": 5}, "prompt must be Lengths"),
    ],
)
def test_settings_that_cannot_be(settings, said):
    with pytest.raises(WorkloadError, match=said):
        LoadSetup(**settings)


@pytest.mark.parametrize(
    ("lengths", "said"),
    [
        ((0,), "mean must be from 1"),
        ((10, -1), "spread must be from 0 to 3"),
        ((10, 1, 0), "ceiling must be from 1"),
        ((1000, 1, 1024), "Take a mean of at most 922"),
    ],
)
def test_lengths_that_cannot_be(lengths, said):
    with pytest.raises(WorkloadError, match=said):
        Lengths(*lengths)


def test_every_kind_has_lengths():
    assert set(LENGTHS) == set(KINDS)
