"""The projection: positions live in the keys, and a score depends on the distance alone."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.timeline.attention.toy_model import made_up_ids, project

SIZES = {"heads": 4, "kv_heads": 2, "head_size": 8, "seed": 5}


@settings(max_examples=40, deadline=None)
@given(
    ids=st.tuples(st.integers(0, 99_999), st.integers(0, 99_999)),
    at=st.tuples(st.integers(0, 20), st.integers(0, 20)),
    by=st.integers(1, 20),
    half=st.integers(1, 8),
)
def test_score_depends_on_the_relative_position_only(ids, at, by, half):
    """The same two tokens, both `by` places further on, have the same score."""
    scores = []
    for shift in (0, by):
        row = [7] * (max(at) + shift + 1)
        row[at[0] + shift], row[at[1] + shift] = ids
        made = project(row, **{**SIZES, "head_size": 2 * half})
        for head in range(4):
            scores.append(made.query[at[0] + shift, head] @ made.key[at[1] + shift, head // 2])
    assert np.allclose(scores[:4], scores[4:], rtol=0, atol=2e-4)


def test_score_changes_with_the_distance():
    made = project([3, 11, 11, 11], **SIZES)
    scores = [float(made.query[0, 0] @ made.key[at, 0]) for at in (1, 2, 3)]
    assert np.ptp(scores) > 1e-2
    assert len({round(score, 4) for score in scores}) == 3


@settings(max_examples=30, deadline=None)
@given(token=st.integers(0, 99_999), seed=st.integers(0, 9999))
def test_the_position_turns_the_key_and_keeps_its_length(token, seed):
    made = project([token] * 48, **{**SIZES, "seed": seed})
    assert np.array_equal(made.value[0], made.value[47])  # values carry no position
    for turned in (made.key, made.query):
        assert len({each.tobytes() for each in turned}) == 48
        lengths = np.linalg.norm(turned.astype(np.float64), axis=-1)
        assert np.allclose(lengths, lengths[0], rtol=1e-5)
    # each pair turns by itself, the first by one radian a place, as RoPE says
    first, second = made.key[..., 0], made.key[..., 4]
    angle = np.unwrap(np.arctan2(second, first), axis=0)
    assert np.allclose(np.diff(angle, axis=0), 1.0, atol=1e-3)


def test_same_numbers_for_the_same_token_place_and_seed():
    ids = made_up_ids(20, 5, 0)
    whole, part = project(ids, **SIZES), project(ids[:7], **SIZES)
    assert np.array_equal(whole.key[:7], part.key)
    assert np.array_equal(project(ids, **SIZES).query, whole.query)
    assert not np.array_equal(project(ids, **{**SIZES, "seed": 6}).query, whole.query)
    assert whole.key.dtype == whole.value.dtype == np.float32
    assert (whole.query.shape, whole.key.shape) == ((20, 4, 8), (20, 2, 8))
    assert made_up_ids(20, 5, 1) != ids != made_up_ids(20, 6, 0)
