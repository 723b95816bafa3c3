"""Every operation and outcome has its sentence in both registers, with the reason."""

import re

import pytest

from pagedviz.timeline.captions import REGISTERS, caption
from pagedviz.timeline.ops import FIELDS
from pagedviz.timeline.play import play
from pagedviz.timeline.presets import PRESETS
from pagedviz.timeline.room_grammar import LONGEST
from pagedviz.timeline.run import Run

# Words of one register that must not stand in the other.
ENGINE_ONLY = (
    r"(?i:block|token|hash|request|\breq\b|ref_cnt|evict|preempt|cach|prefix|pool|"
    r"alloc|slot|draft|lora|num_|free queue|\[|_)|\bnull\b|None|True|False|\bKV\b"
)
ROOM_ONLY = r"shel[fv]|\bbox|visitor|label|\bdoor\b|\broom\b(?! for req)|guess|thrown"
WRONG = (
    r"\b1 (shelves|boxes|blocks|tokens)\b|\b(one|1) \w*(shelves|boxes)\b|  |\*\*\*|\bNone\b "
    r"boxes|\bboxs|\bshelfs|,,|\.\.(?! \d)|\b(two|three|four) (shelf|box)\b"
)

TINY = {"num_blocks": 5, "block_size": 2}
PAIR = {"num_blocks": 9, "block_size": 4}


def add(req, tokens, **more):
    return {"op": "add_request", "req": req, "tokens": list(tokens), **more}


def admit(req, **more):
    return {"op": "admit", "req": req, **more}


def allocate(req, n, **more):
    return {"op": "allocate", "req": req, "num_new_tokens": n, **more}


def append(req, *tokens):
    return {"op": "append", "req": req, "tokens": list(tokens)}


def one(name, req=None, **more):
    return {"op": name, **({} if req is None else {"req": req}), **more}


def last_words(config, *ops):
    step = play(Run("words", config, ops)).steps[-1]
    return caption(step, "room"), caption(step, "engine")


def check(step):
    room, engine = (caption(step, register) for register in REGISTERS)
    for text in (room, engine):
        assert text
        assert text.count("**") % 2 == 0
        assert not re.search(WRONG, text), text
    assert not re.search(ENGINE_ONLY, room), room
    assert not re.search(ROOM_ONLY, engine, re.IGNORECASE), engine
    assert room[-1] == "." or room.endswith(".**"), room
    assert len(room.replace("*", "")) <= LONGEST + 15, room
    assert len(engine) <= 250, engine


def test_recorded_traces_are_told_without_mixing_registers(golden):
    _, timeline = golden
    for step in timeline.steps:
        check(step)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda p: p.id)
def test_presets_are_told_without_mixing_registers(preset):
    for step in play(preset.run).steps:
        check(step)


