"""The upper half of the sizing page: the one line, what is wrong, the card's memory, three figures.

Leaves out: the levers (`sizing_controls.py`), Spyre's two layers (`sizing_spyre.py`), the lower
half (`sizing_below.py`).
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pagedviz.paths import ASSETS
from pagedviz.sizing.gpu_plan import GpuPlan
from pagedviz.sizing.spyre_inputs import CARD_MEMORY
from pagedviz.sizing.spyre_plan import SpyrePlan
from pagedviz.sizing.units import GIB, gib, kib
from pagedviz.ui.plain_text import plain
from pagedviz.ui.sizing_answer import MISSING, SPYRE_BLOCK, Answer
from pagedviz.ui.sizing_bar import Part, bar, cut, per_piece, size_text
from pagedviz.ui.sizing_inputs import Sizing
from pagedviz.ui.sizing_say import told
from pagedviz.ui.words import register

MOST_HELPS = 4


def style() -> None:
    """The page's own part of the style."""
    st.html(f"<style>{(ASSETS / 'sizing.css').read_text(encoding='utf-8')}</style>")


def bold(text: str) -> str:
    """Text with `**bold**` marks as HTML; everything else is shown as it is.

    >>> bold("a **b** <c>")
    'a <b>b</b> &lt;c&gt;'
    """
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", html.escape(text))


def line_of(found: Answer, words: Mapping[str, Any]) -> str:
    """The one line on top, with the number in bold marks."""
    if found.headline is not None and not found.chosen.geometry.encoder_only:
        text = told(found.headline.text, register())
        return re.sub(r"^(About [\d,]+ at once|None at once|It does not start)", r"**\1**", text)
    name = found.chosen.name.replace("*", "")
    if found.why == MISSING:
        each = kib(found.chosen.geometry.bytes_per_token(found.sizing.dtype))
        return str(words["unknown"].format(name=name, each=each))
    if found.why:
        return str(words["encoder"].format(name=name, why=told(found.why, register())))
    return str(words["reads"].format(name=name))


def line(found: Answer, words: Mapping[str, Any]) -> None:
    """Draw it, 23 px."""
    st.html(f'<p class="pv-answer" role="status">{bold(line_of(found, words))}</p>')


def fixes(found: Answer, words: Mapping[str, Any]) -> None:
    """What is wrong with what to set, and what puts the figure itself in doubt."""
    for text, fix in found.fixes:
        said = f"{plain(told(text, register()))} **{plain(told(fix, register()))}**"
        st.warning(said, icon=":material/error:")
    geometry = found.chosen.geometry
    doubts = [*geometry.warnings, *geometry.unknowns]
    if doubts:
        lines = "\n".join(f"- {plain(told(text, register()))}" for text in doubts)
        st.warning(f"{words['warned']}:\n\n{lines}")


def helps(found: Answer, words: Mapping[str, Any]) -> None:
    """What would let more in, best first; each was tried."""
    if found.headline is None or not found.headline.raises:
        return
    tried = found.headline.raises[:MOST_HELPS]
    rows = "".join(
        f"<tr><td>{html.escape(told(one.text, register()))}</td>"
        f"<td>{html.escape(words['gives'].format(n=f'{one.about:,}'))}</td></tr>"
        for one in tried
    )
    st.markdown(f"**{words['helps']}**")
    st.html(f'<table class="pv-three">{rows}</table>')


def memory(found: Answer, words: Mapping[str, Any]) -> None:
    """The card as a bar, the cache cut into requests, and both as a table."""
    plan = found.plan
    if plan is None:
        return
    parts = parts_of(plan, words)
    total = plan.inputs.memory if isinstance(plan, GpuPlan) else CARD_MEMORY
    st.markdown(f"## {words['card']}")
    st.markdown(words["card_lead"].format(memory=gib(total)))
    st.html(bar(parts, words["card"], total))
    if (over := sum(part.size for part in parts) - total) > 0:
        st.markdown(words["over"].format(over=size_text(over)))
    number, each, pool = pieces_of(plan)
    if number:
        tokens = f"{math.ceil(found.lengths.mean):,}"
        said = words["cells"].format(n=f"{number:,}", tokens=tokens, each=size_text(each))
        st.markdown(f"**{words['cut']}:** {said}")
        st.html(cut(number, each, max(0, pool - number * each), dict(words), said))
        lump = per_piece(number)
        if lump > 1:
            st.html(f'<p class="pv-note">{html.escape(words["lump"].format(k=lump))}</p>')
    with st.expander(words["numbers"]):
        st.dataframe(_table(parts, number, each, words), hide_index=True)


