"""Scene 6, second half: three ceilings, IBM's three rows, and what is left out of the story.

Published figures from `engine.spyre.trade_off`, the plugin's from its table of configurations.
Leaves out: what happens in a decode step (the Spyre page shows it).
"""

from __future__ import annotations

from typing import Final

from pagedviz.engine.spyre.known_configs import configs_of
from pagedviz.engine.spyre.limits import BATCH_TKV_LIMIT, MAX_MODEL_LEN, MAX_NUM_SEQS
from pagedviz.engine.spyre.trade_off import PUBLISHED_ROWS, batch_that_fits
from pagedviz.timeline.presets import Words
from pagedviz.timeline.story.beat import Beat, both, lit

IBM: Final = both("IBM product documentation.")
MODEL: Final = "ibm-granite/granite-3.3-8b-instruct"
CURVE: Final = range(128, MAX_MODEL_LEN + 1, 128)  # contexts, fine enough to look smooth

LIMIT_SHOWS: Final = {
    "ceilings": [MAX_NUM_SEQS, MAX_MODEL_LEN, BATCH_TKV_LIMIT],
    "rows": [[row.requests, row.context] for row in PUBLISHED_ROWS],
    "curve": [[context, batch_that_fits(context)] for context in CURVE],
}
LIMIT_LABELS: Final = {
    "across": Words("boxes each visitor may have", "context: tokens per request"),
    "up": Words("visitors at once", "batch: requests at once"),
    "ceiling_n": Words(f"at most {MAX_NUM_SEQS} visitors", f"at most {MAX_NUM_SEQS} requests"),
    "ceiling_c": Words(f"at most {MAX_MODEL_LEN:,} each", f"at most {MAX_MODEL_LEN:,} each"),
    "ceiling_p": both(f"together at most {BATCH_TKV_LIMIT:,}"),
    "longest": Words("the longest counts for all", "the longest, padded, counts for all"),
    "encoder": Words(
        "Models that only read keep no boxes: embeddings, rerankers.",
        "Encoder-only models: embeddings, rerankers. Fixed shapes, no prefix cache.",
    ),
}


def one_card() -> tuple[str, ...]:
    """What the plugin's table allows an 8-billion model on one card.

    >>> one_card()
    ('3,072 × 16 = 49,152', '8,192 × 4 = 32,768')
    """
    return tuple(
        f"{row.context:,} × {row.requests} = {row.context * row.requests:,}"
        for row in configs_of(MODEL)
        if row.cards == 1
    )


def limit_beats() -> tuple[Beat, ...]:
    """The ceilings, the rows, and the models that are left out."""
    first, second, third = PUBLISHED_ROWS
    says = (
        Words(
            f"{lit('area', f'{first.requests} visitors')} with {first.context:,} boxes each "
            f"come to {first.product:,} exactly.",
            f"{lit('area', f'{first.requests} requests')} of {first.context:,} tokens each "
            f"come to {first.product:,} exactly.",
        ),
        both(f"{lit('area', str(second.requests))} with {second.context:,} come to the same."),
        both(
            f"So do {lit('area', str(third.requests))} with {third.context:,}; "
            f"{lit('longest', 'the longest')} counts for all."
        ),
    )
    sources = (
        IBM,
        IBM,
        both(
            "That the longest counts, padded, is the plugin's rule, and its table gives "
            f"{BATCH_TKV_LIMIT:,} to 8-billion models on 4 cards. "
            f"One card: {' or '.join(one_card())}; 4,096 × 32 in a later IBM table, second-hand."
        ),
    )
    rows = tuple(
        Beat(
            both(f"{row.requests} × {row.context:,}"),
            words,
            calc=both(f"{row.requests} × {row.context:,} = {row.product:,}"),
            source=source,
            line=f"batch × context: {row.requests} × {row.context:,} <= {BATCH_TKV_LIMIT:,}",
            shows={"row": number, **({"longest": True} if row is third else {})},
            labels={"product": both(f"{row.requests} × {row.context:,} = {row.product:,}")},
        )
        for number, (row, words, source) in enumerate(
            zip(PUBLISHED_ROWS, says, sources, strict=True)
        )
    )
    return (
        Beat(
            Words("3 ceilings", "3 ceilings"),
            Words(
                f"At most {lit('n', f'{MAX_NUM_SEQS} visitors')}, "
                f"{lit('c', f'{MAX_MODEL_LEN:,} boxes')} each, and "
                f"{lit('p', f'{BATCH_TKV_LIMIT:,}')} for the one times the other.",
                f"At most {lit('n', f'{MAX_NUM_SEQS} requests')}, "
                f"{lit('c', f'{MAX_MODEL_LEN:,} tokens')} each, and "
                f"{lit('p', f'{BATCH_TKV_LIMIT:,}')} for the product.",
            ),
            source=IBM,
            line=f"max_num_seqs <= {MAX_NUM_SEQS}, max_model_len <= {MAX_MODEL_LEN:,}, "
            f"batch × context <= {BATCH_TKV_LIMIT:,}",
            shows={"row": None},
        ),
        *rows,
        Beat(
            Words("left out", "left out"),
            Words(
                f"Models that only read, as search uses them, "
                f"{lit('enc', 'keep no boxes')} and are left out here.",
                f"{lit('enc', 'Encoder-only models')} have no cache that grows; "
                "they are left out here.",
            ),
            source=both("IBM; plugin source."),
            line="task embed, score: static batching, warm-up shapes",
            shows={"row": len(PUBLISHED_ROWS) - 1, "encoder": True},
            labels={"product": both(f"{third.requests} × {third.context:,} = {third.product:,}")},
        ),
    )
