"""Scene 4: a request that writes takes a new block only when its last one is full.

Goes on where scene 3 ends, in the same run. Leaves out: what happens when no block is free
(the allocator page shows it).
"""

from __future__ import annotations

from pagedviz.timeline.presets import Words
from pagedviz.timeline.story.beat import Beat, Scene, both, lit
from pagedviz.timeline.story.figures import BLOCK_SIZE, CHAT, LONGEST, percent, places_on_blocks
from pagedviz.timeline.story.room_run import (
    LENGTHS,
    TO_FULL,
    marks_of,
    room_run,
    room_state,
    step_at,
    table_of,
)
from pagedviz.timeline.story.shelves import ROOM_LABELS


def tails() -> dict[str, int]:
    """Empty places on the last block of each who is inside at the end.

    >>> tails()
    {'A': 15, 'C': 2, 'D': 14}
    """
    timeline, step = room_run(), step_at("next")
    state = timeline.state(step)
    return {
        timeline.requests[r].letter: len(table) * BLOCK_SIZE - state.requests[r].num_computed_tokens
        for r, table in sorted(state.tables.items())
    }


def filling() -> Scene:
    """The fourth scene."""
    timeline = room_run()
    opened, full, after = (step_at(name) for name in ("D", "full", "next"))
    table = table_of(timeline, opened, "A")
    new = table_of(timeline, after, "A")[-1]
    last, taken = table[-1], LENGTHS["A"] % BLOCK_SIZE
    now = LENGTHS["A"] + TO_FULL
    left = tails()
    places = places_on_blocks(CHAT)
    on_blocks, in_aisle = percent(places - CHAT, places), percent(LONGEST - CHAT, LONGEST)

    def shows(step: int, **more: object) -> dict[str, object]:
        return {**room_state(timeline, step), "list": "A", **more}

    beats = (
        Beat(
            Words("still open", "not yet full"),
            Words(
                f"A's answer begins on {lit(f's{last}', 'the shelf still open')}: "
                f"{taken} of its {BLOCK_SIZE} places are taken.",
                f"A decodes into {lit(f's{last}', 'its last block')}: "
                f"{taken} of {BLOCK_SIZE} places are filled.",
            ),
            calc=both(f"{LENGTHS['A']} = {len(table) - 1} × {BLOCK_SIZE} + {taken}"),
            line=f"A: {LENGTHS['A']} tokens in blocks {list(table)}",
            shows=shows(opened, now=[last]),
        ),
        Beat(
            Words("full", "full"),
            Words(
                f"{TO_FULL} boxes later {lit(f's{last}', 'that shelf')} is full; "
                "no other was needed.",
                f"{TO_FULL} tokens later {lit(f's{last}', 'that block')} is full; "
                "none was allocated.",
            ),
            calc=both(f"{now} = {now // BLOCK_SIZE} × {BLOCK_SIZE}"),
            line=f"{TO_FULL} × allocate_slots(A, 1) -> no new block",
            shows=shows(full, now=[last]),
        ),
        Beat(
            Words(f"box {now + 1}", f"token {now + 1}"),
            Words(
                f"Box {now + 1} gets {lit(f's{new}', f'one new shelf, number {new}')}, "
                f"from the front of {lit('queue', 'the queue')}.",
                f"Token {now + 1} takes {lit(f's{new}', f'one new block, {new}')}, "
                f"from the head of {lit('queue', 'the queue')}.",
            ),
            line=f"allocate_slots(A, 1) -> popleft() -> block {new}",
            shows=shows(after, now=[new]),
        ),
        Beat(
            Words("the tails", "the tails"),
            Words(
                f"All that is given out and empty is {lit('tail', 'the end of each last shelf')}.",
                f"All that is allocated and empty is {lit('tail', 'the tail of each last block')}.",
            ),
            calc=both(
                " + ".join(f"{name} {n}" for name, n in left.items()) + f" = {sum(left.values())}"
            ),
            line="unfilled places <= block_size - 1 per request",
            shows=shows(after, tails=True),
        ),
        Beat(
            Words("compared", "compared"),
            Words(
                f"A chat of {CHAT} wastes {lit('tail', on_blocks)} on shelves, "
                f"and wasted {lit('aisle', in_aisle)} in its aisle.",
                f"A chat of {CHAT} tokens wastes {lit('tail', on_blocks)} in blocks, "
                f"and {lit('aisle', in_aisle)} in one run.",
            ),
            calc=both(f"({places} − {CHAT}) ÷ {places} = {on_blocks}"),
            source=both("Measured in practice: under 4 percent (vLLM announcement, 20 June 2023)."),
            line=f"1 - {CHAT}/{places} = {on_blocks}; 1 - {CHAT}/{LONGEST} = {in_aisle}",
            shows={
                "compare": {
                    "stored": CHAT,
                    "longest": LONGEST,
                    "places": places,
                    "blocks": places // BLOCK_SIZE,
                }
            },
            labels={
                "aisle": Words(
                    f"**an aisle**: {LONGEST:,} places for {CHAT} boxes",
                    f"**one run**: {LONGEST:,} slots for {CHAT} tokens",
                ),
                "shelves": Words(
                    f"**{places // BLOCK_SIZE} shelves**: {places} places for {CHAT} boxes",
                    f"**{places // BLOCK_SIZE} blocks**: {places} places for {CHAT} tokens",
                ),
                "aisle_empty": both(f"{in_aisle} empty"),
                "shelves_empty": both(f"{on_blocks} empty"),
                "others": Words("free for other visitors", "free for other requests"),
            },
        ),
    )
    return Scene(
        Words("A new shelf only when one is full", "A new block only when one is full"),
        Words("When one is full", "When one is full"),
        "room",
        beats,
        shows={"visitors": list(LENGTHS), "size": BLOCK_SIZE, "marks": marks_of(timeline)},
        labels=ROOM_LABELS,
    )
