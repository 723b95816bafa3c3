"""Files that are damaged, in another encoding, or no trace at all."""

import gzip
import io
import json
import pickle
import zipfile

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pagedviz.workload import Trace, TraceError, WorkloadError, read_trace
from pagedviz.workload.trace import MAX_TOKENS

HEAD = "arrival_s,prompt_tokens,output_tokens\n"
GOOD = HEAD + "0,10,20\n1,11,21\n"


def zipped():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("trace.csv", GOOD)
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"  \n\t\n ", "only white space"),
        (HEAD.encode(), "no data rows"),
        (HEAD.encode() + b"\n\n", "no data rows"),
        (b"10,20\n11,21\n", "no header line"),
        (zipped(), "ZIP archive"),
        (gzip.compress(GOOD.encode()), "GZIP archive"),
        (b"PAR1\0\0", "Parquet"),
        (b"<!DOCTYPE html><html><head>Sign in</head></html>", "HTML page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 5\n", "Git LFS pointer"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a": 1', "ends early, at line 1"),
        (b"[]", "has no rows"),
        (b"[1, 2]", "no rows that are objects"),
        (b'{"tokenizer_class": "x"}', "one JSON object, not a list"),
        (b'{"input_lens": 3}', "--save-detailed"),
        (b'[{"a": 1}]', "no columns of a form that is known"),
        (HEAD.encode() + b'0,"10,20\n1,11,21\n', "quotation mark"),
        (
            b"arrival_s,prompt_tokens,prompt_tokens,output_tokens\n0,1,2,3\n",
            '"prompt_tokens" twice',
        ),
        (HEAD.encode() + b"0,x,20\n", "no row that can be used; the first fault is in row 1"),
        (b"\xff\xfea", "says it is UTF-16, but byte 3 is not"),
        (b"\x89PNG\r\n", "picture"),
    ],
)
def test_what_cannot_be_read_says_why(data, said):
    with pytest.raises(TraceError, match=said) as caught:
        read_trace(data, "mine.csv")
    assert str(caught.value).startswith("mine.csv ")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.columns) == (str(caught.value), caught.value.columns)


@pytest.mark.parametrize(
    "data",
    [
        GOOD.encode("utf-8-sig"),
        GOOD.encode("utf-16"),
        GOOD.encode("utf-16-le"),
        GOOD.encode("utf-16-be"),
        GOOD.encode("utf-32"),
        GOOD.replace("\n", "\r\n").encode(),
        GOOD.replace(",", "\t").encode(),
        GOOD.replace(",", ";").encode(),
        GOOD.replace(",", "|").encode(),
        GOOD.rstrip().encode(),
        b"\n\n" + GOOD.encode() + b"\n\n",
        GOOD.replace("20\n", "20\n\n").encode(),
        GOOD.replace("0,10,20", '"0","10"," 20 "').encode(),
        GOOD.upper().encode(),
        GOOD.replace("20\n", "20,,\n").encode(),
        (GOOD[:-1] + ',"caf\xe9"\n').replace("tokens\n", "tokens,name\n").encode("latin-1"),
        b'[{"arrival_s": 0, "prompt_tokens": 10, "output_tokens": 20},'
        b'{"arrival_s": 1, "prompt_tokens": "11", "output_tokens": 21.0}]',
    ],
)
def test_the_same_rows_however_they_are_written(data):
    trace = read_trace(data, "mine.csv")
    columns = ["arrival_s", "prompt_tokens", "output_tokens"]
    assert trace.requests[columns].to_numpy().tolist() == [[0, 10, 20], [1, 11, 21]]
    assert trace.rejected.empty


def test_decimal_commas_between_semicolons():
    data = b"arrival_s;prompt_tokens;output_tokens\n0,5;10,0;20\n1,75;11;21\n2;1,5;22\n"
    trace = read_trace(data, "x.csv")
    assert trace.requests["arrival_s"].tolist() == [0, 1.25]
    assert trace.requests["prompt_tokens"].tolist() == [10, 11]
    assert trace.rejected["reason"].tolist() == ["'1,5' is not a whole number"]


FAULTS = {
    "NaN": "'NaN' is not a number",
    "inf": "'inf' is not finite",
    "-5": "'-5' is negative",
    "2.5": "'2.5' is not a whole number",
    "1e30": "'1e30' is more than 10,000,000",
    "9" * 400: "is not finite",
    "": "is empty",
    "1 000": "'1 000' is not a number",
    '"1,000"': "'1,000' is not a number",
    "0x10": "'0x10' is not a number",
    "=1+1": "'=1+1' is not a number",
    "31\0" + "80": "'31␀80' is not a number",
}


@pytest.mark.parametrize("cell", FAULTS)
def test_a_cell_that_is_no_number_of_tokens(cell):
    trace = read_trace((GOOD + f"2,{cell},5\n3,12,22\n").encode(), "x.csv")
    (fault,) = trace.rejected.to_dict("records")
    assert (fault["row"], fault["column"]) == (3, "prompt_tokens")
    assert FAULTS[cell] in fault["reason"]
    assert trace.requests.index.tolist() == [1, 2, 4]
    assert trace.num_rows == 4
    assert any("3 of 4 rows can be used; 1 cannot" in note for note in trace.notes)


