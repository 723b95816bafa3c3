"""What is said of those inside: boxes in hand, placed, guessed; one case per outcome."""

from tests.timeline.operations import FULL, PAIR, TINY, add, admit, allocate, append, one

# name -> (configuration, operations, part of the last caption in each register)
CASES = {
    "append": (
        PAIR,
        [add("a", [1]), admit("a"), append("a", 2)],
        "one new box in hand, with no place yet",
        "+1, num_tokens 2, computed 1",
    ),
    "append, more in hand": (
        PAIR,
        [add("a", [1]), admit("a"), append("a", 2), append("a", 3, 4)],
        "2 new boxes in hand, 3 in all",
        "1 full block hashed",
    ),
    "append, place there": (
        PAIR,
        [add("a", [1]), admit("a"), allocate("a", 2), append("a", 2)],
        "there is already a place for it",
        "computed 3",
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
        "puts the box and 2 guesses on shelf **1**",
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
        "would need 5 shelves in all, but the room has only 4. **Refused:** A can never go on.",
        "can never go on: needs 5 blocks, the pool has 4",
    ),
    "refused inside": (
        TINY,
        [*FULL, append("a", 4), allocate("a", 1)],
        "asks for one more shelf, but the queue is empty. **Refused:** nothing "
        "changes; one box stays in hand.",
        "needs 1 block, 0 free",
    ),
    "rollback": (
        PAIR,
        [add("a", [1]), admit("a"), allocate("a", 2), one("rollback", "a", num_tokens=2)],
        "2 guesses were wrong: **Visitor A** takes them off again",
        "2 draft tokens of req A rejected: num_computed_tokens 3 -> 1; blocks stay",
    ),
    "rollback of none": (
        PAIR,
        [add("a", [1]), admit("a"), one("rollback", "a", num_tokens=0)],
        "All guesses were right",
        "0 draft tokens of req A rejected",
    ),
}
