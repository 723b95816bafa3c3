"""Which requests of a mix the server would have taken, one after the other, and why not.

Each is asked with the rules of the release while those before it are inside, their prompts
done. The plugin asks in the midst of their answers, when blocks may have come back; here all
of them are at their beginning.

Leaves out: decode steps (`mix_play`).
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.spyre.admission import BatchState, Candidate, Reason, decide
from pagedviz.engine.spyre.chunks import BLOCK_SIZE
from pagedviz.engine.spyre.padding import padded_tkv
from pagedviz.engine.spyre.releases import SpyreRelease
from pagedviz.engine.spyre.step_result import Waiting
from pagedviz.engine.spyre.volume import Decoding
from pagedviz.timeline.spyre.mix import Mix
from pagedviz.timeline.step import letter


@dataclass(frozen=True, slots=True)
class Inside:
    """A request that has been taken: its prompt is stored, its first token made."""

    name: str
    prompt: int
    answer: int
    stored: int

    @property
    def written(self) -> int:
        """Tokens of its answer that are stored."""
        return self.stored - self.prompt

    @property
    def generated(self) -> int:
        """Tokens of its answer; the last is not stored yet."""
        return self.written + 1

    @property
    def promised(self) -> int:
        """Blocks for prompt and answer."""
        return cdiv(self.prompt + self.answer, BLOCK_SIZE)

    @property
    def held(self) -> int:
        """Blocks in its table."""
        return cdiv(self.stored, BLOCK_SIZE)


def named(mix: Mix) -> list[tuple[str, int, int]]:
    """Letter, prompt and answer of each request."""
    return [(letter(i), prompt, answer) for i, (prompt, answer) in enumerate(mix.requests())]


def seat(mix: Mix, release: SpyreRelease) -> tuple[list[Inside], list[Waiting]]:
    """Who the server would have taken, one after the other, and why the others wait."""
    limits = mix.limits
    inside: list[Inside] = []
    waits: list[Waiting] = []
    stopped = False
    for name, prompt, answer in named(mix):
        if stopped:
            waits.append(Waiting(name, Reason.BEHIND))
            continue
        one = Inside(name, prompt, answer, prompt)
        available = limits.usable_blocks - sum(other.promised for other in inside)
        counted = release.promises_blocks
        decision = decide(
            release,
            BatchState(
                [Decoding(other.prompt, other.stored, other.answer) for other in inside],
                tkv=padded_tkv(other.stored for other in inside),
            ),
            Candidate(
                prompt,
                answer,
                blocks_needed=one.promised,
                blocks_available=available if counted else None,
            ),
            max_num_seqs=limits.max_num_seqs,
            max_model_len=limits.max_model_len,
            batch_tkv_limit=limits.batch_tkv_limit,
            chunk_size=limits.chunk_size,
        )
        if decision.may_finish:
            inside.append(one)
            continue
        projection = decision.projection
        waits.append(
            Waiting(
                name,
                decision.reason,
                one.promised if counted else None,
                available if counted else None,
                projection.worst_volume if projection else None,
            )
        )
        stopped = release.strict_fifo or decision.reason is Reason.NO_BLOCKS
    return inside, waits