def parts_of(plan: GpuPlan | SpyrePlan, words: Mapping[str, Any]) -> list[Part]:
    """One card's memory, part by part."""
    names = words["parts"]
    if isinstance(plan, GpuPlan):
        kv = max(plan.available, 0)
        if plan.inputs.num_blocks is not None and plan.blocks is not None:
            kv = plan.num_blocks * plan.blocks.bytes_per_block
        rest = max(0, plan.inputs.memory - plan.weights - plan.room - kv)
        sizes = {"weights": plan.weights, "room": plan.room, "kv": kv, "rest": rest}
    else:
        weights = -(-plan.inputs.weights // plan.inputs.cards)
        free = max(0, CARD_MEMORY - weights - plan.pool_bytes)
        sizes = {"weights": weights, "pool": plan.pool_bytes, "free": free}
    return [Part(kind, names[kind], size) for kind, size in sizes.items()]


def pieces_of(plan: GpuPlan | SpyrePlan) -> tuple[int, int, int]:
    """How many requests of the mean length are drawn, the bytes of each on one card, the pool's.

    On a GPU as many as memory holds, whatever the server lets in; on Spyre those that decode
    together.
    """
    mean = max(1, math.ceil(plan.inputs.lengths.mean))
    if isinstance(plan, SpyrePlan):
        each = -(-mean // SPYRE_BLOCK) * plan.bytes_per_block
        return (
            plan.of_length(mean, math.ceil(plan.inputs.lengths.prompt)).decoding,
            each,
            plan.pool_bytes,
        )
    if plan.blocks is None or mean > plan.inputs.max_model_len:
        return 0, 0, 0
    each = plan.blocks.per_request(mean) * plan.blocks.bytes_per_block
    return plan.of_length(mean), each, plan.num_blocks * plan.blocks.bytes_per_block


def _table(parts: Sequence[Part], number: int, each: int, words: Mapping[str, Any]) -> Any:
    total = sum(part.size for part in parts) or 1
    rows = [
        {
            words["part"]: part.name,
            "GiB": part.size / GIB,
            "bytes": part.size,
            "%": 100 * part.size / total,
        }
        for part in parts
    ]
    if number:
        name = words["visitor"].format(n=f"1 - {number:,}")
        rows.append(
            {words["part"]: name, "GiB": each / GIB, "bytes": each, "%": 100 * each / total}
        )
    return pd.DataFrame(rows).style.format({"GiB": "{:,.3f}", "bytes": "{:,d}", "%": "{:,.2f}"})


def three(found: Answer, words: Mapping[str, Any]) -> None:
    """Start-up concurrency, requests of one length, real requests: told apart."""
    if not (figures := three_rows(found, words)):
        return
    rows = "".join(
        f'<tr><th scope="row">{html.escape(name)}<small>{html.escape(about)}</small></th>'
        f"<td>{value}</td></tr>"
        for name, about, value in figures
    )
    st.markdown(f"## {words['three']}")
    st.html(f'<table class="pv-three">{rows}</table>')
    if isinstance(found.plan, GpuPlan) and found.plan.startup is not None:
        st.markdown(f"**{words['lines']}**")
        st.code("\n".join(found.plan.startup.lines), language=None, wrap_lines=True)


def three_rows(found: Answer, words: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Name, what it counts, figure; empty where nothing starts."""
    plan, sizing = found.plan, found.sizing
    mean = max(1, math.ceil(found.lengths.mean))
    alike = words["alike_line"].format(tokens=f"{mean:,}")
    if isinstance(plan, SpyrePlan):
        longest = plan.resolved.limits.max_model_len
        low, about, high = plan.at_once
        asked = math.ceil(found.lengths.prompt)
        full, same = plan.of_length(longest), plan.of_length(min(mean, longest), asked)
        return [
            (words["full"], _longest(longest, words), f"{full.decoding:,}"),
            (words["alike"], alike, f"{same.decoding:,}"),
            (words["real"], _real(sizing, low, high, words), f"{about:,}"),
        ]
    if plan is None or plan.startup is None:
        return []
    real = plan.real
    return [
        (words["startup"], _longest(plan.inputs.max_model_len, words), _times(plan)),
        (words["alike"], alike, f"{plan.of_length(mean):,}"),
        (words["real"], _real(sizing, real.sure, real.best, words), f"{real.about:,}"),
        (words["moving"], words["moving_line"], f"{real.in_motion:,}"),
    ]


def _times(plan: GpuPlan) -> str:
    return "" if plan.startup is None else f"{plan.startup.concurrency:.2f}x"


def _longest(tokens: int, words: Mapping[str, Any]) -> str:
    return str(words["startup_line"].format(longest=f"{tokens:,}"))


def _real(sizing: Sizing, low: int, high: int, words: Mapping[str, Any]) -> str:
    values = {
        "prompt": f"{sizing.prompt:,}",
        "ps": f"{sizing.prompt_spread:,}",
        "answer": f"{sizing.answer:,}",
        "as": f"{sizing.answer_spread:,}",
        "low": f"{low:,}",
        "high": f"{high:,}",
    }
    return str(words["real_line"].format_map(values))
