"""The engine's own source, per operation: what the stage shows as "the code of this step"."""

import inspect
import textwrap
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from pagedviz.engine.block_hash import hash_block_tokens
from pagedviz.engine.block_pool import BlockPool
from pagedviz.engine.cache_session import CacheSession
from pagedviz.engine.kv_cache_manager import KVCacheManager
from pagedviz.engine.request import Request
from pagedviz.paths import ROOT

# operation of a run -> the functions of the engine that carry it out, in the order they run
OPERATIONS: dict[str, tuple[Callable[..., Any], ...]] = {
    "start": (BlockPool.__init__,),
    "add_request": (Request.__init__, hash_block_tokens),
    "append": (Request.append_output_token_ids,),
    "admit": (
        KVCacheManager.get_computed_blocks,
        KVCacheManager.required_blocks,
        KVCacheManager.allocate_slots,
    ),
    "allocate": (
        KVCacheManager.required_blocks,
        KVCacheManager.allocate_slots,
        BlockPool.get_new_blocks,
    ),
    "free": (KVCacheManager.free, BlockPool.free_blocks),
    "preempt": (KVCacheManager.free, BlockPool.free_blocks),
    "reset_prefix_cache": (BlockPool.reset_prefix_cache,),
    "evict_blocks": (BlockPool.evict_blocks,),
    "rollback": (CacheSession.rollback,),
}


@cache
def engine_source() -> dict[str, Any]:
    """`{"operations": {op: [name]}, "functions": {name: {"file", "code"}}}`, from the files."""
    functions: dict[str, dict[str, str]] = {}
    operations: dict[str, list[str]] = {}
    for operation, carried_out_by in OPERATIONS.items():
        operations[operation] = []
        for function in carried_out_by:
            name = function.__qualname__
            lines, start = inspect.getsourcelines(function)
            file = Path(inspect.getfile(function)).relative_to(ROOT).as_posix()
            functions[name] = {
                "file": f"{file}, line {start}",
                "code": textwrap.dedent("".join(lines)),
            }
            operations[operation].append(name)
    return {"operations": operations, "functions": functions}
