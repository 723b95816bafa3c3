"""What may be set on the attention page, and what the message says when it cannot be."""

import numpy as np
import pytest

from pagedviz.timeline.attention.reading import read
from pagedviz.timeline.attention.setup import AttentionSetup, SetupError, with_text
from pagedviz.tokens import default_tokenizer
from tests.tokens.texts import HARD


@pytest.mark.parametrize(
    ("field", "least", "most"),
    [
        ("tokens", 1, 48),
        ("block_size", 1, 16),
        ("heads", 1, 8),
        ("kv_heads", 1, 8),
        ("head_size", 2, 16),
        ("seed", 0, 9999),
        ("moves", 0, 9999),
    ],
)
def test_limits_are_said(field, least, most):
    fitting = {"tokens": 16, "heads": 8, "kv_heads": 1}
    for good in (least, most):
        AttentionSetup(**{**fitting, "block_size": 16, field: good})
    for bad in (least - 1, most + 1, -(10**30)):
        with pytest.raises(SetupError, match=f"from {least} to {most:,}, not {bad:,}"):
            AttentionSetup(**{**fitting, field: bad})
    for junk in (None, True, 4.0, "4", [4], float("nan")):
        with pytest.raises(SetupError, match=f"whole number from {least} to {most:,}"):
            AttentionSetup(**{**fitting, field: junk})


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        (
            {"heads": 6, "kv_heads": 4},
            "go with 1, 2, 3 or 6 KV heads, 4 KV heads with 4 or 8 query heads.",
        ),
        ({"heads": 1, "kv_heads": 2}, "1 query heads go with 1 KV heads"),
        ({"head_size": 7}, "Try 6 or 8."),
        ({"head_size": 15}, "Try 14 or 16."),
        ({"head_size": 3}, "Try 2 or 4."),
        ({"tokens": 48, "block_size": 1}, "48 blocks, too many to read; 24 are the most."),
        ({"tokens": 25, "block_size": 1}, "Try blocks of 2 or more."),
        ({"numbers": "int4"}, "float32, float64, float16 or fp8, not 'int4'"),
        ({"text": "Hello"}, "tokens are missing"),
        ({"ids": (1, 2)}, "tokens are missing"),
    ],
)
def test_what_does_not_go_together_says_what_would(sizes, said):
    with pytest.raises(SetupError) as caught:
        AttentionSetup(**sizes)
    assert said in str(caught.value)


@pytest.mark.parametrize("reads", [(0, 1, 2), (0,) * 6, (0, 1, 2, 3, 99), (0, 1, 2, 3, -1)])
def test_table_that_names_nothing_is_refused(reads):
    with pytest.raises(SetupError, match=r"has 5 lines, not|content 0 to 14, not"):
        read(AttentionSetup(reads=reads))


def test_a_sentence_brings_its_own_tokens_and_mends_the_table():
    broken = AttentionSetup(reads=(0, 2, 1, 3, 4), past=True, moves=3)
    setup = with_text(broken, "The cat sat on the mat.", default_tokenizer())
    assert setup.pieces == ("The", "·cat", "·sat", "·on", "·the", "·mat", ".")
    assert (setup.tokens, len(setup.ids), setup.reads, setup.past) == (7, 7, None, False)
    assert setup.moves == 3
    other = with_text(broken, "The cat sat on the hat.", default_tokenizer())
    before, after = (read(each).room.projected.key for each in (setup, other))
    assert np.array_equal(before[:5], after[:5])
    assert not np.array_equal(before[5], after[5])


@pytest.mark.parametrize("blank", ["", " ", "\n\t \u2003"])
def test_blank_text_goes_back_to_made_up_tokens(blank):
    typed = with_text(AttentionSetup(), "Hello you", default_tokenizer())
    back = with_text(typed, blank, default_tokenizer())
    assert (back.text, back.ids, back.pieces, back.tokens) == ("", (), (), 2)


def test_long_text_makes_the_blocks_larger_and_too_long_is_refused():
    small = AttentionSetup(block_size=1)
    setup = with_text(small, " word" * 48, default_tokenizer())
    assert (setup.tokens, setup.block_size, setup.lines) == (48, 2, 24)
    with pytest.raises(SetupError, match="has 49 tokens; at most 48"):
        with_text(small, " word" * 49, default_tokenizer())
    with pytest.raises(SetupError, match=r"has \d+,\d\d\d tokens; at most 48.*Shorten it"):
        with_text(small, "a b" * 100_000, default_tokenizer())


UNUSUAL = {
    **{name: text[:24] for name, text in HARD.items()},
    "markup": "**b** <i>x</i> ![p](http://a.io)",
    "half a character": "a\ud800b",
    "NUL": "a\0b",
    "zero width": "\u200b",
}


@pytest.mark.parametrize("text", UNUSUAL.values(), ids=UNUSUAL)
def test_any_text_can_be_read(text):
    setup = with_text(AttentionSetup(), text, default_tokenizer())
    assert setup.tokens == len(setup.ids) == len(setup.pieces) > 0
    assert all(setup.pieces)
    setup.text.encode()  # fit for a URL
    assert np.isfinite(read(setup).output).all()
