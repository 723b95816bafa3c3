"""How many requests at once against how long each is, for up to four models, 16 bits and FP8.

Both scales double: where memory decides, every line falls by half from mark to mark. A line ends
at the longest request its model takes; the dotted line across is the server's own limit, and the
upright line the viewer's mean length.

Leaves out: the arithmetic (`pagedviz.sizing`), which fills the curves; text colours, which the
theme of the page gives.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import plotly.graph_objects as go

from pagedviz.engine.errors import ConfigError, check_int
from pagedviz.timeline.captions import Register

HEIGHT: Final = 440  # px
# At least 3:1 on white and on near-black; told apart by marks as well.
HUES: Final = ("#2f7fc1", "#c2571a", "#1f8f6c", "#b0568a")
MARKS: Final = ("circle", "square", "diamond", "triangle-up")
LIMIT: Final = "#808080"
GRID: Final = "rgba(128,128,128,.25)"
LETTERS: Final = {"size": 13}
LEAST: Final = 64  # tokens; where the axis begins
_WORDS: Final[dict[Register, dict[str, str]]] = {
    "room": {
        "x": "boxes each",
        "y": "visitors at once",
        "limit": "at most {n} visitors",
        "you": "yours",
        "point": "{name}: {n} at once with {x} boxes each",
        "alt": "How many visitors fit, against how many boxes each has; both scales double. ",
        "curve": "{name}: {first} at {x0} boxes, {last} at {x1}",
        "limits": "The house lets in at most {n}",
        "length": "boxes each",
    },
    "engine": {
        "x": "tokens per request",
        "y": "requests at once",
        "limit": "at most {n} requests",
        "you": "yours",
        "point": "{name}: {n} at once at {x} tokens each",
        "alt": "Requests at once against tokens per request, log scales. ",
        "curve": "{name}: {first} at {x0} tokens, {last} at {x1}",
        "limits": "The limit on requests is {n}",
        "length": "tokens per request",
    },
}


@dataclass(frozen=True)
class Curve:
    """One model in one type: how many requests (0 and more) at each length.

    hue: which of the four models; dashed: the second type; strong: the one that decides.
    """

    name: str
    points: tuple[tuple[int, int], ...]  # (tokens, requests), tokens growing
    hue: int = 0
    dashed: bool = False
    strong: bool = False

    def __post_init__(self) -> None:
        check_int("hue", self.hue, 0, ConfigError)
        if self.hue >= len(HUES):
            raise ConfigError(f"hue must be below {len(HUES)}, not {self.hue}")

    def at(self, tokens: int) -> int | None:
        """Requests at a length that is among the points."""
        return dict(self.points).get(tokens)


def lengths_up_to(longest: int) -> list[int]:
    """Lengths at which a curve is worked out: quarter doublings from 64, and the longest.

    >>> lengths_up_to(256)
    [64, 76, 91, 108, 128, 152, 181, 215, 256]
    """
    check_int("longest", longest, 1, ConfigError)
    steps = max(0, math.floor(4 * math.log2(longest / LEAST))) if longest > LEAST else 0
    found = [round(LEAST * 2 ** (step / 4)) for step in range(steps + 1)]
    return sorted({*(one for one in found if one <= longest), longest})


def doublings(longest: int) -> list[int]:
    """The lengths of the table: 64, 128, ... and the longest.

    >>> doublings(300)
    [64, 128, 256, 300]
    """
    return [*(LEAST << k for k in range(24) if LEAST << k < longest), longest]


def sizing_figure(
    curves: Sequence[Curve], mean: int, limit: int | None, register: Register = "room"
) -> go.Figure:
    """The figure. mean: the viewer's tokens a request; limit: requests the server takes.

    >>> curve = Curve("Granite, 16 bits", ((64, 100), (128, 50)))
    >>> [trace.name for trace in sizing_figure([curve], 100, 64, "engine").data]
    ['at most 64 requests', 'Granite, 16 bits']
    """
    check_int("mean", mean, 1, ConfigError)
    words = _WORDS[register]
    drawn = [curve for curve in curves if any(n for _, n in curve.points)]
    right = max((curve.points[-1][0] for curve in drawn), default=2 * LEAST)
    top = max([n for curve in drawn for _, n in curve.points] + [limit or 1, 2])
    figure = go.Figure()
    if limit is not None:
        figure.add_scatter(
            x=[LEAST, right],
            y=[limit, limit],
            name=words["limit"].format(n=f"{limit:,}"),
            mode="lines",
            line={"color": LIMIT, "width": 2, "dash": "dot"},
            hoverinfo="skip",
        )
    for rank, curve in reversed(list(enumerate(drawn))):  # the first lies on top
        figure.add_trace(_line(curve, words).update(legendrank=rank))
    if drawn and mean <= right:
        figure.add_vline(x=max(mean, LEAST), line={"color": LIMIT, "width": 1.5})
        figure.add_annotation(
            x=math.log10(max(mean, LEAST)),
            y=1,
            yref="paper",
            text=f"<b>{words['you']}: {mean:,}</b>",
            showarrow=False,
            yanchor="bottom",
            font=LETTERS,
        )
    figure.update_layout(
        template=go.layout.Template(),
        hovermode="closest",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        dragmode=False,  # a finger scrolls the page
        height=HEIGHT,
        font=LETTERS,
        margin={"l": 58, "r": 14, "t": 26, "b": 110},
        legend={
            "orientation": "h",
            "x": 0,
            "y": -0.16,
            "yanchor": "top",
            "font": LETTERS,
            "bgcolor": "rgba(0,0,0,0)",
        },
        xaxis=_axis([LEAST << k for k in range(24)], LEAST, right) | {"title": _title(words["x"])},
        yaxis=_axis([1 << k for k in range(24)], 1, top) | {"title": _title(words["y"])},
    )
    return figure


def _line(curve: Curve, words: dict[str, str]) -> go.Scatter:
    points = [(x, n) for x, n in curve.points if n]  # none at once has no place on a log scale
    marked = doublings(curve.points[-1][0])
    return go.Scatter(
        x=[x for x, _ in points],
        y=[n for _, n in points],
        name=curve.name,
        mode="lines+markers",
        line={
            "color": HUES[curve.hue],
            "width": 4 if curve.strong else 2.25,
            "dash": "dash" if curve.dashed else "solid",
        },
        marker={
            # a mark at every doubling, so that lines are told apart without their hue
            "symbol": MARKS[curve.hue],
            "size": [9 if x in marked else 0 for x, _ in points],
        },
        customdata=[
            words["point"].format(name=curve.name, n=f"{n:,}", x=f"{x:,}") for x, n in points
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )


def sizing_alt(
    curves: Sequence[Curve], mean: int, limit: int | None, register: Register = "room"
) -> str:
    """The essential of the figure in sentences.

    >>> sizing_alt([Curve("Granite", ((64, 100), (128, 50)))], 100, None, "engine")
    'Requests at once against tokens per request, log scales. Granite: 100 at 64 tokens, 50 at 128.'
    """
    words = _WORDS[register]
    said = [
        words["curve"].format(
            name=curve.name,
            first=f"{curve.points[0][1]:,}",
            x0=f"{curve.points[0][0]:,}",
            last=f"{curve.points[-1][1]:,}",
            x1=f"{curve.points[-1][0]:,}",
        )
        for curve in curves
        if curve.points
    ]
    if limit is not None:
        said.append(words["limits"].format(n=f"{limit:,}"))
    return words["alt"] + ". ".join(said) + ("." if said else "")


def sizing_rows(curves: Sequence[Curve], register: Register = "room") -> list[dict[str, Any]]:
    """The curves at every doubling and at their ends; None where a model takes none so long."""
    lengths = sorted({x for curve in curves for x in doublings(curve.points[-1][0])})
    found = []
    for x in lengths:
        row: dict[str, Any] = {_WORDS[register]["length"]: x}
        row |= {curve.name: curve.at(x) for curve in curves}
        found.append(row)
    return found


def _axis(ticks: list[int], first: int, last: int) -> dict[str, Any]:
    shown = [tick for tick in ticks if first <= tick <= last * 1.01]
    every = max(1, math.ceil(len(shown) / 9))  # letters that do not run into each other
    return {
        "type": "log",
        "range": [math.log10(first), math.log10(last) + 0.06],
        "tickvals": shown,
        "ticktext": [f"{tick:,}" if at % every == 0 else "" for at, tick in enumerate(shown)],
        "tickfont": LETTERS,
        "showgrid": True,
        "gridcolor": GRID,
        "zeroline": False,
        "fixedrange": True,
    }


def _title(text: str) -> dict[str, Any]:
    return {"text": text, "font": LETTERS, "standoff": 6}
