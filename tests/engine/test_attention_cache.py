"""What is written through a slot mapping is what attention reads."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.engine.attention import (
    AttentionError,
    dense_attention,
    gather_kv,
    paged_attention,
    write_kv,
)


def new_tokens(count, num_kv_heads=2, head_size=4, seed=0, dtype=np.float32):
    rng = np.random.default_rng(seed)
    key = rng.standard_normal((count, num_kv_heads, head_size)).astype(dtype)
    return key, -2 * key


def empty_caches(num_blocks, block_size, num_kv_heads=2, head_size=4, dtype=np.float32):
    shape = (num_blocks, block_size, num_kv_heads, head_size)
    return np.full(shape, np.nan, dtype), np.full(shape, np.nan, dtype)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 9), st.integers(1, 40), st.data())
def test_a_slot_is_a_block_and_an_offset(block_size, count, data):
    num_blocks = -(-count // block_size) + 1
    slots = data.draw(st.permutations(range(num_blocks * block_size)))[:count]
    padded = [data.draw(st.booleans()) for _ in slots]
    mapping = [-1 if skip else slot for slot, skip in zip(slots, padded, strict=True)]
    key, value = new_tokens(count)
    caches = empty_caches(num_blocks, block_size)
    write_kv(key, value, *caches, mapping)
    for cache, new in zip(caches, (key, value), strict=True):
        expected = np.full_like(cache, np.nan)
        for token, slot in enumerate(mapping):
            if slot >= 0:
                expected[slot // block_size, slot % block_size] = new[token]
        assert np.array_equal(cache, expected, equal_nan=True)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_written_token_by_token_and_read_back(dtype):
    key, value = new_tokens(11)
    caches, table = empty_caches(6, 4, dtype=dtype), [5, 0, 3]
    query = np.ones((1, 4, 4), np.float32)
    for token in range(11):
        slot = table[token // 4] * 4 + token % 4
        write_kv(key[token : token + 1], value[token : token + 1], *caches, np.array([slot]))
        result = paged_attention(query, *caches, [table], [token + 1])
        kept = [new[: token + 1].astype(dtype) for new in (key, value)]
        assert np.abs(result[0] - dense_attention(query[0], *kept)).max() < 1e-6
    for cache, new in zip(caches, (key, value), strict=True):
        gathered = gather_kv(cache, table, 11)
        assert gathered.dtype == dtype
        assert np.array_equal(gathered, new.astype(dtype))


def test_views_are_written_through():
    both = np.zeros((3, 2, 4, 2, 4))  # (num_blocks, keys and values, ...)
    key, value = new_tokens(2)
    write_kv(key, value, both[:, 0], both[:, 1], np.array([11, 0], np.uint8))
    assert np.array_equal(both[2, 0, 3], key[0])
    assert np.array_equal(both[0, 1, 0], value[1])
    assert np.count_nonzero(both.any(axis=(-1, -2))) == 4


def test_nothing_to_write():
    caches = empty_caches(2, 4)
    write_kv(*new_tokens(0), *caches, [])
    write_kv(*new_tokens(3), *caches, [-1, -1, -1])
    assert np.isnan(caches).all()


def test_infinity_and_nan_are_kept():
    key, value = new_tokens(1)
    key[0, 0, :2] = np.inf, np.nan
    caches = empty_caches(1, 2, dtype=np.float16)
    write_kv(key, value, *caches, [1])
    assert np.isinf(caches[0][0, 1, 0, 0])


def test_a_gathered_run_is_a_copy():
    cache = np.zeros((1, 4, 1, 1))
    gather_kv(cache, [0], 4)[:] = 1
    assert not cache.any()


LARGE = np.full((2, 2, 4), 7e4, np.float32)
KEY, VALUE = new_tokens(2)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"slot_mapping": [0, 8]}, r"slot_mapping\[1\] is 8, but the cache has 8 slots: .*0 to 7"),
        ({"slot_mapping": [3, 3]}, "slot 3 for tokens 0 and 1"),
        ({"slot_mapping": [0, -2]}, r"slot_mapping\[1\] must be a whole number of at least -1"),
        ({"slot_mapping": [0, 1.5]}, r"slot_mapping\[1\] must be a whole number"),
        ({"slot_mapping": [True, 2]}, r"slot_mapping\[0\] must be a whole number"),
        ({"slot_mapping": [0]}, r"one axis of 2 entries, not shape \(1,\)"),
        ({"slot_mapping": [[0, 1]]}, "one axis of 2 entries"),
        ({"value": VALUE[:1]}, "key has shape .* and value .*same"),
        ({"key": KEY[0], "value": VALUE[0]}, r"key must have 3 axes"),
        ({"key": KEY.astype(int)}, "key must be float16, float32 or float64, not int"),
        ({"value": LARGE}, "value of token 0 holds 70000.0, beyond what a float16 cache"),
        ({"key": KEY[:, :1], "value": VALUE[:, :1]}, "key_cache has 2 KV heads of 4 and key 1 of"),
        ({"key": KEY[..., :3], "value": VALUE[..., :3]}, "2 KV heads of 4 and key 2 of 3"),
        ({"value_cache": np.zeros((3, 4, 2, 4))}, "they must be the same"),
        ({"value_cache": [[[[0.0]]]]}, "value_cache must be a numpy array"),
        ({"value_cache": np.zeros((2, 4, 2, 4), int)}, "value_cache must be float16"),
        ({"key_cache": np.zeros((2, 0, 2, 4))}, "key_cache has block_size 0"),
    ],
)
def test_what_does_not_fit_is_named_and_nothing_is_written(change, said):
    key_cache, value_cache = empty_caches(2, 4, dtype=np.float16)
    given_arguments = {
        "key": KEY,
        "value": VALUE,
        "key_cache": key_cache,
        "value_cache": value_cache,
        "slot_mapping": [0, 5],
    }
    with pytest.raises(AttentionError, match=said):
        write_kv(**(given_arguments | change))
    assert np.isnan(key_cache).all()
    assert np.isnan(value_cache).all()


def test_a_read_only_cache_is_refused():
    key_cache, value_cache = empty_caches(2, 4)
    value_cache.flags.writeable = False
    with pytest.raises(AttentionError, match="value_cache is read-only"):
        write_kv(KEY, VALUE, key_cache, value_cache, [0, 1])
    assert np.isnan(key_cache).all()


@pytest.mark.parametrize(
    ("table", "length", "said"),
    [
        ([0, 2], 5, "block 2 on line 1, but the cache has 2 blocks"),
        ([0], 5, "cover 4 in blocks of 4: it needs 2 entries"),
        ([0, 1], -1, "at least 0"),
    ],
)
def test_gathering_what_is_not_there(table, length, said):
    with pytest.raises(AttentionError, match=said):
        gather_kv(empty_caches(2, 4)[0], table, length)
