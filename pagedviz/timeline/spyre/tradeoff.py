"""Batch against context as IBM publishes it, one step for each context of whole blocks.

Step i is a context of 64 x (i + 1) tokens with the batch that fits it; the last steps are the
longest context with fewer requests than would fit. From a batch the context follows through
`byBatch`.

Leaves out: what the plugin decides about requests that run (`mix`, `play`).

Source: IBM product documentation; the arithmetic is in `engine.spyre.trade_off`.
"""

from __future__ import annotations

from pagedviz.engine.spyre.chunks import BLOCK_SIZE
from pagedviz.engine.spyre.limits import BATCH_TKV_LIMIT, MAX_MODEL_LEN, MAX_NUM_SEQS
from pagedviz.engine.spyre.trade_off import (
    PUBLISHED_ROWS,
    Ceiling,
    PublishedRow,
    batch_that_fits,
    binding_ceilings,
    context_that_fits,
)
from pagedviz.timeline.presets import Words

VERSION = 1
LAST = MAX_MODEL_LEN // BLOCK_SIZE - 1


def step_of(context: int) -> int:
    """The step that shows `context` tokens, or the next smaller one of whole blocks.

    >>> step_of(64), step_of(4096), step_of(26_214), step_of(32_768)
    (0, 63, 408, 511)
    """
    return min(max(context // BLOCK_SIZE - 1, 0), LAST)


def trade_off() -> dict[str, object]:
    """All steps in wire format 1, kind "tradeoff".

    >>> wire = trade_off()
    >>> wire["last"], wire["byBatch"][4], wire["steps"][63]["kinds"]
    (514, 26214, ['row'])
    """
    fewer = range(batch_that_fits(MAX_MODEL_LEN) - 1, 0, -1)
    return {
        "v": VERSION,
        "kind": "tradeoff",
        "title": "",
        "last": LAST + len(fewer),
        "requests": [],
        "limit": BATCH_TKV_LIMIT,
        "max_seqs": MAX_NUM_SEQS,
        "max_context": MAX_MODEL_LEN,
        "block": BLOCK_SIZE,
        "rows": [[row.requests, row.context] for row in PUBLISHED_ROWS],
        "byBatch": [context_that_fits(batch) for batch in range(1, MAX_NUM_SEQS + 1)],
        "steps": [
            *(_step((i + 1) * BLOCK_SIZE) for i in range(LAST + 1)),
            *(_step(MAX_MODEL_LEN, batch) for batch in fewer),
        ],
    }


def _step(context: int, batch: int | None = None) -> dict[str, object]:
    batch = batch_that_fits(context) if batch is None else batch
    binds = binding_ceilings(batch, context)
    return {
        "context": context,
        "batch": batch,
        "product": batch * context,
        "binds": list(binds),
        "kinds": ["row"] if PublishedRow(batch, context) in PUBLISHED_ROWS else [],
        "c": list(words(context, batch)),
    }


def words(context: int, batch: int | None = None) -> Words:
    """What fits at `context` tokens and which ceiling binds, in both registers.

    batch: fewer requests than would fit, if given.

    >>> words(6144).engine
    'Context 6,144: **21 requests** at once, 21 x 6,144 = 129,024 of 131,072. **The product binds**:
     one more would make 135,168.'
    """
    batch = batch_that_fits(context) if batch is None else batch
    binds = binding_ceilings(batch, context)
    product = f"{batch} x {context:,} = {batch * context:,}"
    who_fits = _counted(batch, "visitor fits", "visitors fit")
    requests = _counted(batch, "request", "requests")
    row = PublishedRow(batch, context) in PUBLISHED_ROWS
    of_ibm = " One of IBM's 3 rows." if row else ""
    return Words(
        f"With {context:,} boxes each, **{who_fits}** at the table: {product} of "
        f"{BATCH_TKV_LIMIT:,} places. {_why_room(binds, batch, context)}{of_ibm}",
        f"Context {context:,}: **{requests}** at once, {product} of {BATCH_TKV_LIMIT:,}. "
        f"{_why_engine(binds, batch, context)}{of_ibm}",
    )


def _counted(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"


def _why_room(binds: tuple[Ceiling, ...], batch: int, context: int) -> str:
    if "product" not in binds and "requests" not in binds:
        return "**Nobody may bring more boxes** than that; places are left for more visitors."
    if "product" not in binds:
        return f"**More than {MAX_NUM_SEQS} are never let in**; places are left."
    if "requests" in binds:
        return f"**No place is left**, and more than {MAX_NUM_SEQS} are never let in."
    if "context" in binds:
        return "**No place is left**, and nobody may bring more boxes than that."
    return f"**The table is full**: one more would take {(batch + 1) * context:,}."


def _why_engine(binds: tuple[Ceiling, ...], batch: int, context: int) -> str:
    if "product" not in binds and "requests" not in binds:
        return f"**The ceiling of {MAX_MODEL_LEN:,} tokens binds**; the product is not reached."
    if "product" not in binds:
        return f"**The ceiling of {MAX_NUM_SEQS} requests binds**; the product is not reached."
    if "requests" in binds:
        return f"**The product and the ceiling of {MAX_NUM_SEQS} requests bind** together."
    if "context" in binds:
        return f"**The product and the ceiling of {MAX_MODEL_LEN:,} tokens bind** together."
    return f"**The product binds**: one more would make {(batch + 1) * context:,}."
