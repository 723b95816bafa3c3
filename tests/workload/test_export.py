"""CSV that a spreadsheet does not run."""

import io

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.workload import read_trace, to_csv


def test_text_is_made_harmless_and_numbers_stay():
    table = pd.DataFrame(
        {
            "+name": ["=1+1", "+1", "-1", "@A1", "\t=1", "\r=1", "a=b", None],
            "n": [-1, 2, 3, 4, 5, 6, 7, 8],
            "share": [-0.5, 0, 0, 0, 0, 0, 0, 1e-9],
            "ok": [True] * 8,
        }
    )
    again = pd.read_csv(io.StringIO(to_csv(table)), keep_default_na=False)
    assert list(again.columns) == ["'+name", "n", "share", "ok"]
    assert again["'+name"].tolist()[:4] == ["'=1+1", "'+1", "'-1", "'@A1"]
    assert "'\t=1" in to_csv(table)
    assert again["'+name"].tolist()[4:] == ["'\t=1", "'\r=1", "a=b", ""]
    assert again["n"].tolist() == table["n"].tolist()
    assert again["share"].tolist() == table["share"].tolist()


def test_rejected_rows_of_a_nasty_file():
    data = b"prompt_tokens,output_tokens\n=1+1,5\n3,5\n"
    table = read_trace(data, "x.csv").rejected.assign(cell="=HYPERLINK(1)")
    assert to_csv(table).splitlines()[1].endswith(",'=HYPERLINK(1)")


TEXT = st.text(st.sampled_from("=+-@\t\r\n,;\"' a1"), max_size=5)


@settings(deadline=None, derandomize=True)
@given(st.lists(TEXT, min_size=1, max_size=5), TEXT)
def test_no_cell_and_no_header_begins_a_formula(cells, header):
    table = pd.DataFrame({header: cells}, index=pd.Index(cells, name=header + "i"))
    for text in (to_csv(table), to_csv(table.astype("category")), to_csv(table.astype("str"))):
        for row in pd.read_csv(
            io.StringIO(text), header=None, dtype=str, na_filter=False, skip_blank_lines=False
        ).itertuples(index=False):
            assert not any(str(cell).startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row)
