"""How much of a cached prefix a Spyre card need not compute again: whole chunks only.

A prompt is computed in chunks of fixed size. Dummy blocks in front of it (left padding) make
its last block the last block of the last chunk. A chunk is skipped if all of it is cached,
padding counting as cached; the last chunk is always computed. What is cached in a chunk that
is not skipped is computed again, though its blocks in memory stay shared.

Leaves out: which blocks are cached (the block manager knows, as in vLLM), and how a chunk is
computed. Encoder-only models have no prefix cache: the rule does not apply to them.

Source: sendnn-inference 2.6.3, v1/worker/spyre_model_runner.py (left padding, usable hit),
the same in vllm-spyre 1.10.0; vLLM, v1/core/kv_cache_manager.py (no hit on the last token).
"""

from dataclasses import dataclass

from pagedviz.engine.errors import ConfigError, OperationError, check_int
from pagedviz.engine.kv_cache_manager import cdiv

BLOCK_SIZE = 64  # tokens; fixed by the plugin
CHUNK_STACK_1_1 = 1024  # tokens; Stack 1.1, plugin 1.x
CHUNK_PLUGIN_2 = 512  # tokens; default since plugin 2.0


@dataclass(frozen=True, slots=True)
class ChunkReuse:
    """A prompt in chunks, and what of it is reused. Sizes in tokens unless they say blocks."""

    prompt_len: int
    cached_prefix_blocks: int
    chunk_size: int
    block_size: int
    chunks_total: int
    left_padding_tokens: int
    lookup_hit_blocks: int  # found in the cache
    lookup_hit_tokens: int
    chunks_skipped: int
    chunks_computed: int
    reusable_blocks: int  # found, and not computed again
    reusable_tokens: int
    recomputed_tokens: int  # all that is computed, the new part of the prompt included
    cached_but_recomputed_blocks: int

    def formula(self) -> str:
        """The rule with this prompt's numbers in it, one line per quantity.

        >>> print(chunk_reuse(3000, 39, 1024).formula())
        hit   = min(39, floor((3000 - 1) / 64)) = 39 blocks
        left  = ceil(3000 / 1024) x 16 - ceil(3000 / 64) = 1 block
        k     = min(floor((1 + 39) / 16), 3 - 1) = 2 chunks skipped
        reuse = max(0, 2 x 16 - 1) = 31 blocks = 1984 tokens
        """
        size, chunk, prompt = self.block_size, self.chunk_size, self.prompt_len
        per_chunk = chunk // size
        left = self.left_padding_tokens // size
        hit, skipped = self.lookup_hit_blocks, self.chunks_skipped
        return "\n".join(
            (
                f"hit   = min({self.cached_prefix_blocks}, floor(({prompt} - 1) / {size})) "
                f"= {_n(hit, 'block')}",
                f"left  = ceil({prompt} / {chunk}) x {per_chunk} - ceil({prompt} / {size}) "
                f"= {_n(left, 'block')}",
                f"k     = min(floor(({left} + {hit}) / {per_chunk}), {self.chunks_total} - 1) "
                f"= {_n(skipped, 'chunk')} skipped",
                f"reuse = max(0, {skipped} x {per_chunk} - {left}) "
                f"= {_n(self.reusable_blocks, 'block')} = {_n(self.reusable_tokens, 'token')}",
            )
        )


def chunk_reuse(
    prompt_len: int, cached_prefix_blocks: int, chunk_size: int, block_size: int = BLOCK_SIZE
) -> ChunkReuse:
    """Work out the reuse for one prompt.

    prompt_len: tokens, at least 1.
    cached_prefix_blocks: full blocks from the beginning of the prompt that are in the cache.
    chunk_size: tokens, a multiple of `block_size`; ConfigError (a ValueError) otherwise.

    >>> chunk_reuse(3000, 39, 512).reusable_tokens, chunk_reuse(1024, 16, 1024).reusable_tokens
    (2496, 0)
    >>> chunk_reuse(3000, 39, 500)
    Traceback (most recent call last):
    ...
    pagedviz.engine.errors.ConfigError: chunk 500 is no multiple of the block size 64; try 448
    or 512
    """
    check_int("prompt_len", prompt_len, 1, OperationError)
    check_int("cached_prefix_blocks", cached_prefix_blocks, 0, OperationError)
    check_chunk_size(chunk_size, block_size)

    per_chunk = chunk_size // block_size
    chunks = cdiv(prompt_len, chunk_size)
    # the last token is always computed, so its block never counts as found
    hit = min(cached_prefix_blocks, (prompt_len - 1) // block_size)
    left = chunks * per_chunk - cdiv(prompt_len, block_size)
    skipped = min((left + hit) // per_chunk, chunks - 1)
    reuse = max(0, skipped * per_chunk - left)
    return ChunkReuse(
        prompt_len=prompt_len,
        cached_prefix_blocks=cached_prefix_blocks,
        chunk_size=chunk_size,
        block_size=block_size,
        chunks_total=chunks,
        left_padding_tokens=left * block_size,
        lookup_hit_blocks=hit,
        lookup_hit_tokens=hit * block_size,
        chunks_skipped=skipped,
        chunks_computed=chunks - skipped,
        reusable_blocks=reuse,
        reusable_tokens=reuse * block_size,
        recomputed_tokens=prompt_len - reuse * block_size,
        cached_but_recomputed_blocks=hit - reuse,
    )


def check_chunk_size(chunk_size: int, block_size: int = BLOCK_SIZE) -> None:
    """Raise ConfigError unless a chunk is a whole number of blocks; name sizes that are."""
    check_int("block_size", block_size, 1, ConfigError)
    check_int("chunk_size", chunk_size, 1, ConfigError)
    if chunk_size % block_size:
        below = chunk_size // block_size * block_size
        near = f"{below} or {below + block_size}" if below else f"{block_size}"
        raise ConfigError(
            f"chunk {chunk_size} is no multiple of the block size {block_size}; try {near}"
        )


def _n(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"