@pytest.mark.parametrize("cell", ["true", "null", "[1]", '{"a": 1}', "1e400", "-1", '"x"', "NaN"])
def test_a_json_value_that_is_no_number_of_tokens(cell):
    row = f'{{"prompt_tokens": {cell}, "output_tokens": 1}}\n'
    trace = read_trace(row.encode() + b'{"prompt_tokens": 5, "output_tokens": 1}\n', "x.jsonl")
    assert trace.rejected["row"].tolist() == [1]
    assert trace.requests.index.tolist() == [2]


def test_a_json_number_no_float_can_hold_is_a_fault_and_no_crash():
    rows = f'{{"prompt_tokens": {"9" * 400}, "output_tokens": 1}}\n' + (
        '{"prompt_tokens": 5, "output_tokens": 1}\n'
    )
    trace = read_trace(rows.encode(), "x.jsonl")
    assert "is not finite" in trace.rejected["reason"][0]


def test_lines_that_are_no_json_and_rows_that_are_no_objects():
    data = b'{"prompt_tokens": 5, "output_tokens": 1}\n{"prompt_tokens": 5,\n\n[1]\n"x"\n'
    trace = read_trace(data, "x.jsonl")
    assert trace.rejected["row"].tolist() == [2, 4, 5]
    assert trace.rejected["reason"].str.contains("JSON|list|text").all()


def test_rows_of_another_length_and_headers_in_the_middle():
    trace = read_trace((GOOD + "2,3\n" + HEAD + "3,4,5,6\n4,5,6\n").encode(), "x.csv")
    assert trace.requests.index.tolist() == [1, 2, 3, 6]
    assert trace.rejected.to_dict("records") == [
        {"row": 5, "column": "", "reason": "has 4 fields; the header has 3"}
    ]
    # a missing last cell is an empty one
    assert trace.requests["output_tokens"].tolist() == [20, 21, 0, 6]
    assert "Row 4 repeats the header: left out." in trace.notes
    assert '1 cell of "output_tokens" is empty: counted as no answer.' in trace.notes


def test_a_prompt_of_nothing_with_an_answer_is_a_fault():
    trace = read_trace((GOOD + "2,0,5\n3,0,0\n").encode(), "x.csv")
    assert trace.rejected["reason"].tolist() == ["is 0, but there is an answer"]
    assert trace.requests.index.tolist() == [1, 2, 4]


@pytest.mark.parametrize(
    ("cell", "said"), [("yesterday", "not a date"), ("", "is empty"), ("12", "not a date")]
)
def test_dates_that_are_none(cell, said):
    head = "TIMESTAMP,ContextTokens,GeneratedTokens\n2024-01-01 00:00:00,1,1\n"
    trace = read_trace((head + f"{cell},2,2\n").encode(), "x.csv")
    assert said in trace.rejected["reason"][0]


def test_limits_are_named():
    assert f"{MAX_TOKENS:,}" == "10,000,000"
    rows = "\n".join(["1,1"] * 2_000_001)
    with pytest.raises(TraceError, match=r"2,000,001 rows; at most 2,000,000"):
        read_trace(b"prompt_tokens,output_tokens\n" + rows.encode(), "x.csv")


def test_a_million_rows_with_faults_in_them():
    rows = np.full(1_000_000, "1.5,300,20", dtype=object)
    rows[[10, 999_999]] = ["x,300,20", "1,300,-1"]
    trace = read_trace((HEAD + "\n".join(rows)).encode(), "big.csv")
    assert len(trace.requests) == 999_998
    assert trace.rejected["row"].tolist() == [11, 1_000_000]
    assert trace.requests["prompt_tokens"].sum() == 299_999_400


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.binary(max_size=200))
@example(b"\xff\xfe\x00\x00")
@example(b'{"prompt_tokens": 1}\n{')
@example(b'"')
@example(b",\n,")
def test_any_bytes_are_read_or_refused(data):
    try:
        trace = read_trace(data, "any")
    except TraceError:
        return
    assert isinstance(trace, Trace)


CELLS = st.one_of(
    st.integers(-3, 50).map(str),
    st.floats().map(str),
    st.text(st.characters(codec="utf-8"), max_size=6),
    st.sampled_from(["", "nan", "1e3", '"', "=1", "\t", "prompt_tokens"]),
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    rows=st.lists(st.lists(CELLS, min_size=1, max_size=4), max_size=8), by=st.sampled_from(",;\t")
)
def test_any_table_keeps_whole_rows_and_names_the_others(rows, by):
    head = by.join(["arrival_s", "prompt_tokens", "output_tokens"])
    data = "\n".join([head, *(by.join(row) for row in rows), by.join("123")])
    try:
        trace = read_trace(data.encode(), "any.csv")
    except TraceError:
        return
    assert (trace.requests[["prompt_tokens", "output_tokens"]] >= 0).all(axis=None)
    assert (trace.usable["prompt_tokens"] > 0).all()
    assert np.isfinite(trace.requests["arrival_s"]).all()
    assert not set(trace.requests.index) & set(trace.rejected["row"])
    assert (trace.rejected["reason"].str.len() > 0).all()


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["arrival_s", "prompt_tokens", "output_tokens", "x"]),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
                lambda inner: st.lists(inner, max_size=2),
                max_leaves=3,
            ),
        ),
        max_size=6,
    )
)
def test_any_records_are_read_or_refused(records):
    try:
        trace = read_trace(json.dumps(records).encode(), "any.json")
    except WorkloadError:
        return
    assert (trace.requests[["prompt_tokens", "output_tokens"]] >= 0).all(axis=None)
