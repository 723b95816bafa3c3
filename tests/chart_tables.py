"""What the tests ask of the line "Numbers and files" under a chart: it opened, its table read."""

from html.parser import HTMLParser

import pandas as pd
from streamlit.testing.v1 import AppTest

# Every chart of the app, "page.name".
KEYS = (
    "allocator.chart",
    "reservation.sizes",
    "prefix.stairs",
    "attention.weights",
    "attention.triangle",
    "spyre.frontier",
    "spyre.server.chart",
    "sizing.chart",
    "workload.memory",
    "workload.running",
    "workload.lengths",
)


class _Rows(HTMLParser):
    """The rows of the first table in a piece of HTML, cell by cell."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._in_cell = False

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td"):
            self.rows[-1].append("")
            self._in_cell = True

    def handle_endtag(self, tag):
        if tag in ("th", "td"):
            self._in_cell = False

    def handle_data(self, data):
        if self._in_cell:
            self.rows[-1][-1] += data


def read_table(markup: str) -> pd.DataFrame:
    """A table as text, as a person reads it."""
    reader = _Rows()
    reader.feed(markup)
    head, *body = reader.rows
    return pd.DataFrame(body, columns=head)


def number(text: str) -> float | None:
    """A cell as a number: "1,234" and "12.5 %"; None for a gap.

    >>> number("1,234"), number("12.5\N{NO-BREAK SPACE}%"), number("")
    (1234.0, 0.125, None)
    """
    if not text:
        return None
    if text.endswith("%"):
        return float(text[:-1].replace(",", "")) / 100
    return float(text.replace(",", ""))


def opened_table(page: AppTest, key: str) -> pd.DataFrame:
    """Open the line under the chart with this key, and no other; its table."""
    for other in KEYS:
        if f"{other}.files" in page.session_state:
            page.session_state[f"{other}.files"] = False
    page.session_state[f"{key}.files"] = True
    page.run()
    assert not page.exception
    bodies = [part.proto.body for part in page.get("html")]
    (found,) = [body for body in bodies if 'class="pv-numbers"' in body]
    return read_table(found)
