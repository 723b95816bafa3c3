"""Encoder-only models: batches of fixed shape."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.engine.errors import ConfigError, OperationError
from pagedviz.engine.spyre.pooling import PoolingScheduler, PoolingText, WarmupShape


def server(*shapes):
    return PoolingScheduler(WarmupShape(*shape) for shape in shapes)


def batches(s, *texts):
    for number, text in enumerate(texts):
        tokens, step = text if isinstance(text, tuple) else (text, 0)
        s.add_request(PoolingText(str(number), tokens, step))
    return list(s.run())


def ids(step):
    return [text.request_id for text in step.texts]


def test_texts_go_together_up_to_the_batch_size():
    first, second = batches(server((512, 3)), 500, 10, 512, 1)
    assert ids(first) == ["0", "1", "2"]
    assert [(one.request_id, one.reason) for one in first.waiting] == [("3", "batch_full")]
    assert first.paddings == (12, 502, 0)
    assert (first.volume, first.tokens, first.empty_rows) == (1536, 1022, 0)
    assert ids(second) == ["3"]
    assert (second.empty_rows, second.step) == (2, 1)


def test_one_that_shares_no_shape_is_passed_over():
    first, second = batches(server((512, 2), (128, 4)), 100, 90, 300, 10)
    assert ids(first) == ["0", "1", "3"]
    assert first.shape == WarmupShape(128, 4)
    assert [(one.request_id, one.reason) for one in first.waiting] == [("2", "no_common_shape")]
    assert ids(second) == ["2"]
    assert second.shape == WarmupShape(512, 2)


def test_the_first_text_decides_what_can_still_join():
    first, second, third = batches(server((512, 1), (128, 4)), 300, 100, 200, 5)
    assert ids(first) == ["0"]  # a batch of one is full
    assert [one.reason for one in first.waiting] == ["batch_full"] * 3
    assert ids(second) == ["1", "3"]
    assert ids(third) == ["2"]


def test_a_batch_is_padded_to_the_first_fitting_shape_by_batch_size_then_length():
    s = server((256, 4), (64, 4), (512, 2))
    assert [(one.prompt_len, one.batch_size) for one in s.shapes] == [(512, 2), (64, 4), (256, 4)]
    (small,) = batches(s, 60)
    assert small.shape == WarmupShape(512, 2)  # two rows before four, however long
    assert batches(server((256, 4), (64, 4), (512, 2)), 60, 60, 60)[0].shape == WarmupShape(64, 4)


def test_the_longest_text_decides_the_shape():
    (first,) = batches(server((64, 4), (256, 4)), 10, 200, 30)
    assert ids(first) == ["0", "1", "2"]
    assert first.shape == WarmupShape(256, 4)


def test_nothing_joins_a_batch_that_runs_and_idle_steps_are_left_out():
    first, second, third = batches(server((512, 8)), 10, (20, 1), (30, 7))
    assert [ids(one) for one in (first, second, third)] == [["0"], ["1"], ["2"]]
    assert [one.step for one in (first, second, third)] == [0, 1, 7]
    assert [one.arrived for one in (first, second, third)] == [("0",), ("1",), ("2",)]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 8), st.integers(1, 5)), min_size=1, max_size=3),
    st.lists(st.tuples(st.integers(1, 512), st.integers(0, 5)), max_size=12),
)
def test_every_text_is_computed_once_in_a_shape_that_holds_it(shapes, texts):
    s = server(*((64 * length, size) for length, size in shapes))
    texts = [(min(tokens, s.max_model_len), step) for tokens, step in texts]
    done = []
    head = None
    for step in batches(s, *texts):
        assert 1 <= len(step.texts) <= step.shape.batch_size
        assert min(step.paddings) >= 0
        done += ids(step)
        assert head is None or ids(step)[0] == head  # who is first in line is always in
        head = step.waiting[0].request_id if step.waiting else None
    assert sorted(done, key=int) == [str(i) for i in range(len(texts))]


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ((500, 8), "500 is no multiple of 64; try 448 or 512"),
        ((30, 8), "30 is no multiple of 64; try 64"),
        ((512, 0), "batch_size"),
        ((0, 8), "prompt_len"),
    ],
)
def test_shapes_that_cannot_be_are_refused(shape, said):
    with pytest.raises(ConfigError, match=said):
        WarmupShape(*shape)


def test_texts_that_cannot_be_are_refused_and_change_nothing():
    s = server((512, 8))
    s.add_request(PoolingText("A", 512))
    with pytest.raises(OperationError, match="513 tokens, and the longest shape is for 512"):
        s.add_request(PoolingText("B", 513))
    with pytest.raises(OperationError, match="has been here"):
        s.add_request(PoolingText("A", 5))
    assert ids(s.step()) == ["A"]
    with pytest.raises(OperationError, match="arrival_step 0 has passed; try 1"):
        s.add_request(PoolingText("C", 5))
    assert s.waiting == ()
    assert s.step() is None
    with pytest.raises(ConfigError, match="at least one warm-up shape"):
        PoolingScheduler([])
    for wrong in ({"prompt_len": 0}, {"request_id": ""}, {"arrival_step": -1}):
        with pytest.raises(OperationError):
            PoolingText(**{"request_id": "D", "prompt_len": 5, **wrong})


def test_limits_follow_from_the_shapes():
    s = PoolingScheduler()
    assert (s.max_model_len, s.max_num_seqs) == (512, 8)
