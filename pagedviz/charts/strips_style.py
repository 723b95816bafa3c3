"""Words and style of the strips (`strips.py`), which say and show the same in both registers.

Colours follow the page (`--pv-*` of assets/page.css) and its light or dark scheme; kinds of
blocks are told apart by pattern too.

Leaves out: the picture itself.
"""

from __future__ import annotations

from pagedviz.timeline.captions import Register

WORDS: dict[Register, dict[str, str]] = {
    "room": {
        "by_block": "Shelf by shelf (vLLM)",
        "by_chunk": "By cartloads of {chunk} (Spyre)",
        "unit": "shelf|shelves",
        "block_note": "{blocks} of {block} boxes found{lines}",
        "chunk_note": "{pad} in front, {skipped} of {chunks} saved{lines}",
        "pad_unit": "dummy shelf|dummy shelves",
        "chunk_unit": "cartload|cartloads",
        "spoken": "{reused} of {prompt} boxes need not be worked out again, {computed} are",
        "number": "boxes saved, {computed} worked out",
        "skipped": "saved",
        "run": "worked out",
        "reused": "found and saved",
        "again": "found, but worked out again",
        "new": "new",
        "pad": "dummy shelves in front",
        "chunk": "one cartload",
        "cut": "end of the same beginning",
    },
    "engine": {
        "by_block": "By block (vLLM)",
        "by_chunk": "By chunk of {chunk} (Spyre)",
        "unit": "block|blocks",
        "block_note": "{blocks} of {block} tokens hit{lines}",
        "chunk_note": "{pad}, {skipped} of {chunks} skipped{lines}",
        "pad_unit": "padding block|padding blocks",
        "chunk_unit": "chunk|chunks",
        "spoken": "{reused} of {prompt} tokens reused, {computed} computed",
        "number": "tokens reused, {computed} computed",
        "skipped": "skipped",
        "run": "computed",
        "reused": "hit and reused",
        "again": "hit, but recomputed",
        "new": "not cached",
        "pad": "left padding",
        "chunk": "one chunk",
        "cut": "end of the shared prefix",
    },
}

STRIPS_CSS = """
.pv-strips { container-type: inline-size; --pv-reused: light-dark(#0072b2, #5fb4ea);
  --pv-kept: light-dark(#767676, #9a9a9a); --pv-warn: light-dark(#9a5b00, #f0b35a);
  color: var(--pv-ink); font-size: 14px; line-height: 1.3 }
.pv-strip { display: grid; grid-template-columns: 190px minmax(0, 1fr) 130px; gap: 4px 18px;
  align-items: center; margin-top: 14px }
.pv-strip p { margin: 0 }
.pv-strip small { display: block; font-size: 14px; color: var(--pv-muted) }
.pv-strip-name b { font-size: 16px; font-weight: 650 }
.pv-strip-num { text-align: right }
.pv-strip-num b { font-size: 26px; line-height: 1; font-variant-numeric: tabular-nums }
.pv-strip-axis { position: relative; height: 68px }
.pv-strip-bare .pv-strip-axis { height: 50px }
.pv-strip-axis > i { position: absolute; top: 10px; height: 30px; box-sizing: border-box;
  border-left: 1px solid var(--line, var(--pv-kept)) }
.pv-strip-axis > i::after { content: ""; position: absolute; inset: 0; background:
  linear-gradient(to left, var(--line, var(--pv-kept)) 1px, transparent 1px)
  left / var(--tick) 100% repeat-x }
.pv-strip-reused { background: var(--pv-reused); --line: var(--pv-bg) }
.pv-strip-again { background: repeating-linear-gradient(135deg, var(--pv-kept) 0 1.5px,
  transparent 1.5px 6px), var(--pv-bg) }
.pv-strip-new { background: var(--pv-bg) }
.pv-strip-new, .pv-strip-again { box-shadow: inset 0 0 0 1px var(--pv-kept) }
.pv-strip-pad { background: linear-gradient(to top right, transparent 46%, var(--pv-kept) 46% 54%,
  transparent 54%) left / var(--tick, 100%) 100% repeat-x var(--pv-surface);
  outline: 1px dashed var(--pv-kept); outline-offset: -1px }
.pv-strip-frame { position: absolute; top: 3px; height: 44px; box-sizing: border-box;
  border: 2px solid var(--pv-ink); border-radius: 3px }
.pv-strip-axis > em { position: absolute; top: 50px; font-size: 14px; line-height: 1.2;
  font-style: normal; white-space: nowrap; color: var(--pv-muted) }
.pv-strip-axis > .pv-strip-skipped { font-weight: 400 }
.pv-strip-axis > .pv-strip-run { color: var(--pv-ink); font-weight: 650 }
.pv-strip-cut { position: absolute; top: 0; height: 50px; border-left: 2px dashed var(--pv-warn) }
.pv-strips-key { display: flex; flex-wrap: wrap; gap: 4px 20px; margin-top: 12px;
  color: var(--pv-muted) }
.pv-strips-key i { display: inline-block; position: static; box-sizing: border-box; width: 22px;
  height: 14px; vertical-align: -2px; margin-right: 6px }
.pv-strips-key .pv-strip-chunk { border: 2px solid var(--pv-ink); border-radius: 3px }
.pv-strips-key .pv-strip-cut { width: 2px; border-left: 2px dashed var(--pv-warn) }
@container (max-width: 760px) {
  .pv-strip { grid-template-columns: minmax(0, 1fr); margin-top: 18px }
  .pv-strip-num { text-align: left } .pv-strip-num b { font-size: 22px }
  .pv-strip-num small { display: inline; margin-left: 6px } }
"""
