"""The encoder-only scene for the stage: batches as rectangles, in the form of a scheduler's run.

A text's block has the length of the shape; what is in front of the text is padding, and rows
without a text are padding too (`empty`). The form is that of `wire.py` with `encoder` set.

Leaves out: the rules and the words (`encoder.py`).
"""

from __future__ import annotations

from typing import Any

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.spyre.chunks import BLOCK_SIZE
from pagedviz.timeline.spyre.encoder import EncoderBatch, EncoderScene
from pagedviz.timeline.step import NUM_HUES


def encode_encoder(scene: EncoderScene) -> dict[str, Any]:
    """The scene in wire format 1, kind "spyre".

    >>> from pagedviz.timeline.spyre.encoder import encoder_scene
    >>> wire = encode_encoder(encoder_scene())
    >>> wire["last"], wire["turns"][2], wire["steps"][1]["vol"]
    (3, '..d ', 512)
    """
    lengths = {text.letter: text.tokens for batch in scene.batches for text in batch.texts}
    letters = sorted(lengths, key=lambda name: (len(name), name))
    numbers = {name: k for k, name in enumerate(letters)}
    when = {t.letter: k for k, batch in enumerate(scene.batches, 1) for t in batch.texts}
    start = {
        "k": "start",
        "c": [scene.lead.room, scene.lead.engine],
        "kinds": [],
        "rows": [],
        "wait": [
            [k, f"{lengths[name]:,} boxes", f"{lengths[name]:,} tokens"]
            for k, name in enumerate(letters)
        ],
    }
    return {
        "v": 1,
        "kind": "spyre",
        "encoder": True,
        "mix": True,
        "title": "",
        "last": len(scene.batches),
        "limit": None,
        "chunk": BLOCK_SIZE,
        "usable": 0,
        "requests": [
            {"id": name, "letter": name, "hue": k % NUM_HUES} for k, name in enumerate(letters)
        ],
        "turns": [
            "".join(
                "d" if k == when[name] else "." if k < when[name] else " "
                for k in range(len(scene.batches) + 1)
            )
            for name in letters
        ],
        "steps": [start, *(_step(batch, numbers) for batch in scene.batches)],
    }


def _step(batch: EncoderBatch, numbers: dict[str, int]) -> dict[str, Any]:
    width = cdiv(batch.shape.prompt_len, BLOCK_SIZE)
    return {
        "k": "decode",
        "c": [batch.caption.room, batch.caption.engine],
        "kinds": [],
        # whole widths: the text at the end of the row, padding in front of it
        "rows": [
            [numbers[t.letter], t.padding / BLOCK_SIZE, t.tokens / BLOCK_SIZE, t.tokens]
            for t in batch.texts
        ],
        "empty": batch.empty_rows,
        "w": width,
        "tkv": batch.shape.prompt_len,
        "vol": batch.paid,
        "carry": batch.carries,
        "run": [[numbers[t.letter], t.tokens, 0, 1, 0] for t in batch.texts],
        "wait": [[numbers[w.letter], w.why.room, w.why.engine] for w in batch.waiting],
        "size": [batch.shape.batch_size, batch.shape.prompt_len],
    }
