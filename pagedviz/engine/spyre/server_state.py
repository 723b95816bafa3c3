"""The lists a Spyre server keeps, and the questions asked of them.

Leaves out: what changes them (`prefill`, `scheduler`).

Source: sendnn-inference 2.6.3, v1/core/scheduler.py; vllm-spyre 1.10.0, the same.
"""

from dataclasses import dataclass, field

from pagedviz.engine.kv_cache_manager import KVCacheManager
from pagedviz.engine.spyre.admission import (
    BatchState,
    Candidate,
    Decision,
    Reason,
    decide,
    refusal_of_all,
)
from pagedviz.engine.spyre.decode_set import DecodeSet, choose_decode_set
from pagedviz.engine.spyre.life import Life
from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.padding import padded_tkv
from pagedviz.engine.spyre.releases import SpyreRelease
from pagedviz.engine.spyre.step_result import BlockCount, Finished, Running, Status


@dataclass(slots=True)
class ServerState:
    """Everything a server knows between two steps."""

    limits: SpyreLimits
    release: SpyreRelease
    manager: KVCacheManager
    interleave: bool = True
    waiting: list[Life] = field(default_factory=list)
    running: list[Life] = field(default_factory=list)  # the one being prefilled is among them
    paused: list[Life] = field(default_factory=list)
    prefilling: Life | None = None
    last_step_was_prefill: bool = False
    tkv: int = 0  # as the last step reported it to the scheduler, in tokens
    card_tkv: int = 0  # as the card remembers it; an empty step reports 0 and forgets nothing

    def decoders(self) -> list[Life]:
        """Those that run and whose prompt is done."""
        return [life for life in self.running if life is not self.prefilling]

    def blocks(self) -> BlockCount:
        """The pool as it stands."""
        free = self.manager.block_pool.get_num_free_blocks()
        promised = sum(life.promised for life in (*self.running, *self.paused))
        return BlockCount(self.limits.usable_blocks - free, promised, free)

    def ask(self, candidate: Candidate, someone_taken: bool = False) -> Decision:
        """May this request compute its next chunk?"""
        return decide(
            self.release,
            self._batch(someone_taken),
            candidate,
            max_num_seqs=self.limits.max_num_seqs,
            max_model_len=self.limits.max_model_len,
            batch_tkv_limit=self.limits.batch_tkv_limit,
            chunk_size=self.limits.chunk_size,
            interleave=self.interleave,
        )

    def refuses_all(self, someone_taken: bool = False) -> Reason | None:
        """What a waiting request is told before its size counts; None if it does."""
        return refusal_of_all(
            self.release,
            self._batch(someone_taken),
            max_num_seqs=self.limits.max_num_seqs,
            interleave=self.interleave,
        )

    def _batch(self, someone_taken: bool) -> BatchState:
        return BatchState(
            [life.decoding() for life in self.decoders()],
            num_paused=len(self.paused),
            prefilling=self.prefilling is not None or someone_taken,
            last_step_was_prefill=self.last_step_was_prefill,
            tkv=self.tkv,
        )

    def choose(self, long_output_priority: bool) -> DecodeSet:
        """Who decodes in this step: everybody, in a release that never looks."""
        if self.release.chooses_decode_set:
            return choose_decode_set(
                [life.turn() for life in self.decoders()],
                [life.turn() for life in self.paused],
                self.limits.batch_tkv_limit,
                long_output_priority,
            )
        everybody = tuple(life.name for life in self.decoders())
        tkv = padded_tkv(life.stored + 1 for life in self.decoders())
        return DecodeSet(everybody, (), (), (), tkv, {})

    def shown(self) -> tuple[Running, ...]:
        """All that have been taken and have not left, paused ones last."""

        def one(life: Life, status: Status) -> Running:
            return Running(
                life.name,
                status,
                life.prompt_len,
                life.stored if life.is_prefilled else life.computed,
                life.generated,
                life.max_tokens,
                len(self.manager.req_to_blocks.get(life.name, ())),
                life.promised,
            )

        return (
            *(
                one(life, "prefilling" if life is self.prefilling else "decoding")
                for life in self.running
            ),
            *(one(life, "paused") for life in self.paused),
        )

    def let_go(self, lives: list[Life]) -> tuple[Finished, ...]:
        """Take out those of `lives` that have written their last token, blocks and all."""
        done = [life for life in lives if life.generated >= life.output_len]
        finished = []
        for life in done:
            self.running.remove(life)
            self.manager.free(life.request)
            finished.append(Finished(life.name, life.generated, life.max_tokens, life.promised))
        return tuple(finished)
