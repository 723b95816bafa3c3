"""Lengths of the requests, and what the end of the last block costs requests of each length.

Above: how many prompts and answers are of about that length. Below: of the slots that requests of
that length hold in the end, the share that stays empty at the end of the last block. Short
requests pay most, which is why small blocks suit them.

A request holds prompt + answer - 1 slots: the last token of an answer never gets one.

Leaves out: text colours, which the theme of the page gives (as in `usage.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pagedviz.timeline.captions import Register

_WORDS: dict[Register, dict[str, str]] = {
    "room": {
        "x": "boxes",
        "prompt": "brought",
        "output": "written",
        "count": "visitors",
        "tail": "empty at the end",
        "tail_name": "of a visitor's places, empty on the last shelf",
        "alt": "Lengths: visitors bring {prompt:,.0f} boxes on average and write {output:,.0f}. On "
        "shelves of {size:,}, {tail:.1f} places at the end of the last shelf stay empty for each "
        "visitor, {share:.1%} of what all hold in the end.",
    },
    "engine": {
        "x": "tokens",
        "prompt": "prompt",
        "output": "answer",
        "count": "requests",
        "tail": "unfilled tail",
        "tail_name": "of a request's slots, unfilled tail of the last block",
        "alt": "Lengths: prompts of {prompt:,.0f} tokens on average, answers of {output:,.0f}. "
        "With block_size {size:,} the tail of the last block is {tail:.1f} slots per request, "
        "{share:.1%} of what all hold in the end.",
    },
}


@dataclass(frozen=True)
class Tails:
    """Sums over requests: those served, the slots they hold in the end, and the empty ones."""

    requests: int
    slots: int
    empty: int

    @property
    def mean(self) -> float:
        """Empty slots per request."""
        return self.empty / self.requests if self.requests else 0.0

    @property
    def share(self) -> float:
        """Of the slots held in the end, the empty ones."""
        return self.empty / self.slots if self.slots else 0.0


def tails(requests: pd.DataFrame, block_size: int) -> Tails:
    """The empty ends of the last blocks of all requests that were not refused.

    >>> table = pd.DataFrame({"prompt_tokens": [10], "output_tokens": [8], "refused": [""]})
    >>> tails(table, 16)  # 17 slots in two blocks
    Tails(requests=1, slots=32, empty=15)
    """
    held = _held(requests)
    slots = -(held // -block_size) * block_size
    return Tails(len(held), int(slots.sum()), int((slots - held).sum()))


def lengths_rows(
    requests: pd.DataFrame, block_size: int, register: Register = "room"
) -> pd.DataFrame:
    """The figure as a table: a row per band of lengths (up to twice as long as the last)."""
    words = _WORDS[register]
    served = requests[requests["refused"] == ""]
    held = _held(requests).to_numpy()
    empty = -(held // -block_size) * block_size - held
    top = _top(served)
    edges = 2 ** np.arange(top.bit_length() + 1)
    rows = []
    for low, high in pairwise(edges.tolist()):
        inside = (held >= low) & (held < high)
        row: dict[str, object] = {words["x"]: _band(low, high)}
        for part in ("prompt", "output"):
            values = served[f"{part}_tokens"].to_numpy()
            row[words[part]] = int(((values >= low) & (values < high)).sum())
        sums = int(held[inside].sum() + empty[inside].sum())
        row["together"] = int(inside.sum())
        row[words["tail"]] = round(empty[inside].sum() / sums, 4) if sums else None
        rows.append(row)
    return pd.DataFrame(rows)


def lengths_figure(
    requests: pd.DataFrame, block_size: int, register: Register = "room"
) -> go.Figure:
    """Above: prompts and answers by length. Below: share of the empty tail by length.

    >>> table = pd.DataFrame({"prompt_tokens": [10], "output_tokens": [8], "refused": [""]})
    >>> figure = lengths_figure(table, 16)
    >>> [sum(trace.y) for trace in figure.data[:2]]
    [1, 1]
    """
    words = _WORDS[register]
    served = requests[requests["refused"] == ""]
    edges = _bands(_top(served))
    middle = np.sqrt(edges[:-1] * edges[1:])  # on a log axis
    named = [_band(int(np.ceil(a)), int(np.ceil(b))) for a, b in pairwise(edges.tolist())]
    figure = make_subplots(rows=2, shared_xaxes=True, vertical_spacing=0.1, row_heights=[0.6, 0.4])
    for part, color, dash in (("prompt", "#2f7fc1", "solid"), ("output", "#c2571a", "dash")):
        count, _ = np.histogram(served[f"{part}_tokens"], edges)
        figure.add_scatter(
            row=1, col=1, x=middle, y=count.tolist(), name=words[part], mode="lines",
            line={"shape": "hvh", "color": color, "dash": dash, "width": 2.2},
            customdata=named, hovertemplate="%{y:,} (%{customdata})",
        )  # fmt: skip
    held = _held(requests).to_numpy()
    slots = -(held // -block_size) * block_size
    total, _ = np.histogram(held, edges, weights=slots)
    empty, _ = np.histogram(held, edges, weights=slots - held)
    share = np.divide(100 * empty, total, out=np.zeros(len(total)), where=total > 0)
    figure.add_bar(
        row=2, col=1, x=middle, y=np.round(share, 1), width=np.diff(edges) * 0.9,
        name=words["tail_name"], customdata=named, hovertemplate="%{y:.1f} % (%{customdata})",
        marker={
            "color": "rgba(230,167,0,.55)", "line": {"color": "#b38600", "width": 1},
            "pattern": {"shape": "|", "fgcolor": "#b38600", "size": 5, "solidity": 0.3},
        },
    )  # fmt: skip
    figure.update_layout(
        template=go.layout.Template(),
        hovermode="x unified",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        dragmode=False,  # a finger scrolls the page
        height=380,
        margin={"l": 64, "r": 8, "t": 40, "b": 44},
        legend={"orientation": "h", "y": 1, "yref": "container", "yanchor": "top", "x": 0},
    )
    ticks = [10**k for k in range(len(str(int(edges[-1]))))]
    figure.update_xaxes(
        type="log", showgrid=False, tickvals=ticks, ticktext=[f"{tick:,}" for tick in ticks],
        unifiedhovertitle={"text": ""}, range=[0, float(np.log10(edges[-1]))],
    )  # fmt: skip
    figure.update_xaxes(title={"text": words["x"]}, row=2, col=1)
    figure.update_yaxes(rangemode="tozero", zeroline=False, gridcolor="rgba(128,128,128,.25)")
    figure.update_yaxes(title={"text": words["count"]}, row=1, col=1)
    figure.update_yaxes(title={"text": words["tail"]}, ticksuffix=" %", row=2, col=1)
    return figure


def lengths_alt(requests: pd.DataFrame, block_size: int, register: Register = "room") -> str:
    """The essential of the figure in sentences."""
    found = tails(requests, block_size)
    served = requests[requests["refused"] == ""]
    mean = served[["prompt_tokens", "output_tokens"]].mean().fillna(0)
    return _WORDS[register]["alt"].format(
        prompt=mean["prompt_tokens"],
        output=mean["output_tokens"],
        size=block_size,
        tail=found.mean,
        share=found.share,
    )


def _held(requests: pd.DataFrame) -> pd.Series:
    """Slots that every request not refused holds in the end."""
    served = requests[requests["refused"] == ""]
    return served["prompt_tokens"] + served["output_tokens"] - 1


def _top(served: pd.DataFrame) -> int:
    if served.empty:
        return 1
    return int((served["prompt_tokens"] + served["output_tokens"]).max())


def _bands(top: int) -> np.ndarray:
    """Edges of bands that widen by a quarter of a doubling, in whole numbers, from 1 on."""
    edges = np.unique(np.ceil(2 ** np.arange(0, np.log2(top + 1) + 0.25, 0.25)))
    return edges if len(edges) > 1 else np.array([1.0, 2.0])


def _band(low: int, above: int) -> str:
    """The lengths from `low` to one below `above`.

    >>> _band(1, 2), _band(1_024, 2_048)
    ('1', '1,024 to 2,047')
    """
    return f"{low:,}" if above - low == 1 else f"{low:,} to {above - 1:,}"
