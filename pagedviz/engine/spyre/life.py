"""A request inside the server: its tokens and blocks, and how far it has come.

Blocks come from vLLM's own block manager, one table per request. In 2.6.3 a request is
promised blocks for prompt and max_tokens when it is taken; each block handed out is struck off
its promise, and what is left goes back when it leaves. 1.10.0 promises nothing, and hands out
all blocks of a prompt with its first chunk.

Leaves out: who is served when (`scheduler`). In 1.10.0 a block is found in the prefix cache as
soon as its last token is known; here, as in 2.6.3, once that token's K and V are computed,
which is one step later.

Source: sendnn-inference 2.6.3, v1/core/scheduler.py (_get_required_blocks,
_current_chunk_token_threshold, and the bookkeeping at the end of schedule);
vllm-spyre 1.10.0, v1/worker/spyre_model_runner.py (_plan_chunking, add_new_request).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pagedviz.engine.block_hash import get_request_block_hasher
from pagedviz.engine.block_pool import KVCacheBlock
from pagedviz.engine.errors import OperationError
from pagedviz.engine.kv_cache_manager import KVCacheManager, cdiv
from pagedviz.engine.request import Request
from pagedviz.engine.spyre.chunks import BLOCK_SIZE, ChunkReuse, chunk_reuse
from pagedviz.engine.spyre.decode_set import Turn
from pagedviz.engine.spyre.padding import PrefillRow, prefill_row
from pagedviz.engine.spyre.releases import SpyreRelease
from pagedviz.engine.spyre.requests import SpyreRequest
from pagedviz.engine.spyre.volume import Decoding

_hasher = get_request_block_hasher(BLOCK_SIZE)


@dataclass(slots=True)
class Life:
    """One request, changed by the scheduler as it goes along. Sizes in tokens."""

    spec: SpyreRequest
    max_tokens: int
    output_len: int  # tokens it will write before it ends
    request: Request
    row: PrefillRow
    computed: int = 0  # of the prompt, as the scheduler counts; 0 while it waits
    stored: int = 0  # tokens whose K and V it holds, once its prompt is done
    generated: int = 0
    promised: int = 0  # blocks set aside for it and not handed out yet
    sat_out: int = 0  # decode steps in a row
    reuse: ChunkReuse | None = None  # what the prefix cache saved, from when it was taken
    hit_ids: tuple[int, ...] = ()  # blocks found in the prefix cache, by id
    chunks_run: int = 0
    gained: list[int] = field(default_factory=list)  # ids of blocks handed out in this step

    @classmethod
    def of(
        cls, spec: SpyreRequest, max_tokens: int, output_len: int, chunk_size: int, caching: bool
    ) -> "Life":
        """A request that has just arrived."""
        request = Request(
            spec.request_id,
            spec.prompt_tokens(),
            max_tokens=max_tokens,
            block_hasher=_hasher if caching else None,
        )
        return cls(spec, max_tokens, output_len, request, prefill_row(spec.prompt_len, chunk_size))

    @property
    def name(self) -> str:
        """The request's id."""
        return self.spec.request_id

    @property
    def prompt_len(self) -> int:
        """Tokens of the prompt."""
        return self.spec.prompt_len

    @property
    def is_prefilled(self) -> bool:
        """Whether all of its prompt is computed."""
        return self.computed >= self.prompt_len

    def decoding(self) -> Decoding:
        """What the volume rule asks about it."""
        return Decoding(self.prompt_len, self.stored, self.max_tokens)

    def turn(self) -> Turn:
        """What the choice of the decode set asks about it."""
        return Turn(self.name, self.stored, self.stored - self.prompt_len, self.sat_out)

    # ---- blocks

    def find_cached(self, manager: KVCacheManager, release: SpyreRelease) -> list[KVCacheBlock]:
        """The blocks with the beginning of its prompt."""
        hits, _ = manager.get_computed_blocks(self.request)
        whole = self.prompt_len // BLOCK_SIZE
        if release.prompt_blocks_at_once and len(hits) < whole:
            # 1.10.0 looks for the prompt's last block as well, though it computes it again
            for block_hash in self.request.block_hashes[len(hits) : whole]:
                block = manager.block_pool.get_cached_block(block_hash)
                if block is None:
                    break
                hits.append(block)
        return hits

    def blocks_needed(self, hits: Sequence[KVCacheBlock]) -> int:
        """Blocks to be promised: all it may ever need, but those others already hold for it."""
        total = cdiv(self.prompt_len + self.max_tokens, BLOCK_SIZE)
        return total - sum(block.ref_cnt > 0 for block in hits)

    def take_in(
        self, manager: KVCacheManager, hits: Sequence[KVCacheBlock], release: SpyreRelease
    ) -> None:
        """Hold the hits, make the promise, and get the blocks of the first chunk.

        OperationError, and nothing changed, if the pool has too few: only a release that
        promises no blocks can get there.
        """
        found = len(hits) * BLOCK_SIZE
        needed = self.blocks_needed(hits)
        row = self.row
        if release.prompt_blocks_at_once:
            new_tokens = self.prompt_len - found
        else:
            # the scheduler knows nothing of left padding but what this first cut tells it
            first = row.chunk_size - row.left_padding
            step = row.chunk_size if found >= first else first
            new_tokens = min(step, self.prompt_len - found)
        in_use = sum(block.ref_cnt > 0 for block in hits)
        new = manager.allocate_slots(self.request, new_tokens, found, hits)
        if new is None:
            raise no_block_left(release, manager)
        self.reuse = chunk_reuse(self.prompt_len, len(hits), row.chunk_size)
        self.hit_ids = tuple(block.block_id for block in hits)
        self.gained = [block.block_id for block in new]
        if release.promises_blocks:
            self.promised = needed - (len(hits) - in_use + len(new))
        if release.prompt_blocks_at_once:
            skipped = self.reuse.reusable_tokens
            # a cached chunk still costs the step in which this comes out
            self.computed = skipped or min(first_cut(row), self.prompt_len)
        else:
            self.computed = found + new_tokens
        self.request.num_computed_tokens = self.computed
        self.chunks_run = 1

    def next_chunk(self, manager: KVCacheManager, release: SpyreRelease) -> int:
        """Get the blocks of the next chunk; the tokens it computes, as the scheduler counts."""
        new_tokens = min(self.row.chunk_size, self.prompt_len - self.computed)
        if release.prompt_blocks_at_once:
            self.gained = []
        else:
            self._grow(manager, new_tokens, release)
        self.computed += new_tokens
        self.request.num_computed_tokens = self.computed
        self.chunks_run += 1
        return new_tokens

    def write_first(self) -> None:
        """The first token of the answer, made by the last chunk."""
        self.stored = self.prompt_len
        self._write()

    def decode(self, manager: KVCacheManager, release: SpyreRelease) -> None:
        """Store one token more, and write the next."""
        self._grow(manager, 1, release)
        self.stored += 1
        self.request.num_computed_tokens = self.stored
        self._write()

    def _write(self) -> None:
        self.request.append_output_token_ids([self.spec.output_token(self.generated)])
        self.generated += 1

    def _grow(self, manager: KVCacheManager, tokens: int, release: SpyreRelease) -> None:
        new = manager.allocate_slots(self.request, tokens)
        if new is None:
            raise no_block_left(release, manager)
        self.gained = [block.block_id for block in new]
        if release.promises_blocks:
            self.promised -= len(new)


def first_cut(row: PrefillRow) -> int:
    """Places for tokens in a prompt's first chunk: what left padding leaves of it."""
    return row.chunk_size - row.left_padding


def no_block_left(release: SpyreRelease, manager: KVCacheManager) -> OperationError:
    """What happens to a server that promises no blocks and runs out of them."""
    return OperationError(
        f"num_blocks {manager.block_pool.num_blocks:,}: the pool has no block left. "
        f"{release.name} does not count blocks before it takes a request, and the server would "
        "stop here; give it more blocks"
    )
