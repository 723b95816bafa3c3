"""Keys and values into their slots, and out again.

What it does: `write_kv` puts the keys and values of new tokens where the slot mapping says;
slot 35 is offset 3 of block 2 if a block holds 16. `gather_kv` lays a sequence's tokens out in
one run, which is what a model without paging would have in memory.

What it leaves out: quantised caches. `kv_rounding.py` shows what a smaller format keeps.

Source: vLLM 0.33.0, csrc/cache_kernels.cu, reshape_and_cache_flash.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagedviz.engine.attention_inputs import (
    Floats,
    float_array,
    used_blocks,
    whole_number,
    whole_numbers,
)
from pagedviz.engine.errors import AttentionError

CACHE_AXES = ("num_blocks", "block_size", "num_kv_heads", "head_size")
PAD_SLOT_ID = -1  # a token that is not kept: padding of a batch


def write_kv(
    key: Floats,
    value: Floats,
    key_cache: Floats,
    value_cache: Floats,
    slot_mapping: NDArray[np.integer[Any]] | Sequence[int],
) -> None:
    """Put the keys and values of some tokens into the caches, in place.

    `key`, `value` (num_tokens, num_kv_heads, head_size); `slot_mapping` (num_tokens,), each
    block * block_size + offset, or -1 for a token that is to be skipped. They are rounded
    to the dtype of the cache. Raises AttentionError, before anything is written, if
    shapes differ, a slot does not exist or is named twice, or a number does not fit.

    >>> key_cache, value_cache = np.zeros((2, 4, 1, 1)), np.zeros((2, 4, 1, 1))
    >>> new = np.array([[[1.0]], [[2.0]], [[3.0]]])
    >>> write_kv(new, -new, key_cache, value_cache, [6, -1, 0])
    >>> key_cache[:, :, 0, 0].tolist()
    [[3.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]
    """
    key = float_array("key", key, ("num_tokens", "num_kv_heads", "head_size"))
    value = float_array("value", value, ("num_tokens", "num_kv_heads", "head_size"))
    if key.shape != value.shape:
        raise AttentionError(
            f"key has shape {key.shape} and value {value.shape}: they must be the same"
        )
    for name, cache in (("key_cache", key_cache), ("value_cache", value_cache)):
        _check_cache(name, cache, key)
    if key_cache.shape != value_cache.shape:
        raise AttentionError(
            f"key_cache has shape {key_cache.shape} and value_cache {value_cache.shape}: "
            "they must be the same"
        )
    num_blocks, block_size = key_cache.shape[:2]
    slots = whole_numbers("slot_mapping", slot_mapping, len(key), minimum=PAD_SLOT_ID)
    _check_slots(slots, num_blocks * block_size)
    kept = np.flatnonzero(np.array(slots, np.int64) != PAD_SLOT_ID)
    new_key = _rounded("key", key[kept], key_cache, kept)
    new_value = _rounded("value", value[kept], value_cache, kept)
    if not len(kept):
        return
    block, offset = np.divmod(np.array(slots, np.int64)[kept], block_size)
    key_cache[block, offset] = new_key
    value_cache[block, offset] = new_value


def gather_kv(
    cache: Floats, block_table: NDArray[np.integer[Any]] | Sequence[int], seq_len: int
) -> Floats:
    """The first `seq_len` tokens of a sequence in one run (seq_len, num_kv_heads, head_size).

    A copy, in the dtype of the cache. Raises AttentionError as `paged_attention` does.

    >>> cache = np.arange(12.0).reshape(3, 4, 1, 1)
    >>> gather_kv(cache, [2, 0], 6).ravel()
    array([ 8.,  9., 10., 11.,  0.,  1.])
    """
    cache = float_array("cache", cache, CACHE_AXES)
    if cache.shape[1] < 1:
        raise AttentionError("cache has block_size 0: it must be at least 1")
    length = whole_number("seq_len", seq_len, 0)
    blocks = used_blocks([block_table], 0, 0, length, cache)
    tokens: Floats = cache[blocks].reshape(-1, *cache.shape[2:])[:length]
    return tokens


def _check_cache(name: str, cache: Floats, key: Floats) -> None:
    """A cache that can be written to, with room for such keys."""
    if not isinstance(cache, np.ndarray):
        raise AttentionError(f"{name} must be a numpy array: it is written in place")
    float_array(name, cache, CACHE_AXES)
    if cache.shape[2:] != key.shape[1:]:
        raise AttentionError(
            f"{name} has {cache.shape[2]} KV heads of {cache.shape[3]} and key {key.shape[1]} of "
            f"{key.shape[2]}: they must be the same"
        )
    if cache.shape[1] < 1:
        raise AttentionError(f"{name} has block_size 0: it must be at least 1")
    if not cache.flags.writeable:
        raise AttentionError(f"{name} is read-only: give a copy that can be written to")


def _check_slots(slots: list[int], num_slots: int) -> None:
    """Every slot exists, and no two tokens go into the same one."""
    taken: dict[int, int] = {}  # slot -> token
    for token, slot in enumerate(slots):
        if slot == PAD_SLOT_ID:
            continue
        if slot >= num_slots:
            raise AttentionError(
                f"slot_mapping[{token}] is {slot}, but the cache has {num_slots} slots: "
                f"it must be one of 0 to {num_slots - 1}, or -1 to skip the token"
            )
        if slot in taken:
            raise AttentionError(
                f"slot_mapping has slot {slot} for tokens {taken[slot]} and {token}: "
                "a slot holds one token"
            )
        taken[slot] = token


def _rounded(name: str, new: Floats, cache: Floats, tokens: NDArray[np.intp]) -> Floats:
    """`new` in the dtype of the cache; a finite number must not turn into infinity."""
    with np.errstate(over="ignore", under="ignore"):
        rounded = new.astype(cache.dtype)
    lost = np.isinf(rounded) & np.isfinite(new)
    if lost.any():
        where = np.argwhere(lost)[0]
        raise AttentionError(
            f"{name} of token {tokens[where[0]]} holds {new[tuple(where)]}, beyond what a "
            f"{cache.dtype} cache can hold (at most {np.finfo(cache.dtype).max})"
        )
    return rounded
