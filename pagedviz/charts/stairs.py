"""Tokens reused against shared prefix length, for one prompt: stairs of different width.

vLLM takes a step every 16 tokens, Spyre one per chunk, and the length of the prompt decides
where. Lines are told apart by dashes too. Only the corners of the stairs are sent.

Leaves out: text colours, which the theme of the page gives (as in `usage.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import plotly.graph_objects as go

from pagedviz.charts.strips import VLLM_BLOCK
from pagedviz.engine.spyre.chunks import (
    BLOCK_SIZE,
    CHUNK_PLUGIN_2,
    CHUNK_STACK_1_1,
    chunk_reuse,
)
from pagedviz.timeline.captions import Register


class _Look(NamedTuple):
    """At least 3:1 on white and on near-black."""

    color: str
    dash: str


_VLLM = _Look("#2f7fc1", "solid")
_CHUNKS = (_Look("#c2571a", "solid"), _Look("#0f8f6b", "dash"), _Look("#a35f8f", "dot"))


def stairs_figure(
    prompt_len: int,
    register: Register = "room",
    chunk: int | None = None,
    shared: int | None = None,
) -> go.Figure:
    """The figure for a prompt of so many tokens; the same bytes for the same arguments.

    chunk: another chunk size to draw beside 1,024 and 512, in tokens; ConfigError (a
    ValueError) if it is no multiple of 64. shared: a length to mark, in tokens.

    >>> [trace.name for trace in stairs_figure(3000, "engine", 2048).data]
    ['vLLM, blocks of 16', 'Spyre, chunk 1,024', 'Spyre, chunk 512', 'Spyre, chunk 2,048']
    """
    words = _WORDS[register]
    figure = go.Figure()
    _add(figure, prompt_len, words["vllm"], _vllm(prompt_len), VLLM_BLOCK, _VLLM, words)
    sizes = dict.fromkeys((CHUNK_STACK_1_1, CHUNK_PLUGIN_2, *([] if chunk is None else [chunk])))
    for size, look in zip(sizes, _CHUNKS, strict=False):
        name = words["spyre"].format(chunk=f"{size:,}")
        _add(figure, prompt_len, name, _spyre(prompt_len, size), BLOCK_SIZE, look, words)
    if shared is not None:
        figure.add_vline(x=min(shared, prompt_len), line={"dash": "dash", "color": "#b38600"})
    figure.update_layout(
        template=go.layout.Template(),
        hovermode="x unified",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        height=320,
        margin={"l": 56, "r": 8, "t": 8, "b": 44},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        xaxis={
            "title": {"text": words["x"]},
            "range": [0, prompt_len],
            "showgrid": False,
            "tickformat": ",d",
            "hoverformat": ",d",
        },
        yaxis={
            "title": {"text": words["y"]},
            "range": [0, prompt_len],
            "zeroline": False,
            "tickformat": ",d",
            "gridcolor": "rgba(128,128,128,.25)",
        },
    )
    return figure


def corners(
    prompt_len: int, step: int, reused: Callable[[int], int]
) -> tuple[list[int], list[int]]:
    """Shared lengths at which the stairs rise, with the height from there on; both ends.

    `reused` may change only at multiples of `step`.

    >>> corners(40, 16, lambda shared: shared // 16 * 16)
    ([0, 16, 32, 40], [0, 16, 32, 32])
    """
    xs, ys = [0], [reused(0)]
    for x in range(step, prompt_len + 1, step):
        if (y := reused(x)) != ys[-1]:
            xs.append(x)
            ys.append(y)
    if xs[-1] != prompt_len:
        xs.append(prompt_len)
        ys.append(ys[-1])
    return xs, ys


def _vllm(prompt_len: int) -> Callable[[int], int]:
    most = (prompt_len - 1) // VLLM_BLOCK
    return lambda shared: min(shared // VLLM_BLOCK, most) * VLLM_BLOCK


def _spyre(prompt_len: int, chunk: int) -> Callable[[int], int]:
    return lambda shared: chunk_reuse(prompt_len, shared // BLOCK_SIZE, chunk).reusable_tokens


def _add(
    figure: go.Figure,
    prompt_len: int,
    name: str,
    reused: Callable[[int], int],
    step: int,
    look: _Look,
    words: dict[str, str],
) -> None:
    xs, ys = corners(prompt_len, step, reused)
    figure.add_trace(
        go.Scatter(
            x=xs,
            y=ys,
            name=name,
            mode="lines",
            line={"shape": "hv", "width": 2.5, "color": look.color, "dash": look.dash},
            hovertemplate=f"{name}: %{{y:,d}} {words['unit']}<extra></extra>",
        )
    )


_WORDS: dict[Register, dict[str, str]] = {
    "room": {
        "vllm": "vLLM, shelves of 16",
        "spyre": "Spyre, cartloads of {chunk}",
        "x": "boxes that are the same at the beginning",
        "y": "boxes saved",
        "unit": "boxes",
    },
    "engine": {
        "vllm": "vLLM, blocks of 16",
        "spyre": "Spyre, chunk {chunk}",
        "x": "shared prefix length (tokens)",
        "y": "tokens reused",
        "unit": "tokens",
    },
}
