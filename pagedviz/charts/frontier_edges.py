"""Where the three ceilings run in the chart of batch against context, and what fits along them.

Leaves out: how they are drawn (`frontier.py`).
"""

from __future__ import annotations

from typing import NamedTuple

from pagedviz.charts.frontier_text import Ceilings
from pagedviz.engine.spyre.trade_off import Ceiling


class Edge(NamedTuple):
    """One ceiling as a line, and the whole requests and tokens that fit at its points."""

    name: Ceiling
    xs: list[float]  # context
    ys: list[float]  # requests
    points: list[tuple[int, int]]  # (requests, context)


def edges_of(ceilings: Ceilings, left: int) -> list[Edge]:
    """The ceilings as far as they bound the region from context `left` on.

    Each runs from top left to bottom right. The product has no line of its own if a full batch
    fits at full context: it is then reached at the corner of the other two, or never.

    >>> [(edge.name, edge.points[0], edge.points[-1]) for edge in edges_of(Ceilings(), 256)]
    [('requests', (32, 256), (32, 4096)), ('context', (4, 32768), (1, 32768)),
     ('product', (32, 4096), (4, 32768))]
    >>> [edge.name for edge in edges_of(Ceilings(16, 3_072, 49_152), 256)]
    ['requests', 'context']
    """
    most, longest, product = ceilings.requests, ceilings.context, ceilings.product
    full = min(longest, product / most)  # context at which a full batch still fits
    few = min(most, product / longest)  # requests that fit at the longest context
    wide = [float(x) for x in doublings(left, longest) if x < full] + [float(full)]
    high = [float(few), *(float(y) for y in range(most, 0, -1) if y < few)]
    edges = [
        Edge("requests", wide, [float(most)] * len(wide), [(most, int(x)) for x in wide]),
        Edge("context", [float(longest)] * len(high), high, [(int(y), longest) for y in high]),
    ]
    if few < most:
        steps = [float(most), *(float(y) for y in range(most - 1, 0, -1) if y > few), float(few)]
        points = [(int(y), min(longest, product // int(y))) for y in steps]
        edges.append(Edge("product", [product / y for y in steps], steps, points))
    return edges


def doublings(first: int, last: int) -> list[int]:
    """first, 2 x first, ... up to `last`; none if it is smaller.

    >>> doublings(1, 32), doublings(256, 3_072), doublings(8, 7)
    ([1, 2, 4, 8, 16, 32], [256, 512, 1024, 2048], [])
    """
    return [first << k for k in range((last // first).bit_length())]
