"""Batch against context in words and as rows of a table, and which ceiling binds at a point.

Three ceilings: how many requests, how long each, and the product of the two. The published ones
are the default; any server's own go the same way.

Leaves out: the picture (`frontier.py`), and what the plugin decides about requests that run.

Source: engine.spyre.trade_off, which has the same rule for the published ceilings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from pagedviz.engine.errors import ConfigError, check_int
from pagedviz.engine.spyre.limits import BATCH_TKV_LIMIT, MAX_MODEL_LEN, MAX_NUM_SEQS
from pagedviz.engine.spyre.trade_off import PUBLISHED_ROWS, Ceiling, PublishedRow
from pagedviz.timeline.captions import Register


@dataclass(frozen=True, slots=True)
class Ceilings:
    """What a server is held to: requests at once, tokens of context each, and the product.

    >>> Ceilings().binding(16, 8_192), Ceilings(16, 3_072, 49_152).binding(16, 3_072)
    (('product',), ('requests', 'context', 'product'))
    """

    requests: int = MAX_NUM_SEQS
    context: int = MAX_MODEL_LEN  # tokens
    product: int = BATCH_TKV_LIMIT  # tokens

    def __post_init__(self) -> None:
        check_int("requests", self.requests, 1, ConfigError)
        check_int("context", self.context, 1, ConfigError)
        check_int("product", self.product, self.context, ConfigError)  # one full request

    def fits(self, requests: int, context: int) -> bool:
        """Whether so many requests of so many tokens stay below all three ceilings."""
        return (
            requests <= self.requests
            and context <= self.context
            and requests * context <= self.product
        )

    def binding(self, requests: int, context: int) -> tuple[Ceiling, ...]:
        """The ceilings that leave no room for one more request, or one more token each.

        At a point that does not fit: those that are passed. Requests and context from 1.
        """
        if not self.fits(requests, context):
            passed: tuple[tuple[Ceiling, bool], ...] = (
                ("requests", requests > self.requests),
                ("context", context > self.context),
                ("product", requests * context > self.product),
            )
            return tuple(name for name, is_passed in passed if is_passed)
        found: list[Ceiling] = []
        if requests == self.requests:
            found.append("requests")
        if context == self.context:
            found.append("context")
        one_more = requests < self.requests and (requests + 1) * context > self.product
        if requests * (context + 1) > self.product or one_more:
            found.append("product")
        return tuple(found)


PUBLISHED: Final = Ceilings()
LEFT: Final = 256  # tokens; where the context axis begins


def frontier_alt(
    context: int,
    batch: int,
    register: Register = "room",
    ceilings: Ceilings = PUBLISHED,
    rows: Sequence[PublishedRow] = PUBLISHED_ROWS,
    own_rows: Sequence[PublishedRow] = (),
    label: str = "",
) -> str:
    """The chart in a few sentences; arguments as of `frontier_figure`.

    >>> print(frontier_alt(6144, 21, "engine"))
    Requests at once against context, both axes doubling by doubling. What fits ends at 32
    requests, at 32,768 tokens each and where requests x context reaches 131,072. IBM's rows:
    32 x 4,096; 16 x 8,192; 4 x 32,768. You: 21 x 6,144 = 129,024. The product binds.
    """
    words = WORDS[register]
    told = [
        words["alt"].format(
            requests=f"{ceilings.requests:,}",
            context=f"{ceilings.context:,}",
            product=f"{ceilings.product:,}",
        )
    ]
    for name, some in ((words["published"], rows), (words["own"], own_rows)):
        if some:
            told.append(
                f"{name}: " + "; ".join(f"{row.requests} x {row.context:,}" for row in some) + "."
            )
    name = label or words["you"]
    told.append(f"{name[0].upper()}{name[1:]}: {batch:,} x {context:,} = {batch * context:,}.")
    told.append(what_binds(context, batch, register, ceilings))
    return " ".join(told)


def what_binds(
    context: int, batch: int, register: Register = "room", ceilings: Ceilings = PUBLISHED
) -> str:
    """One sentence: which ceiling binds at this point, or which it passes.

    >>> what_binds(32_768, 4, "engine"), what_binds(1024, 3, "engine")
    ('The context and the product bind.', 'No ceiling is reached.')
    >>> what_binds(8192, 17, "engine")
    'This does not fit: it passes the product.'
    """
    words = WORDS[register]
    names = [words[f"the {name}"] for name in ceilings.binding(batch, context)]
    if not names:
        return words["none"]
    several = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    if not ceilings.fits(batch, context):
        return words["passes"].format(names=several)
    said = words["binds" if len(names) == 1 else "bind"].format(names=several)
    return said[0].upper() + said[1:]


def frontier_rows(
    context: int,
    batch: int,
    register: Register = "room",
    ceilings: Ceilings = PUBLISHED,
    rows: Sequence[PublishedRow] = PUBLISHED_ROWS,
    own_rows: Sequence[PublishedRow] = (),
    label: str = "",
    *,
    edge: bool = False,
) -> list[dict[str, Any]]:
    """The points of the chart by growing context; arguments as of `frontier_figure`.

    edge: also the most that fit at each doubling of the context, and at the longest.

    >>> for row in frontier_rows(8192, 16, "engine")[:2]: print(list(row.values()))
    ["IBM's", 32, 4096, 131072, 'requests, product']
    ["IBM's, you", 16, 8192, 131072, 'product']
    """
    words = WORDS[register]
    whose: dict[PublishedRow, list[str]] = {}
    longest = ceilings.context
    lengths = {*(LEFT << k for k in range(24) if LEFT << k < longest), longest} if edge else ()
    fits = [
        PublishedRow(min(ceilings.requests, ceilings.product // length), length)
        for length in lengths
    ]
    for name, some in (
        (words["IBM's"], rows),
        (words["yours"], own_rows),
        (label or words["you"], (PublishedRow(batch, context),)),
        (words["most"], fits),
    ):
        for row in some:
            whose.setdefault(row, []).append(name)
    return [
        {
            words["whose"]: ", ".join(whose[row]),
            words["requests"]: row.requests,
            words["context"]: row.context,
            words["product"]: row.product,
            words["what binds"]: ", ".join(
                words[name] for name in ceilings.binding(row.requests, row.context)
            ),
        }
        for row in sorted(whose, key=lambda row: (row.context, row.requests))
    ]


WORDS: Final[dict[Register, dict[str, str]]] = {
    "room": {
        "alt": "Visitors at once against boxes each, both axes doubling by doubling. What fits "
        "ends at {requests} visitors, at {context} boxes each and where visitors x boxes each "
        "reaches {product} places.",
        "x axis": "boxes each (1 Ki = 1,024)",
        "y axis": "visitors at once",
        "point": "{requests} x {context} boxes = {product} places",
        "requests label": "{n} visitors",
        "context label": "{n}",
        "product label": "{n}<br>places",
        "the requests": "the number of visitors",
        "the context": "the number of boxes each",
        "the product": "the number of places",
        "requests": "visitors",
        "context": "boxes each",
        "product": "places",
        "passes": "This does not fit: it passes {names}.",
    },
    "engine": {
        "alt": "Requests at once against context, both axes doubling by doubling. What fits "
        "ends at {requests} requests, at {context} tokens each and where requests x context "
        "reaches {product}.",
        "x axis": "context, tokens (1 Ki = 1,024)",
        "y axis": "requests at once",
        "point": "{requests} x {context} tokens = {product}",
        "requests label": "{n} requests",
        "context label": "{n}",
        "product label": "{n}<br>together",
        "the requests": "the number of requests",
        "the context": "the context",
        "the product": "the product",
        "requests": "requests",
        "context": "context",
        "product": "product",
        "passes": "This does not fit: it passes {names}.",
    },
}
for _words in WORDS.values():  # the same in both registers
    _words.update(
        {
            "published": "IBM's rows",
            "own": "Rows of your own",
            "IBM's": "IBM's",
            "yours": "yours",
            "most": "the most that fit",
            "you": "you",
            "too much": "{name}: too much",
            "whose": "whose row",
            "what binds": "what binds",
            "binds": "{names} binds.",
            "bind": "{names} bind.",
            "none": "No ceiling is reached.",
        }
    )
