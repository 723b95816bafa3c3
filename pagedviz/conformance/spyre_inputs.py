"""What a recorded case of the Spyre plugin starts from, checked before it is answered.

A rule does not use every limit that was written down with its case: the decode set asks for
the product alone. A limit no server can have is refused all the same, as the case then is not
one that was recorded.

Leaves out: whole runs, whose limits are those of a server (`engine.spyre.limits`); answers,
and whether any is missing (`replay_spyre`).

Source: the form of the cases recorded from sendnn-inference 2.6.3 and vllm-spyre 1.10.0.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pagedviz.engine.errors import ConfigError, OperationError, check_int, shown
from pagedviz.engine.spyre.chunks import BLOCK_SIZE, check_chunk_size

# name -> the least it can be; of the blocks one is nobody's
_LEAST = {"max_num_seqs": 1, "max_model_len": 1, "tkv_limit": 1, "num_blocks": 2}
_CHUNK_NAMES = ("chunk_size", "chunk")


def check_limits(limits: Mapping[str, Any]) -> None:
    """Raise ConfigError for a limit that cannot be; limits that are absent are not asked for.

    >>> check_limits({"tkv_limit": 131072, "chunk": 512})
    >>> check_limits({"tkv_limit": 131072, "chunk": 511})
    Traceback (most recent call last):
    ...
    pagedviz.engine.errors.ConfigError: chunk 511 is no multiple of the block size 64; try 448
    or 512
    """
    if not isinstance(limits, Mapping):
        raise ConfigError(f"limits must be an object, not {shown(limits)}")
    if "block_size" in limits:
        check_block_size(limits["block_size"])
    for name, least in _LEAST.items():
        if name in limits:
            check_int(name, limits[name], least, ConfigError)
    for name in _CHUNK_NAMES:
        if name in limits:
            check_chunk_size(limits[name])


def check_block_size(block_size: object) -> None:
    """Raise ConfigError unless it is the plugin's.

    >>> check_block_size(65)
    Traceback (most recent call last):
    ...
    pagedviz.engine.errors.ConfigError: block_size must be 64, which the plugin fixes, not 65
    """
    if type(block_size) is not int or block_size != BLOCK_SIZE:
        raise ConfigError(
            f"block_size must be {BLOCK_SIZE}, which the plugin fixes, not {shown(block_size)}"
        )


def check_running(running: Sequence[Mapping[str, Any]], paused: object = 0) -> None:
    """Raise OperationError for a request that cannot be, and for more paused than there are.

    >>> check_running([{"prompt_len": 9, "generated": 0, "max_tokens": 5}])
    Traceback (most recent call last):
    ...
    pagedviz.engine.errors.OperationError: running[0].generated must be a whole number of at
    least 1, not 0
    """
    for i, request in enumerate(running):
        for name in ("prompt_len", "generated", "max_tokens"):
            check_int(f"running[{i}].{name}", request[name], 1, OperationError)
    if check_int("paused", paused, 0, OperationError) > len(running):
        raise OperationError(
            f"paused must be at most {len(running)}, the requests in running, not {paused}"
        )