CASES = {
    "start": (
        PAIR,
        [],
        "All eight shelves are in the queue, shelf **1** first",
        "block 0 is the null block, free queue = 1 .. 8",
    ),
    "start, one shelf": (
        {"num_blocks": 2, "block_size": 4},
        [],
        "Its one shelf is in the queue",
        "free queue = 1",
    ),
    "arrive": (
        PAIR,
        [add("a", range(9))],
        "**Visitor A** arrives with nine boxes and waits",
        "add_request(req A): 9 tokens, 2 full blocks hashed, WAITING",
    ),
    "arrive with one": (PAIR, [add("a", [1])], "arrives with one box and", "1 token, 0 full"),
    "arrive, caching off": (
        PAIR | {"enable_caching": False},
        [add("a", range(9))],
        "nine boxes",
        "caching off, no hashes",
    ),
    "arrive, salt": (PAIR, [add("a", [1], cache_salt="s")], "secret word", "cache_salt in the"),
    "arrive, adapter": (
        PAIR,
        [add("a", [1], lora={"name": "x", "id": 1, "path": "p"})],
        "in a way of its own",
        "LoRA name and path in every key",
    ),
    "arrive, image": (
        PAIR,
        [add("a", range(5), mm=[{"identifier": "i", "offset": 1, "length": 2}])],
        "picture",
        "1 image in the keys",
    ),
    "arrive, skip read": (
        PAIR,
        [add("a", [1], skip_reading_prefix_cache=True)],
        "will not look",
        "skip_reading_prefix_cache",
    ),
    "arrive, never": (
        TINY,
        [add("a", range(9))],
        "takes five shelves, and the room has only four",
        "can never be admitted: needs 5 blocks, the pool has 4",
    ),
    "arrive, too long": (
        PAIR | {"max_model_len": 8},
        [add("a", range(9))],
        "more than the 8 one visitor may have",
        "longer than max_model_len 8",
    ),
    "append": (
        PAIR,
        [add("a", [1]), admit("a"), append("a", 2)],
        "one new box in hand, with no place yet",
        "+1, num_tokens 2, computed 1",
    ),
    "append, more in hand": (
        PAIR,
        [add("a", [1]), admit("a"), append("a", 2), append("a", 3, 4)],
        "two new boxes in hand, three in all",
        "1 full block hashed",
    ),
    "append at the door": (
        PAIR,
        [add("a", [1]), append("a", 2)],
        "still at the door, now has two",
        "num_tokens 2, computed 0",
    ),
    "append, place there": (
        PAIR,
        [add("a", [1]), admit("a"), allocate("a", 2), append("a", 2)],
        "there is already a place for it",
        "computed 3",
    ),
    "admit": (
        PAIR,
        [add("a", range(5)), admit("a")],
        "comes in and gets shelves **1 and 2**, the first in the queue",
        "popleft_n(2) -> [1, 2]; caches #0",
    ),
    "admit, first chunk": (
        PAIR,
        [add("a", range(9)), admit("a", num_new_tokens=4)],
        "gets shelf **1**, first in the queue. Five boxes stay in hand",
        "5 tokens left for later steps",
    ),
    "admit, lookahead": (
        PAIR,
        [add("a", [1]), admit("a", num_lookahead_tokens=4)],
        "gets shelves **1 and 2**",
        "4 lookahead slots",
    ),
    "share": (
        PAIR,
        [add("a", range(5)), admit("a"), add("b", range(6)), admit("b")],
        "The first four boxes already stand on shelf **1**, same label: B shares it and "
        "gets shelf **3** for the rest.",
        "touch (ref_cnt +1), popleft_n(1) -> [3]",
    ),
    "found again": (
        PAIR,
        [add("a", range(5)), admit("a"), one("free", "a"), add("b", range(6)), admit("b")],
        "were kept on shelf **1**, same label: B takes it out of the queue",
        "1 out of the free queue",
    ),
    "same question": (
        PAIR,
        [add("a", range(8)), admit("a"), add("b", range(8)), admit("b")],
        "Shelf **2** has the rest, but the last box must be worked out anew, on shelf **3**",
        "block 3 duplicates block 2: the last token must be",
    ),
    "short same question": (
        PAIR,
        [add("a", range(4)), admit("a"), add("b", range(4)), admit("b")],
        "Shelf **1** has the same, but the last box must be worked out",
        "get_computed_blocks(req B) -> []",
    ),
    "copy": (
        PAIR,
        [
            add("a", range(5)),
            admit("a"),
            add("b", range(5), skip_reading_prefix_cache=True),
            admit("b"),
        ],
        "Shelf **3** is a copy of shelf **1**.",
        "block 3 duplicates block 1",
    ),
    "thrown out": (
        TINY,
        [add("a", range(8)), admit("a"), one("free", "a"), add("b", [9]), admit("b")],
        "What was kept on it is thrown out.",
        "evicts #3",
    ),
    "back in": (
        PAIR,
        [add("a", [1]), admit("a"), one("preempt", "a"), admit("a")],
        "comes back in and gets shelf **1**",
        "popleft_n(1) -> [1]",
    ),
    "refused": (
        TINY,
        [add("a", range(5)), admit("a"), add("b", range(7, 11)), admit("b")],
        "needs two shelves, but the queue holds only one. **Refused:** nothing changes, B waits.",
        "allocate_slots(req B) -> None: needs 2 blocks, 1 free; state ",
    ),
    "refused, kept hits": (
        TINY,
        [
            add("a", range(4)),
            admit("a"),
            one("free", "a"),
            add("b", range(9, 12)),
            admit("b"),
            add("c", range(6)),
            admit("c"),
        ],
        "needs three shelves, two of them with C's boxes still on, but",
        "needs 3 blocks (2 of them hits in the free queue), 2 free",
    ),
    "refused, reserve": (
        {"num_blocks": 6, "block_size": 2, "watermark": 0.4},
        [add("a", [1]), admit("a"), add("b", range(6)), admit("b", has_scheduled_reqs=True)],
        "needs three shelves, and two more must stay in reserve, but the queue holds only four",
        "needs 3 blocks + watermark 2, 4 free",
    ),
    "refused for ever": (
        TINY,
        [add("a", range(9)), admit("a")],
        "needs five shelves, but the whole room has only four. **Refused:** A can never come in.",
        "can never be admitted: needs 5 blocks, the pool has 4",
    ),
    "first chunk refused": (
        TINY,
        [
            add("a", range(20, 26)),
            admit("a"),
            add("b", range(9)),
            admit("b", num_new_tokens=4, full_sequence_must_fit=False),
        ],
        "needs two shelves, but the queue holds only one. **Refused:** nothing changes, B waits",
        "needs 2 blocks, 1 free",
    ),
    "place": (
        PAIR,
        [add("a", [1]), admit("a"), append("a", 2), allocate("a", 1)],
        "puts the box on shelf **1**, where there is room.",
        "allocate_slots(req A, 1): 1 in block [1], no new block",
    ),
    "place the last": (
        PAIR,
        [add("a", range(3)), admit("a"), append("a", 3), allocate("a", 1)],
        "It is full now and gets its label.",
        "caches #0",
    ),
    "new shelf": (
        PAIR,
        [add("a", range(4)), admit("a"), append("a", 4), allocate("a", 1)],
        "**Visitor A**'s shelf is full, so A gets shelf **2**, first in the queue.",
        "allocate_slots(req A, 1): popleft_n(1) -> [2]",
    ),
    "old and new shelf": (
        PAIR,
        [add("a", range(3)), admit("a"), append("a", 3, 4), allocate("a", 2)],
        "puts one box on shelf **1**, which is then full, and gets shelf **2**, "
        "first in the queue, for the other.",
        "1 in block [1], popleft_n(1)",
    ),
    "guesses": (
        PAIR,
        [add("a", [1]), admit("a"), append("a", 2), allocate("a", 3)],
        "puts the box and two guesses on shelf **1**",
        "2 draft tokens, not cached",
    ),
    "lookahead": (
        PAIR,
        [add("a", range(3)), admit("a"), append("a", 3), allocate("a", 1, num_lookahead_tokens=2)],
        "gets shelf **2**, first in the queue, for guesses to come",
        "2 lookahead slots",
    ),
    "no more": (
        TINY,
        [add("a", range(8)), admit("a"), append("a", 9), allocate("a", 1)],
        "would need five shelves in all, but the room has only four. **Refused:** A can "
        "never go on.",
        "can never go on: needs 5 blocks, the pool has 4",
    ),
    "refused inside": (
        TINY,
        [
            add("a", range(4)),
            admit("a"),
            add("b", range(6, 10)),
            admit("b"),
            append("a", 4),
            allocate("a", 1),
        ],
        "asks for one more shelf, but the queue is empty. **Refused:** nothing "
        "changes; one box stays in hand.",
        "needs 1 block, 0 free",
    ),
    "rollback": (
        PAIR,
        [add("a", [1]), admit("a"), allocate("a", 2), one("rollback", "a", num_tokens=2)],
        "Two guesses were wrong: **Visitor A** takes them off again",
        "2 draft tokens of req A rejected: num_computed_tokens 3 -> 1; blocks stay",
    ),
    "rollback of none": (
        PAIR,
        [add("a", [1]), admit("a"), one("rollback", "a", num_tokens=0)],
        "All guesses were right",
        "0 draft tokens of req A rejected",
    ),
    "leave": (
        PAIR,
        [add("a", range(9)), admit("a"), one("free", "a")],
        "Shelf **3**, without a label, goes to the front of the queue. Shelves **2 and 1** "
        "keep their boxes and join at the end.",
        "no hash -> head [3]; hashed -> tail [2, 1]",
    ),
    "leave, caching off": (
        PAIR | {"enable_caching": False},
        [add("a", range(9)), admit("a"), one("free", "a")],
        "Shelves **3, 2 and 1** go to the front of the queue.",
        "caching off -> head [3, 2, 1]",
    ),
    "leave, shared stay": (
        PAIR,
        [add("a", range(5)), admit("a"), add("b", range(6)), admit("b"), one("free", "a")],
        "Shelf **1** stays: others use it.",
        "still held [1]",
    ),
    "give up": (
        PAIR,
        [add("a", [1]), one("free", "a")],
        "gives up waiting and leaves the door.",
        "was waiting, holds no block",
    ),
    "sent back by hand": (
        PAIR,
        [add("a", [1]), admit("a"), one("preempt", "a")],
        "**Visitor A** is sent back to the door. Shelf",
        "_preempt_request(req A): ref_cnt -1 on 1 block",
    ),
    "sent back for another": (
        TINY,
        [
            add("a", range(4)),
            admit("a"),
            add("b", range(6, 10)),
            admit("b"),
            append("a", 4),
            allocate("a", 1),
            one("preempt", "b"),
        ],
        "to make room for **A**: B came in last.",
        "to make room for req A, last admitted",
    ),
    "sent back itself": (
        TINY,
        [
            add("a", range(4)),
            admit("a"),
            add("b", range(6, 10)),
            admit("b"),
            append("b", 4),
            allocate("b", 1),
            one("preempt", "b"),
        ],
        "no shelf was left and B came in last.",
        "no block left for itself, last admitted",
    ),
    "sent back, priority": (
        TINY,
        [
            add("a", range(4), priority=2),
            admit("a"),
            add("b", range(6, 10)),
            admit("b"),
            append("b", 4),
            allocate("b", 1),
            one("preempt", "a"),
        ],
        "to make room for **B**: A is the least urgent.",
        "lowest priority",
    ),
    "reset": (
        PAIR,
        [add("a", range(9)), admit("a"), one("free", "a"), one("reset_prefix_cache")],
        "What was kept on two shelves is forgotten; the queue keeps its order.",
        "-> True: 2 hashes dropped, free queue order kept",
    ),
    "reset of nothing": (
        PAIR,
        [one("reset_prefix_cache")],
        "but none were kept",
        "-> True: 0 hashes dropped",
    ),
    "reset refused": (
        PAIR,
        [add("a", [1]), admit("a"), one("reset_prefix_cache")],
        "**Refused:** one shelf is in use.",
        "-> False: 1 block in use",
    ),
    "labels off": (
        PAIR,
        [add("a", range(9)), admit("a"), one("evict_blocks", block_ids=[1, 2])],
        "The labels come off shelves **1 and 2**",
        "drops #0 #1; ref_cnt and free",
    ),
    "no label to take": (
        PAIR,
        [one("evict_blocks", block_ids=[1])],
        "have none. Nothing changes.",
        "evict_blocks([1]): no hash to drop",
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_outcome_says_what_and_why(case):
    config, ops, room, engine = case
    got_room, got_engine = last_words(config, *ops)
    assert room in got_room
    assert engine in got_engine
    check(play(Run("words", config, ops)).steps[-1])


def test_every_operation_is_covered():
    assert {op["op"] for _, ops, _, _ in CASES.values() for op in ops[-1:]} == set(FIELDS)


def test_long_lists_are_shortened():
    room, engine = last_words(
        {"num_blocks": 40, "block_size": 1},
        add("a", range(30)),
        admit("a"),
        add("b", [*range(3), *range(90, 93)]),
        admit("b"),
        one("free", "a"),
    )
    assert "**30 down to 4** keep their boxes" in room
    assert "hashed -> tail [30, 29, 28, .. 24 more]" in engine


def test_the_lookup_itself_counts_no_reference(trace):
    for step in trace("g05")[1].steps:
        text = caption(step, "engine")
        assert "ref_cnt +1" not in text.split("allocate_slots")[0]


def test_unknown_registers_are_refused():
    step = play(Run("t", PAIR, [])).steps[0]
    with pytest.raises(ValueError, match="'room' or 'engine'"):
        caption(step, "both")
