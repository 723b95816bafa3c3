"""What limits a server comes up with, for a model on so many cards, and where each is from.

The plugin looks for a row that has exactly these cards, this context and this number of
requests. If it finds one, the row's figures count, and what it does not name is worked out. If
not, requests and context are capped and the product is at most 131,072. The product and the
blocks can be set by hand, which goes before the table.

Leaves out: REQUIRE_KNOWN_CONFIG, with which the plugin refuses to start without a row; the
memory of a card, which it does not ask about.

Source: sendnn-inference 2.6.3, platform.py (check_and_update_config, get_total_spyre_blocks),
config/model_registry.py (exact match), config/configurators/model_configurator.py.
"""

from dataclasses import dataclass

from pagedviz.engine.errors import ConfigError, check_int, check_text
from pagedviz.engine.spyre.chunks import BLOCK_SIZE, CHUNK_PLUGIN_2
from pagedviz.engine.spyre.known_configs import KnownConfig, configs_of
from pagedviz.engine.spyre.limits import (
    BATCH_TKV_LIMIT,
    MAX_MODEL_LEN,
    MAX_NUM_SEQS,
    SpyreLimits,
    check_num_blocks,
)


@dataclass(frozen=True, slots=True)
class Resolved:
    """The limits, the row they rest on, and one sentence on where each comes from."""

    limits: SpyreLimits
    model: str
    cards: int
    row: KnownConfig | None  # None: no row has exactly these cards, context and requests
    requests_from: str
    context_from: str
    product_from: str
    blocks_from: str


def resolve(
    model: str,
    cards: int,
    context: int,
    requests: int,
    *,
    limit: int | None = None,
    override_blocks: int | None = None,
    chunk_size: int = CHUNK_PLUGIN_2,
) -> Resolved:
    """The limits of a server started with these settings. Raises ConfigError if it would not.

    cards: tensor parallel size. context, limit, chunk_size: tokens.
    limit: VLLM_DT_MAX_BATCH_TKV_LIMIT, set by hand. override_blocks: --num-gpu-blocks-override.

    >>> found = resolve("ibm-granite/granite-3.3-8b-instruct", 4, 32_768, 32)
    >>> found.limits.batch_tkv_limit, found.limits.num_blocks
    (131072, 8192)
    >>> found = resolve("ibm-granite/granite-3.3-8b-instruct", 1, 3072, 16)
    >>> found.limits.batch_tkv_limit, found.limits.num_blocks
    (49152, 784)
    >>> print(found.product_from)
    The table's row for 1 card, 3,072 x 16, names no product limit, so it is 3,072 x 16 = 49,152.
    >>> found = resolve("ibm-granite/granite-3.3-8b-instruct", 4, 4096, 40)
    >>> found.row, found.limits.max_num_seqs, found.limits.batch_tkv_limit
    (None, 32, 131072)
    >>> resolve("ibm-granite/granite-4.2-8b-fp8", 1, 3072, 1)
    Traceback (most recent call last):
    ...
    pagedviz.engine.errors.ConfigError: requests (max_num_seqs) 1 is refused for an FP8 model;
    try 2 or more
    """
    check_text("model", model, ConfigError)
    check_int("cards", cards, 1, ConfigError)
    check_int("context (max_model_len)", context, 1, ConfigError)
    check_int("requests (max_num_seqs)", requests, 1, ConfigError)
    if limit is not None:
        check_int("the product limit (batch_tkv_limit)", limit, 1, ConfigError)
    rows = configs_of(model)
    if requests == 1 and any(row.fp8 for row in rows):
        raise ConfigError("requests (max_num_seqs) 1 is refused for an FP8 model; try 2 or more")
    asked = (cards, context, requests)
    row = next((one for one in rows if (one.cards, one.context, one.requests) == asked), None)
    if row is None:
        requests_from, requests = _capped(requests, MAX_NUM_SEQS, "requests")
        context_from, context = _capped(context, MAX_MODEL_LEN, "tokens")
    else:
        requests_from = context_from = f"As set, and in {_row(row)}."
    product_from, product = _product(row, context, requests, limit)
    named = override_blocks if override_blocks is not None else row.num_blocks if row else None
    if named is None:
        # checks context and product before blocks are made of them
        limits = SpyreLimits(requests, context, product, chunk_size)
        blocks_from = (
            f"Nobody names the blocks: {requests} x {context:,} / {BLOCK_SIZE} and block 0, "
            f"rounded up to a multiple of {requests}, are {limits.num_blocks:,}."
        )
    else:
        SpyreLimits(requests, context, product, chunk_size)
        blocks = check_num_blocks(named, requests, context, product)
        limits = SpyreLimits(requests, context, product, chunk_size, blocks)
        blocks_from = _named_blocks(row, override_blocks, blocks, requests)
    return Resolved(
        limits, model, cards, row, requests_from, context_from, product_from, blocks_from
    )


def _row(row: KnownConfig) -> str:
    cards = "1 card" if row.cards == 1 else f"{row.cards} cards"
    return f"the table's row for {cards}, {row.context:,} x {row.requests}"


def _capped(asked: int, ceiling: int, unit: str) -> tuple[str, int]:
    if asked <= ceiling:
        return (
            f"As set; no row has exactly these cards, context and requests, and the cap of "
            f"{ceiling:,} {unit} is not reached.",
            asked,
        )
    return (
        f"Capped from {asked:,} to {ceiling:,} {unit}: no row has exactly these cards, context "
        "and requests.",
        ceiling,
    )


def _product(
    row: KnownConfig | None, context: int, requests: int, limit: int | None
) -> tuple[str, int]:
    full = context * requests
    if row is None:
        if limit is None:
            said = "No row has exactly these cards, context and requests: the plugin's default"
            return f"{said} of {BATCH_TKV_LIMIT:,}.", BATCH_TKV_LIMIT
        if limit > BATCH_TKV_LIMIT:
            return (
                f"Set to {limit:,} by hand, and capped at {BATCH_TKV_LIMIT:,} because no row "
                "has exactly these cards, context and requests.",
                BATCH_TKV_LIMIT,
            )
        return f"Set to {limit:,} by hand.", limit
    if limit is not None:
        if row.batch_tkv_limit is None:
            return f"Set to {limit:,} by hand; {_row(row)} names none.", limit
        return (
            f"Set to {limit:,} by hand, which goes before the {row.batch_tkv_limit:,} of "
            f"{_row(row)}.",
            limit,
        )
    if row.batch_tkv_limit is None:
        said = _row(row)
        return (
            f"{said[0].upper()}{said[1:]}, names no product limit, so it is "
            f"{context:,} x {requests} = {full:,}.",
            full,
        )
    return f"{row.batch_tkv_limit:,} in {_row(row)}.", row.batch_tkv_limit


def _named_blocks(row: KnownConfig | None, override: int | None, blocks: int, requests: int) -> str:
    if override is None:
        assert row is not None
        return f"{blocks:,} in {_row(row)}."
    rounded = (
        "" if blocks == override else (f", rounded down to {blocks:,}, a multiple of {requests}")
    )
    before = ""
    if row is not None and row.num_blocks is not None:
        before = f"; it goes before the {row.num_blocks:,} of {_row(row)}"
    return f"Set to {override:,} by hand{rounded}{before}."
