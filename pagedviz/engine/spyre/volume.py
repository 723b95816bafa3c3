"""The volume rule: would batch x length pass the limit if one more request joined?

With pausing off, and in 1.x always, a request finishes its prefill only if the product keeps
within the limit in every step to come, as far as that can be told. Each request is followed to
the step in which it ends at the latest; the batch shrinks by one there.

Two estimates of how far a request will reach. 2.6.3 rounds up to whole blocks and adds one
more, because a row may be pushed on by up to a block when the batch is aligned anew. 1.10.0
does neither, and keeps each request's place within its block.

Leaves out: pausing, under which this is not asked (`decode_set` looks at the next step only).

Source: sendnn-inference 2.6.3, v1/core/scheduler.py (_satisfies_last_chunk_constraints,
check_batch_tkv_limit_cp, with the slack of change #961); vllm-spyre 1.10.0, the same names.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pagedviz.engine.spyre.chunks import BLOCK_SIZE
from pagedviz.engine.spyre.releases import SpyreRelease
from pagedviz.engine.spyre.requests import round_up


@dataclass(frozen=True, slots=True)
class Decoding:
    """A request that decodes. `stored`: tokens whose K and V it holds."""

    prompt_len: int
    stored: int
    max_tokens: int

    @property
    def steps_left(self) -> int:
        """Decode steps it may still take part in, at most."""
        # the prefill made the first token of the answer, whose K and V are not stored yet
        return self.max_tokens - (self.stored - self.prompt_len) - 1


@dataclass(frozen=True, slots=True)
class Projection:
    """What would become of the batch. Sizes in tokens."""

    joins_at: int  # tkv of the request that joins, when it does
    others_at: tuple[int, ...]  # tkv of those that decode, at that moment
    ends_at: int  # furthest the joining request may reach
    others_end_at: tuple[int, ...]
    worst_volume: int  # 0 if nobody decodes: alone, nothing is checked


def project(
    release: SpyreRelease,
    prompt_len: int,
    max_tokens: int,
    decoding: Sequence[Decoding],
    tkv: int,
) -> Projection:
    """Follow a batch that `prompt_len` and `max_tokens` would join.

    tkv: of the last decode step, in tokens.

    >>> from pagedviz.engine.spyre.releases import get_release
    >>> others = [Decoding(400, 409, 3648)] * 31  # each to end at 4,047 tokens, at most
    >>> for key in ("sendnn_2_6_3_pausing_off", "vllm_spyre_1_10_0"):
    ...     project(get_release(key), 400, 3648, others, 409).worst_volume
    133120
    129504
    """
    longest = max(tkv, prompt_len)
    base = longest // BLOCK_SIZE * BLOCK_SIZE  # whole blocks in front of everybody's last one
    joins_at = base + prompt_len % BLOCK_SIZE
    if release.volume_slack:
        others_at = (longest,) * len(decoding)
    else:
        others_at = tuple(base + other.stored % BLOCK_SIZE for other in decoding)
    reach = _with_slack if release.volume_slack else _as_it_is
    ends_at = reach(joins_at + max_tokens - 1)
    others_end_at = tuple(
        reach(at + other.steps_left) for at, other in zip(others_at, decoding, strict=True)
    )
    return Projection(
        joins_at, others_at, ends_at, others_end_at, _worst_volume(ends_at, others_end_at)
    )


def _with_slack(tokens: int) -> int:
    return round_up(tokens) + BLOCK_SIZE


def _as_it_is(tokens: int) -> int:
    return tokens


def _worst_volume(ends_at: int, others_end_at: Sequence[int]) -> int:
    """The largest batch x length, up to the end of the request that joins.

    What comes after was looked at when those who are left joined. Likewise nobody looks at the
    rest of its own life once it has outlived the others.
    """
    worst = 0
    batch = len(others_end_at) + 1
    for end in sorted(others_end_at):
        if ends_at <= end:
            return max(worst, batch * ends_at)
        worst = max(worst, batch * end)
        batch -= 1
    return worst


def within_context(
    projection: Projection, candidate: int, decoding: Sequence[Decoding], max_model_len: int
) -> bool:
    """The further rule of 1.10.0: nobody's remaining answer passes the context after joining.

    candidate: max_tokens of the request that joins.
    """
    if candidate - 1 > max_model_len - projection.joins_at:
        return False
    return all(
        other.steps_left <= max_model_len - at
        for other, at in zip(decoding, projection.others_at, strict=True)
    )
