"""Presets of the prefix page: prompts as text, and what they are to show.

Each makes one claim, said in both registers; the tests check that it holds under the app's own
tokenizer. The texts (`prefix_texts.py`) are made when they are asked for.

Leaves out: tokens and runs, which follow from the texts (`prefix_preset.py`).
"""

from __future__ import annotations

from pagedviz.timeline import prefix_texts as texts
from pagedviz.timeline.chunk_presets import CHUNK_PRESETS
from pagedviz.timeline.prefix_preset import PrefixPreset, cut_prompt
from pagedviz.timeline.presets import Words

__all__ = ["PREFIX_PRESETS", "PrefixPreset", "cut_prompt", "prefix_preset"]

PREFIX_PRESETS: tuple[PrefixPreset, ...] = (
    PrefixPreset(
        "help-desk",
        Words("At the help desk", "A system prompt and a time stamp"),
        Words(
            "A and B begin with the same boxes, which stand on the shelves only once. C has the "
            "time in front of them and can share nothing.",
            "A and B have a system prompt in common, whose blocks are stored once. C has a time "
            "stamp in front of it: every hash differs.",
        ),
        texts.help_desk,
        3,
    ),
    PrefixPreset(
        "system-prompt",
        Words("The same opening words", "A shared system prompt"),
        Words(
            "A, B, C and D begin with the same boxes and then ask different things. The full "
            "shelves of the beginning serve all 4.",
            "A, B, C and D share a system prompt and differ in the question. Its full blocks are "
            "stored once and have a ref_cnt of 4.",
        ),
        texts.system_prompt,
        4,
        opening=8,
    ),
    PrefixPreset(
        "twice",
        Words("The same question twice", "The same prompt twice"),
        Words(
            "A and B bring the same 64 boxes, on shelves of 16. B finds 48: the last box must "
            "be worked out anew, and its shelf with it. C brings one box more and finds all 64.",
            "A and B are the same 64 tokens, block_size 16. B hits 48: the last token must be "
            "computed, and its block with it. C has 65 tokens and hits all 64.",
        ),
        texts.twice,
        3,
        block_size=16,
    ),
    PrefixPreset(
        "turns",
        Words("A talk in several turns", "Multi-turn chat"),
        Words(
            "Each turn brings along all that was said before, answers too. The shelves of the "
            "earlier turns were kept and are found again.",
            "Each turn's prompt begins with the whole chat so far, the model's answers included. "
            "Blocks of prompt and answer stay cached after free and are hit by the next turn.",
        ),
        texts.turns,
        3,
        opening=12,
        _leaves=(0, 0, None, None, None, None),
        _answers=(texts.BLOCKED, texts.YES, "", "", "", ""),
    ),
    PrefixPreset(
        "retrieval",
        Words("The same papers in another order", "Retrieval: documents in another order"),
        Words(
            "A, B and C bring the same 2 papers. B has them in another order and shares only "
            "what comes before; C keeps the order and shares both.",
            "A, B and C contain the same 2 documents. B has them in another order: only the "
            "system prompt hits. C keeps the order and hits both documents.",
        ),
        texts.retrieval,
        3,
        num_blocks=41,
    ),
    PrefixPreset(
        "time-stamp",
        Words("The time in the first line", "A time stamp in the first line, and the cure"),
        Words(
            "A and B have the time in front: one minute apart, and they share no shelf. "
            "C and D have it at the end, and D shares all that comes before.",
            "A and B begin with a time stamp, the classic mistake: one minute apart, and "
            "nothing hits. C and D have it at the end: D hits all full blocks before it.",
        ),
        texts.time_stamp,
        4,
        num_blocks=33,
        opening=8,
    ),
    PrefixPreset(
        "tenants",
        Words("Secret words", "Salt and LoRA adapter"),
        Words(
            "All 5 visitors bring the same boxes. B has a secret word and shares with nobody but "
            "C, who knows it; D reads them in a way of its own; E is like A and shares with A.",
            "The same prompt 5 times. B and C have a cache_salt and share with each other "
            "only; D uses a LoRA adapter and shares with none; E is like A and hits.",
        ),
        texts.tenants,
        5,
        num_blocks=31,
        opening=10,
        _salts=("", "tenant 7", "tenant 7", "", "", ""),
        _adapters=("", "", "", "law", "", ""),
    ),
    PrefixPreset(
        "short",
        Words("An opening shorter than a shelf", "A system prompt shorter than a block"),
        Words(
            "All 3 begin with the same 6 boxes, but a shelf holds 16: the first shelf has other "
            "boxes on it too, and nothing is shared.",
            "All 3 have a system prompt of 6 tokens, but a block holds 16: block 0 already "
            "contains part of the question, so nothing hits.",
        ),
        texts.short_system_prompt,
        3,
        block_size=16,
    ),
    PrefixPreset(
        "first-letter",
        Words("Another first letter", "A different first letter"),
        Words(
            "B begins with a small letter. That makes it another box, so all labels differ; C "
            "is like A and shares.",
            "B begins with a lower-case letter: another token, so every hash in the chain "
            "differs. C is like A and hits.",
        ),
        texts.first_letter,
        3,
    ),
    PrefixPreset(
        "what-is-left",
        Words("What is left", "Eviction, and what is left"),
        Words(
            "A and B have left, and their labels were kept. C needs more than the empty shelves "
            "and takes from the front of the queue. D asks what A asked and finds what is left.",
            "A and B are freed, their hashed blocks stay cached. C takes more than the empty "
            "blocks and evicts from the head of the free queue. D repeats A and hits the rest.",
        ),
        texts.what_is_left,
        4,
        num_blocks=19,
        opening=11,
        _leaves=(1, 0, 0, None, None, None),
    ),
    *CHUNK_PRESETS,
)


def prefix_preset(key: str) -> PrefixPreset | None:
    """The preset with this id, or None.

    >>> prefix_preset("twice").title.engine
    'The same prompt twice'
    """
    return next((p for p in PREFIX_PRESETS if p.id == key), None)
