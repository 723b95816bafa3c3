"""The encoder-only scene as the stage gets it: it says what the scene says, batch by batch."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.engine.spyre.pooling import PoolingText, WarmupShape
from pagedviz.timeline.spyre.encoder import encoder_scene
from pagedviz.timeline.spyre.encoder_wire import encode_encoder
from pagedviz.timeline.step import NUM_HUES, letter

shapes = st.lists(
    st.builds(WarmupShape, st.sampled_from([64, 128, 512]), st.integers(1, 6)),
    min_size=1,
    max_size=3,
)


def scene_of(found, lengths):
    longest = max(shape.prompt_len for shape in found)
    texts = tuple(PoolingText(letter(i), min(n, longest)) for i, n in enumerate(lengths))
    return encoder_scene(tuple(found), texts)


@given(shapes, st.lists(st.integers(1, 600), min_size=1, max_size=40))
def test_every_batch_is_a_rectangle_of_its_shape(found, lengths):
    scene = scene_of(found, lengths)
    wire = encode_encoder(scene)
    json.dumps(wire, allow_nan=False)
    assert wire["last"] == len(wire["steps"]) - 1 == len(scene.batches)
    names = [request["letter"] for request in wire["requests"]]
    assert names == [letter(i) for i in range(len(lengths))]
    assert [request["hue"] for request in wire["requests"]] == [
        i % NUM_HUES for i in range(len(lengths))
    ]
    for batch, step in zip(scene.batches, wire["steps"][1:], strict=True):
        size, length = step["size"]
        assert (size, length) == (batch.shape.batch_size, batch.shape.prompt_len)
        assert len(step["rows"]) + step["empty"] == size
        assert step["vol"] == size * length == batch.paid
        assert step["carry"] == sum(row[3] for row in step["rows"]) == batch.carries
        for number, padding, held, tokens in step["rows"]:
            assert (padding + held) * 64 == pytest.approx(length)
            assert held * 64 == pytest.approx(tokens)
            assert names[number] in {text.letter for text in batch.texts}
        assert step["w"] * 64 >= length > (step["w"] - 1) * 64
        assert [names[entry[0]] for entry in step.get("wait", ())] == [
            one.letter for one in batch.waiting
        ]


@given(shapes, st.lists(st.integers(1, 600), min_size=1, max_size=40))
def test_a_text_waits_until_its_batch_and_is_gone_after_it(found, lengths):
    wire = encode_encoder(scene_of(found, lengths))
    for number, line in enumerate(wire["turns"]):
        assert len(line) == len(wire["steps"])
        at = line.index("d")
        assert line == "." * at + "d" + " " * (len(line) - at - 1)
        for k, step in enumerate(wire["steps"]):
            inside = number in [row[0] for row in step["rows"]]
            assert inside == (k == at)
            if k:
                waits = number in [entry[0] for entry in step["wait"]]
                assert not waits or k < at


def test_the_scene_to_start_from():
    wire = encode_encoder(encoder_scene())
    assert wire["encoder"]
    assert wire["limit"] is None  # no product limit here
    first, _, last = wire["steps"][1:]
    assert first["wait"][0][1:] == [
        "no table is long and wide enough for it together with those before",
        "no shape fits it together with those before it",
    ]
    assert (last["empty"], last["vol"], last["carry"]) == (1, 1_024, 50)
    assert last["wait"] == []
    assert wire["steps"][0]["rows"] == []
