"""Scenarios to start from. Each makes one claim, said in both registers and held by the tests.

Leaves out: the requests in them (`preset_scenarios`), published figures (`differences`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pagedviz.timeline.presets import Words
from pagedviz.timeline.spyre import preset_scenarios as scenarios
from pagedviz.timeline.spyre.scenario import Scenario


@dataclass(frozen=True, slots=True)
class SpyrePreset:
    """A scenario with a name and a reason. `opening` is the step worth seeing first.

    other: the same requests with one thing changed, to be shown beside it, and what that is.
    note: published figures or a setting one should know, with the source.
    """

    id: str
    title: Words
    lead: Words
    opening: int
    make: Callable[[], Scenario]
    other: Callable[[], Scenario] | None = None
    other_title: Words | None = None
    note: Words | None = None


PRESETS: tuple[SpyrePreset, ...] = (
    SpyrePreset(
        "four",
        Words("Four visitors at a small table", "Four requests, a small limit"),
        Words(
            "4 visitors, and a table of 1,024 places. Once the longest row passes 256 only 3 "
            "fit, so one sits out, and they take turns.",
            "4 requests and a product limit of 1,024. Once the longest row passes 256 tokens only "
            "3 decode in a step: one pauses, and they take turns.",
        ),
        23,
        scenarios.four,
    ),
    SpyrePreset(
        "row-32",
        Words("IBM's first row: 32 with 4,096", "IBM's first row: 32 x 4,096"),
        Words(
            "32 visitors, each to end within 4,096 places. They come in one by one while the "
            "others write; when the last sits down, the table of 131,072 places is all but full.",
            "32 requests, each to end within 4,096 tokens. They are prefilled one by one while "
            "the others decode; with the last, the product comes close to 131,072.",
        ),
        505,
        scenarios.row_32,
    ),
    SpyrePreset(
        "row-16",
        Words("IBM's second row: 16 with 8,192", "IBM's second row: 16 x 8,192"),
        Words(
            "Rows twice as long, so half as many visitors fill the same table.",
            "Rows twice as long, so half as many requests reach the same product.",
        ),
        497,
        scenarios.row_16,
    ),
    SpyrePreset(
        "row-4",
        Words("IBM's third row: 4 with 32,768", "IBM's third row: 4 x 32,768"),
        Words(
            "4 visitors with rows as long as a row may be. Each brings 64 cartloads, and the "
            "others write one box after each.",
            "4 requests at the full context. Each prompt takes 64 chunks, and the others decode "
            "one token after each.",
        ),
        449,
        scenarios.row_4,
    ),
    SpyrePreset(
        "one-long",
        Words("One long visit joins 31 short ones", "One 30,000-token request joins 31 short ones"),
        Words(
            "31 visitors write side by side. Then one with 30,000 boxes sits down, and every row "
            "beside it is as wide: only 4 write at once, or the 31 without it.",
            "31 requests decode together. Then one of 30,000 tokens joins, and every row beside "
            "it is padded to its length: 4 decode, then the 31 without it, in turns.",
        ),
        180,
        scenarios.one_long,
    ),
    SpyrePreset(
        "no-max-tokens",
        Words("Who names no end is promised all", "No max_tokens: a whole context is promised"),
        Words(
            "4 visitors do not say how much they will write, so each is promised 512 shelves. "
            "The 5th waits though nearly all shelves are empty.",
            "4 requests without max_tokens are promised 512 blocks each. The 5th waits for "
            "blocks though nearly all of them are free.",
        ),
        31,
        scenarios.no_max_tokens,
        scenarios.with_max_tokens,
        Words("The same, with an answer of at most 256", "The same with max_tokens 256"),
        Words(
            "The room is that of granite-4.1-30b on 4 cards: 2,080 shelves, by the list of "
            "sendnn-inference 2.6.3.",
            "The pool is that of granite-4.1-30b on 4 cards, 2,080 blocks: sendnn-inference "
            "2.6.3, config/model_configs.yaml.",
        ),
    ),
    SpyrePreset(
        "promised",
        Words("Promised here, sent back there", "Reserved here, preempted on stock vLLM"),
        Words(
            "19 shelves, and each of 4 visitors is promised 5: D waits at the door. Beside it, "
            "with nothing promised, all come in, and one is sent back when the shelves run out.",
            "19 blocks, 5 reserved for each of 4 requests: D waits. Beside it, on stock vLLM, "
            "nothing is reserved: all run, and one is preempted when the blocks run out.",
        ),
        15,
        scenarios.promised,
    ),
    SpyrePreset(
        "chunks",
        Words("Cartload by cartload", "Chunked prefill keeps the others decoding"),
        Words(
            "D comes with 8 cartloads. After each of them A, B and C write one box, so nobody "
            "stands still for long.",
            "D's prompt takes 8 chunks. After each of them A, B and C decode one token, so "
            "nobody stalls for the whole prompt.",
        ),
        12,
        scenarios.chunks,
        scenarios.chunks_in_a_row,
        Words(
            "The same, all 8 cartloads in a row",
            "The same with CP_INTERLEAVE_STEPS=0: all 8 chunks in a row",
        ),
        Words(
            "Published, not computed here: where whole visits were worked out at once, the "
            "others stood still for 15 to 20 s; with cartloads for 4 to 5 s (IBM, what's new in "
            "Stack 1.1, March 2026).",
            "Published, not computed here: without chunked prefill a decode stall of 15 to 20 s, "
            "with it 4 to 5 s (IBM, what's new in Stack 1.1, March 2026).",
        ),
    ),
    SpyrePreset(
        "prefix-on",
        Words("Kept boxes, whole cartloads of them", "Prefix caching on"),
        Words(
            "A, B and C begin with the same 2,500 boxes. What A left on the shelves spares B and "
            "C 5 of their 6 cartloads.",
            "A, B and C share 2,500 tokens. The blocks of A save B and C 5 of their 6 chunks.",
        ),
        10,
        scenarios.prefix_on,
        scenarios.prefix_off,
        Words("The same, nothing kept", "The same with prefix caching off"),
        Words(
            "On by itself since plugin 2.0; before, in Stack 1.1, it had to be switched on, and "
            "a cartload was 1,024.",
            "On by default since plugin 2.0 (chunks of 512); in Stack 1.1 it had to be switched "
            "on (chunks of 1,024).",
        ),
    ),
    SpyrePreset(
        "too-long",
        Words("Turned away at the door", "Refused before it queues"),
        Words(
            "B's boxes fill 5 shelves, and with the answer they would pass 512 places: B is "
            "turned away and told what would fit. C asks for just that much.",
            "B: ceil64(prompt) + max_tokens is more than the context of 512, so it is refused "
            "before it queues. C asks for the max_tokens that fit.",
        ),
        4,
        scenarios.too_long,
    ),
    SpyrePreset(
        "volume",
        Words("Before there was sitting out", "Pausing off: the volume rule"),
        Words(
            "Nobody may sit out here. C has to wait until the table is sure to be large enough "
            "to the end of all answers, and little D, who fits, comes in before it.",
            "With pausing off a batch must fit to its end. The volume rule refuses C until "
            "A has left, and D, small enough, overtakes it.",
        ),
        10,
        scenarios.volume_pausing_off,
        scenarios.volume_pausing_on,
        Words("The same, with sitting out", "The same with pausing, the default since 2.4"),
    ),
)
DEFAULT = PRESETS[0]


def spyre_preset(key: str) -> SpyrePreset | None:
    """The preset with this id, or None.

    >>> spyre_preset("four").title.engine
    'Four requests, a small limit'
    """
    return next((preset for preset in PRESETS if preset.id == key), None)
