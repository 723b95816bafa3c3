"""What is said when shelves come back or lose their labels, one case per outcome."""

from tests.timeline.operations import FULL, PAIR, TINY, add, admit, allocate, append, one

# name -> (configuration, operations, part of the last caption in each register)
CASES = {
    "leave": (
        PAIR,
        [add("a", range(9)), admit("a"), one("free", "a")],
        "Shelf **3**, without a label, goes to the front of the queue. Shelves **2 and 1** "
        "keep their boxes and go to the end.",
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
        "Shelf **1** stays: others still use it.",
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
        [*FULL, append("a", 4), allocate("a", 1), one("preempt", "b")],
        "to make room for **A**: B came in last.",
        "to make room for req A, last admitted",
    ),
    "sent back itself": (
        TINY,
        [*FULL, append("b", 4), allocate("b", 1), one("preempt", "b")],
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
        "What was kept on 2 shelves is forgotten; the queue keeps its order.",
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
