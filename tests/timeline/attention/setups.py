"""Setups of the attention page for the tests, and attention computed here once more, plainly."""

import re

import ml_dtypes
import numpy as np
from hypothesis import strategies as st

from pagedviz.timeline.attention.places import make_room
from pagedviz.timeline.attention.setup import (
    MAX_BLOCK_SIZE,
    MAX_HEAD_SIZE,
    MAX_HEADS,
    MAX_LINES,
    MAX_SEED,
    MAX_TOKENS,
    NUMBERS,
    AttentionSetup,
)
from pagedviz.timeline.attention.trials import TRIALS, Missing, trial

# Largest difference from attention in float64 over the numbers that the cache holds.
BOUND = {"float32": 5e-6, "float16": 5e-6, "fp8": 5e-6, "float64": 1e-13}
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@st.composite
def setups(draw, moves=None):
    """Any setup that can be, with the table intact."""
    tokens = draw(st.integers(1, MAX_TOKENS))
    kv_heads = draw(st.integers(1, MAX_HEADS))
    return AttentionSetup(
        tokens=tokens,
        block_size=draw(st.integers(-(-tokens // MAX_LINES), MAX_BLOCK_SIZE)),
        kv_heads=kv_heads,
        heads=kv_heads * draw(st.integers(1, MAX_HEADS // kv_heads)),
        head_size=2 * draw(st.integers(1, MAX_HEAD_SIZE // 2)),
        seed=draw(st.integers(0, MAX_SEED)),
        numbers=draw(st.sampled_from(NUMBERS)),
        moves=0 if moves is None else draw(moves),
    )


@st.composite
def told_setups(draw):
    """Setups moved, broken or pointed elsewhere: all that sentences are made for."""
    setup = draw(setups(st.sampled_from([0, 1, 9999])))
    room = make_room(setup)
    how = draw(st.sampled_from([*TRIALS, "lines"]))
    if how == "lines":
        content = st.integers(0, len(room.contents) - 1)
        reads = draw(st.lists(content, min_size=setup.lines, max_size=setup.lines))
        return AttentionSetup(**{**vars(setup), "reads": tuple(reads)})
    found = trial(setup, room, how)
    return setup if isinstance(found, Missing) else found


def kept(values, numbers):
    """What comes back from a cache of these numbers, rounded by somebody else's code."""
    if numbers == "fp8":
        return values.astype(ml_dtypes.float8_e4m3fn).astype(np.float64)
    return values.astype(numbers).astype(np.float64)


def plain_attention(query, key, value):
    """(output, weights) of query (heads, d) over key, value (tokens, kv_heads, d) in float64."""
    output, weights = np.zeros(query.shape), np.zeros((len(query), len(key)))
    group = len(query) // key.shape[1]
    for head, q in enumerate(query.astype(np.float64)):
        scores = key[:, head // group].astype(np.float64) @ q / q.size**0.5
        share = np.exp(scores - scores.max())
        weights[head] = share / share.sum()
        output[head] = weights[head] @ value[:, head // group].astype(np.float64)
    return output, weights


def read_slots(reading):
    """(keys, values) that the lines of a reading name, taken from where they lay at first."""
    room, size = reading.room, reading.setup.block_size
    contents = reading.setup.reads or tuple(range(reading.setup.lines))
    count = reading.setup.tokens
    if reading.setup.past:
        contents, count = (*contents, room.stale), (len(contents) + 1) * size
    home = [room.home[content] for content in contents]
    parts = []
    for cache in (room.key_cache, room.value_cache):
        run = cache[home].reshape(-1, *cache.shape[2:])[:count]
        parts.append(kept(run, reading.setup.numbers))
    return tuple(parts)


def number_in(text):
    """The number as the captions write it, back again.

    >>> number_in("6.0\\xa0·\\xa010⁻⁸"), number_in("−0.5"), number_in("−∞")
    (6e-08, -0.5, -inf)
    """
    text = text.replace("−", "-").replace("∞", "inf")
    if "·" in text:
        factor, power = re.split(r"\s*·\s*10", text)
        return float(f"{factor}e{power.translate(_RAISED)}")
    return float(text)
