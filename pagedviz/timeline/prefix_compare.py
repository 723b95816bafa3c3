"""The same prompts by block and by chunk: what vLLM reuses of each, and what a Spyre card does.

Both are run through the block manager, in a pool that is large enough for all of them, so that
only the rule differs: blocks of 16 (vLLM's default) and every hit reused, or blocks of 64 and
whole chunks only. Leaves out: a pool that runs short, which the page's own run shows.
"""

from collections.abc import Sequence

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.spyre.chunks import BLOCK_SIZE, chunk_reuse
from pagedviz.timeline.ops import MAX_BLOCKS
from pagedviz.timeline.play import play
from pagedviz.timeline.prompts import Prompt, prompts_run

VLLM_BLOCK = 16  # tokens; vLLM's default


def hits(prompts: Sequence[Prompt], block_size: int, caching: bool = True) -> list[int]:
    """Blocks found by each prompt at its admission, in a pool large enough for all.

    >>> same = Prompt(tuple(range(65)), ("x",) * 65)
    >>> hits([same, same], 16), hits([same, same], 64)
    ([0, 4], [0, 1])
    """
    wanted = sum(cdiv(prompt.num_tokens, block_size) for prompt in prompts) + 1
    run = prompts_run(
        prompts,
        num_blocks=min(max(2, wanted), MAX_BLOCKS),
        block_size=block_size,
        caching=caching,
    )
    found = [0] * len(prompts)
    for step in play(run).steps:
        if step.name == "admit" and not step.refused and step.request is not None:
            found[step.request.number] = len(step.effects.hit)
    return found


def compare(
    prompts: Sequence[Prompt], chunk_size: int, caching: bool = True
) -> list[list[dict[str, int]]]:
    """Two rows per prompt, vLLM's and Spyre's, as the chunks panel of the stage draws them.

    chunk_size: tokens, a multiple of 64. ConfigError (a ValueError) if it is not.
    In a row: chunk (0 = none) and block sizes, tokens of the prompt, left (padding), reused,
    recomputed (found, but computed again), all in tokens; chunks and skipped (chunks).

    >>> a = Prompt(tuple(range(3000)), ("x",) * 3000)
    >>> b = Prompt((*range(2500), *range(9000, 9500)), ("x",) * 3000)
    >>> [row["reused"] for row in compare([a, b], 1024)[1]]
    [2496, 1984]
    """
    by_block = hits(prompts, VLLM_BLOCK, caching)
    by_chunk = hits(prompts, BLOCK_SIZE, caching)
    rows = []
    for prompt, found, found_64 in zip(prompts, by_block, by_chunk, strict=True):
        reuse = chunk_reuse(prompt.num_tokens, found_64, chunk_size)
        nothing = {"left": 0, "recomputed": 0, "chunks": 0, "skipped": 0}
        vllm = {"chunk": 0, "block": VLLM_BLOCK, "reused": found * VLLM_BLOCK} | nothing
        spyre = {
            "chunk": chunk_size,
            "block": BLOCK_SIZE,
            "reused": reuse.reusable_tokens,
            "left": reuse.left_padding_tokens,
            "recomputed": reuse.cached_but_recomputed_blocks * BLOCK_SIZE,
            "chunks": reuse.chunks_total,
            "skipped": reuse.chunks_skipped,
        }
        rows.append([{**row, "tokens": prompt.num_tokens} for row in (vllm, spyre)])
    return rows
