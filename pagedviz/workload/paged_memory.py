"""The real block manager as a memory of the simulation.

What it does: every call is one that the engine's Scheduler would make at that step, with the
same arguments; only calls that change nothing are left out (a token written into a block that
was there before and is not yet full). Counts what free blocks are kept for reuse along the way.

What it leaves out: watermark and lookahead, both 0 as in vLLM's defaults.

Source: pagedviz.engine.scheduler; vLLM 0.33.0, v1/core/sched/scheduler.py.
"""

from __future__ import annotations

from pagedviz.engine.kv_cache_manager import KVCacheManager, cdiv
from pagedviz.engine.request import RequestStatus
from pagedviz.workload.content import ContentIndex
from pagedviz.workload.load_request import LoadRequest
from pagedviz.workload.memory import Admission


class PagedMemory:
    """Blocks on demand, found again by their content if caching is on.

    `knows_prefixes`: whether prompts may begin alike; else nobody waits for a hit.
    """

    kinds: tuple[str, ...] = ("token", "tail", "kept", "unused", "free")

    def __init__(
        self,
        num_blocks: int,
        block_size: int,
        *,
        caching: bool,
        max_model_len: int,
        knows_prefixes: bool = True,
    ) -> None:
        # One more, because block 0 is the null block and never lent.
        self.manager = KVCacheManager(
            num_blocks + 1, block_size, enable_caching=caching, max_model_len=max_model_len
        )
        self.num_slots = num_blocks * block_size
        self.num_kept = 0  # free blocks that can still be found by their content
        self._num_blocks = num_blocks
        self._size = block_size
        self._caching = caching
        self._knows_prefixes = knows_prefixes and caching
        self._index = ContentIndex()
        self._in_tables = 0  # blocks in all tables, a shared block once per table
        self._news = False

    def why_never(self, request: LoadRequest) -> str | None:
        """Longer than max_model_len, or more blocks than there are."""
        total = request.num_prompt_tokens + request.num_output
        if total > self.manager.max_model_len:
            return f"{total:,} tokens are more than max_model_len {self.manager.max_model_len:,}"
        if not self.manager.can_ever_fit(request.last_computed):
            need = cdiv(request.last_computed, self._size)
            return f"it needs {need:,} blocks; the memory has {self._num_blocks:,}"
        return None

    def admit(self, request: LoadRequest, budget: int, others_run: bool) -> Admission | None:
        """As the Scheduler admits: look up hits, demand room for the whole prompt."""
        manager = self.manager
        if self._caching and not request.block_hashes:
            total = request.num_prompt_tokens + request.num_output
            request.block_hashes = self._index.block_hashes(request.segments, total, self._size)
        hits, num_hit_tokens = manager.get_computed_blocks(request)
        num_new_tokens = min(request.count - num_hit_tokens, budget)
        demand = manager.required_blocks(
            request, num_new_tokens, num_hit_tokens, hits, full_sequence_must_fit=True
        )
        if not demand.fits:
            return None
        kept = self._kept_among_next(demand.num_new_blocks)
        kept += sum(block.ref_cnt == 0 for block in hits)
        new_blocks = manager.allocate_slots(
            request,
            num_new_tokens,
            num_hit_tokens,
            hits,
            full_sequence_must_fit=True,
            has_scheduled_reqs=others_run,
        )
        assert new_blocks is not None
        self.num_kept -= kept
        self._in_tables += len(hits) + len(new_blocks)
        request.status = RequestStatus.RUNNING
        return Admission(num_hit_tokens, num_new_tokens)

    def extend(self, request: LoadRequest, num_tokens: int) -> bool:
        """As the Scheduler serves who runs; full blocks get their key on the way."""
        manager = self.manager
        held = len(manager.req_to_blocks[request.request_id])
        need = cdiv(request.num_computed_tokens + num_tokens, self._size) - held
        kept = self._kept_among_next(need) if need > 0 else 0
        if manager.allocate_slots(request, num_tokens) is None:
            return False
        self.num_kept -= kept
        self._in_tables += max(need, 0)
        if request.shares_answer or request.num_computed_tokens < request.num_prompt_tokens:
            self._news = True
        return True

    def release(self, request: LoadRequest) -> None:
        """Free the table; what has a key stays findable."""
        table = self.manager.req_to_blocks[request.request_id]
        hashed = self.manager.num_cached_block.get(request.request_id, 0) if self._caching else 0
        self.num_kept += sum(block.ref_cnt == 1 for block in table[:hashed])
        self._in_tables -= len(table)
        self.manager.free(request)

    def steps_to_next_call(self, computed: int) -> int:
        """At a border a new block is taken; one step before it, the full one gets its key."""
        filled = computed % self._size
        if filled == 0:
            return 1
        return self._size - filled + (not self._caching)

    def news(self) -> bool:
        """Keys of prompts and of quoted answers are news; nobody can ask for others."""
        news, self._news = self._news and self._knows_prefixes, False
        return news

    def reading(self, num_computed: int, waits: bool) -> tuple[int, int, int, int, int]:
        """Token, unfilled tail, kept for reuse, (unused), free; in slots."""
        size = self._size
        free = self.manager.block_pool.get_num_free_blocks()
        in_use = self._num_blocks - free
        # Shared blocks are full: each table beyond the first counted `size` tokens too many.
        tokens = num_computed - size * (self._in_tables - in_use)
        kept = self.num_kept
        return tokens, in_use * size - tokens, kept * size, 0, (free - kept) * size

    def _kept_among_next(self, num_blocks: int) -> int:
        """How many of the next blocks to be taken still have a key, which they will lose.

        In the free queue all blocks without a key stand before all with one: the former are
        put back at its head, the latter at its tail.
        """
        without_key = self.manager.block_pool.get_num_free_blocks() - self.num_kept
        return max(0, num_blocks - without_key)
