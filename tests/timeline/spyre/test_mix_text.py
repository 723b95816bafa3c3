"""A mix as typed or pasted: what is read, and what is said of junk."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.timeline.spyre.errors import MixError
from pagedviz.timeline.spyre.mix import MixGroup
from pagedviz.timeline.spyre.mix_text import parse_mix

ONE, MANY = MixGroup(1, 30_000, 25), MixGroup(31, 200, 25)


@pytest.mark.parametrize(
    "text",
    [
        "1 x 30000 + 25\n31 x 200 + 25",
        "1x30000+25\r\n31X200+25\r\n",
        "30000 + 25\n31 × 200 + 25",
        "\n1 * 30,000 + 25\n\n31*200+25\n",
        "30,000 25\n31 200 25",
        "30.000 25\n31 200 25",
        "1,30000,25\n31,200,25",
        '1,"30,000",25\n31,200,25\n,,',
        "1\t30.000\t25\n31\t200\t25\t",
        "1;30 000;25\n31;200;25;",
        "1 x 30'000 + 25\n31 x 200 + 25",
        "\ufeffcount,prompt,answer\n1,30000,25\n31,200,25",
        "Requests\tPrompt tokens\tMax tokens\n1\t30,000\t25\n31\t200\t25",
        "answer;prompt;count\n25;30000;1\n25;200;31",
        "n,input,output\n1.0,30000.0,25.0\n31.0,200.0,25.0",
    ],
)
def test_ways_to_write_it(text):
    assert parse_mix(text) == (ONE, MANY)


@pytest.mark.parametrize("text", ["prompt,answer\n30000,25", "max_tokens\tprompt\n25\t30000"])
def test_a_header_of_two_columns(text):
    assert parse_mix(text) == (ONE,)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "there are zero requests; expected requests x prompt"),
        (" \n\t\n;;\n", None, "there are zero requests"),
        ("count,prompt,answer", None, "there are zero requests"),
        ("hello", 1, r"line 1 \('hello'\) is neither a row nor a header"),
        ("prompt,length", 1, "neither a row nor a header with the columns prompt and answer"),
        ("prompt,prompt,answer\n1,2,3", 1, "neither a row nor a header"),
        ("31 x 200 + 25\nhello", 2, r"line 2 \('hello'\) is no row of requests"),
        ("31 x 200 + 25\n\n200", 3, r"line 3 \('200'\) has no answer length"),
        ("30,000", 1, "has no answer length"),
        ("30,000,25", 1, "is no row of requests"),
        ("30k + 25", 1, "prompt must be a whole number, not '30k'"),
        ("3.5 25", 1, "prompt must be a whole number, not '3.5'"),
        ("-3 + 4", 1, "prompt must be a whole number, not '-3'"),
        ("200 + 0", 1, "answer must be from 1 to 10,000,000, not 0; try 1"),
        ("0 x 200 + 5", 1, "count must be from 1 to 10,000,000, not 0"),
        ("99,999,999 5", 1, "prompt must be from 1 to 10,000,000, not 99,999,999; try 10,000,000"),
        ("9" * 400, 1, "is no row of requests"),
        ("1 2 3 4", 1, "is no row of requests"),
        ("count,prompt,answer\n31,200", 2, "expected 3 columns, as in the header"),
        ("٣ + 4", 1, "prompt must be a whole number"),
        ("\x00\x01 7 8", 1, "count must be a whole number"),
        ("=1+2", 1, "prompt must be a whole number, not '=1'"),
        ("<html><body>1</body></html>", 1, "is no row of requests"),
        ("x" * 20_001, None, "20,001 characters are too many; at most 20,000"),
        ("200 25\n" * 201, None, "201 lines are too many; at most 200"),
        (None, None, "must be text, not NoneType"),
    ],
)
def test_junk_is_named_with_its_line(text, line, message):
    with pytest.raises(MixError, match=message) as error:
        parse_mix(text)
    assert error.value.line == line
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 220


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        groups = parse_mix(text)
    except MixError:
        return  # any other error fails the test
    assert groups
    assert all(min(g.count, g.prompt, g.answer) >= 1 for g in groups)


numbers = st.integers(1, 10_000_000)


@settings(deadline=None)
@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=20))
def test_what_is_shown_can_be_read_again(rows):
    groups = tuple(MixGroup(*row) for row in rows)
    assert parse_mix("\n".join(str(group) for group in groups)) == groups
    for separator in ("\t", ";", ","):
        assert parse_mix("\n".join(separator.join(map(str, row)) for row in rows)) == groups
    with_commas = "\n".join("\t".join(f"{n:,}" for n in row) for row in rows)
    assert parse_mix(with_commas) == groups
