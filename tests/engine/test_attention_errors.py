"""What attention cannot be computed over is named: the argument, the place, the limit."""

import numpy as np
import pytest

from pagedviz.engine.attention import (
    attention_steps,
    dense_attention,
    paged_attention,
    paged_prefill_attention,
)
from pagedviz.engine.errors import AttentionError, EngineError

QUERY = np.zeros((2, 4, 8), np.float32)  # 2 sequences, 4 heads
CACHE = np.zeros((5, 4, 2, 8), np.float32)  # 5 blocks of 4, 2 KV heads
TABLES = [[0, 1], [2, 3]]


def arguments(**change):
    given_arguments = {
        "query": QUERY,
        "key_cache": CACHE,
        "value_cache": CACHE,
        "block_tables": TABLES,
        "seq_lens": [8, 5],
    }
    return given_arguments | change


def both(cache):
    return {"key_cache": cache, "value_cache": cache}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"query": np.zeros((2, 6, 8)), **both(np.zeros((5, 4, 4, 8)))},
            "num_heads must be a multiple of num_kv_heads 4, not 6: take 4 or 8",
        ),
        (
            {"query": np.zeros((2, 1, 8))},
            "num_heads must be a multiple of num_kv_heads 2, not 1: take 2",
        ),
        ({"query": np.zeros((2, 4, 0)), **both(np.zeros((5, 4, 2, 0)))}, "head_size 0"),
        ({"query": np.zeros((2, 4, 16))}, "query has head_size 16 and key_cache 8"),
        ({"query": np.zeros((2, 0, 8))}, "query has 0 heads"),
        (both(np.zeros((5, 4, 0, 8))), "key_cache has 0 KV heads"),
        (both(np.zeros((5, 0, 2, 8))), "block_size 0"),
        ({"value_cache": np.zeros((6, 4, 2, 8))}, "key_cache has shape .*value_cache .*the same"),
        ({"query": QUERY[0]}, r"query must have 3 axes \(num_seqs, num_heads, head_size\)"),
        ({"key_cache": CACHE[0]}, "key_cache must have 4 axes"),
        ({"query": QUERY.astype(int)}, "query must be float16, float32 or float64, not int"),
        ({"value_cache": CACHE.astype(complex)}, "value_cache must be float16"),
        (
            {"block_tables": [[0, 1], [2, 7]]},
            "sequence 1 has block 7 on line 1, but the cache has 5 blocks: .* one of 0 to 4",
        ),
        ({"block_tables": [[-1, 1], [2, 3]]}, "sequence 0 has block -1 on line 0"),
        ({"block_tables": np.array([[0, 1], [2, 2**40]])}, "sequence 1 has block 1099511627776"),
        ({"block_tables": [[0, 1], [2, 10**30]]}, "sequence 1 has block 10000"),
        ({"block_tables": [[0, 1], [2, 3.0]]}, "sequence 1 has 3.0 on line 1: .*whole number"),
        ({"block_tables": [[0, 1], [2, None]]}, "sequence 1 has None on line 1"),
        ({"block_tables": [[0, True], [2, 3]]}, "sequence 0 has True on line 1"),
        ({"block_tables": np.zeros((2, 2))}, r"sequence 0 has 0\.0 on line 0"),
        ({"block_tables": [0, 1]}, "table of sequence 0 must be a list"),
        ({"block_tables": np.array([0, 1])}, "block_tables must have 2 axes"),
        ({"block_tables": [[0, 1]]}, "1 lines for 2 sequences"),
        ({"block_tables": 3}, "block_tables must be an array or a list of lists, not 3"),
        (
            {"seq_lens": [9, 5]},
            "sequence 0 has 9 tokens, but the 2 entries of its block table cover 8 in blocks of 4: "
            "it needs 3 entries, or at most that many tokens",
        ),
        ({"seq_lens": [8, -1]}, r"seq_lens\[1\] must be a whole number of at least 0, not -1"),
        ({"seq_lens": [8, 2.5]}, r"seq_lens\[1\] must be a whole number"),
        ({"seq_lens": [8]}, r"seq_lens must have one axis of 2 entries, not shape \(1,\)"),
        ({"seq_lens": 8}, "seq_lens must have one axis"),
        ({"scale": float("nan")}, "scale must be a finite number, not nan"),
        ({"scale": "large"}, "scale must be a finite number, not 'large'"),
        ({"sliding_window": 0}, "sliding_window must be .* at least 1, not 0"),
        ({"sliding_window": 2.5}, "sliding_window"),
        ({"soft_cap": -1.0}, "soft_cap must be above 0, or 0 or None for none, not -1"),
        ({"alibi_slopes": [1.0, 2.0]}, "alibi_slopes must be 4 finite numbers"),
        ({"alibi_slopes": [1.0, 2.0, 3.0, np.inf]}, "alibi_slopes must be 4 finite numbers"),
        ({"alibi_slopes": "steep"}, "alibi_slopes must be 4 finite numbers"),
    ],
)
def test_decode(change, said):
    with pytest.raises(AttentionError, match=said):
        paged_attention(**arguments(**change))


