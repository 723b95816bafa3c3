"""Why a request waits, in a short phrase that goes on from its name: "B waits: ...".

Leaves out: the rules themselves (`engine.spyre.admission`).
"""

from __future__ import annotations

from pagedviz.engine.spyre.admission import Reason
from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.step_result import Waiting
from pagedviz.timeline.presets import Words


def why(one: Waiting, limits: SpyreLimits) -> Words:
    """The rule that holds it up, with the numbers behind it.

    >>> limits = SpyreLimits(4, 512, 1024)
    >>> why(Waiting("B", Reason.NO_BLOCKS, 12, 5), limits)
    Words(room='needs 12 shelves, 5 are not promised', engine='needs 12 blocks, 5 unpromised')
    """
    if one.reason is Reason.NO_BLOCKS:
        needed, free = one.blocks_needed or 0, one.blocks_available or 0
        blocks = f"{needed:,} block{'' if needed == 1 else 's'}"
        if not free:
            return Words(
                f"needs {_shelves(needed)}, all are promised", f"needs {blocks}, none unpromised"
            )
        return Words(
            f"needs {_shelves(needed)}, {free:,} {'is' if free == 1 else 'are'} not promised",
            f"needs {blocks}, {free:,} unpromised",
        )
    if one.reason is Reason.VOLUME:
        worst = one.projected_volume or 0
        return Words(
            f"the table could grow to {worst:,} places of {limits.batch_tkv_limit:,} allowed",
            f"batch x tkv could grow to {worst:,}, the limit is {limits.batch_tkv_limit:,}",
        )
    if one.reason is Reason.NO_SLOT:
        most = limits.max_num_seqs
        return Words(
            f"no free seat, there {'is' if most == 1 else 'are'} {most}",
            f"no free slot, max_num_seqs is {most}",
        )
    return _PHRASES[one.reason]


_PHRASES = {
    Reason.PAUSED_FIRST: Words("who sits out goes first", "paused requests go first"),
    Reason.DECODE_FIRST: Words(
        "those at the table write first", "a decode step comes between chunks"
    ),
    Reason.ONE_PREFILL: Words(
        "somebody else's boxes are being worked out", "one prompt is prefilled at a time"
    ),
    Reason.BEHIND: Words(
        "stands behind somebody who has to wait", "is behind a request that cannot be taken"
    ),
    Reason.MAX_MODEL_LEN: Words(
        "beside the longer rows somebody's answer would pass the longest row there may be",
        "after joining, an answer could pass max_model_len",
    ),
    Reason.REJECTED: Words("is turned away", "is rejected by validate_request"),
    Reason.ADMITTED: Words("may come in", "admitted"),
    Reason.EMPTY_BATCH: Words("may come in", "admitted: the batch is empty"),
}


def _shelves(n: int) -> str:
    return f"{n:,} {'shelf' if n == 1 else 'shelves'}"
