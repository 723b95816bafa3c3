"""Scene 6: the same idea on IBM's Spyre card, where prompts are reused by whole chunks.

What is reused comes from `engine.spyre.chunks`. Leaves out: the limits (`spyre_limits.py`).

Source: IBM product documentation and announcements; sendnn-inference 2.6.3; torch-spyre docs.
"""

from __future__ import annotations

from typing import Final

from pagedviz.engine.spyre.chunks import (
    BLOCK_SIZE,
    CHUNK_PLUGIN_2,
    CHUNK_STACK_1_1,
    ChunkReuse,
    chunk_reuse,
)
from pagedviz.timeline.presets import Words
from pagedviz.timeline.story.beat import Beat, Scene, both, lit
from pagedviz.timeline.story.figures import BLOCK_SIZE as USUAL
from pagedviz.timeline.story.spyre_limits import LIMIT_LABELS, LIMIT_SHOWS, limit_beats

STICK: Final = 128  # bytes
FP16: Final = 2  # bytes
PROMPT: Final = 2_048  # tokens of A and of B
CHUNK: Final = CHUNK_STACK_1_1


def _shown(reuse: ChunkReuse) -> dict[str, object]:
    return {
        "shared": reuse.cached_prefix_blocks,
        "skipped": reuse.chunks_skipped,
        "chunks": reuse.chunks_total,
        "per": reuse.chunk_size // reuse.block_size,
    }


def _sum(reuse: ChunkReuse) -> Words:
    found = reuse.cached_prefix_blocks * reuse.block_size
    return Words(
        f"{reuse.reusable_tokens:,} of {found:,} common boxes spare work",
        f"{reuse.reusable_tokens:,} of {found:,} shared tokens reused",
    )