def test_the_error_is_a_value_error_of_the_engine():
    assert issubclass(AttentionError, EngineError)
    assert issubclass(AttentionError, ValueError)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "either query_start_loc or query_lens"),
        ({"query_lens": [1, 1], "query_start_loc": [0, 1, 2]}, "and not both"),
        ({"query_lens": [1, 2]}, "counts query tokens 0 to 3, but query has 2"),
        ({"query_lens": [1]}, "query_lens must have one axis of 2 entries"),
        ({"query_lens": [3, -1]}, r"query_lens\[1\] must be a whole number of at least 0"),
        ({"query_start_loc": [0, 2]}, "query_start_loc must have one axis of 3 entries"),
        ({"query_start_loc": [1, 1, 2]}, "counts query tokens 1 to 2, but query has 2"),
        ({"query_start_loc": [0, 3, 2]}, "must not fall, as it does at 2"),
        (
            {"query_lens": [0, 2], "seq_lens": [8, 1]},
            r"sequence 1 has 2 query tokens, but seq_lens\[1\] is 1",
        ),
        ({"query_lens": [1, 1], "seq_lens": [9, 5]}, "sequence 0 has 9 tokens"),
        ({"query_lens": [1, 1], "seq_lens": 4}, "seq_lens must have one axis"),
        ({"query_lens": [1, 1], "block_tables": [[0, 1]]}, "1 lines for 2 sequences"),
        ({"query_lens": [1, 1], "block_tables": [[0, 1], [9, 1]]}, "sequence 1 has block 9"),
    ],
)
def test_prefill(change, said):
    with pytest.raises(AttentionError, match=said):
        paged_prefill_attention(**arguments(**change))


RUN = np.zeros((6, 2, 8))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"query": np.zeros(8)}, "query must have 3 axes"),
        ({"query": np.zeros((3, 8))}, "num_heads must be a multiple of num_kv_heads 2, not 3"),
        ({"key": RUN[:5]}, r"key has shape \(5, 2, 8\) and value \(6, 2, 8\)"),
        ({"query": np.zeros((2, 4))}, "query has head_size 4 and key 8"),
        ({"query": np.zeros((7, 4, 8)), "causal": True}, "query has 7 tokens and key 6"),
        ({"soft_cap": "x"}, "soft_cap must be a finite number"),
    ],
)
def test_dense(change, said):
    with pytest.raises(AttentionError, match=said):
        dense_attention(**({"query": np.zeros((4, 8)), "key": RUN, "value": RUN} | change))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"query": QUERY}, r"query must have 2 axes \(num_heads, head_size\)"),
        ({"block_table": [0, 9]}, "has block 9 on line 1"),
        ({"seq_len": 9}, "needs 3 entries"),
        ({"seq_len": 2.0}, "must be a whole number"),
        ({"dtype": np.float16}, "dtype must be float32 or float64"),
        ({"dtype": "no such"}, "dtype must be float32 or float64, not 'no such'"),
        ({"scale": float("inf")}, "scale must be a finite number"),
    ],
)
def test_steps(change, said):
    given_arguments = {
        "query": QUERY[0],
        "key_cache": CACHE,
        "value_cache": CACHE,
        "block_table": [0, 1],
        "seq_len": 8,
    }
    with pytest.raises(AttentionError, match=said):
        attention_steps(**(given_arguments | change))


def test_an_unused_entry_is_no_error():
    result = paged_attention(**arguments(block_tables=[[0, -5], [2, 3]], seq_lens=[4, 5]))
    assert result.shape == QUERY.shape
