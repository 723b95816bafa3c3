"""A prompt laid out by block (vLLM) and by chunk (Spyre): what is reused, what is computed.

One strip per rule, as plain HTML and CSS without a script. All strips stand on one axis of
tokens; the padding that Spyre puts in front stands to the left of token 0. Equal blocks that
touch are one element with lines in it, so that a prompt of 32,768 tokens stays light.

Leaves out: the rule itself (`engine/spyre/chunks.py`), and which blocks are cached: the shared
beginning is taken to be there whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pagedviz.charts.strips_style import STRIPS_CSS, WORDS
from pagedviz.engine.spyre.chunks import BLOCK_SIZE, ChunkReuse, chunk_reuse
from pagedviz.timeline.captions import Register

__all__ = ["STRIPS_CSS", "VLLM_BLOCK", "Part", "Strip", "spyre_strip", "strips_html", "vllm_strip"]

VLLM_BLOCK = 16  # tokens; vLLM's default
_MOST_LINES = 64  # in one strip; with more blocks a line stands for several
_MOST_FRAMES = 64  # chunks that are drawn one by one


class Part(NamedTuple):
    """Equal blocks that touch; tokens, the padding being negative."""

    kind: str  # pad, reused, again, new
    start: int
    end: int


class Strip(NamedTuple):
    """One rule's view of the prompt."""

    chunk: int  # tokens; 0 = by block
    block: int  # tokens
    parts: tuple[Part, ...]
    reused: int  # tokens
    skipped: int  # chunks
    chunks: int


