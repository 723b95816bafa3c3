"""What sharing saves, over all prompts of a run: tokens, blocks, bytes.

The hit rate is vLLM's: found tokens over all tokens of a request, added up over admissions.
"Unshared" is what those inside would hold with blocks of their own, if all of them found
room: the lengths of their block tables, added up.

Leaves out: time. A token that is found is not computed, but how long that would have taken
depends on model and card.

Source: vLLM 0.33.0, v1/metrics/stats.py (hits / queries, in tokens).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pagedviz.timeline.play import Timeline
from pagedviz.timeline.prompts import Prompt


@dataclass(frozen=True, slots=True)
class SharingNumbers:
    """Sums at the end of a run. Blocks are blocks in use; kept ones count as free."""

    prompt_tokens: int  # of all prompts, those that have not come in included
    tokens_queried: int  # of those that came in
    tokens_saved: int  # of those: found, and not computed
    tokens_computed: int  # the rest of them, answers not counted
    blocks_end: int
    blocks_most: int  # at any step
    blocks_end_unshared: int
    blocks_most_unshared: int
    block_size: int
    bytes_per_token: int

    @property
    def hit_rate(self) -> float:
        """Found tokens over queried ones; 0.0 if nobody came in."""
        return self.tokens_saved / self.tokens_queried if self.tokens_queried else 0.0

    @property
    def bytes_per_block(self) -> int:
        """KV bytes of one block."""
        return self.block_size * self.bytes_per_token

    @property
    def bytes_most(self) -> int:
        """Bytes of `blocks_most`."""
        return self.blocks_most * self.bytes_per_block

    @property
    def bytes_most_unshared(self) -> int:
        """Bytes of `blocks_most_unshared`."""
        return self.blocks_most_unshared * self.bytes_per_block

    @property
    def bytes_saved(self) -> int:
        """KV bytes of the tokens that were found."""
        return self.tokens_saved * self.bytes_per_token


def sharing_numbers(
    prompts: Sequence[Prompt], timeline: Timeline, kv_bytes_per_token: int
) -> SharingNumbers:
    """Add up a run made of `prompts`.

    kv_bytes_per_token: of the model (`kv_models.py`), at least 0.

    >>> from pagedviz.timeline.play import play
    >>> from pagedviz.timeline.prompts import prompts_run
    >>> same = Prompt(tuple(range(65)), ("x",) * 65)
    >>> found = sharing_numbers([same, same], play(prompts_run([same, same])), 1000)
    >>> found.tokens_saved, found.tokens_computed, round(found.hit_rate, 3)
    (64, 66, 0.492)
    >>> found.blocks_end, found.blocks_end_unshared, found.bytes_per_block
    (6, 10, 16000)
    """
    size = timeline.pool.block_size
    queried = saved = 0
    held: dict[int, int] = {}  # request inside -> blocks in its table
    most_unshared = 0
    for step in timeline.steps[1:]:
        if step.request is None or step.view is None:
            continue
        if step.name == "admit" and not step.refused:
            queried += step.view.num_tokens
            saved += len(step.effects.hit) * size
        held[step.request.number] = step.table
        most_unshared = max(most_unshared, sum(held.values()))
    return SharingNumbers(
        prompt_tokens=sum(prompt.num_tokens for prompt in prompts),
        tokens_queried=queried,
        tokens_saved=saved,
        tokens_computed=queried - saved,
        blocks_end=timeline.steps[-1].counts.used,
        blocks_most=max(step.counts.used for step in timeline.steps),
        blocks_end_unshared=sum(held.values()),
        blocks_most_unshared=most_unshared,
        block_size=size,
        bytes_per_token=kv_bytes_per_token,
    )
