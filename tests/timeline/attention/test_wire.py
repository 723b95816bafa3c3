"""The reading as the browser gets it: plain JSON, small, and equal to the arrays it came from."""

import base64
import gzip
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from pagedviz.timeline.attention.reading import read
from pagedviz.timeline.attention.setup import AttentionSetup, with_text
from pagedviz.timeline.attention.wire import dumps, encode
from pagedviz.timeline.wire import pack
from pagedviz.tokens import default_tokenizer
from tests.timeline.attention.setups import told_setups

LARGEST = AttentionSetup(
    tokens=48, block_size=2, heads=8, kv_heads=8, head_size=16, numbers="float64", past=True
)


@settings(max_examples=50, deadline=None)
@given(told_setups())
def test_it_is_plain_json_and_has_every_step(setup):
    wire = encode(read(setup))
    text = json.dumps(wire, allow_nan=False)
    assert json.loads(text) == json.loads(dumps(read(setup)))
    assert wire["last"] == len(wire["steps"]) - 1 == 4 * len(wire["lines"]) + 1
    assert {len(step["c"]) for step in wire["steps"]} == {setup.heads}
    assert all(len(both) == 2 and all(both) for step in wire["steps"] for both in step["c"])


@settings(max_examples=50, deadline=None)
@given(told_setups())
def test_numbers_are_those_of_the_reading(setup):
    reading = read(setup)
    wire = encode(reading)
    for number, head in enumerate(wire["heads"]):
        same = {"rtol": 1e-5, "atol": 1e-9}
        assert np.allclose(head["query"], reading.query[number], **same)
        assert np.allclose(head["out"], reading.output[number], rtol=1e-8, atol=1e-12)
        assert np.allclose(head["dense"], reading.dense[number], rtol=1e-8, atol=1e-12)
        assert head["most"] == pytest.approx(max(head["diff"]), rel=1e-5)
        for line, step in enumerate(reading.steps):
            assert np.allclose(head["s"][line], step.scores[number], **same)
            assert np.allclose(head["p"][line], step.weights[number], **same)
            assert np.allclose(head["acc"][line], step.accumulator_after[number], **same)
            assert np.allclose(head["part"][line], step.output[number], **same)
            # what is shown on the way: corrected, then added to
            total = head["ls"][line] + sum(head["p"][line])
            assert total == pytest.approx(head["l"][line], rel=1e-4)
            corrected = head["l0"][line] * head["a"][line]
            assert corrected == pytest.approx(head["ls"][line], rel=1e-4, abs=1e-6)
            values = np.array(wire["values"][number // setup.group][line])
            added = np.array(head["accs"][line]) + np.array(head["p"][line]) @ values
            assert np.allclose(added, head["acc"][line], rtol=1e-3, atol=1e-3)
        assert sum(head["w"][-1]) == pytest.approx(1, abs=1e-2)


@settings(max_examples=50, deadline=None)
@given(told_setups())
def test_blocks_and_lines_say_who_lies_where(setup):
    reading = read(setup)
    wire = encode(reading)
    assert len(wire["blocks"]) == wire["num_blocks"] == reading.room.num_blocks
    assert wire["blocks"][0]["c"] == -1
    numbers = sorted(block["c"] for block in wire["blocks"][1:])
    assert numbers == list(range(reading.room.num_blocks - 1))
    for number, line in enumerate(wire["lines"]):
        block = wire["blocks"][line["b"]]
        assert block["c"] == line["c"]
        assert line["t"] == block["t"][: line["n"]]
        assert line["n"] + line["unread"] == setup.block_size
        mine = not line["past"] and (block["o"], block["l"]) == (0, number)
        assert line["own"] == mine
        if line["own"]:
            start = number * setup.block_size
            end = min(start + line["n"], setup.tokens)
            assert line["t"][: end - start] == list(range(start, end))
            assert set(line["t"][end - start :]) <= {""}  # beyond A's last token


def test_moving_changes_places_alone():
    setup = AttentionSetup()
    before, after = (encode(read(replace(setup, moves=moves))) for moves in (0, 1))
    assert before["heads"] == after["heads"]
    contents = [
        sorted(wire["blocks"][1:], key=lambda block: block["c"]) for wire in (before, after)
    ]
    assert contents[0] == contents[1]
    assert [line["b"] for line in before["lines"]] != [line["b"] for line in after["lines"]]
    assert (before["note"], before["moves"], after["moves"]) == (None, 0, 1)


def test_it_is_small():
    assert len(pack(encode(read(AttentionSetup())))) < 30_000
    text = " The quick brown fox jumps over the lazy dog." * 4
    typed = with_text(AttentionSetup(), text, default_tokenizer())
    assert len(pack(encode(read(typed)))) < 200_000
    sizes = [LARGEST, replace(LARGEST, moves=1), replace(LARGEST, block_size=16)]
    assert max(len(pack(encode(read(setup)))) for setup in sizes) < 300_000


def test_text_travels_as_it_is():
    setup = with_text(AttentionSetup(), "שלום <b>**x**</b> 👩‍👩‍👧", default_tokenizer())
    wire = encode(read(setup))
    packed = json.loads(gzip.decompress(base64.b64decode(pack(wire))))
    assert packed["pieces"] == list(setup.pieces)
    assert packed == json.loads(json.dumps(wire))


def test_trials_that_cannot_be_say_why():
    wire = encode(read(AttentionSetup(tokens=4)))
    assert wire["trial"] == "intact"
    assert wire["trials"]["foreign"] is None
    assert wire["trials"]["swap_full"] == ["needs 2 full shelves", "needs 2 full blocks"]
    assert encode(read(AttentionSetup(reads=(0, 0, 1, 2, 3))))["trial"] is None
