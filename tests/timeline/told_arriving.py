"""What is said of an empty room and of those who arrive, one case per outcome."""

from tests.timeline.operations import PAIR, TINY, add, append

# name -> (configuration, operations, part of the last caption in each register)
CASES = {
    "start": (
        PAIR,
        [],
        "All 8 shelves are in the queue, shelf **1** first",
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
        "**Visitor A** arrives with 9 boxes and waits",
        "add_request(req A): 9 tokens, 2 full blocks hashed, WAITING",
    ),
    "arrive with one": (PAIR, [add("a", [1])], "arrives with one box and", "1 token, 0 full"),
    "arrive, caching off": (
        PAIR | {"enable_caching": False},
        [add("a", range(9))],
        "9 boxes",
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
        "takes 5 shelves, and the room has only 4",
        "can never be admitted: needs 5 blocks, the pool has 4",
    ),
    "arrive, too long": (
        PAIR | {"max_model_len": 8},
        [add("a", range(9))],
        "more than the 8 one visitor may have",
        "longer than max_model_len 8",
    ),
    "append at the door": (
        PAIR,
        [add("a", [1]), append("a", 2)],
        "still at the door, now has 2",
        "num_tokens 2, computed 0",
    ),
}
