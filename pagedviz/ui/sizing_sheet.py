"""The sheet that is taken away: one page of HTML that prints on A4 and on Letter, and the CSV.

It needs nothing but itself: no script, no picture, no font from elsewhere. Everything in it is
escaped, whatever the name of a model says.

Leaves out: which rows stand in it (`sizing_figures.py`).
"""

from __future__ import annotations

import html
from collections.abc import Sequence

import pandas as pd

from pagedviz.paths import ASSETS
from pagedviz.timeline.captions import Register
from pagedviz.ui.sizing_figures import Row
from pagedviz.ui.sizing_say import told
from pagedviz.workload.export import to_csv

SHORT = 24  # characters
MADE = (
    "Made with pagedviz on {when}, by the rules of vLLM 0.33.0 and sendnn-inference 2.6.3. A plan, "
    "not a measurement: nothing was run on the card."
)
TITLES: dict[Register, dict[str, str]] = {
    "room": {
        "title": "How much room does {name} need?",
        "input": "What it rests on",
        "shape": "The model's shape",
        "figure": "What comes out",
        "formula": "The sums",
        "lines": "What vLLM would print",
        "open": "Open it again:",
        "no link": "The dropped file is not in the link: open the page and drop it again.",
    },
    "engine": {
        "title": "KV cache sizing: {name}",
        "input": "Inputs",
        "shape": "Shape",
        "figure": "Figures",
        "formula": "Formulas",
        "lines": "vLLM's start-up lines",
        "open": "Reopen:",
        "no link": "The dropped config is not in the link: open the page and drop it again.",
    },
}


def sheet(
    name: str,
    line: str,
    rows: Sequence[Row],
    formula: str,
    sums: Sequence[str],
    lines: Sequence[str],
    when: str,
    link: str,
    register: Register,
) -> str:
    """The page as HTML. line: may have `**bold**` marks; link: "" where there is none to give.

    >>> page = sheet("<b>", "About 2.", [], "1 x 1", [], [], "2026-10-01", "sizing?v=1", "engine")
    >>> "<h1>KV cache sizing: &lt;b&gt;</h1>" in page, "<script" in page
    (True, False)
    """
    titles = TITLES[register]
    style = (ASSETS / "sizing_sheet.css").read_text(encoding="utf-8")
    title = html.escape(titles["title"].format(name=name))
    tables = "".join(
        f"<section><h2>{html.escape(titles[part])}</h2>{_table(rows, part, register)}</section>"
        for part in ("input", "shape", "figure")
        if any(row.part == part for row in rows)
    )
    said = "\n".join([formula, *sums])
    printed = ""
    if lines:
        code = html.escape("\n".join(lines))
        printed = f"<h2>{html.escape(titles['lines'])}</h2><pre>{code}</pre>"
    again = f"<p>{html.escape(titles['no link'])}</p>"
    if link:
        # The address is spelled out too: on paper a link is only its letters.
        safe = html.escape(link, quote=True)
        again = f'<p>{html.escape(titles["open"])} <a href="{safe}">{safe}</a></p>'
    made = html.escape(MADE.format(when=when))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{style}</style></head><body><main>"
        f'<h1>{title}</h1><p class="line">{html.escape(line.replace("**", ""))}</p>'
        f"<h2>{html.escape(titles['formula'])}</h2><pre>{html.escape(said)}</pre>{printed}"
        f'<div class="two">{tables}</div></main><footer><p>{made}</p>{again}</footer>'
        "</body></html>\n"
    )


def _table(rows: Sequence[Row], part: str, register: Register) -> str:
    body = "".join(
        f'<tr><th scope="row">{html.escape(told(row.name, register))}'
        f"<small>{html.escape(told(row.source, register))}</small></th>"
        f"{_value(told(row.shown, register))}</tr>"
        for row in rows
        if row.part == part
    )
    return f"<table>{body}</table>"


def _value(text: str) -> str:
    # a number is not broken over lines, a long name is
    kind = ' class="s"' if len(text) <= SHORT else ""
    return f"<td{kind}>{html.escape(text)}</td>"


def csv_text(rows: Sequence[Row], register: Register) -> str:
    """The rows as CSV; text that a spreadsheet would run is made harmless.

    >>> print(csv_text([Row("input", "=model", 2, "", "@x")], "engine").splitlines()[1])
    input,'=model,2,,'@x
    """
    table = pd.DataFrame(
        {
            "part": [row.part for row in rows],
            "what": [told(row.name, register) for row in rows],
            "value": [row.value for row in rows],
            "unit": [told(row.unit, register) for row in rows],
            "where from": [told(row.source, register) for row in rows],
        }
    )
    return to_csv(table)
