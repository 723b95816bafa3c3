"""What would a server come up with: the limits for a model, cards and settings, and why.

Every field takes any number; what the plugin would refuse is answered by a sentence that names
the limit and a value that works. Nothing is kept but what stands in the fields.

Leaves out: the rules (engine.spyre.resolve), the words (`spyre_cards_words.py`).

Source of the rule on cards: vLLM, config/model.py (attention heads divisible by tensor parallel
size); the heads stand in the plugin's table.
"""

from __future__ import annotations

from typing import Final

import pandas as pd
import streamlit as st

from pagedviz.charts.frontier import frontier_figure
from pagedviz.charts.frontier_text import Ceilings, frontier_alt, frontier_rows
from pagedviz.engine.errors import EngineError
from pagedviz.engine.spyre.chunks import CHUNK_PLUGIN_2
from pagedviz.engine.spyre.known_configs import KNOWN_CONFIGS, configs_of
from pagedviz.engine.spyre.resolve import Resolved, resolve
from pagedviz.engine.spyre.trade_off import PUBLISHED_ROWS
from pagedviz.timeline.captions import Register
from pagedviz.ui.chart import Chart, chart
from pagedviz.ui.plain_text import warning
from pagedviz.ui.spyre_cards_rows import CARD, CARD_BYTES, HEADS, kv_memory, short
from pagedviz.ui.spyre_cards_say import counted_cards, in_gib
from pagedviz.ui.spyre_cards_words import WHY_BLANK, WORDS
from pagedviz.ui.spyre_say import said

OTHER: Final = "another model"
_KEY: Final = "spyre.server."


@st.fragment
def server_form(register: Register) -> None:
    """Draw the form, and below it what the server would come up with."""
    words = WORDS[register]
    st.markdown(f"## {words['server title']}")
    with st.container(horizontal=True, vertical_alignment="bottom", key="spyre-server"):
        model = st.selectbox(
            words["server model"],
            [*dict.fromkeys(row.model for row in KNOWN_CONFIGS), OTHER],
            format_func=lambda name: words["other"] if name == OTHER else short(name),
            key=f"{_KEY}model",
            width=300,
        )
        cards = _number(words["cards"], "cards", 1, 1)
        context = _number(words["server context"], "context", 3_072, 64)
        requests = _number(words["server requests"], "requests", 16, 1)
        limit = _number(words["server limit"], "limit", None, 1_024, words["by hand"])
        blocks = _number(words["server blocks"], "blocks", None, 32, words["by hand"])
        chunk = _number(words["server chunk"], "chunk", CHUNK_PLUGIN_2, 64)
    if cards is None or context is None or requests is None or chunk is None:
        return warning(words["missing"])
    problem = heads_problem(model, cards, register)
    if problem:
        return warning(problem)
    try:
        found = resolve(
            model,
            cards,
            context,
            requests,
            limit=limit,
            override_blocks=blocks,
            chunk_size=chunk,
        )
    except EngineError as error:
        return warning(said(str(error), register))
    _show(found, register)


def _number(label: str, key: str, value: int | None, step: int, about: str = "") -> int | None:
    return st.number_input(
        label, value=value, step=step, key=_KEY + key, width=150, help=about or None
    )


def heads_problem(model: str, cards: int, register: Register) -> str:
    """Why vLLM would not spread this model over so many cards; "" if it would, or may.

    >>> heads_problem("ibm-granite/granite-4.2-8b", 3, "engine")
    'Cards (tensor parallel): 3 does not work. vLLM cuts the 32 attention heads of this model
     into equal shares; try 2 or 4.'
    """
    if cards < 1 or HEADS % cards == 0 or not configs_of(model):
        return ""
    powers = [n for n in range(1, HEADS + 1) if HEADS % n == 0]
    near = [
        *[n for n in powers if n < cards][-1:],
        *[n for n in powers if n > cards][:1],
    ]
    return WORDS[register]["heads"].format(
        cards=f"{cards:,}", heads=HEADS, near=" or ".join(map(str, near))
    )


def _show(found: Resolved, register: Register) -> None:
    words, limits = WORDS[register], found.limits
    full = min(limits.max_num_seqs, limits.batch_tkv_limit // limits.max_model_len)
    ceilings = Ceilings(limits.max_num_seqs, limits.max_model_len, limits.batch_tkv_limit)
    left, right = st.columns([2, 1], gap="medium")
    with left:
        st.markdown(
            words["comes up"].format(
                requests=limits.max_num_seqs,
                context=f"{limits.max_model_len:,}",
                product=f"{limits.batch_tkv_limit:,}",
                blocks=f"{limits.num_blocks:,}",
                full=full,
            )
        )
        lines = [
            ("requests", said(found.requests_from, register)),
            ("context", said(found.context_from, register)),
            ("product", said(found.product_from, register)),
            ("blocks", said(found.blocks_from, register)),
            ("memory", memory_line(found, register)),
        ]
        st.markdown("\n".join(f"- **{words[f'took {name}']}.** {line}" for name, line in lines))
    with right:
        about = (limits.max_model_len, full, register, ceilings)
        st.markdown(f"**{words['chart']}**")
        chart(
            Chart(
                f"{_KEY}chart",
                frontier_figure(*about, label=words["full"]).update_layout(height=340),
                frontier_alt(*about, label=words["full"]),
                words["chart"],
                lambda: pd.DataFrame(frontier_rows(*about, label=words["full"], edge=True)),
                {"v": "1", "part": "cards"},
                words["chart source"],
            )
        )
        fit = sum(ceilings.fits(row.requests, row.context) for row in PUBLISHED_ROWS)
        st.caption(words["outside"].format(n=len(PUBLISHED_ROWS), fit=fit))


def memory_line(found: Resolved, register: Register) -> str:
    """The pool's bytes on each card as a product, or why it is not worked out.

    >>> found = resolve("ibm-granite/granite-3.3-8b-instruct", 1, 3072, 16)
    >>> memory_line(found, "engine")
    '784 blocks × 64 × 163,840 bytes ÷ 1 card = 7.66 GiB a card.'
    """
    words, blocks = WORDS[register], found.limits.num_blocks
    memory = kv_memory(found.model, blocks, found.cards)
    if memory.per_card is None or memory.kv is None:
        why = WHY_BLANK[register][memory.blank or "unknown"]
        return words["memory blank"].format(why=why)
    line = words["memory sum"].format(
        blocks=f"{blocks:,}",
        bytes=f"{memory.kv.bytes_per_token:,}",
        cards=counted_cards(found.cards),
        per_card=in_gib(memory.per_card),
    )
    if memory.per_card > CARD_BYTES:
        line += " " + words["memory more"].format(card=CARD)
    return line
