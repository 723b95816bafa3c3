"""Speaker notes: for each page, each scene of the story and each part of the Spyre page.

What to say in two or three sentences, what people ask, and the honest answer. In our own words,
true to the sources that the views name. Leaves out: the notes of a talk, which stand in the talk.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True)
class Note:
    """What to say about a view, and (question, answer) pairs. `title` names the view."""

    title: str
    say: str
    asked: tuple[tuple[str, str], ...] = ()


# Keys: the page's part of an address, and behind a colon the scene or part.
STORY: Final = {
    ":1": Note(
        "Start, scene 1: memory grows",
        "A model reads the question once and keeps notes on every piece of it. For each further "
        "word it opens all the notes again. So memory grows with every word, and nobody knows "
        "beforehand where it ends.",
        (
            (
                "Why not simply read the text again?",
                "That would work everything out anew for each word. Keeping the notes trades "
                "memory for time.",
            ),
            (
                "Is 819,200 bytes true of all models?",
                "No, of LLaMA-13B from 2023. Newer ones share notes between heads: Granite 3.3 8B "
                "needs 163,840 bytes.",
            ),
        ),
    ),
    ":2": Note(
        "Start, scene 2: an aisle for everybody",
        "Older servers set aside an unbroken aisle for the longest visit allowed. Point at the "
        "empty part: that is paid for and cannot be used by anybody else.",
        (
            (
                "Where do the 60 to 80 percent come from?",
                "From the vLLM announcement of June 2023. The 75.6 percent here are worked out "
                "from average chats in the paper, and happen to lie in that range.",
            ),
            (
                "Did nobody do better before?",
                "Some rounded up to a power of two instead of the maximum. The page Reservation "
                "plays that too.",
            ),
        ),
    ),
    ":3": Note(
        "Start, scene 3: one shelf at a time",
        "Small shelves instead of aisles, handed out one by one. A slip of paper keeps the order, "
        "so the shelves of one visitor may stand anywhere.",
        (
            (
                "Is this virtual memory?",
                "It is the same idea: pages and a page table. Here the program that serves the "
                "model does it, not the operating system.",
            ),
        ),
    ),
    ":4": Note(
        "Start, scene 4: a new shelf only when one is full",
        "Wait for box 49: only then a shelf is taken. What stays empty is the end of each last "
        "shelf, and nothing else.",
        (
            (
                "Then why not make shelves of one box?",
                "The slips would grow long and reading would slow down. vLLM's default is 16.",
            ),
        ),
    ),
    ":5": Note(
        "Start, scene 5: sharing",
        "Two visitors begin with the same words. The full shelves of that beginning stand there "
        "once, and the model skips them for the second visitor.",
        (
            (
                "Can one visitor read what another wrote?",
                "No. A visitor only finds boxes for words they bring themselves. Where even that "
                "is too much, a secret word (a cache salt) keeps groups apart.",
            ),
            (
                "How much does it save?",
                "It depends on what people bring. Without a common beginning: nothing.",
            ),
        ),
    ),
    ":6": Note(
        "Start, scene 6: on IBM Power 11",
        "Shelves of 64, whole cartloads, three ceilings. Say at once that 131,072 belongs to "
        "models of 8 billion parameters on four cards.",
        (
            (
                "How many people can use one card?",
                "It depends on the model and the lengths; the table of the plugin gives one card "
                "3,072 times 16, or 8,192 times 4. Open the page Spyre.",
            ),
            (
                "Is the drawer really ENZ0?",
                "IBM says so; a second source has not confirmed it.",
            ),
        ),
    ),
    ":7": Note(
        "Start, scene 7: what came of it",
        "Name the comparison with each figure: 24 times against Hugging Face Transformers, 2 to 4 "
        "times against FasterTransformer and Orca. And the price: the attention step alone ran 20 "
        "to 26 percent slower.",
        (
            (
                "Will our server be 24 times faster?",
                "No promise can be made from that: it is a figure of 2023 against another program. "
                "Measure with your own traffic.",
            ),
        ),
    ),
}
PAGES_NOTES: Final = {
    "allocator": Note(
        "Allocator",
        "This is the real rule, run here: take a block from the head of the free queue when the "
        "last one is full. Step slowly and let people predict the next number.",
        (
            (
                "Is this vLLM itself?",
                "No. It follows vLLM 0.33.0 and was compared with recordings of it, step by step; "
                "the line at the foot of the page says how many agree.",
            ),
            (
                "What if memory runs out in the middle?",
                "The request that came last is preempted: its blocks are freed, and it is computed "
                "again later. vLLM no longer swaps to the host.",
            ),
        ),
    ),
    "reservation": Note(
        "Reservation",
        "The same requests on both sides and one clock. Only the way of giving out memory "
        "differs, so the difference is due to that alone.",
        (
            (
                "Is the left side a real system?",
                "It is a model of what the paper compares with, not a copy of a product.",
            ),
            (
                "When is there no gain?",
                "When all requests are about as long as the maximum. Choose that preset and show "
                "it.",
            ),
        ),
    ),
    "prefix": Note(
        "Prefix sharing",
        "A block is found again only if it and everything before it is the same. Move the time "
        "stamp from the front to the end, and sharing comes back.",
        (
            (
                "Is a copy made when two answers part?",
                "Not today: only full blocks are shared, and they are read-only. The 2023 paper "
                "had copy-on-write for parallel samples.",
            ),
            (
                "Why does Spyre reuse less?",
                "It reuses whole chunks, and the last one is always computed.",
            ),
        ),
    ),
    "attention": Note(
        "Attention",
        "Block after block, with a running maximum and sum. Move the blocks: the answer stays the "
        "same to the last bit, since only the table changes.",
        (
            (
                "Does paging change the result?",
                "The rule is exact. Against dense attention there is rounding in the last digit, "
                "because sums are taken in another order.",
            ),
            (
                "Is it slower?",
                "In the paper the kernel alone was 20 to 26 percent slower; the whole server was "
                "faster, since more requests ran at once.",
            ),
        ),
    ),
    "sizing": Note(
        "Sizing",
        "Begin with lengths, not with cards: how long is a question, how long an answer? "
        "Everything else follows and can be opened as a formula.",
        (
            (
                "Is this a guarantee?",
                "No. It counts memory and limits. It knows nothing of speed, and a server measures "
                "its own free memory at start-up.",
            ),
        ),
    ),
    "workload": Note(
        "Workload",
        "The same load through the paged memory and through what it replaced. Choose the paper's "
        "setting first, then lengths like the customer's.",
        (
            (
                "Are the seconds real?",
                "They rest on assumed costs per step. Compare the sides with each other, not with "
                "a clock.",
            ),
            (
                "Is it the ShareGPT data?",
                "No: lengths made up to its published means, with an assumed shape. A file of your "
                "own is read as it is.",
            ),
        ),
    ),
    "glossary": Note(
        "Glossary",
        "Come here when somebody asks who said that: every published figure has its source and "
        "date, and unconfirmed ones are marked.",
    ),
    "talks": Note(
        "Talks",
        "Three talks are ready. PageDown walks inside a view as often as the talk says, then to "
        "the next one; P is the presenter view, B makes the screen black.",
    ),
}
SPYRE: Final = {
    "spyre:limit": Note(
        "Spyre: how many fit",
        "Batch times context stays at or below 131,072. Twice as long means half as many. The "
        "three squares are IBM's own examples.",
        (
            (
                "What limits it: the card's memory?",
                "No. 131,072 tokens of an 8B model are 20 GiB, 5 GiB on each card of 128 GB. It is "
                "the largest shape that the compiler supports.",
            ),
            (
                "32 with 4,097 tokens?",
                "31: one more would pass the limit.",
            ),
        ),
    ),
    "spyre:mix": Note(
        "Spyre: your own mix",
        "The longest padded request counts for everyone in that step. One of 30,000 tokens beside "
        "31 short ones lets only 4 decode; since plugin 2.4 the others pause and take turns.",
        (
            (
                "Are paused requests lost?",
                "No, they keep their blocks and go on a step later.",
            ),
        ),
    ),
    "spyre:run": Note(
        "Spyre: the scheduler at work",
        "Follow one request: it waits, is prefilled chunk by chunk, decodes, pauses, leaves. With "
        "stock vLLM beside it one sees what the plugin does differently.",
        (
            (
                "Why does one wait although blocks are free?",
                "Since plugin 2.2 each request is promised its prompt and max_tokens in blocks at "
                "admission. Without max_tokens that is a lot.",
            ),
        ),
    ),
    "spyre:cards": Note(
        "Spyre: cards and models",
        "Find the customer's model and number of cards. What the plugin's table holds differs "
        "between them, and IBM's text mostly speaks of four.",
        (
            (
                "And a model that is not in the table?",
                "The plugin falls back to its defaults; do not promise figures for it.",
            ),
        ),
    ),
    "spyre:encoder": Note(
        "Spyre: embedding models",
        "Models that only read, for search and ranking, keep no KV cache that grows and share no "
        "prefix. They run in fixed shapes that are compiled at start-up.",
    ),
    "spyre:differ": Note(
        "Spyre: published and actual",
        "Both columns have their source. Neither is wrong: they describe different things, or "
        "different releases. Say which release you speak of.",
        (
            (
                "Whom should I believe?",
                "For a contract the documentation of the release you buy; for a test the software "
                "you run.",
            ),
        ),
    ),
}
NOTES: Final[Mapping[str, Note]] = MappingProxyType({**STORY, **PAGES_NOTES, **SPYRE})
FIRST: Final[Mapping[str, str]] = MappingProxyType({"": "1", "spyre": "limit"})


def notes_of(page: str) -> dict[str, Note]:
    """The notes of a page by key, in its order; several if it has scenes or parts.

    >>> list(notes_of("sizing")), len(notes_of(""))
    (['sizing'], 7)
    """
    return {key: note for key, note in NOTES.items() if key.split(":")[0] == page}
