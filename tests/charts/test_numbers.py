"""Numbers of a chart as a table: what a person reads, and nothing that becomes markup."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.charts.numbers import numbers_html, told
from tests.chart_tables import number, read_table


def test_rows_and_columns_are_named_for_who_cannot_see_them():
    markup = numbers_html(pd.DataFrame({"who": ["A", "B"], "n": [1, 2]}), label="Two rows")
    assert markup.count('<th scope="col"') == 2
    assert markup.count('<th scope="row"') == 2
    assert 'role="region" tabindex="0" aria-label="Two rows"' in markup


def test_formats_go_by_column_and_leave_whole_numbers_alone():
    table = pd.DataFrame({"at": [1200], "from": [0.5], "share": [0.125], "gap": [np.nan]})
    shown = read_table(numbers_html(table, {"": ".1%", "from": ",.2f"}))
    assert shown.iloc[0].tolist() == ["1,200", "0.50", "12.5\N{NO-BREAK SPACE}%", ""]


def test_whole_numbers_with_gaps_and_a_named_index():
    table = pd.DataFrame({"n": [5000, None]}, index=pd.Index(["x", "y"], name="which"))
    shown = read_table(numbers_html(table.convert_dtypes()))
    assert list(shown.columns) == ["which", "n"]
    assert shown.to_numpy().tolist() == [["x", "5,000"], ["y", ""]]


@settings(deadline=None, derandomize=True)
@given(st.floats(-1e9, 1e9, allow_nan=False) | st.integers(-(10**12), 10**12))
def test_a_number_is_read_again(value):
    assert number(told(value)) == pytest.approx(value, abs=0.00501 if abs(value) >= 0.01 else 6e-6)


TEXT = st.text(st.sampled_from("<>&\"'b/= script"), max_size=12)


@settings(deadline=None, derandomize=True)
@given(st.lists(TEXT, min_size=1, max_size=4), TEXT)
def test_text_from_elsewhere_stays_text(cells, head):
    shown = read_table(numbers_html(pd.DataFrame({head: cells}), label=head))
    assert shown.columns[0] == head
    assert shown.iloc[:, 0].tolist() == cells
