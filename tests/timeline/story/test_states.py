"""What the story shows, against figures worked out by hand and a rule book of a few lines."""

import hashlib
from array import array

import pytest

from pagedviz.timeline.story import sharing
from pagedviz.timeline.story.figures import aisles, empty_share, llama, percent, places_on_blocks
from pagedviz.timeline.story.filling import tails
from pagedviz.timeline.story.growth import growth
from pagedviz.timeline.story.room_run import marks_of, room_run, room_state, step_at
from pagedviz.timeline.story.spyre import on_spyre
from pagedviz.timeline.story.spyre_limits import one_card
from pagedviz.timeline.story.tale import beats, places, scenes, step_of
from pagedviz.tokens import default_tokenizer


def state_at(moment: str):
    return room_state(room_run(), step_at(moment))


# Worked out by hand, prefix caching on: a block without a hash goes to the head of the free
# queue when its request leaves, one with a hash to the tail.
BY_HAND = {
    "empty": ({}, [*range(1, 25)]),
    "A": ({"A": [1, 2, 3]}, [*range(4, 25)]),
    "BC": ({"A": [1, 2, 3], "B": [4, 5], "C": [6, 7]}, [*range(8, 25)]),
    "left": ({"A": [1, 2, 3], "C": [6, 7]}, [5, *range(8, 25), 4]),
    "D": ({"A": [1, 2, 3], "C": [6, 7], "D": [5, 8, 9, 10]}, [*range(11, 25), 4]),
    "full": ({"A": [1, 2, 3], "C": [6, 7], "D": [5, 8, 9, 10]}, [*range(11, 25), 4]),
    "next": ({"A": [1, 2, 3, 11], "C": [6, 7], "D": [5, 8, 9, 10]}, [*range(12, 25), 4]),
}


@pytest.mark.parametrize("moment", BY_HAND)
def test_room_is_what_vllms_rules_make_of_it(moment):
    found = state_at(moment)
    assert (found["lists"], found["queue"]) == BY_HAND[moment]


def test_room_has_24_blocks_to_lend_and_the_null_block():
    assert room_run().pool.num_blocks == 25
    assert len(state_at("empty")["shelves"]) == 24


def test_boxes_on_shelves_are_those_of_their_visitors():
    for moment in BY_HAND:
        found = state_at(moment)
        letters = "ABCD"
        for letter, boxes in found["boxes"].items():
            mine = [s for s in found["shelves"] if s[0] == [letters.index(letter)]]
            assert sum(fill for _, fill, _ in mine) == boxes
        assert all(fill == 0 for owners, fill, mark in found["shelves"] if not owners and mark < 0)


def test_kept_shelf_is_full_and_labelled():
    owners, fill, mark = state_at("left")["shelves"][4 - 1]
    assert (owners, fill, mark >= 0) == ([], 16, True)


def test_tails_by_hand():
    assert tails() == {"A": 64 - 49, "C": 32 - 30, "D": 64 - 50}


def test_bytes_by_hand():
    assert llama().bytes_per_token == 2 * 40 * 40 * 128 * 2 == 819_200
    assert 2_048 * 819_200 == 1_677_721_600  # 1.68 GB, 1.5625 GiB
    assert places_on_blocks(161 + 338) == 512
    assert percent(13, 512) == "2.5 %"
    assert percent(1_549, 2_048) == "75.6 %"


def test_aisles_are_full_and_mostly_empty():
    memory, short = aisles()
    assert [(h.start, h.reserved) for h in memory.reservations()] == [
        (0, 2048),
        (2048, 2048),
        (4096, 2048),
        (6144, 2048),
    ]
    assert (short.run, short.free) == (2048, 0)
    assert empty_share() == 1 - (499 + 180 + 760 + 560) / 8192


def digits(tokens: list[int]) -> list[str]:
    """Hashes of full blocks by the rule of the engine's own docs, without the engine."""
    found, parent = [], hashlib.sha256(b"vllm-none-hash").digest()
    for start in range(0, len(tokens) // 16 * 16, 16):
        block = tokens[start : start + 16]
        text = parent + len(block).to_bytes(8) + array("Q", block).tobytes()
        parent = hashlib.sha256(text).digest()
        found.append(parent.hex()[:4])
    return found


def test_labels_are_the_first_digits_of_real_hashes_of_real_tokens():
    timeline, views = sharing.sharing_run()
    tokens = [default_tokenizer().encode(text) for text, _ in sharing.TEXTS]
    assert [list(view.prompt.text_tokens) for view in views] == tokens
    assert digits(tokens[0])[:2] == digits(tokens[1])[:2]
    plates = {f"#{d}" for text in tokens for d in digits(text)}
    assert set(marks_of(timeline).values()) == plates
    shown = scenes()[4].shows["prompts"]
    assert [[mark for *_, mark in p["blocks"]] for p in shown] == [
        [*digits(text), None] for text in tokens
    ]


def test_plates_of_the_room_are_hashes_of_its_tokens():
    a = [*range(1000, 1037), *range(9000, 9012)]
    marks, shelves = marks_of(room_run()), state_at("next")["shelves"]
    assert [marks[str(shelves[b - 1][2])] for b in (1, 2, 3)] == [f"#{d}" for d in digits(a)]


def test_two_prompts_share_two_blocks_and_leave_them():
    timeline, (a, b) = sharing.sharing_run()
    assert (a.hits, b.hits) == (0, 2)
    both_in = room_state(timeline, sharing.B_IN)
    assert both_in["lists"] == {"A": [1, 2, 3], "B": [1, 2, 4]}
    assert [s[0] for s in both_in["shelves"][:4]] == [[0, 1], [0, 1], [0], [1]]
    assert room_state(timeline, sharing.A_LEFT)["queue"] == [3, *range(5, 13)]
    # B's own block first, then A's; the shared ones at the end, the later one before the first
    assert room_state(timeline, sharing.B_LEFT)["queue"] == [4, 3, *range(5, 13), 2, 1]


def test_tokens_of_the_question_are_the_tokenizers():
    pieces = growth().shows["pieces"]
    assert [*pieces[:7]] == ["Why", "does", "the", "cache", "keep", "growing", "?"]


def test_whole_chunks_by_hand():
    reuse = [beat.shows["reuse"] for beat in on_spyre().beats if "reuse" in beat.shows]
    # 2,048 tokens are 2 chunks of 16 blocks: 16 in common spare the first, 15 spare none
    assert [(r["shared"], r["skipped"]) for r in reuse] == [(0, 0), (0, 0), (16, 1), (15, 0)]
    last = next(beat for beat in on_spyre().beats if beat.name.room == "0 spared")
    assert "512 at a time, 1 of 4" in last.source.room  # 8 blocks a chunk: 15 cover one


def test_one_card_allows_what_the_plugins_table_says():
    assert one_card() == ("3,072 × 16 = 49,152", "8,192 × 4 = 32,768")


def test_places_and_steps_are_one_to_one():
    assert len(places()) == len(beats()) >= 38
    assert [step_of(*place) for place in places()] == list(range(len(beats())))
    assert len(scenes()) == 7


@pytest.mark.parametrize(("scene", "beat"), [(0, 1), (8, 1), (1, 0), (1, 7)])
def test_place_that_does_not_exist_says_what_there_is(scene, beat):
    with pytest.raises(ValueError, match="1 to"):
        step_of(scene, beat)
