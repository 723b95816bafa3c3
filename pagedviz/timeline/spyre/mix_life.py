"""How large batch x tkv gets in the whole life of a mix, worked out without playing it.

If nobody pauses or waits, the k-th decode step has one row for each request with an answer of
more than k tokens, and each row is k tokens longer than its prompt. Until somebody leaves, the
number of rows stays and the longest grows: only the steps before each departure need be looked
at, and of these the ones in which the longest row is in its last block.

Leaves out: mixes in which somebody pauses or waits (`mix_play` plays those).
"""

from __future__ import annotations

from collections.abc import Sequence

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.engine.spyre.chunks import BLOCK_SIZE
from pagedviz.engine.spyre.releases import get_release
from pagedviz.timeline.spyre.mix import Mix
from pagedviz.timeline.spyre.mix_seat import seat


def largest_product(requests: Sequence[tuple[int, int]]) -> int:
    """The largest batch x tkv, in tokens, if all decode in every step until their answers end.

    requests: prompt and answer of each, in tokens; at least one request.

    >>> largest_product([(4_072, 25)] * 32)  # 24 decode steps, the first token is there
    131072
    >>> largest_product([(30_000, 25), *[(200, 25)] * 31])
    961536
    """
    rows = [(prompt, max(1, answer - 1)) for prompt, answer in requests]
    largest = begun = 0
    for ends in sorted({steps for _, steps in rows}):
        here = [prompt for prompt, steps in rows if steps >= ends]
        largest = max(largest, len(here) * _tkv(here, begun + 1, ends))
        begun = ends
    return largest


def _tkv(prompts: Sequence[int], first: int, last: int) -> int:
    """The largest tkv in the steps from `first` to `last`, in tokens."""
    blocks = cdiv(max(prompts) + last, BLOCK_SIZE)
    opened = BLOCK_SIZE * (blocks - 1) + 1 - max(prompts)  # the step that opens the last block
    first = max(first, opened)
    # all rows end in the same block, so the fullest last block reaches furthest
    return BLOCK_SIZE * (blocks - 1) + max(_fullest(p + first, p + last) for p in prompts)


def _fullest(low: int, high: int) -> int:
    """Tokens in the last block of a row that grows from `low` to `high`, when it is fullest.

    >>> _fullest(65, 70), _fullest(60, 70)
    (6, 64)
    """
    if cdiv(low, BLOCK_SIZE) < cdiv(high, BLOCK_SIZE) or high % BLOCK_SIZE == 0:
        return BLOCK_SIZE
    return high % BLOCK_SIZE


def together_to_the_end(mix: Mix) -> int | None:
    """The largest batch x tkv of the mix; None if somebody waits or pauses before the end.

    >>> from pagedviz.timeline.spyre.mix import MixGroup
    >>> together_to_the_end(Mix((MixGroup(32, 4_072, 25),)))
    131072
    >>> together_to_the_end(Mix((MixGroup(32, 4_073, 25),))) is None
    True
    """
    release = get_release(mix.release)
    if seat(mix, release)[1]:
        return None
    most = largest_product(mix.requests())
    return None if release.chooses_decode_set and most > mix.limits.batch_tkv_limit else most
