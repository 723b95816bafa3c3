"""Scene 2: the old way, an unbroken run of the longest length for every request.

Who holds what comes from the engine's reservation manager; the published share of waste stands
beside it, with its source. Leaves out: the cleverer reservations (the reservation page has them).
"""

from __future__ import annotations

from pagedviz.timeline.presets import Words
from pagedviz.timeline.story.beat import Beat, Scene, both, lit
from pagedviz.timeline.story.figures import (
    CHAT,
    CHAT_ANSWER,
    CHAT_PROMPT,
    LONGEST,
    aisles,
    empty_share,
    gigabytes,
    llama,
    percent,
)

ANNOUNCEMENT = "vLLM announcement, 20 June 2023"


def old_way() -> Scene:
    """The second scene."""
    memory, short = aisles()
    held = memory.reservations()
    size = llama().bytes_per_token
    empty = percent(empty_share())
    run = LONGEST * size
    room, total = f"{len(held)} aisles", gigabytes(len(held) * run)
    beats = (
        Beat(
            Words("an aisle", "a reservation"),
            Words(
                f"Servers used to lock {lit('aisle', 'an unbroken aisle')} for each visitor, "
                f"long enough for the longest visit: {LONGEST:,} places.",
                f"Servers used to reserve {lit('aisle', 'one contiguous run')} per request, "
                f"for the longest sequence: {LONGEST:,} tokens.",
            ),
            line=f"reserve(max_model_len = {LONGEST:,}) before the first token",
            shows={"aisles": 1, "used": False},
            labels={
                "big": Words(
                    f"{LONGEST:,} places, before the first word",
                    f"{LONGEST:,} slots, before the first token",
                )
            },
        ),
        Beat(
            Words("its size", "its size"),
            Words(
                f"For LLaMA-13B {lit('size', 'one aisle')} takes {gigabytes(run)}.",
                f"For LLaMA-13B {lit('size', 'one reservation')} takes {gigabytes(run)}.",
            ),
            calc=both(f"{size:,} B × {LONGEST:,} = {run:,} B"),
            source=both(
                f"“up to 1.7 GB”: {ANNOUNCEMENT}. {gigabytes(run)} is {run / 2**30:.4f} GiB."
            ),
            line=f"{size:,} B/token × {LONGEST:,} tokens = {run / 2**30:.4f} GiB",
            shows={"aisles": 1, "used": False},
            labels={"big": both(f"{LONGEST:,} × {size:,} B = {gigabytes(run)}")},
        ),
        Beat(
            Words("an average chat", "an average chat"),
            Words(
                f"An average chat fills {lit('vA', f'{CHAT} places')}; "
                f"{lit('rest', 'the rest of the aisle')} stays locked.",
                f"An average chat stores {lit('vA', f'{CHAT} tokens')}; "
                f"{lit('rest', 'the rest of the run')} stays reserved.",
            ),
            calc=both(f"{CHAT_PROMPT} asked + {CHAT_ANSWER} answered = {CHAT}"),
            source=both("Means of ShareGPT chats: Kwon et al., SOSP 2023, section 6."),
            line=f"internal fragmentation: {LONGEST - CHAT:,} of {LONGEST:,} slots",
            shows={"aisles": 1, "used": True},
            labels={"big": both(f"{CHAT} of {LONGEST:,} = {percent(CHAT, LONGEST)}")},
        ),
        Beat(
            Words("full", "full"),
            Words(
                f"{len(held)} visitors lock the whole room, and {lit('vE', 'visitor E')} waits "
                f"beside {lit('rest', 'empty places')}.",
                f"{len(held)} requests reserve it all, and {lit('vE', 'request E')} waits "
                f"beside {lit('rest', 'empty slots')}.",
            ),
            line=f"request E needs a run of {short.run:,} slots; free: {short.free}",
            shows={"aisles": len(held), "used": True, "waits": True},
        ),
        Beat(
            Words("memory first", "memory first"),
            Words(
                f"So {lit('rest', 'the room')} is full long before "
                f"{lit('compute', 'the processor')} has enough to do.",
                f"So {lit('rest', 'memory')} runs out long before "
                f"{lit('compute', 'compute')} does.",
            ),
            source=both(f"{ANNOUNCEMENT}: it is memory that limits serving."),
            line="waiting: E; running: A, B, C, D",
            shows={"aisles": len(held), "used": True, "waits": True, "compute": True},
        ),
        Beat(
            Words("measured", "measured"),
            Words(
                f"Here {lit('meter', empty)} holds nothing; older systems really wasted "
                f"{lit('band', '60 to 80 %')}.",
                f"Here {lit('meter', empty)} holds nothing; older systems really wasted "
                f"{lit('band', '60 to 80 %')}.",
            ),
            calc=both(f"1 − {sum(h.written for h in held):,} ÷ {memory.num_slots:,} = {empty}"),
            source=both(
                f"{empty}: an example made up for this page. 60 to 80 percent: {ANNOUNCEMENT}."
            ),
            line=f"wasted = 1 − {memory.counts().token:,}/{memory.num_slots:,} = {empty}",
            shows={"aisles": len(held), "used": True, "meter": True},
        ),
    )
    return Scene(
        Words("An aisle for every visitor", "A contiguous run for every request"),
        Words("The room runs out", "Memory runs out"),
        "aisles",
        beats,
        shows={
            "held": [[h.request_id, h.written, h.reserved] for h in held],
            "longest": LONGEST,
            "empty": empty_share(),
        },
        labels={
            "one": Words(f"one aisle: {LONGEST:,} places", f"one run: {LONGEST:,} slots"),
            "room": Words(
                f"the room: {room} of {LONGEST:,} places, {total}",
                f"the pool: {len(held)} runs of {LONGEST:,} slots, {total}",
            ),
            "place": Words(
                "the same aisle, place by place", f"the same run, slot by slot: {size:,} B each"
            ),
            "waits": Words("E waits: 0 aisles free", f"E waits: 0 runs of {short.run:,} free"),
            "compute": Words("the processor could serve more", "compute could serve more"),
            "this": Words(f"this room: {empty} holds nothing", f"this pool: {empty} holds nothing"),
            "band": both("older systems: 60 to 80 %"),
            **{
                f"held{h.request_id}": Words(
                    f"**{h.request_id}: {h.written:,}** places hold something, "
                    f"{h.reserved - h.written:,} are held back",
                    f"**{h.request_id}: {h.written:,}** slots hold a token, "
                    f"{h.reserved - h.written:,} are reserved",
                )
                for h in held
            },
            **{
                f"short{h.request_id}": both(f"**{h.request_id}: {h.written:,}** of {h.reserved:,}")
                for h in held
            },
        },
    )
