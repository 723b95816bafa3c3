"""Cards and models on the Spyre page: the plugin's table, the sum behind 131,072, a form.

The lines above the table are made of the rows that are shown. What a server would come up
with is in `spyre_cards_server.py`.

Leaves out: how the figures are found (`spyre_cards_rows.py`) and said (`spyre_cards_say.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import pandas as pd
import streamlit as st

from pagedviz.engine.spyre.chunks import BLOCK_SIZE
from pagedviz.engine.spyre.known_configs import KNOWN_SHAPES, SOURCE
from pagedviz.engine.spyre.limits import BATCH_TKV_LIMIT
from pagedviz.timeline.captions import Register
from pagedviz.timeline.kv_models import KV_MODELS
from pagedviz.ui.layers import layer
from pagedviz.ui.spyre_cards_rows import (
    CARD,
    CARD_BYTES,
    GIB,
    CardRow,
    billions,
    card_rows,
    offers,
    short,
)
from pagedviz.ui.spyre_cards_say import counted_cards, in_gib, rows_lines, rows_note
from pagedviz.ui.spyre_cards_server import server_form
from pagedviz.ui.spyre_cards_words import WHY_BLANK, WORDS

ALL: Final = "all"
PUBLISHED_SIZE: Final = 8  # billions; the models of the published table


def cards_section(register: Register) -> None:
    """Draw the section in one register."""
    with layer("plugin", SOURCE, register, "cards"):
        _configurations(register)
        four_cards(register)
        server_form(register)
        shapes_table(register)


@st.fragment
def _configurations(register: Register) -> None:
    words = WORDS[register]
    lead = st.container()  # first on the page, though the filters decide what it says
    rows = _filtered(words)
    shown = [row for row in rows if _cards_chosen() in (ALL, row.config.cards)]
    if not shown:
        models = ", ".join(sorted({row.name for row in rows}))
        cards = " or ".join(counted_cards(n) for n in sorted({row.config.cards for row in rows}))
        lead.info(words["no row"].format(models=models, cards=cards))
        return
    lines = "<br>".join(rows_lines(shown, register))
    lines = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", lines)
    lead.html(f'<p style="margin: 0; font-size: 20px; line-height: 1.4">{lines}</p>')
    lead.caption(rows_note(shown, register))
    st.dataframe(
        _styled(table(shown, register), words),
        hide_index=True,
        height=min(35 * (len(shown) + 1) + 3, 320),
        placeholder="",  # what is blank is told below
        alt=words["table alt"].format(n=len(shown)),
    )
    st.caption("  \n".join([words["memory how"].format(source=SOURCE), *blanks(shown, register)]))


def _filtered(words: dict[str, str]) -> list[CardRow]:
    """The two filters on models, and the one on cards; the rows of the models chosen."""
    found = card_rows()
    with st.container(horizontal=True, vertical_alignment="bottom", key="spyre-cards-filters"):
        size = st.segmented_control(
            words["size"],
            [ALL, *sorted({billions(row.config.model) for row in found})],
            default=PUBLISHED_SIZE,
            format_func=lambda n: words["all"] if n == ALL else str(n),
            key="spyre.cards.size",
            required=True,
            width="content",
        )
        rows = [row for row in found if size in (ALL, billions(row.config.model))]
        models = st.multiselect(
            words["model"],
            list(dict.fromkeys(row.config.model for row in rows)),
            format_func=short,
            placeholder=words["every"],
            key=f"spyre.cards.model.{size}",  # another size has other models
            width=320,
        )
        st.segmented_control(
            words["cards"],
            [ALL, *sorted({row.config.cards for row in found})],
            default=ALL,
            format_func=lambda n: words["all"] if n == ALL else str(n),
            key="spyre.cards.cards",
            required=True,
            width="content",
        )
    return [row for row in rows if not models or row.config.model in models]


def _cards_chosen() -> object:
    return st.session_state["spyre.cards.cards"]


def table(rows: Sequence[CardRow], register: Register) -> list[dict[str, Any]]:
    """The rows with the register's headings; memory in GiB, None where it is not known."""
    words = WORDS[register]
    return [
        {
            words["model"]: row.name,
            words["cards"]: row.config.cards,
            words["requests"]: row.config.requests,
            words["context"]: row.config.context,
            words["product"]: row.product,
            words["blocks"]: row.blocks,
            words["memory"]: row.memory.per_card and row.memory.per_card / GIB,
            words["from"]: _where_from(row, words),
        }
        for row in rows
    ]


