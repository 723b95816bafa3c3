"""What attention is asked to work on, checked at the door.

What it does: looks at the arrays, lengths and block tables that `attention.py` is given,
and says which one does not fit, where, and what would. Everything behind the door can then
be plain arithmetic.

What it leaves out: the content of keys and values. A NaN that a used slot holds is
computed with like any other number.

Source: the shapes are those of vLLM's paged_attention and flash_attn_varlen_func:
block tables of one line per sequence, lengths in tokens, caches in blocks.
"""

import math
import operator
from collections.abc import Sequence
from typing import Any, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagedviz.engine.errors import AttentionError, shown

Floats: TypeAlias = NDArray[np.floating[Any]]
BlockTables: TypeAlias = (
    NDArray[np.integer[Any]] | Sequence[Sequence[int] | NDArray[np.integer[Any]]]
)


def cdiv(a: int, b: int) -> int:
    """`a / b`, rounded up."""
    return -(-a // b)


def float_array(name: str, array: ArrayLike, axes: tuple[str, ...]) -> Floats:
    """`array` with the named axes, in float16, float32 or float64, else an error."""
    result = np.asarray(array)
    if result.dtype.kind != "f" or result.dtype.itemsize > 8:
        raise AttentionError(f"{name} must be float16, float32 or float64, not {result.dtype}")
    if result.ndim != len(axes):
        raise AttentionError(
            f"{name} must have {len(axes)} axes ({', '.join(axes)}), not shape {result.shape}"
        )
    return result


def check_heads(query: Floats, key: Floats, value: Floats, names: tuple[str, str]) -> None:
    """Query, keys and values have the same heads, as grouped-query attention counts them."""
    key_name, value_name = names
    if key.shape != value.shape:
        raise AttentionError(
            f"{key_name} has shape {key.shape} and {value_name} {value.shape}: "
            "they must be the same"
        )
    num_heads, head_size = query.shape[-2:]
    num_kv_heads, kv_head_size = key.shape[-2:]
    if head_size < 1:
        raise AttentionError("query has head_size 0: it must be at least 1")
    if kv_head_size != head_size:
        raise AttentionError(
            f"query has head_size {head_size} and {key_name} {kv_head_size}: they must be the same"
        )
    if num_kv_heads < 1:
        raise AttentionError(f"{key_name} has 0 KV heads: there must be at least 1")
    if num_heads < 1:
        raise AttentionError("query has 0 heads: there must be at least 1")
    if num_heads % num_kv_heads:
        below = num_heads // num_kv_heads * num_kv_heads
        fits = f"{below} or {below + num_kv_heads}" if below else str(num_kv_heads)
        raise AttentionError(
            f"num_heads must be a multiple of num_kv_heads {num_kv_heads}, not {num_heads}: "
            f"take {fits}"
        )


def check_caches(query: Floats, key_cache: Floats, value_cache: Floats) -> None:
    """The caches fit each other and the query; their blocks have at least one slot."""
    check_heads(query, key_cache, value_cache, ("key_cache", "value_cache"))
    if key_cache.shape[1] < 1:
        raise AttentionError("key_cache has block_size 0: it must be at least 1")


def compute_dtype(*arrays: Floats) -> np.dtype[Any]:
    """The dtype to compute in: float64 if there is any, else float32 (also for float16)."""
    return np.result_type(np.float32, *arrays)


def whole_number(name: str, number: object, minimum: int) -> int:
    """`number` as an int of at least `minimum`, else an error."""
    if not _is_whole(number) or operator.index(number) < minimum:
        raise AttentionError(
            f"{name} must be a whole number of at least {minimum}, not {shown(number)}"
        )
    return operator.index(number)


def whole_numbers(
    name: str, values: ArrayLike, length: int | None = None, minimum: int = 0
) -> list[int]:
    """`values` as a list of `length` whole numbers of at least `minimum`, else an error.

    A length of None is any.

    >>> whole_numbers("seq_lens", np.array([3, 0], np.uint8), 2)
    [3, 0]
    >>> whole_numbers("seq_lens", [3, -1], 2)
    Traceback (most recent call last):
    ...
    pagedviz.engine.errors.AttentionError: seq_lens[1] must be a whole number of at least 0, not -1
    """
    array = np.asarray(values, dtype=None if isinstance(values, np.ndarray) else object)
    if array.ndim != 1 or length not in (None, len(array)):
        entries = "" if length is None else f" of {length} entries"
        raise AttentionError(f"{name} must have one axis{entries}, not shape {array.shape}")
    return [
        whole_number(f"{name}[{i}]", number, minimum) for i, number in enumerate(array.tolist())
    ]


def finite_number(name: str, value: object) -> float:
    """A finite number as a Python float, which takes on the dtype of the array it meets."""
    if isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool):
        number = float(value)
        if math.isfinite(number):
            return number
    raise AttentionError(f"{name} must be a finite number, not {shown(value)}")


