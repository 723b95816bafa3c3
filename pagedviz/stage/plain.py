"""One step as a plain table, for a browser that cannot unpack the run: sent beside it, unpacked.

Leaves out every other step; those are in the table under the picture.
"""

from typing import Any

from pagedviz.timeline.captions import REGISTERS, caption
from pagedviz.timeline.play import Timeline

QUEUE_MOST = 60


def plain_step(timeline: Timeline, index: int) -> dict[str, Any]:
    """What the stage would show of step `index`, in words and numbers.

    >>> from pagedviz.timeline.presets import PRESETS
    >>> from pagedviz.timeline.play import play
    >>> plain_step(play(PRESETS[0].run), 2)["rows"]
    [['A', 150, 150, '1 2 3 4 5 6 7 8 9 10']]
    """
    state = timeline.state(index)
    rows = [
        [
            timeline.requests[number].letter,
            view.num_tokens,
            view.num_computed_tokens,
            " ".join(map(str, state.tables.get(number, ()))),
        ]
        for number, view in sorted(state.requests.items())
    ]
    queue = list(state.queue[:QUEUE_MOST])
    return {
        "step": index,
        "last": timeline.last,
        "words": [caption(timeline.steps[index], register) for register in REGISTERS],
        "rows": rows,
        "queue": queue,
        "more": len(state.queue) - len(queue),
    }
