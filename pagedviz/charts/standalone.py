"""A chart as one HTML file: opens from a disk, answers to the pointer, asks nothing of a network.

Plotly's script is in it, so it has about 5 MB: build it when it is asked for. The button that
sends a chart to Plotly's cloud is left out, and so is the logo, which is a link. Light or dark
follows the reader's system. The numbers are in it as a table.

Leaves out: maps and formulas, for which Plotly's script would ask the network; no chart of this
app has them.

Source: plotly.js 4, plot_api/plot_config.js (`showSendToCloud` is on unless it is switched off).
"""

from __future__ import annotations

import html
import json
from dataclasses import dataclass

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from pagedviz.paths import ASSETS

OPEN, NO_LINK = (
    "Open this view in pagedviz:",
    "What was put in is too much for a link: it has to be put in again.",
)
CONFIG = {
    "displaylogo": False,
    "showSendToCloud": False,
    "responsive": True,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", "toImage"],
}


@dataclass(frozen=True)
class Provenance:
    """What a file says of itself: title, what it shows, where from, when, and the way back.

    link: of the view that the chart was taken from; "" if a link cannot hold it.
    """

    title: str
    alt: str
    source: str
    when: str  # "2026-10-01"
    link: str = ""

    @property
    def made(self) -> str:
        """One line for the foot of a file."""
        return f"Made with pagedviz on {self.when}."


def standalone_html(figure: go.Figure, about: Provenance, numbers: str, name: str) -> str:
    """The file. numbers: from `numbers_html`; name: of a picture that is saved from it.

    >>> about = Provenance("A <b>", "two points", "worked out", "2026-10-01")
    >>> page = standalone_html(go.Figure(go.Scatter(y=[1, 2])), about, "<p>1, 2</p>", "chart")
    >>> "<h1>A &lt;b&gt;</h1>" in page, '"showSendToCloud": false' in page
    (True, True)
    """
    config = CONFIG | {"toImageButtonOptions": {"format": "svg", "filename": name}}
    title, alt, source, made = (
        html.escape(text) for text in (about.title, about.alt, about.source, about.made)
    )
    again = html.escape(NO_LINK)
    if about.link:
        safe = html.escape(about.link, quote=True)
        again = f'{html.escape(OPEN)} <a href="{safe}">{safe}</a>'
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_asset('chart_file.css')}</style></head><body><main>"
        f'<h1>{title}</h1><div id="chart" role="figure" aria-label="{alt}"></div>'
        f"<noscript><p>{alt}</p></noscript>"
        f"<details><summary>The same in numbers</summary>{numbers}</details></main>"
        f"<footer><p>{source}</p><p>{made} {again}</p></footer>"
        f'<script type="application/json" id="figure">{_in_script(figure.to_json())}</script>'
        f'<script type="application/json" id="config">{_in_script(json.dumps(config))}</script>'
        # Plotly would otherwise look for a copy of MathJax that somebody else has set up.
        "<script>window.PlotlyConfig = { MathJaxConfig: 'local' };</script>"
        f"<script>{get_plotlyjs()}</script><script>{_asset('chart_file.js')}</script>"
        "</body></html>\n"
    )


def _in_script(text: str) -> str:
    """JSON that cannot end the script it stands in."""
    return text.replace("<", "\\u003c")


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")