def on_spyre() -> Scene:
    """The sixth scene."""
    per = CHUNK // BLOCK_SIZE
    whole = chunk_reuse(PROMPT, per, CHUNK)
    less = chunk_reuse(PROMPT, per - 1, CHUNK)
    small = chunk_reuse(PROMPT, per - 1, CHUNK_PLUGIN_2)
    nothing = {"shared": 0, "skipped": 0, "chunks": whole.chunks_total, "per": per}
    beats = (
        Beat(
            Words("the card", "the card"),
            both(
                f"The {lit('card', 'IBM Spyre Accelerator')} is a card for IBM Power 11 servers; "
                f"it runs AI models on {lit('watt', '75 watts')}."
            ),
            source=both(
                "IBM. According to IBM it sits in an ENZ0 PCIe4 expansion drawer; no second "
                "source confirms that."
            ),
            line="PCIe, 5 nm, 75 W; FP8 and FP16; continuous batching",
            shows={"card": True},
        ),
        Beat(
            Words("the software", "the software"),
            both(
                f"{lit('vllm', 'vLLM')} runs on it too, inside "
                f"{lit('rh', 'Red Hat AI Inference Server')} or "
                f"{lit('rh', 'Red Hat OpenShift AI')}."
            ),
            source=both("IBM: the card needs one of them, and both run vLLM."),
            line="vLLM + plugin sendnn-inference (before 2.0: vllm-spyre)",
            shows={"card": True, "software": True},
        ),
        Beat(
            Words("wider shelves", "larger blocks"),
            Words(
                f"The card reads numbers in sticks of {STICK // FP16}, so "
                f"{lit('s64', 'its shelf')} holds {BLOCK_SIZE} boxes, not {USUAL}.",
                f"It reads sticks of {STICK} bytes, so "
                f"{lit('s64', 'its block')} holds {BLOCK_SIZE} tokens, not {USUAL}.",
            ),
            calc=both(f"{STICK} B ÷ {FP16} B = {STICK // FP16}"),
            source=Words(
                f"A stick of {STICK} bytes holds the same number of each of {STICK // FP16} "
                "boxes. sendnn-inference 2.6.3, platform.py; torch-spyre docs.",
                f"A stick holds the same value of {STICK // FP16} tokens. "
                "sendnn-inference 2.6.3, platform.py; torch-spyre docs.",
            ),
            line=f"block_size = {BLOCK_SIZE}, fixed by the plugin",
            shows={"widths": [USUAL, BLOCK_SIZE]},
        ),
        Beat(
            Words("cartloads", "chunks"),
            Words(
                f"A long text is read {lit('chunk', 'a cartload')} at a time: here "
                f"{CHUNK:,} boxes, {per} shelves.",
                f"A long prompt is computed in {lit('chunk', 'chunks')}: here "
                f"{CHUNK:,} tokens, {per} blocks.",
            ),
            source=both(
                f"Stack 1.1, March 2026: {CHUNK:,}; plugin 2.0, April 2026: {CHUNK_PLUGIN_2}."
            ),
            line=f"chunked prefill: {PROMPT:,} tokens = {whole.chunks_total} × {CHUNK:,}",
            shows={"reuse": nothing},
        ),
        Beat(
            Words("switched on", "switched on"),
            Words(
                f"Here {lit('switch', 'prefix caching')} had to be switched on first. "
                f"Only {lit('chunk', 'whole cartloads')} are spared.",
                f"{lit('switch', 'Prefix caching')} had to be switched on first, and needs "
                f"{lit('chunk', 'chunked prefill')}.",
            ),
            source=both("IBM documentation of Stack 1.1; on by default since plugin 2.0."),
            line="--enable-prefix-caching, with chunked prefill",
            shows={"reuse": nothing, "switched": True},
        ),
        Beat(
            Words("1 spared", "1 skipped"),
            Words(
                f"B begins with {per * BLOCK_SIZE:,} of A's boxes: "
                f"{lit('spared', 'the first cartload')} is all there and is skipped.",
                f"B shares {per * BLOCK_SIZE:,} tokens with A: "
                f"{lit('spared', 'the first chunk')} is all cached and is skipped.",
            ),
            source=both("IBM documentation; plugin source."),
            line=f"usable hit = {whole.reusable_tokens:,} tokens; {whole.chunks_skipped} of "
            f"{whole.chunks_total} chunks skipped",
            shows={"reuse": _shown(whole), "switched": True},
            labels={"sum": _sum(whole)},
        ),
        Beat(
            Words("0 spared", "0 skipped"),
            Words(
                f"With {lit('lost', '1 shelf less')} nothing is skipped: "
                "how much is saved depends on what people bring.",
                f"With {lit('lost', '1 block less')} nothing is skipped: "
                "the hit rate depends on the workload.",
            ),
            source=Words(
                f"With {CHUNK_PLUGIN_2} at a time, {small.chunks_skipped} of "
                f"{small.chunks_total} cartloads would be skipped.",
                f"With chunks of {CHUNK_PLUGIN_2}, {small.chunks_skipped} of "
                f"{small.chunks_total} would be skipped.",
            ),
            line=f"hit = {less.lookup_hit_tokens:,} tokens, usable hit = {less.reusable_tokens}",
            shows={"reuse": _shown(less), "switched": True},
            labels={"sum": _sum(less)},
        ),
        *limit_beats(),
    )
    return Scene(
        Words("On IBM Power 11", "On IBM Power 11"),
        Words("On IBM Power 11", "On IBM Power 11"),
        "spyre",
        beats,
        shows={"usual": USUAL, "block": BLOCK_SIZE, **LIMIT_SHOWS},
        labels={
            "card": both("IBM Spyre Accelerator"),
            "card_in": both("PCIe card in IBM Power 11"),
            "nm": both("5 nm chip"),
            "watt": both("75 W"),
            "fp": both("numbers of 8 and 16 bits (FP8, FP16)"),
            "batch": Words(
                "continuous batching: newcomers join at once",
                "continuous batching: requests join at any step",
            ),
            "rh1": both("Red Hat AI Inference Server"),
            "rh2": both("Red Hat OpenShift AI"),
            "vllm": both("vLLM, with a plugin for Spyre"),
            "usual": Words(f"**usual**: {USUAL} boxes a shelf", f"**default**: {USUAL} tokens"),
            "wide": Words(f"**Spyre**: {BLOCK_SIZE} boxes a shelf", f"**Spyre**: {BLOCK_SIZE}"),
            "A": Words(f"{PROMPT:,} boxes, already read", f"{PROMPT:,} tokens, computed"),
            "B0": Words(f"{PROMPT:,} boxes, not yet read", f"{PROMPT:,} tokens, waiting"),
            **{
                f"B{n}": Words(
                    f"begins with {n * BLOCK_SIZE:,} of A's boxes",
                    f"shares {n * BLOCK_SIZE:,} tokens with A",
                )
                for n in (per, per - 1)
            },
            "chunk": Words(f"{per} shelves", f"{per} blocks"),
            "skipped": both("skipped: all of it is there"),
            "read": Words("read", "computed"),
            f"read{per - 1}": Words(
                f"read: {per - 1} of {per} are there", f"computed: {per - 1} of {per} cached"
            ),
            "switch": both("prefix caching: switched on"),
            **LIMIT_LABELS,
        },
    )
