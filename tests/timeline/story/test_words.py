"""What the story says: both registers, never mixed, short enough, with every fact and source."""

import json
import re

import pytest

from pagedviz.timeline.presets import Words
from pagedviz.timeline.story.beat import Beat, Scene, both, keys, lit, plain
from pagedviz.timeline.story.tale import beats, places, scenes
from pagedviz.timeline.story.wire import encode
from tests.timeline.registers import ENGINE_ONLY, NUMBER_WORDS, ROOM_ONLY

# "Answers" and "places" belong to both; a key and a value are explained with the size of a box.
SENTENCE_END = re.compile(r"(?<=[.:;?])\s+")


def texts(register: str) -> list[str]:
    """Everything a viewer reads on the stage in this register."""
    found = []
    for scene in scenes():
        pairs = [scene.title, scene.short, *scene.labels.values()]
        for beat in scene.beats:
            pairs += [beat.name, beat.says, beat.calc, beat.source, *beat.labels.values()]
        found += [plain(getattr(pair, register)) for pair in pairs]
    return [text for text in found if text]


@pytest.mark.parametrize("register", ["room", "engine"])
def test_no_sentence_mixes_the_registers(register):
    for text in texts(register):
        for sentence in SENTENCE_END.split(text):
            mixed = re.search(ENGINE_ONLY, sentence) and re.search(ROOM_ONLY, sentence, re.I)
            assert not mixed, sentence


def test_engine_says_nothing_of_shelves():
    for text in texts("engine"):
        assert not re.search(ROOM_ONLY + r"|aisle|cartload|slip\b", text, re.I), text


def test_room_uses_names_of_the_field_only_to_name_them():
    named = {
        plain(beat.says.room) for beat in beats() if re.search(ENGINE_ONLY, plain(beat.says.room))
    }
    assert len(named) == 2, named  # prefix caching: its name, and that it had to be switched on
    assert all("prefix caching" in text for text in named)


def test_numbers_are_digits():
    for register in ("room", "engine"):
        for text in texts(register):
            assert not re.search(NUMBER_WORDS, text), text
            assert not re.search(r"\d{5}", text), f"thousands commas: {text}"


@pytest.mark.parametrize("register", ["room", "engine"])
def test_story_reads_in_three_minutes(register):
    words = sum(len(plain(getattr(beat.says, register)).split()) for beat in beats())
    assert words <= 3 * 240
    longest = max((plain(getattr(beat.says, register)) for beat in beats()), key=len)
    assert len(longest) <= 125, longest


def test_every_beat_names_something_in_the_picture():
    for place, beat in zip(places(), beats(), strict=True):
        assert keys(beat.says.room), place
        assert set(keys(beat.says.room)) == set(keys(beat.says.engine)), place


# Worked out by hand or copied from the list of facts; scene, beat, what its sentence says.
FIGURES = [
    (1, 1, "7 pieces"),
    (1, 5, "819,200 bytes"),
    (1, 6, "2,040"),
    (2, 1, "2,048 places"),
    (2, 2, "1.68 GB"),
    (2, 3, "499 places"),
    (2, 6, "75.6 %"),
    (2, 6, "60 to 80 %"),
    (3, 3, "37 boxes and gets 3 shelves"),
    (3, 5, "shelf 5 goes to the front of the queue; shelf 4, being full, to the end"),
    (3, 6, "5, 8, 9 and 10"),
    (4, 1, "5 of its 16"),
    (4, 3, "Box 49 gets one new shelf, number 11"),
    (4, 5, "2.5 %"),
    (4, 5, "75.6 %"),
    (5, 5, "4 shelves do the work of 6"),
    (5, 5, "32 of B's 45"),
    (6, 3, "64 boxes, not 16"),
    (6, 4, "1,024 boxes, 16 shelves"),
    (6, 8, "At most 32 visitors, 32,768 boxes each, and 131,072"),
    (6, 9, "32 visitors with 4,096"),
    (6, 10, "16 with 8,192"),
    (6, 11, "4 with 32,768"),
    (7, 1, "under 4 % waste, up to 24 times"),
    (7, 2, "2 to 4 times"),
    (7, 3, "20 to 26 %"),
]


@pytest.mark.parametrize(("scene", "beat", "says"), FIGURES)
def test_figures_of_the_captions(scene, beat, says):
    assert says in plain(scenes()[scene - 1].beats[beat - 1].says.room)


@pytest.mark.parametrize(
    "fact",
    [
        "KV-cache memory manager inside vLLM",
        "paged memory",
        "IBM i",
        "memory runs out long before compute",
        "prefix caching",
        "on unless switched off",
        "PCIe card in IBM Power 11",
        "5 nm",
        "75 W",
        "FP8, FP16",
        "continuous batching",
        "ENZ0 PCIe4 expansion drawer",
        "Red Hat AI Inference Server",
        "Red Hat OpenShift AI",
        "both run vLLM",
        "32,768 tokens",
        "16 × 8,192",
        "had to be switched on first, and needs chunked prefill",
        "hit rate depends on the workload",
        "Encoder-only models",
        "Efficient Memory Management for Large Language Model Serving with PagedAttention",
        "Stack 1.0: vLLM and Spyre on Power 11 (according to IBM)",
        "Stack 1.1",
        "Stack 1.3 in IBM's documentation (according to IBM)",
        "plugin 2.0",
        "8-billion models on 4 cards",
        "as recalled",
        "memory of the accelerator, beside the weights",
        "copy-on-write",
    ],
)
def test_story_carries_the_fact(fact):
    assert any(fact in text for text in texts("engine")), fact


@pytest.mark.parametrize(
    "fact",
    [
        "PagedAttention, the memory manager in vLLM",
        "people of IBM i",
        "the memory of the accelerator, beside the model itself",
        "full long before the processor",
        "called prefix caching",
        "in vLLM it is on unless switched off",
        "Only whole cartloads are spared",
        "keep no boxes and are left out",
        "continuous batching",
        "32,768 boxes",
    ],
)
def test_story_carries_the_fact_in_the_words_of_the_room_too(fact):
    assert any(fact in text for text in texts("room")), fact


@pytest.mark.parametrize(
    "published",
    ["60 to 80 %", "up to 24 times", "2 to 4 times", "20 to 26 %", "131,072", "1.68 GB"],
)
def test_published_figures_have_their_source_beside_them(published):
    for beat in beats():
        if published in plain(beat.says.engine):
            assert beat.source.engine, beat.says.engine


def test_wire_is_json_and_complete():
    wire = json.loads(json.dumps(encode()))
    assert [step["s"] for step in wire["steps"]] == [p.scene - 1 for p in places()]
    assert wire["last"] == len(wire["steps"]) - 1
    for scene in wire["scenes"]:
        assert wire["steps"][scene["first"]]["name"][0] == (
            scenes()[wire["steps"][scene["first"]]["s"]].beats[0].name.room
        )


def test_beat_without_words_is_refused():
    with pytest.raises(ValueError, match="says is empty"):
        Beat(both("name"), Words("something", " "))
    with pytest.raises(ValueError, match="no beats"):
        Scene(both("a"), both("b"), "growth", ())


@pytest.mark.parametrize(("key", "text"), [("", "x"), ("9a", "x"), ("a", ""), ("a", "⟧")])
def test_mark_that_cannot_be_read_is_refused(key, text):
    with pytest.raises(ValueError, match="key must be"):
        lit(key, text)