def vllm_strip(prompt_len: int, shared: int) -> Strip:
    """vLLM: every full block of the shared beginning is reused, but never the last token.

    >>> vllm_strip(1024, 1024).reused
    1008
    """
    hit = min(shared // VLLM_BLOCK, (prompt_len - 1) // VLLM_BLOCK) * VLLM_BLOCK
    parts = (Part("reused", 0, hit), Part("new", hit, prompt_len))
    return Strip(0, VLLM_BLOCK, tuple(p for p in parts if p.end > p.start), hit, 0, 0)


def spyre_strip(prompt_len: int, shared: int, chunk_size: int) -> Strip:
    """Spyre: whole chunks of the shared beginning. ConfigError if that is no chunk size.

    >>> [tuple(part) for part in spyre_strip(3000, 2500, 1024).parts]
    [('pad', -64, 0), ('reused', 0, 1984), ('again', 1984, 2496), ('new', 2496, 3000)]
    """
    r: ChunkReuse = chunk_reuse(prompt_len, shared // BLOCK_SIZE, chunk_size)
    reused, hit = r.reusable_tokens, r.lookup_hit_tokens
    parts = (
        Part("pad", -r.left_padding_tokens, 0),
        Part("reused", 0, reused),
        Part("again", reused, hit),
        Part("new", hit, prompt_len),
    )
    return Strip(
        chunk_size,
        BLOCK_SIZE,
        tuple(p for p in parts if p.end > p.start),
        reused,
        r.chunks_skipped,
        r.chunks_total,
    )


def strips_html(
    prompt_len: int,
    shared: int,
    chunks: Sequence[int] = (1024, 512),
    register: Register = "room",
) -> str:
    """The strips as HTML; the page needs `STRIPS_CSS` once beside it.

    prompt_len: tokens, at least 1. shared: tokens at the beginning that an earlier prompt had,
    cut to `prompt_len`. chunks: tokens, multiples of 64; ConfigError (a ValueError) if not.

    >>> html = strips_html(3000, 2500)
    >>> "1,984 of 3,000 tokens" in strips_html(3000, 2500, register="engine")
    True
    """
    shared = min(max(0, shared), prompt_len)
    strips = [vllm_strip(prompt_len, shared)]
    strips += [spyre_strip(prompt_len, shared, chunk) for chunk in chunks]
    axis = _Axis(min(strip.parts[0].start for strip in strips), _end(prompt_len))
    words = WORDS[register]
    rows = "".join(_row(strip, prompt_len, shared, axis, words) for strip in strips)
    key = "".join(
        f'<span><i class="pv-strip-{kind}"></i>{words[kind]}</span>'
        for kind in ("reused", "again", "new", "pad", "chunk", "cut")
    )
    return f'<div class="pv-strips">{rows}<div class="pv-strips-key">{key}</div></div>'


class _Axis(NamedTuple):
    """Where a token stands, in percent of the width."""

    start: int
    end: int

    def at(self, token: int) -> str:
        return f"{(token - self.start) / (self.end - self.start) * 100:.4g}%"

    def width(self, tokens: int) -> str:
        return f"{tokens / (self.end - self.start) * 100:.4g}%"


def _end(prompt_len: int) -> int:
    """The last Spyre block is filled up to its end."""
    return -(-prompt_len // BLOCK_SIZE) * BLOCK_SIZE


def _row(strip: Strip, prompt_len: int, shared: int, axis: _Axis, words: dict[str, str]) -> str:
    computed = prompt_len - strip.reused
    pad = -min(0, strip.parts[0].start) // BLOCK_SIZE
    every = _line_every(strip, axis)
    name = words["by_chunk" if strip.chunk else "by_block"].format(
        chunk=f"{strip.chunk:,}", block=strip.block
    )
    values = {
        "reused": f"{strip.reused:,}",
        "computed": f"{computed:,}",
        "prompt": f"{prompt_len:,}",
        "blocks": _count(strip.reused // strip.block, words["unit"]),
        "block": strip.block,
        "pad": _count(pad, words["pad_unit"]),
        "skipped": f"{strip.skipped:,}",
        "chunks": _count(strip.chunks, words["chunk_unit"]),
        "lines": f"; a line for every {every} {words['unit'].split('|')[1]}" if every > 1 else "",
    }
    note = words["chunk_note" if strip.chunk else "block_note"].format(**values)
    spoken = f"{name}: {words['spoken'].format(**values)}; {note}."
    body = "".join(_part(part, strip, axis) for part in strip.parts)
    body += _frames(strip, axis, words)
    if shared:
        body += f'<b class="pv-strip-cut" style="left:{axis.at(shared)}"></b>'
    bare = "" if strip.chunk else " pv-strip-bare"  # without frames
    return (
        f'<div class="pv-strip{bare}">'
        f'<p class="pv-strip-name"><b>{name}</b><small>{note}</small></p>'
        f'<div class="pv-strip-axis" role="img" aria-label="{spoken}">{body}</div>'
        f'<p class="pv-strip-num"><b>{values["reused"]}</b>'
        f"<small>{words['number'].format(**values)}</small></p></div>"
    )


def _line_every(strip: Strip, axis: _Axis) -> int:
    """Blocks per line, so that the lines can still be told apart."""
    every = 1
    while (axis.end - axis.start) / (every * strip.block) > _MOST_LINES:
        every *= 2
    return every


def _count(n: int, unit: str) -> str:
    """'1 block', '2 blocks', 'no block' from "block|blocks"."""
    one, many = unit.split("|")
    return f"{n or 'no'} {one}" if n < 2 else f"{n:,} {many}"


def _part(part: Part, strip: Strip, axis: _Axis) -> str:
    """Equal blocks with a line after each, or after every few."""
    tokens = part.end - part.start
    every = _line_every(strip, axis) * strip.block
    return (
        f'<i class="pv-strip-{part.kind}" style="left:{axis.at(part.start)};'
        f'width:{axis.width(tokens)};--tick:{every / tokens * 100:.4g}%"></i>'
    )


def _frames(strip: Strip, axis: _Axis, words: dict[str, str]) -> str:
    """Chunks as frames: those skipped, then those computed, each kind named once."""
    if not strip.chunk:
        return ""
    front = min(0, strip.parts[0].start)
    crowded = strip.chunks > _MOST_FRAMES  # too many to be told apart: one frame for all
    out = []
    for kind, first, last, side in (
        ("skipped", 0, strip.skipped, f"left:{axis.at(front)}"),
        ("run", strip.skipped, strip.chunks, "right:0"),
    ):
        if first == last:
            continue
        each = last - first if crowded else 1
        for chunk in range(first, last, each):
            out.append(
                f'<u class="pv-strip-frame" style="left:{axis.at(front + chunk * strip.chunk)};'
                f'width:{axis.width(each * strip.chunk)}"></u>'
            )
        out.append(
            f'<em class="pv-strip-{kind}" style="{side}">{last - first:,} {words[kind]}</em>'
        )
    return "".join(out)
