"""Batch against context, as IBM publishes it: three ceilings, and which of them binds.

At most 32 requests, at most 32,768 tokens each, and requests x context at most 131,072. From
one of the two the other follows.

Leaves out: what the plugin decides about real requests. It looks at the padded length of what
runs at that moment, not at the context a server was started with (`admission`, `decode_set`).

Source: IBM product documentation of the Spyre Accelerator for Power (three example rows, the
two ceilings, the product); the same figures in sendnn-inference 2.6.3, platform.py.
"""

from dataclasses import dataclass
from typing import Literal

from pagedviz.engine.errors import ConfigError, check_int
from pagedviz.engine.spyre.limits import (
    BATCH_TKV_LIMIT,
    MAX_MODEL_LEN,
    MAX_NUM_SEQS,
    check_context,
    check_requests,
)

Ceiling = Literal["requests", "context", "product"]


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One row of the table: so many requests at so long a context, in tokens."""

    requests: int
    context: int

    @property
    def product(self) -> int:
        """Requests x context, in tokens."""
        return self.requests * self.context


PUBLISHED_ROWS = (PublishedRow(32, 4_096), PublishedRow(16, 8_192), PublishedRow(4, 32_768))
PUBLISHED_SOURCE = "IBM product documentation, Spyre Accelerator for Power"


def batch_that_fits(context: int, limit: int = BATCH_TKV_LIMIT) -> int:
    """Requests that fit at `context` tokens: min(32, floor(limit / context)), perhaps 0.

    `context` may be any length from 1 to 32,768, as a running request has it.

    >>> [batch_that_fits(n) for n in (4096, 4097, 8192, 8193, 32_768, 64)]
    [32, 31, 16, 15, 4, 32]
    """
    check_int("context", context, 1, ConfigError)
    check_int("limit", limit, 1, ConfigError)
    if context > MAX_MODEL_LEN:
        check_context(context)  # says what is wrong with it
    return min(MAX_NUM_SEQS, limit // context)


def context_that_fits(requests: int, limit: int = BATCH_TKV_LIMIT) -> int:
    """Tokens of context that fit with so many requests: min(32,768, floor(limit / requests)).

    >>> [context_that_fits(n) for n in (32, 16, 5, 4, 1)]
    [4096, 8192, 26214, 32768, 32768]
    """
    check_requests(requests)
    check_int("limit", limit, 1, ConfigError)
    return min(MAX_MODEL_LEN, limit // requests)


def binding_ceilings(
    requests: int, context: int, limit: int = BATCH_TKV_LIMIT
) -> tuple[Ceiling, ...]:
    """The ceilings that leave no room for one more request, or one more token, at this point.

    "requests" and "context" if they are reached; "product" if another request of this context,
    or one more token for as many requests, would pass `limit`.

    >>> binding_ceilings(16, 8192), binding_ceilings(32, 4096), binding_ceilings(4, 32_768)
    (('product',), ('requests', 'product'), ('context', 'product'))
    >>> binding_ceilings(32, 1024), binding_ceilings(1, 32_768), binding_ceilings(3, 1024)
    (('requests',), ('context',), ())
    """
    check_requests(requests)
    check_int("context", context, 1, ConfigError)
    found: list[Ceiling] = []
    if requests == MAX_NUM_SEQS:
        found.append("requests")
    if context >= MAX_MODEL_LEN:
        found.append("context")
    if requests * (context + 1) > limit or (
        (requests + 1) * context > limit and requests < MAX_NUM_SEQS
    ):
        found.append("product")
    return tuple(found)


def binding_for_context(context: int, limit: int = BATCH_TKV_LIMIT) -> Ceiling:
    """Which ceiling keeps `batch_that_fits(context)` from being larger: requests or product.

    >>> binding_for_context(4096), binding_for_context(4097), binding_for_context(32_768)
    ('requests', 'product', 'product')
    """
    batch_that_fits(context, limit)
    return "requests" if (MAX_NUM_SEQS * context) <= limit else "product"


def binding_for_batch(requests: int, limit: int = BATCH_TKV_LIMIT) -> Ceiling:
    """Which ceiling keeps `context_that_fits(requests)` from being longer.

    >>> binding_for_batch(4), binding_for_batch(5)
    ('context', 'product')
    """
    check_requests(requests)
    return "context" if requests * MAX_MODEL_LEN <= limit else "product"
