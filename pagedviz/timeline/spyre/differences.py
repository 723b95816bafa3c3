"""Where the published picture and the software differ: both sides, each with its source.

Figures are worked out by the engine where it can; what only a table or a page says is named as
its. `unconfirmed` rows rest on a source we have not seen at first hand: show them with
"according to".

Leaves out: everything on which the two agree.

Source: IBM product documentation; the vLLM announcement of 20 June 2023; sendnn-inference 2.6.3
and vllm-spyre 1.10.0.
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.spyre.chunks import BLOCK_SIZE
from pagedviz.engine.spyre.known_configs import SOURCE as CONFIG_SOURCE
from pagedviz.engine.spyre.known_configs import configs_of
from pagedviz.engine.spyre.limits import BATCH_TKV_LIMIT, MAX_MODEL_LEN, MAX_NUM_SEQS
from pagedviz.engine.spyre.releases import DEFAULT_RELEASE, RELEASES
from pagedviz.engine.spyre.requests import check_request
from pagedviz.engine.spyre.resolve import resolve
from pagedviz.engine.spyre.trade_off import PUBLISHED_ROWS, PUBLISHED_SOURCE, batch_that_fits
from pagedviz.timeline.kv_models import KV_MODELS
from pagedviz.timeline.presets import Words
from pagedviz.timeline.spyre.mix import FOUR_CARD_BLOCKS, Mix, MixGroup
from pagedviz.timeline.spyre.mix_play import summary

PAUSING_OFF = "sendnn_2_6_3_pausing_off"
OLD = "vllm_spyre_1_10_0"
MODEL = "ibm-granite/granite-3.3-8b-instruct"

CARDS = 4  # of the row the published limit belongs to
CARD_GB = 128  # memory of a card; torch-spyre documentation
GIB = 1024**3


@dataclass(frozen=True, slots=True)
class Difference:
    """One statement as published, and what the software does."""

    id: str
    published: Words
    published_by: str  # who, when
    actual: Words
    actual_by: str  # release, date
    unconfirmed: bool = False  # the published side is second-hand: "according to"


def _release(key: str) -> str:
    return f"{RELEASES[key].name}, files of {RELEASES[key].date}"


def one_card_products() -> tuple[tuple[int, int, int], ...]:
    """(context, requests, product limit) of each row for one card.

    >>> one_card_products()
    ((3072, 16, 49152), (8192, 4, 32768))
    """
    return tuple(
        (row.context, row.requests, found.limits.batch_tkv_limit)
        for row in configs_of(MODEL)
        if row.cards == 1
        for found in (resolve(MODEL, 1, row.context, row.requests),)
    )


def taken_of_rows(release: str) -> tuple[int, ...]:
    """How many requests of IBM's rows are taken in at once, each of its row's full length.

    >>> taken_of_rows(PAUSING_OFF), taken_of_rows(OLD)
    ((31, 15, 3), (32, 16, 4))
    """
    found = []
    for row in PUBLISHED_ROWS:
        mix = Mix((MixGroup(row.requests, row.context - BLOCK_SIZE, BLOCK_SIZE),), release=release)
        found.append(row.requests - summary(mix).waiting)
    return tuple(found)


def _card() -> Difference:
    rows = one_card_products()
    products = " or ".join(f"{context:,} x {n} = {product:,}" for context, n, product in rows)
    return Difference(
        "card",
        Words(
            f"{BATCH_TKV_LIMIT:,} places tell how many visitors one card can serve.",
            f"{BATCH_TKV_LIMIT:,} tells how many requests one card can serve.",
        ),
        f"As it is often told; the figure is from {PUBLISHED_SOURCE}",
        Words(
            f"The figure belongs to 8-billion models on {CARDS} cards. One card: {products}.",
            f"The limit belongs to 8-billion models on {CARDS} cards. One card: {products}.",
        ),
        CONFIG_SOURCE,
    )


def _later_card() -> Difference:
    own = ", ".join(f"{context:,} x {requests}" for context, requests, _ in one_card_products())
    wide = configs_of("mistralai/Ministral-3-8B-Instruct-2512-BF16")[0]
    return Difference(
        "one-card-later",
        Words(
            f"One card takes {wide.context:,} x {wide.requests}, Granite 3.3 8B too.",
            f"One card runs {wide.context:,} x {wide.requests}, granite-3.3-8b included.",
        ),
        "IBM, table of supported use updated 22 September 2026, as quoted in a draft of the "
        "project-ai-services repository",
        Words(
            f"The list has that for the Ministral models on one card; for Granite 3.3 8B {own}.",
            f"The table has that row for the Ministral models on one card; for granite-3.3-8b "
            f"{own}.",
        ),
        CONFIG_SOURCE,
        unconfirmed=True,
    )


def _memory() -> Difference:
    model = KV_MODELS[0]
    whole = BATCH_TKV_LIMIT * model.bytes_per_token / GIB
    each = whole / CARDS
    return Difference(
        "memory",
        Words("The limit is the memory of the card.", "The limit is the memory of the card."),
        "As it is often told",
        Words(
            f"{BATCH_TKV_LIMIT:,} boxes of {model.name} are {whole:.0f} GiB, {each:.0f} GiB on "
            f"each of {CARDS} cards of {CARD_GB} GB. The limit is the largest table that can be "
            "made beforehand.",
            f"{BATCH_TKV_LIMIT:,} tokens of {model.name} in fp16 are {whole:.0f} GiB, "
            f"{each:.0f} GiB on each of {CARDS} cards of {CARD_GB} GB. The limit is the largest "
            "shape that is compiled.",
        ),
        "the plugin's change #363, August 2025: a limit of the compiler",
    )


def _longest() -> Difference:
    found = summary(Mix((MixGroup(1, 30_000, 25), MixGroup(31, 200, 25))))
    return Difference(
        "longest",
        Words(
            "The more boxes each may have, the fewer visitors fit.",
            "The batch shrinks as the context grows.",
        ),
        PUBLISHED_SOURCE,
        Words(
            "The longest row counts for all that write in a step. One visitor with 30,000 boxes "
            f"beside 31 with 200: {found.decoding} write, then the 31 without it, in turns.",
            "The longest padded request counts for all in a decode step. One of 30,000 tokens "
            f"beside 31 of 200: {found.decoding} decode, then the 31 without it, in turns.",
        ),
        f"{_release(DEFAULT_RELEASE)}; pausing since 2.4",
    )


def _taken() -> Difference:
    row = PUBLISHED_ROWS[1]
    found = summary(Mix((MixGroup(MAX_NUM_SEQS, row.context - BLOCK_SIZE, BLOCK_SIZE),)))
    return Difference(
        "taken",
        Words(
            f"At {row.context:,} boxes each, {row.requests} visitors can be there.",
            f"At a context of {row.context:,}, {row.requests} requests can be served.",
        ),
        PUBLISHED_SOURCE,
        Words(
            f"{MAX_NUM_SEQS} may be inside: {found.decoding} write in a step and {found.paused} "
            "sit out, in turns.",
            f"{MAX_NUM_SEQS} may be taken: {found.decoding} decode in a step and {found.paused} "
            "pause, in turns.",
        ),
        f"{_release(DEFAULT_RELEASE)}; pausing since 2.4",
    )


def _promise() -> Difference:
    check = check_request(1_000, None, max_model_len=MAX_MODEL_LEN)
    now = cdiv(check.prompt_len, BLOCK_SIZE)
    usable = FOUR_CARD_BLOCKS - 1
    return Difference(
        "promise",
        Words(
            "Nothing is held back for boxes that may never come.",
            "Nothing is reserved for a length a request may never reach.",
        ),
        "vLLM announcement, 20 June 2023",
        Words(
            f"Shelves still come one at a time, but all are promised at the door: 1,000 boxes and "
            f"no word on the answer hold {now} shelves and are promised {check.blocks_promised} "
            f"of {usable:,}.",
            "Blocks are still handed out one at a time, but prompt + max_tokens is reserved: a "
            f"prompt of 1,000 without max_tokens holds {now} blocks and reserves "
            f"{check.blocks_promised} of {usable:,}.",
        ),
        f"{_release(DEFAULT_RELEASE)}; since 2.2. True of vLLM itself",
    )


def _rows() -> Difference:
    first = PUBLISHED_ROWS[0]
    published = f"{first.requests} x {first.context:,} fits."
    off, old = taken_of_rows(PAUSING_OFF), taken_of_rows(OLD)
    listed = f"{off[0]}, {off[1]} and {off[2]}"
    whole = f"{old[0]}, {old[1]} and {old[2]}"
    exact = batch_that_fits(first.context)
    beyond = batch_that_fits(first.context + 1)
    return Difference(
        "rows",
        Words(published, published),
        PUBLISHED_SOURCE,
        Words(
            f"Exactly: {exact} at {first.context:,} and {beyond} at {first.context + 1:,}. Where "
            f"nobody may sit out, a spare shelf for each makes IBM's rows {listed}; before, "
            f"release 1.10.0 let in {whole}.",
            f"Exactly: {exact} at {first.context:,} and {beyond} at {first.context + 1:,}. With "
            f"pausing off a slack block makes IBM's rows {listed}; vllm-spyre 1.10.0 "
            f"admits {whole}.",
        ),
        f"{_release(PAUSING_OFF)}; {_release(OLD)}",
    )


def _caching() -> Difference:
    old, new = RELEASES[OLD], RELEASES[DEFAULT_RELEASE]
    now = "on" if new.prefix_caching_default else "off"
    return Difference(
        "caching",
        Words(
            "Keeping finished boxes has to be switched on, and goes by cartloads of "
            f"{old.default_chunk_size:,}.",
            "Prefix caching has to be switched on, and needs chunked prefill with chunks of "
            f"{old.default_chunk_size:,}.",
        ),
        "IBM documentation of Stack 1.1, March 2026",
        Words(
            f"So it was up to release 1 of the plugin. Since release 2 it is {now} by itself, with "
            f"cartloads of {new.default_chunk_size:,}.",
            f"True of plugin 1.x. Since 2.0 it is {now} by default, with chunks of "
            f"{new.default_chunk_size:,}.",
        ),
        f"{_release(DEFAULT_RELEASE)}; {_release(OLD)}",
    )


DIFFERENCES: tuple[Difference, ...] = (
    _card(),
    _later_card(),
    _memory(),
    _longest(),
    _taken(),
    _promise(),
    _rows(),
    _caching(),
)
