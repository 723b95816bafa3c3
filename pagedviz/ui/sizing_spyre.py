"""Spyre on the sizing page: what IBM publishes, and what the plugin decides, each with its badge.

Leaves out: the rules (`pagedviz.sizing.spyre_plan`), and the layers' look (`layers.py`).
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from typing import Any

import streamlit as st

from pagedviz.engine.spyre.limits import BATCH_TKV_LIMIT, MAX_MODEL_LEN
from pagedviz.engine.spyre.trade_off import batch_that_fits
from pagedviz.sizing.spyre_plan import SpyrePlan
from pagedviz.sizing.units import gib
from pagedviz.ui.layers import layer
from pagedviz.ui.sizing_answer import Answer
from pagedviz.ui.sizing_say import told
from pagedviz.ui.spyre_words import PUBLISHED
from pagedviz.ui.words import register

PLUGIN = "sendnn-inference 2.6.3, its table and rules, files of 2026-10-01."


def spyre_layers(found: Answer, words: Mapping[str, Any]) -> None:
    """As published, and as the plugin decides, each with its badge."""
    plan = found.plan
    if not isinstance(plan, SpyrePlan):
        return
    tokens = max(1, math.ceil(found.lengths.mean))
    with layer("published", PUBLISHED, register(), "sizing"):
        if tokens > MAX_MODEL_LEN:
            st.markdown(words["published_long"].format(tokens=f"{tokens:,}"))
        else:
            fits = batch_that_fits(tokens, BATCH_TKV_LIMIT)
            values = {"n": fits, "tokens": f"{tokens:,}", "product": f"{fits * tokens:,}"}
            st.markdown(words["published"].format_map(values))
    with layer("plugin", PLUGIN, register(), "sizing"):
        real = plan.real
        said = {"decoding": real.decoding, "admitted": real.admitted, "tokens": f"{real.tokens:,}"}
        st.markdown(words["plugin_line"].format_map(said))
        rows = "".join(
            f'<tr><th scope="row">{html.escape(name)}<small>{html.escape(source)}</small></th>'
            f"<td>{html.escape(value)}</td></tr>"
            for name, value, source in plugin_rows(found, words)
        )
        st.html(f'<table class="pv-three">{rows}</table>')


def plugin_rows(found: Answer, words: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """The limits of the server: name, figure, where from."""
    plan = found.plan
    assert isinstance(plan, SpyrePlan)
    names, limits, resolved = words["plugin"], plan.resolved.limits, plan.resolved
    share = f"{min(1, plan.product_bytes / plan.pool_bytes):.0%}"
    rows = [
        (names["requests"], f"{limits.max_num_seqs:,}", resolved.requests_from),
        (names["context"], f"{limits.max_model_len:,}", resolved.context_from),
        (names["product"], f"{limits.batch_tkv_limit:,}", resolved.product_from),
        (names["blocks"], f"{limits.num_blocks:,}", resolved.blocks_from),
        (names["block"], f"{plan.bytes_per_block / 2**20:,.4g} MiB", ""),
        (names["pool"], gib(plan.pool_bytes), names["pool_why"]),
        (names["limit"], gib(plan.product_bytes), names["limit_why"].format(share=share)),
    ]
    return [(name, value, told(source, register())) for name, value, source in rows]
