"""May this request compute its next chunk now? The first rule that says no is the reason.

One request is prefilled at a time, chunk by chunk, and between two chunks those that decode
get a step (interleaving). The first chunk needs a free place among the requests that run, the
last one a free place in the decode batch and, where nobody can be paused, the volume rule.

Leaves out: the order in which waiting requests are asked, and what a refusal means for those
behind (`scheduler`); the rules for images and structured output.

Source: sendnn-inference 2.6.3, v1/core/scheduler.py (schedule, can_schedule_prefill,
_has_scheduling_priority, _satisfies_first_chunk_constraints, _satisfies_last_chunk_constraints);
vllm-spyre 1.10.0, the same names.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pagedviz.engine.spyre.releases import SpyreRelease
from pagedviz.engine.spyre.volume import Decoding, Projection, project, within_context


class Reason(StrEnum):
    """Why a request is taken or not, by the words of the recordings.

    The last two occur only while others are being served: recordings of a single request's
    admission do not have them.
    """

    REJECTED = "rejected_by_validate_request"
    NO_BLOCKS = "not_enough_free_blocks"
    EMPTY_BATCH = "admitted_empty_batch"
    PAUSED_FIRST = "paused_requests_go_first"
    DECODE_FIRST = "interleave_decode_first"
    NO_SLOT = "no_free_slot"
    MAX_MODEL_LEN = "max_model_len"
    VOLUME = "volumetric_limit"
    ADMITTED = "admitted"
    ONE_PREFILL = "one_prefill_at_a_time"  # somebody else's prompt is under way
    BEHIND = "behind_a_blocked_request"  # not looked at: one before it cannot be taken


TAKEN = (Reason.EMPTY_BATCH, Reason.ADMITTED)


@dataclass(frozen=True, slots=True)
class BatchState:
    """Who is running when the question is asked."""

    decoding: Sequence[Decoding]
    num_paused: int = 0
    prefilling: bool = False  # some request has computed a chunk, and not its last
    last_step_was_prefill: bool = False
    tkv: int = 0  # of the last decode step, in tokens

    @property
    def num_running(self) -> int:
        """Those that decode and the one being prefilled; paused requests do not run."""
        return len(self.decoding) + self.prefilling


@dataclass(frozen=True, slots=True)
class Candidate:
    """The request that wants its next chunk. Sizes in tokens.

    computed: tokens it need not compute any more: prompt computed so far, or, before its first
        chunk, found in the prefix cache.
    """

    prompt_len: int
    max_tokens: int
    computed: int = 0
    is_prefilling: bool = False  # it has computed a chunk already
    blocks_needed: int = 0  # to be promised
    blocks_available: int | None = None  # free and promised to nobody; None: not asked


@dataclass(frozen=True, slots=True)
class Decision:
    """The answer."""

    reason: Reason  # ADMITTED or EMPTY_BATCH, or what keeps it from finishing its prefill now
    starts: bool  # its next chunk may run now
    may_finish: bool  # if it were the last chunk, it might run now
    projection: Projection | None = None  # if the volume rule was asked


def decide(
    release: SpyreRelease,
    state: BatchState,
    candidate: Candidate,
    *,
    max_num_seqs: int,
    max_model_len: int,
    batch_tkv_limit: int,
    chunk_size: int,
    interleave: bool = True,
) -> Decision:
    """Ask the rules in the plugin's order.

    >>> from pagedviz.engine.spyre.releases import get_release
    >>> limits = dict(max_num_seqs=32, max_model_len=32_768, batch_tkv_limit=131_072)
    >>> state = BatchState([Decoding(64, 73, 500)] * 31, tkv=73)
    >>> for key in ("sendnn_2_6_3_default_pausing", "sendnn_2_6_3_pausing_off"):
    ...     found = decide(get_release(key), state, Candidate(8000, 16), chunk_size=512, **limits)
    ...     found.reason.value, found.starts, found.may_finish
    ('admitted', True, True)
    ('volumetric_limit', True, False)
    """
    refusal = _standing_refusal(release, state, candidate, max_num_seqs, interleave)
    if refusal is Reason.EMPTY_BATCH:
        return Decision(refusal, True, True)
    if refusal is not None:
        return Decision(refusal, False, False)

    reason, projection = _last_chunk(
        release, state, candidate, max_num_seqs, max_model_len, batch_tkv_limit
    )
    is_last = candidate.prompt_len - candidate.computed <= chunk_size
    if interleave:
        asked = is_last
    else:
        # chunks follow each other without a break, so the first answers for all of them
        asked = not candidate.is_prefilling
    may_finish = reason is Reason.ADMITTED
    return Decision(reason, may_finish or not asked, may_finish, projection)


def refusal_of_all(
    release: SpyreRelease, state: BatchState, *, max_num_seqs: int, interleave: bool = True
) -> Reason | None:
    """What every waiting request would be told whatever its size; None if its size counts.

    Only the blocks come before it: who lacks them is told so.

    >>> from pagedviz.engine.spyre.releases import get_release
    >>> release = get_release("sendnn_2_6_3_default_pausing")
    >>> refusal_of_all(release, BatchState([Decoding(64, 73, 500)] * 4), max_num_seqs=4).value
    'no_free_slot'
    """
    anybody = Candidate(prompt_len=1, max_tokens=1)
    reason = _standing_refusal(release, state, anybody, max_num_seqs, interleave)
    return None if reason is Reason.EMPTY_BATCH else reason


def _standing_refusal(
    release: SpyreRelease,
    state: BatchState,
    candidate: Candidate,
    max_num_seqs: int,
    interleave: bool,
) -> Reason | None:
    """What does not depend on whether the chunk is the last; EMPTY_BATCH if nothing is asked."""
    available = candidate.blocks_available
    if release.promises_blocks and available is not None and candidate.blocks_needed > available:
        return Reason.NO_BLOCKS
    if state.num_running == 0:
        return Reason.EMPTY_BATCH
    if release.chooses_decode_set and state.num_paused:
        return Reason.PAUSED_FIRST
    if interleave and state.last_step_was_prefill and state.decoding:
        return Reason.DECODE_FIRST
    if state.prefilling and not candidate.is_prefilling:
        return Reason.ONE_PREFILL
    if not candidate.is_prefilling and state.num_running >= max_num_seqs:
        return Reason.NO_SLOT
    return None


def _last_chunk(
    release: SpyreRelease,
    state: BatchState,
    candidate: Candidate,
    max_num_seqs: int,
    max_model_len: int,
    batch_tkv_limit: int,
) -> tuple[Reason, Projection | None]:
    if len(state.decoding) >= max_num_seqs:
        return Reason.NO_SLOT, None
    if release.pausing:
        return Reason.ADMITTED, None  # whoever does not fit into a step will sit it out
    projection = project(
        release, candidate.prompt_len, candidate.max_tokens, state.decoding, state.tkv
    )
    if release.max_model_len_rule and not within_context(
        projection, candidate.max_tokens, state.decoding, max_model_len
    ):
        return Reason.MAX_MODEL_LEN, projection
    if projection.worst_volume > batch_tkv_limit:
        return Reason.VOLUME, projection
    return Reason.ADMITTED, projection
