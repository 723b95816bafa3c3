"""Links to the attention page: all of it comes back, and what is damaged is named."""

import pytest

from pagedviz.timeline.attention.setup import AttentionSetup
from pagedviz.ui.attention_link import params
from pagedviz.ui.attention_state import SHOP
from pagedviz.ui.attention_words import ENGINE
from tests.attention_page import DEFAULT, key, opened, said, setup_of

FULL_LINK = {
    "tokens": "21",
    "size": "8",
    "heads": "6",
    "kv": "3",
    "dim": "4",
    "seed": "7",
    "numbers": "fp8",
    "moves": "5",
    "reads": "0.2.1",
    "past": "1",
}


def test_a_link_brings_everything_back():
    page = opened(**FULL_LINK, step="9", pin="4", head="5", zoom="2", words="engine")
    assert not page.warning
    assert setup_of(page) == AttentionSetup(
        tokens=21,
        block_size=8,
        heads=6,
        kv_heads=3,
        head_size=4,
        seed=7,
        numbers="fp8",
        moves=5,
        reads=(0, 2, 1),
        past=True,
    )
    bench = page.session_state[SHOP]
    assert (bench.opening.step, bench.opening.pin, bench.view) == (9, 4, (5, 2))
    assert page.number_input(key=key(page, "tokens")).label == ENGINE["tokens"]
    assert params(setup_of(page)) == {"v": "1", **FULL_LINK}
    typed = setup_of(opened(text="Hello there you", size="2", tokens="40"))
    assert (typed.tokens, typed.text, typed.block_size) == (3, "Hello there you", 2)
    assert params(typed) == {"v": "1", "size": "2", "text": "Hello there you"}
    assert params(DEFAULT) == {"v": "1"}


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("v", "9", "v: 9 was made by a newer release"),
        ("tokens", "500", "tokens: must be a whole number from 1 to 48"),
        ("size", "x", "size: must be a whole number"),
        ("heads", "-1", "heads: must be a whole number from 1 to 8"),
        ("kv", "1.5", "kv: must be a whole number"),
        ("dim", "1", "dim: must be a whole number from 2 to 16"),
        ("seed", "99999", "seed: must be a whole number from 0 to 9,999"),
        ("numbers", "int4", "numbers: must be one of float32, float64, float16, fp8"),
        ("moves", "1e3", "moves: must be a whole number"),
        ("reads", "0.a.2", "reads: must be a whole number"),
        ("reads", ".".join("0" * 25), "reads: can have 24 lines at most"),
        ("past", "yes", "past: must be one of 1"),
        ("step", "98765", "step: must be a whole number"),
        ("step", "22", "step: this reading ends at step 21, not 22"),
        ("pin", "0", "pin: must be a whole number from 1 to 63"),
        ("pin", "16", "pin: the last block is 15, not 16"),
        ("head", "7", "head: the last query head is 3, not 7"),
        ("zoom", "3", "zoom: must be a whole number from 0 to 2"),
        ("words", "poem", "words: must be one of room, engine"),
    ],
)
def test_a_damaged_parameter_is_named_and_the_rest_counts(name, value, why):
    other = {"seed": "8"} if name != "seed" else {"dim": "4"}
    page = opened(**{name: value}, **other)
    assert said(page).startswith("Not all of this link could be used")
    assert why in said(page).replace("\\", "")
    assert said(page).count("\n- ") == 1
    fields = {"seed": 8} if name != "seed" else {"head_size": 4}
    assert setup_of(page) == AttentionSetup(**fields)
    bench = page.session_state[SHOP]
    assert bench.opening.step <= 21
    assert bench.opening.pin is None
    if name == "step" and value == "22":
        assert bench.opening.step == 21


@pytest.mark.parametrize(
    ("link", "why", "kept"),
    [
        ({"heads": "3"}, "3 readers cannot share 2 cards per box", {}),
        ({"tokens": "48", "size": "1"}, "48 shelves, too many", {"tokens": 48}),
        ({"dim": "9", "seed": "3"}, "Try 8 or 10", {"seed": 3}),
        ({"reads": "0.1"}, "has 5 lines, not 2", {}),
        ({"reads": "0.1.2.3.60"}, "content 0 to 14, not 60", {}),
        ({"text": "word " * 60, "size": "2"}, "at most 48 can be read here", {"block_size": 2}),
    ],
)
def test_sizes_that_do_not_go_together_are_said_and_the_rest_counts(link, why, kept):
    page = opened(**link, zoom="1")
    assert why in said(page)
    assert setup_of(page) == AttentionSetup(**kept)
    assert page.session_state[SHOP].view == (0, 1)