def check_block_tables(block_tables: BlockTables, num_seqs: int) -> BlockTables:
    """One table per sequence, as they came; what they hold is looked at when it is used.

    A list of lists may have lines of different lengths.
    """
    if hasattr(block_tables, "__array__"):
        block_tables = np.asarray(block_tables)
        if block_tables.ndim != 2:
            raise AttentionError(
                "block_tables must have 2 axes (num_seqs, max_blocks), "
                f"not shape {block_tables.shape}"
            )
    elif not isinstance(block_tables, Sequence):
        raise AttentionError(
            f"block_tables must be an array or a list of lists, not {shown(block_tables)}"
        )
    if len(block_tables) != num_seqs:
        raise AttentionError(
            f"block_tables has {len(block_tables)} lines for {num_seqs} sequences: one for each"
        )
    return block_tables


def used_blocks(
    block_tables: BlockTables, seq: int, start: int, end: int, cache: Floats
) -> NDArray[np.intp]:
    """The blocks in which sequence `seq` keeps its tokens `start` to `end`, in their order.

    Entries of the table beyond these may hold anything: they are not looked at.

    >>> used_blocks([[2, 0, -7]], 0, 0, 6, np.zeros((3, 4, 1, 1)))
    array([2, 0])
    >>> used_blocks([[2, 9]], 0, 0, 6, np.zeros((3, 4, 1, 1)))
    Traceback (most recent call last):
    ...
    pagedviz.engine.errors.AttentionError: block_tables: sequence 0 has block 9 on line 1, but the
    cache has 3 blocks: it must be one of 0 to 2
    """
    num_blocks, block_size = cache.shape[:2]
    table = block_tables[seq]
    if not isinstance(table, Sequence | np.ndarray):
        raise AttentionError(f"block_tables: the table of sequence {seq} must be a list of blocks")
    first, last = start // block_size, cdiv(end, block_size)
    if last > len(table):
        raise AttentionError(
            f"seq_lens: sequence {seq} has {end} tokens, but the {len(table)} entries of its block "
            f"table cover {len(table) * block_size} in blocks of {block_size}: "
            f"it needs {last} entries, or at most that many tokens"
        )
    entries = table[first:last]
    if isinstance(entries, np.ndarray) and entries.dtype.kind in "iu":
        if np.all(entries >= 0) and np.all(entries < num_blocks):
            return entries.astype(np.intp)
    else:
        entries = entries.tolist() if isinstance(entries, np.ndarray) else list(entries)
        entries = np.array(entries, dtype=object)  # whatever it is, one by one
    for line, entry in enumerate(entries.tolist(), start=first):
        if not _is_whole(entry):
            raise AttentionError(
                f"block_tables: sequence {seq} has {shown(entry)} on line {line}: "
                "it must be a whole number, the id of a block"
            )
        if not 0 <= operator.index(entry) < num_blocks:
            raise AttentionError(
                f"block_tables: sequence {seq} has block {shown(entry)} on line {line}, but the "
                f"cache has {num_blocks} blocks: it must be one of 0 to {num_blocks - 1}"
            )
    return entries.astype(np.intp)


def _is_whole(number: object) -> TypeGuard[int]:
    """Whether it counts as a whole number: any kind of int, but neither True nor 2.0."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)
