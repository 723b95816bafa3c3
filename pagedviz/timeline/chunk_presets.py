"""Presets about Spyre's chunks: where a shared beginning saves less than one would think.

The figures in the words are those of `engine/spyre/chunks.py`; the tests compare them.

Leaves out: the presets about blocks (`prefix_presets.py`).
"""

from __future__ import annotations

from pagedviz.timeline import prefix_texts as texts
from pagedviz.timeline.prefix_preset import PrefixPreset
from pagedviz.timeline.presets import Words

CHUNK_PRESETS: tuple[PrefixPreset, ...] = (
    PrefixPreset(
        "chunks-3000",
        Words("2,500 of 3,000 boxes shared", "2,500 of 3,000 tokens shared"),
        Words(
            "B brings 3,000 boxes, and the first 2,500 are the same as A's. Shelf by shelf, 2,496 "
            "are found; by cartloads of 1,024, a Spyre card saves 1,984, and of 512, all 2,496.",
            "B has 3,000 tokens, 2,500 of them shared with A. vLLM reuses 2,496; Spyre 1,984 "
            "with chunks of 1,024 and 2,496 with chunks of 512.",
        ),
        texts.chunks(500),
        2,
        block_size=16,
        num_blocks=241,
        opening=4,
    ),
    PrefixPreset(
        "chunks-2600",
        Words("2,500 of 2,600 boxes shared", "2,500 of 2,600 tokens shared"),
        Words(
            "The same beginning, but fewer boxes: 2,500 of 2,600 are the same as A's. A Spyre "
            "card now saves only 1,600 by cartloads of 1,024, and 2,112 by cartloads of 512.",
            "The same prefix, a shorter prompt: 2,600 tokens. vLLM still reuses 2,496, Spyre "
            "1,600 with chunks of 1,024 and 2,112 with 512: the length moves the borders.",
        ),
        texts.chunks(100),
        2,
        block_size=16,
        num_blocks=241,
        opening=4,
    ),
    PrefixPreset(
        "one-chunk",
        Words("A visitor of one cartload", "A prompt of one chunk"),
        Words(
            "B brings 1,000 boxes, the first 900 the same as A's. Shelf by shelf, 896 are found. "
            "By cartloads of 1,024, B is one load, and the last is always worked out: none saved.",
            "B has 1,000 tokens, 900 of them shared. vLLM reuses 896. On Spyre B is one chunk "
            "of 1,024, and the last chunk is always computed: nothing is saved.",
        ),
        texts.one_chunk,
        2,
        block_size=16,
        num_blocks=81,
        opening=4,
    ),
    PrefixPreset(
        "encoder",
        Words("Readers who keep nothing", "Encoder-only models"),
        Words(
            "Models that only read, to compare or to rank, use no labels at all: the same text is "
            "made anew each time it comes.",
            "Encoder-only models (embeddings, rerankers) do not use the prefix cache: nothing is "
            "hashed, and the same text is computed again.",
        ),
        texts.encoder,
        3,
        caching=False,
    ),
)
