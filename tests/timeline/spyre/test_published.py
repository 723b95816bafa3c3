"""The published trade-off, the encoder-only scene, and where the two pictures differ."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.engine.spyre.pooling import PoolingText, WarmupShape
from pagedviz.timeline.kv_models import KV_MODELS
from pagedviz.timeline.spyre.differences import (
    DIFFERENCES,
    OLD,
    PAUSING_OFF,
    one_card_products,
    taken_of_rows,
)
from pagedviz.timeline.spyre.encoder import encoder_scene
from pagedviz.timeline.spyre.errors import ScenarioError
from pagedviz.timeline.spyre.tradeoff import step_of, trade_off
from pagedviz.timeline.wire import pack
from tests.timeline.spyre.checks import check_words

TRADE_OFF = trade_off()


def test_every_context_of_whole_blocks():
    for i, step in enumerate(TRADE_OFF["steps"][:512]):
        context, batch = step["context"], step["batch"]
        assert context == 64 * (i + 1)
        assert batch == min(32, 131_072 // context)
        assert step["product"] == batch * context <= 131_072
        assert step_of(context) == step_of(context + 63) == i
        check_words(step["c"])
        if "product" not in step["binds"]:
            assert batch == 32
        if batch < 32:
            assert (batch + 1) * context > 131_072
            assert "product" in step["binds"]
    assert len(pack(TRADE_OFF)) < 60_000


def test_fewer_requests_than_would_fit_at_the_longest_context():
    fewer = TRADE_OFF["steps"][512:]
    assert TRADE_OFF["last"] + 1 == len(TRADE_OFF["steps"]) == 515
    assert [step["batch"] for step in fewer] == [3, 2, 1]
    for step in fewer:
        assert step["context"] == 32_768
        assert step["product"] == step["batch"] * 32_768 < 131_072
        assert step["binds"] == ["context"]
        assert step["kinds"] == []
        check_words(step["c"])
        room, engine = step["c"]
        assert "**Nobody may bring more boxes**" in room
        assert "**The ceiling of 32,768 tokens binds**" in engine
    assert fewer[2]["c"][0].startswith("With 32,768 boxes each, **1 visitor fits**")
    assert "**1 request** at once" in fewer[2]["c"][1]


def test_every_number_of_requests_has_a_step():
    assert {step["batch"] for step in TRADE_OFF["steps"]} == set(range(1, 33))


def test_ibms_rows_light_up():
    rows = [[s["batch"], s["context"]] for s in TRADE_OFF["steps"] if s["kinds"] == ["row"]]
    assert rows == [[32, 4_096], [16, 8_192], [4, 32_768]] == TRADE_OFF["rows"]
    binds = [s["binds"] for s in TRADE_OFF["steps"] if s["kinds"]]
    assert binds == [["requests", "product"], ["product"], ["context", "product"]]


def test_context_by_batch():
    by_batch = TRADE_OFF["byBatch"]
    assert len(by_batch) == 32
    for batch, context in enumerate(by_batch, 1):
        assert context == min(32_768, 131_072 // batch)
        assert TRADE_OFF["steps"][step_of(context)]["batch"] >= batch


def test_which_ceiling_binds_is_said():
    said = {c: TRADE_OFF["steps"][step_of(c)]["c"] for c in (1_024, 4_096, 6_144, 32_768)}
    assert "**The ceiling of 32 requests binds**" in said[1_024][1]
    assert "32 requests bind** together" in said[4_096][1]
    assert "one more would make 135,168" in said[6_144][1]
    assert "32,768 tokens bind** together" in said[32_768][1]
    assert "One of IBM's 3 rows." in said[4_096][0]
    assert "IBM" not in said[6_144][0]


# ---- encoder-only


def test_default_scene_passes_over_and_fills_up():
    scene = encoder_scene()
    assert scene.longest == 512
    first = scene.batches[0]
    assert [text.letter for text in first.texts] == ["A", "B", "D", "E"]
    assert first.waiting[0].letter == "C"
    assert first.waiting[0].why.engine == "no shape fits it together with those before it"
    assert {one.why.engine for batch in scene.batches for one in batch.waiting} == {
        "no shape fits it together with those before it",
        "the batch is full",
    }


shapes = st.lists(
    st.builds(WarmupShape, st.sampled_from([64, 128, 512]), st.integers(1, 6)),
    min_size=1,
    max_size=3,
)


@settings(deadline=None)
@given(shapes, st.lists(st.integers(1, 600), min_size=1, max_size=12))
def test_scenes_pay_for_the_shape(found, lengths):
    longest = max(shape.prompt_len for shape in found)
    texts = tuple(PoolingText(f"T{i}", min(n, longest)) for i, n in enumerate(lengths))
    scene = encoder_scene(tuple(found), texts)
    check_words(scene.lead, longest=260)
    done = [text.letter for batch in scene.batches for text in batch.texts]
    assert sorted(done) == sorted(text.request_id for text in texts)
    for batch in scene.batches:
        check_words(batch.caption)
        assert len(batch.texts) + batch.empty_rows == batch.shape.batch_size
        assert all(t.tokens + t.padding == batch.shape.prompt_len for t in batch.texts)
        padding = sum(t.padding for t in batch.texts) + batch.empty_rows * batch.shape.prompt_len
        assert batch.carries + padding == batch.paid
        for one in batch.waiting:
            check_words(one.why)


def test_scenes_that_cannot_be():
    with pytest.raises(ScenarioError, match="there are zero"):
        encoder_scene(texts=())
    with pytest.raises(ScenarioError, match="65 are more than can be shown; at most 64"):
        encoder_scene(texts=tuple(PoolingText(f"T{i}", 9) for i in range(65)))
    with pytest.raises(ValueError, match="longest shape is for 512; try 512 or fewer"):
        encoder_scene(texts=(PoolingText("A", 513),))


# ---- published against actual


@pytest.mark.parametrize("one", DIFFERENCES, ids=lambda one: one.id)
def test_differences_are_worded_and_sourced(one):
    check_words(one.published)
    check_words(one.actual)
    assert one.published != one.actual
    assert one.published_by
    assert re.search(r"20[0-9]{2}", one.actual_by)  # a date


def said(key):
    return next(one for one in DIFFERENCES if one.id == key)


FIGURES = {
    "card": ("3,072 x 16 = 49,152", "8,192 x 4 = 32,768"),
    "one-card-later": ("3,072 x 16, 8,192 x 4",),
    "memory": ("20 GiB, 5 GiB on each of 4 cards of 128 GB",),
    "longest": ("4 ", "the 31 without it"),
    "taken": ("16 ", "32 may be"),
    "promise": ("16 ", "512 of 8,191"),
    "rows": ("32 at 4,096 and 31 at 4,097", "31, 15 and 3", "32, 16 and 4"),
    "caching": ("512", "on by"),
}


@pytest.mark.parametrize("key", FIGURES)
def test_figures(key):
    for text in said(key).actual:
        for figure in FIGURES[key]:
            assert figure in text


def test_all_differences_are_here():
    assert [one.id for one in DIFFERENCES] == list(FIGURES)
    assert [one.id for one in DIFFERENCES if one.unconfirmed] == ["one-card-later"]


def test_figures_are_the_engines():
    assert one_card_products() == ((3_072, 16, 49_152), (8_192, 4, 32_768))
    assert taken_of_rows(PAUSING_OFF) == (31, 15, 3)
    assert taken_of_rows(OLD) == (32, 16, 4)
    assert KV_MODELS[0].bytes_per_token * 131_072 == 20 * 1024**3
