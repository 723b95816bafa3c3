"""Random sequences in scattered blocks, and the formula in float64 to hold results against."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st


@dataclass
class Case:
    """Some sequences: their tokens in one run each, and the same in blocks.

    query (num_seqs, num_heads, head_size); keys, values: a run (seq_len, num_kv_heads,
    head_size) for each sequence.
    """

    query: np.ndarray
    keys: list[np.ndarray]
    values: list[np.ndarray]
    key_cache: np.ndarray
    value_cache: np.ndarray
    tables: np.ndarray
    seq_lens: list[int]

    @property
    def paged(self):
        """The arguments of paged_attention."""
        return self.query, self.key_cache, self.value_cache, self.tables, self.seq_lens


def make_case(
    seq_lens, block_size, num_heads, num_kv_heads, head_size, seed=0, dtype=np.float32, spread=1.0
):
    """Blocks in random order; NaN in every slot, and nonsense on every line, not used."""
    rng = np.random.default_rng(seed)
    counts = [-(-length // block_size) for length in seq_lens]
    num_blocks = sum(counts) + int(rng.integers(0, 4))
    shape = (num_blocks, block_size, num_kv_heads, head_size)
    key_cache, value_cache = np.full(shape, np.nan, dtype), np.full(shape, np.inf, dtype)
    order = iter(rng.permutation(num_blocks).tolist())
    width = max(counts, default=0) + int(rng.integers(0, 3))
    tables = rng.choice([-(2**31), -1, num_blocks, 2**31 - 1], (len(seq_lens), width))
    keys, values = [], []
    for seq, length in enumerate(seq_lens):
        run = (length, num_kv_heads, head_size)
        keys.append((spread * rng.standard_normal(run)).astype(dtype))
        values.append(rng.standard_normal(run).astype(dtype))
        for line in range(counts[seq]):
            block = tables[seq, line] = next(order)
            some = slice(line * block_size, (line + 1) * block_size)
            key_cache[block, : len(keys[seq][some])] = keys[seq][some]
            value_cache[block, : len(keys[seq][some])] = values[seq][some]
    query = rng.standard_normal((len(seq_lens), num_heads, head_size)).astype(dtype)
    return Case(query, keys, values, key_cache, value_cache, tables, list(seq_lens))


class Expected(NamedTuple):
    """What the formula says, and how large the numbers are that it averages."""

    output: np.ndarray  # (n, num_heads, head_size)
    size: np.ndarray  # the same with |value| in place of value: nothing cancels

    def __getitem__(self, rows):
        return Expected(self.output[rows], self.size[rows])


@st.composite
def cases(draw, dtype=np.float32, max_tokens=300, most_seqs=4):
    """Any shape: blocks of 1 to 128, all kinds of head sharing, all lengths from 0."""
    block_size = draw(st.sampled_from([1, 2, 3, 7, 16, 33, 64, 128]) | st.integers(1, 128))
    on_border = st.integers(0, max_tokens // block_size).map(lambda n: n * block_size)
    lengths = st.integers(0, max_tokens) | on_border | st.just(1)
    num_kv_heads = draw(st.integers(1, 4))
    return make_case(
        draw(st.lists(lengths, min_size=1, max_size=most_seqs)),
        block_size,
        num_kv_heads * draw(st.sampled_from([1, 2, 3, 4, 8])),
        num_kv_heads,
        draw(st.sampled_from([1, 2, 8, 24, 64, 80, 128]) | st.integers(1, 40)),
        seed=draw(st.integers(0, 2**32 - 1)),
        dtype=dtype,
    )


def reference(query, key, value, positions=None, scale=None, window=None, slopes=None, cap=None):
    """Attention in float64, head by head and query by query: the formula spelled out.

    query (n, num_heads, head_size) sits at `positions` (n,), unless given at the last token.
    """
    query, key, value = (np.asarray(x, np.float64) for x in (query, key, value))
    num_queries, num_heads, head_size = query.shape
    group = num_heads // key.shape[1]
    output, size = np.zeros(query.shape), np.zeros(query.shape)
    for i in range(num_queries):
        position = len(key) - 1 if positions is None else positions[i]
        first = 0 if window is None else max(0, position - window + 1)
        seen = slice(first, position + 1)
        for head in range(num_heads):
            kv_head = head // group
            scores = key[seen, kv_head] @ query[i, head]
            scores *= head_size**-0.5 if scale is None else scale
            if cap is not None:
                scores = cap * np.tanh(scores / cap)
            if slopes is not None:
                scores = scores + slopes[head] * (np.arange(first, position + 1) - position)
            if len(scores):
                weights = np.exp(scores - scores.max())
                output[i, head] = weights @ value[seen, kv_head] / weights.sum()
                size[i, head] = weights @ np.abs(value[seen, kv_head]) / weights.sum()
    return Expected(output, size)


def decode_reference(case, **options):
    """What paged_attention should say, sequence by sequence."""
    rows = [
        reference(case.query[seq : seq + 1], case.keys[seq], case.values[seq], **options)
        for seq in range(len(case.seq_lens))
    ]
    return Expected(*(np.concatenate(part) for part in zip(*rows, strict=True)))


def assert_close(result, expected, tolerance=1e-5):
    """Each head's largest difference is at most `tolerance` of its largest average of |value|.

    (Of its largest output where `expected` is an array: there, values may have cancelled.)
    """
    output, size = expected if isinstance(expected, Expected) else (expected, np.abs(expected))
    assert result.shape == output.shape
    difference = np.abs(result - output).max(axis=-1, initial=0.0)
    largest = size.max(axis=-1, initial=0.0)
    assert (difference <= tolerance * largest).all(), np.max(difference / largest)
