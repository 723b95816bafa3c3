"""How much of a load's prompts an endless cache would have, from the file's own block ids.

What it does: the upper bound of every prefix cache, in two counts. "All ids" counts every id
seen before, a partial last block too. "Full blocks" counts as vLLM can: only full blocks, and
never the last token of a prompt, which is computed anew. The app shows the second.

What it leaves out: eviction, and blocks of another size than the file's. `simulate` has both.
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.workload.errors import WorkloadError
from pagedviz.workload.trace import Trace


@dataclass(frozen=True)
class PrefixHits:
    """Ids and tokens that came before in the same file."""

    ids: int
    hit_ids: int
    unique_ids: int
    prompt_tokens: int
    hit_tokens_all_ids: int
    hit_tokens_full_blocks: int

    @property
    def token_hit_rate(self) -> float:
        """Share of prompt tokens in full blocks that came before."""
        return self.hit_tokens_full_blocks / self.prompt_tokens


def prefix_hits(trace: Trace) -> PrefixHits:
    """Counts over the rows in the order of arrival. Raises WorkloadError without block ids.

    >>> from pagedviz.workload.read import read_trace
    >>> rows = [b'{"timestamp": 0, "input_length": 1024, "output_length": 1, "hash_ids": [0, 1]}',
    ...         b'{"timestamp": 1, "input_length": 1024, "output_length": 1, "hash_ids": [0, 1]}']
    >>> hits = prefix_hits(read_trace(b"\\n".join(rows), "x.jsonl"))
    >>> hits.hit_tokens_all_ids, hits.hit_tokens_full_blocks  # the last block is computed anew
    (1024, 512)
    """
    size = trace.hash_block_size
    if size is None or "block_hashes" not in trace.requests:
        raise WorkloadError(trace.name, "has no block ids: prefix hits cannot be known from it")
    rows = trace.requests.sort_values("arrival_s", kind="stable")
    seen: set[int] = set()
    ids = hit_ids = all_tokens = full_tokens = 0
    for prompt, blocks in zip(rows["prompt_tokens"].tolist(), rows["block_hashes"], strict=True):
        ids += len(blocks)
        hits = 0
        while hits < len(blocks) and blocks[hits] in seen:
            hits += 1
        hit_ids += hits
        all_tokens += min(hits * size, prompt)
        full_tokens += min(hits, (prompt - 1) // size) * size
        seen.update(blocks)
    total = int(rows["prompt_tokens"].sum())
    return PrefixHits(ids, hit_ids, len(seen), total, all_tokens, full_tokens)
