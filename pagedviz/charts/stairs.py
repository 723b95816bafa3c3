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
    looks = (_VLLM, *_CHUNKS)
    for stair, look in zip(_stairs(prompt_len, register, chunk), looks, strict=False):
        xs, ys = corners(prompt_len, stair.step, stair.reused)
        figure.add_trace(
            go.Scatter(
                x=xs,
                y=ys,
                name=stair.name,
                mode="lines",
                line={"shape": "hv", "width": 2.5, "color": look.color, "dash": look.dash},
                hovertemplate=f"{stair.name}: %{{y:,d}} {words['unit']}<extra></extra>",
            )
        )
    if shared is not None:
        figure.add_vline(x=min(shared, prompt_len), line={"dash": "dash", "color": "#b38600"})
    figure.update_layout(
        template=go.layout.Template(),
        hovermode="x unified",
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        dragmode=False,  # a finger scrolls the page
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


def stairs_rows(
    prompt_len: int,
    register: Register = "room",
    chunk: int | None = None,
    shared: int | None = None,
) -> list[dict[str, int]]:
    """What each line has where one of Spyre's stairs rises, at the ends and at `shared`.

    vLLM's line rises every 16 tokens in between. Arguments as of `stairs_figure`.

    >>> [list(row.values()) for row in stairs_rows(3000, "engine", shared=2500)[-3:]]
    [[2496, 2496, 1984, 2496], [2500, 2496, 1984, 2496], [3000, 2992, 1984, 2496]]
    """
    stairs = _stairs(prompt_len, register, chunk)
    at = {x for stair in stairs[1:] for x in corners(prompt_len, stair.step, stair.reused)[0]}
    at |= set() if shared is None else {min(shared, prompt_len)}
    key = _WORDS[register]["x"]
    return [{key: x} | {stair.name: stair.reused(x) for stair in stairs} for x in sorted(at)]


def stairs_alt(
    prompt_len: int, register: Register, chunk: int | None = None, shared: int | None = None
) -> str:
    """The essential of the figure in sentences; arguments as of `stairs_figure`.

    >>> stairs_alt(3000, "engine", shared=2500)
    'Tokens reused against shared prefix length, for a prompt of 3,000 tokens. Of 2,500 shared:
     vLLM, blocks of 16 2,496; Spyre, chunk 1,024 1,984; Spyre, chunk 512 2,496.'
    """
    words = _WORDS[register]
    x = prompt_len if shared is None else min(shared, prompt_len)
    each = "; ".join(f"{s.name} {s.reused(x):,}" for s in _stairs(prompt_len, register, chunk))
    return words["alt"].format(prompt=f"{prompt_len:,}", shared=f"{x:,}", each=each)


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


class _Stair(NamedTuple):
    """A line: shared tokens -> tokens reused, which changes only at multiples of `step`."""

    name: str
    step: int
    reused: Callable[[int], int]


def _stairs(prompt_len: int, register: Register, chunk: int | None) -> list[_Stair]:
    words = _WORDS[register]
    sizes = dict.fromkeys((CHUNK_STACK_1_1, CHUNK_PLUGIN_2, *([] if chunk is None else [chunk])))
    return [
        _Stair(words["vllm"], VLLM_BLOCK, _vllm(prompt_len)),
        *(
            _Stair(words["spyre"].format(chunk=f"{size:,}"), BLOCK_SIZE, _spyre(prompt_len, size))
            for size in sizes
        ),
    ]


def _vllm(prompt_len: int) -> Callable[[int], int]:
    most = (prompt_len - 1) // VLLM_BLOCK
    return lambda shared: min(shared // VLLM_BLOCK, most) * VLLM_BLOCK


def _spyre(prompt_len: int, chunk: int) -> Callable[[int], int]:
    return lambda shared: chunk_reuse(prompt_len, shared // BLOCK_SIZE, chunk).reusable_tokens


_WORDS: dict[Register, dict[str, str]] = {
    "room": {
        "vllm": "vLLM, shelves of 16",
        "spyre": "Spyre, cartloads of {chunk}",
        "alt": "Boxes saved against boxes that are the same at the beginning, for a visitor with "
        "{prompt} boxes. Of {shared} the same: {each}.",
        "x": "boxes that are the same at the beginning",
        "y": "boxes saved",
        "unit": "boxes",
    },
    "engine": {
        "vllm": "vLLM, blocks of 16",
        "spyre": "Spyre, chunk {chunk}",
        "alt": "Tokens reused against shared prefix length, for a prompt of {prompt} tokens. Of "
        "{shared} shared: {each}.",
        "x": "shared prefix length (tokens)",
        "y": "tokens reused",
        "unit": "tokens",
    },
}
