"""What is said when somebody comes in or is refused, one case per outcome."""

from tests.timeline.operations import PAIR, TINY, add, admit, one

# name -> (configuration, operations, part of the last caption in each register)
CASES = {
    "admit": (
        PAIR,
        [add("a", range(5)), admit("a")],
        "comes in and gets shelves **1 and 2**, the first in the queue",
        "popleft_n(2) -> [1, 2]; caches #0",
    ),
    "admit, first chunk": (
        PAIR,
        [add("a", range(9)), admit("a", num_new_tokens=4)],
        "gets shelf **1**, first in the queue. 5 boxes stay in hand",
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
        "The first 4 boxes already stand on shelf **1**, same label: B shares it and "
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
    "longer than allowed": (
        PAIR | {"max_model_len": 5},
        [add("a", range(8)), admit("a")],
        "and gets shelves **1 and 2**, the first in the queue. 3 boxes beyond the 5 one visitor "
        "may have get no place.",
        "no slot for 3 tokens beyond max_model_len 5: vLLM rejects such a prompt",
    ),
    "share, blocks of one": (
        {"num_blocks": 9, "block_size": 1},
        [add("a", range(2)), admit("a"), add("b", [0, 7]), admit("b")],
        "The first box already stands on shelf **1**",
        "get_computed_blocks(req B) -> [1] (1 token); ",
    ),
    "refused": (
        TINY,
        [add("a", range(5)), admit("a"), add("b", range(7, 11)), admit("b")],
        "needs 2 shelves, but the queue holds only one. **Refused:** nothing changes, B waits.",
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
        "needs 3 shelves, 2 of them still with C's boxes, but",
        "needs 3 blocks (2 of them hits in the free queue), 2 free",
    ),
    "refused, reserve": (
        {"num_blocks": 6, "block_size": 2, "watermark": 0.4},
        [add("a", [1]), admit("a"), add("b", range(6)), admit("b", has_scheduled_reqs=True)],
        "needs 3 shelves, and 2 more must stay in reserve, but the queue holds only 4",
        "needs 3 blocks + watermark 2, 4 free",
    ),
    "refused for ever": (
        TINY,
        [add("a", range(9)), admit("a")],
        "needs 5 shelves, but the whole room has only 4. **Refused:** A can never come in.",
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
        "needs 2 shelves, but the queue holds only one. **Refused:** nothing changes, B waits",
        "needs 2 blocks, 1 free",
    ),
}
