"""Scene 3: blocks instead of runs, handed out one at a time, returned to a queue.

Leaves out: growth of a request that runs (`filling.py`) and sharing (`sharing.py`).
"""

from __future__ import annotations

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.timeline.presets import Words
from pagedviz.timeline.story.beat import Beat, Scene, both, lit
from pagedviz.timeline.story.figures import BLOCK_SIZE
from pagedviz.timeline.story.room_run import (
    BLOCKS,
    LENGTHS,
    listed,
    marks_of,
    room_run,
    room_state,
    step_at,
    table_of,
)

ROOM_LABELS = {
    "queue": Words("handed out next", "free queue"),
    "queue_short": Words("next", "queue"),
    "corner": Words(
        f"a corner of the room: {BLOCKS} shelves of {BLOCK_SIZE} places",
        f"a small pool: {BLOCKS} blocks of {BLOCK_SIZE} tokens",
    ),
    "page": Words("a shelf here = a page of memory there", "a block here = a page there"),
    "queued": Words("free, this place in the queue", "free, at this place of the queue"),
    **{f"list{q}": Words(f"{q}'s slip", f"table of {q}") for q in "ABCD"},
    **{f"who{q}": Words("boxes", "tokens") for q in "ABCD"},
    "kept": Words("kept", "cached"),
}


def shelves() -> Scene:
    """The third scene."""
    timeline = room_run()
    steps = {name: step_at(name) for name in ("empty", "A", "BC", "left", "D")}
    a = table_of(timeline, steps["A"], "A")
    b, c = (table_of(timeline, steps["BC"], name) for name in "BC")
    d = table_of(timeline, steps["D"], "D")
    left = timeline.state(steps["left"])
    # Of B's blocks the one that is not full comes first, the full one keeps what it holds.
    head, tail = left.queue[0], left.queue[-1]
    if set(b) != {head, tail} or left.hashes[head] >= 0 or left.hashes[tail] < 0:
        raise RuntimeError(f"B's blocks {b} went elsewhere: queue {left.queue}")
    need = cdiv(LENGTHS["A"], BLOCK_SIZE)

    def shows(moment: str, **more: object) -> dict[str, object]:
        return {**room_state(timeline, steps[moment]), **more}

    beats = (
        Beat(
            Words("cut up", "cut up"),
            Words(
                "PagedAttention, the memory manager in vLLM, cuts the aisles into "
                f"{lit('shelf', 'small shelves')}, {BLOCK_SIZE} places each.",
                "PagedAttention, the KV-cache memory manager inside vLLM, cuts memory into "
                f"{lit('shelf', f'blocks of {BLOCK_SIZE} tokens')}.",
            ),
            source=Words(
                f"vLLM is an open-source program that serves models. {BLOCK_SIZE} is its usual "
                "number; some machines ask for more.",
                f"vLLM is an open-source inference server. {BLOCK_SIZE} is its default; some "
                "attention backends ask for another size (vLLM 0.33).",
            ),
            line=f"num_blocks = {timeline.pool.num_blocks} (block 0 is the null block), "
            f"block_size = {BLOCK_SIZE}",
            shows=shows("empty", cut=True),
        ),
        Beat(
            Words("an old idea", "paged memory"),
            Words(
                f"Operating systems have long cut memory into {lit('page', 'pages')} like these; "
                "people of IBM i know them.",
                f"It is {lit('page', 'paged memory')}, as in operating systems; "
                "people of IBM i know it.",
            ),
            source=both("vLLM announcement, 20 June 2023; Kwon et al., SOSP 2023."),
            line="page table of a process ~ block table of a request",
            shows=shows("empty", page=True),
        ),
        Beat(
            Words("A arrives", "A is admitted"),
            Words(
                f"{lit('vA', 'A')} brings {LENGTHS['A']} boxes and gets {need} shelves "
                f"from the front of {lit('queue', 'the queue')}.",
                f"{lit('vA', 'A')} has {LENGTHS['A']} tokens: {need} blocks "
                f"from the head of {lit('queue', 'the free queue')}.",
            ),
            calc=both(f"⌈{LENGTHS['A']} ÷ {BLOCK_SIZE}⌉ = {need}"),
            line=f"allocate_slots(A, {LENGTHS['A']}) -> {list(a)}",
            shows=shows("A", now=list(a)),
        ),
        Beat(
            Words("B and C", "B and C"),
            Words(
                f"{lit('vB', 'B')} with {LENGTHS['B']} and {lit('vC', 'C')} with {LENGTHS['C']} "
                f"boxes get {len(b)} shelves each.",
                f"{lit('vB', 'B')} with {LENGTHS['B']} and {lit('vC', 'C')} with {LENGTHS['C']} "
                f"tokens get {len(b)} blocks each.",
            ),
            line=f"allocate_slots(B, {LENGTHS['B']}) -> {list(b)}; "
            f"allocate_slots(C, {LENGTHS['C']}) -> {list(c)}",
            shows=shows("BC", now=[*b, *c]),
        ),
        Beat(
            Words("B leaves", "B finishes"),
            Words(
                f"B leaves: {lit(f's{head}', f'shelf {head}')} goes to the front of "
                f"{lit('queue', 'the queue')}; {lit(f's{tail}', f'shelf {tail}')}, being full, "
                "to the end, with its boxes kept.",
                f"B finishes: {lit(f's{head}', f'block {head}')}, not full, goes to the head of "
                f"{lit('queue', 'the queue')}; {lit(f's{tail}', f'block {tail}')}, full, stays "
                "cached at the tail.",
            ),
            line=f"free(B) -> free queue {', '.join(map(str, left.queue[:4]))}, ..., {tail}",
            shows=shows("left", now=[head, tail]),
        ),
        Beat(
            Words("D comes", "D is admitted"),
            Words(
                f"{lit('vD', 'D')} brings {LENGTHS['D']} and gets shelves {listed(d)}; "
                f"{lit('slip', 'a slip of paper')} keeps their order.",
                f"{lit('vD', 'D')} has {LENGTHS['D']} tokens: blocks {listed(d)}; "
                f"{lit('slip', 'the block table')} keeps their order.",
            ),
            line=f"allocate_slots(D, {LENGTHS['D']}) -> block table D: {list(d)}",
            shows=shows("D", now=list(d), list="D"),
        ),
    )
    return Scene(
        Words("One shelf at a time", "One block at a time"),
        Words("One shelf at a time", "One block at a time"),
        "room",
        beats,
        shows={"visitors": list(LENGTHS), "size": BLOCK_SIZE, "marks": marks_of(timeline)},
        labels=ROOM_LABELS,
    )