def _where_from(row: CardRow, words: dict[str, str]) -> str:
    one = row.config
    limit = words["limit row"]
    if one.batch_tkv_limit is None:
        limit = words["limit worked"].format(requests=one.requests, context=f"{one.context:,}")
    return f"{limit}; {words['blocks row' if one.num_blocks is not None else 'blocks worked']}"


def _styled(rows: list[dict[str, Any]], words: dict[str, str]) -> Any:
    """Numbers with commas, whatever the browser's language: 3.072 must not be read as three."""
    frame = pd.DataFrame(rows)
    if words["memory"] in frame:
        frame[words["memory"]] = frame[words["memory"]].astype(float)
    formats: Any = {
        column: "{:,.2f}" if frame[column].dtype.kind == "f" else "{:,d}"
        for column in frame.columns
        if frame[column].dtype.kind in "if"
    }
    return frame.style.format(formats, na_rep="")


def blanks(rows: Sequence[CardRow], register: Register) -> list[str]:
    """One sentence for each reason why memory is not given, with the models it holds for."""
    named: dict[str, list[str]] = {}
    for row in rows:
        if row.memory.blank and row.name not in named.setdefault(row.memory.blank, []):
            named[row.memory.blank].append(row.name)
    return [
        WORDS[register]["blank"].format(names=", ".join(names), why=WHY_BLANK[register][blank])
        for blank, names in named.items()
    ]


def four_cards(register: Register) -> None:
    """Whose limit the 131,072 is, and the sum that shows that memory does not set it."""
    words = WORDS[register]
    st.markdown(f"## {words['four title']}")
    st.markdown("\n".join(four_cards_lines(register)))
    st.caption(words["four source"])


def four_cards_lines(register: Register) -> list[str]:
    """The statement and its lines, in Markdown; every value is worked out from the rows."""
    words = WORDS[register]
    kv = KV_MODELS[0]
    cards = 4
    one_card = [row for row in card_rows() if row.config.cards == 1]
    eight = [row for row in one_card if billions(row.config.model) == PUBLISHED_SIZE]
    narrow = [row for row in eight if row.product < BATCH_TKV_LIMIT]
    found = [
        words["offer too" if k else "offer"].format(
            n=one.models,
            of=len({row.name for row in eight}),
            requests=one.requests,
            context=f"{one.context:,}",
            product=f"{one.requests * one.context:,}",
        )
        for k, one in enumerate(offers(narrow))
    ]
    total = BATCH_TKV_LIMIT * kv.bytes_per_token
    pool = max(row.blocks for row in card_rows() if row.memory.kv is kv)
    formula = kv.formula()
    if register == "room":
        formula = f"2 × {kv.layers} × {kv.kv_heads} × {kv.head_size} × {kv.bytes_per_value} bytes"
    values = {
        "product": f"{BATCH_TKV_LIMIT:,}",
        "bytes": f"{kv.bytes_per_token:,}",
        "gib": in_gib(total),
        "cards": cards,
        "per_card": in_gib(total // cards),
        "share": f"{100 * total / cards / CARD_BYTES:.1f} %",
        "card": CARD,
        "blocks": f"{pool:,}",
        "pool": in_gib(pool * BLOCK_SIZE * kv.bytes_per_token // cards),
        "formula": formula.replace(" x ", " × "),
        "model": kv.name,
    }
    sums = [
        words[f"sum {name}"].format_map(values) for name in ("bytes", "tokens", "cards", "pool")
    ]
    sums += [
        words["sum wide"].format(
            name=row.name,
            requests=row.config.requests,
            context=f"{row.config.context:,}",
            product=f"{row.product:,}",
            blocks=f"{row.blocks:,}",
            per_card=in_gib(row.memory.per_card),
        )
        for row in one_card
        if row.product >= BATCH_TKV_LIMIT and row.memory.per_card is not None
    ]
    statement = words["four"].format(offers=", and ".join(found))
    return [statement, "", *(f"- {line[0].upper()}{line[1:]}" for line in sums)]


def shapes_table(register: Register) -> None:
    """The fixed shapes of models that only read."""
    words = WORDS[register]
    st.markdown(f"## {words['shapes title']}")
    st.markdown(words["shapes"])
    rows = [
        {
            words["model"]: short(shape.model),
            words["shape length"]: shape.prompt_len,
            words["shape batch"]: shape.batch_size,
            words["cards"]: shape.cards,
            words["platforms"]: ", ".join(shape.platforms),
        }
        for shape in KNOWN_SHAPES
    ]
    st.dataframe(_styled(rows, words), hide_index=True, alt=words["shapes alt"].format(n=len(rows)))
