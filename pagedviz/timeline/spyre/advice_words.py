"""The words of `advice`, in both registers: what would help a mix, and what would not.

Leaves out: finding it out.
"""

from __future__ import annotations

from pagedviz.timeline.presets import Words

FEWER_TOKENS_CHANGE_NOTHING = Words(
    "**Shorter answers** change nothing here: nobody waits for shelves, and a step counts the "
    "boxes there are, not those that may come.",
    "**Lower max_tokens** changes nothing here: nobody waits for blocks, and a step counts the "
    "tokens held, not those allowed.",
)
FEWER_TOKENS_ARE_NO_HELP = Words(
    "**Shorter answers** do not help alone: even with 1 box somebody waits.",
    "**Lower max_tokens** does not help alone: even with 1 somebody waits.",
)


def nothing_to_mend(total: int, most: int, limit: int) -> Words:
    """All decode together already.

    >>> nothing_to_mend(3, 975, 131_072).engine
    '**Nothing to mend**: all 3 decode together to the end of their answers, batch x tkv at most
     975 of 131,072.'
    """
    room, engine = _to_the_end(total)
    return Words(
        f"**Nothing to mend**: {room}, on at most {most:,} of {limit:,} places.",
        f"**Nothing to mend**: {engine}, batch x tkv at most {most:,} of {limit:,}.",
    )


def shorter(
    total: int,
    most: int,
    longest: int,
    longer: int,
    volume: int,
    limit: int,
    *,
    with_a_slot: bool = False,
) -> Words:
    """Prompts of at most `most` tokens; `longer` requests have more now, up to `longest`.

    with_a_slot: others wait for a slot and are not counted in `total`.
    """
    room = engine = f"{most:,} instead of {longest:,}"
    if longer > 1:
        room = f"at most {most:,} each ({longer} bring more, up to {longest:,})"
        engine = f"at most {most:,} ({longer} are longer, up to {longest:,})"
    where = (" with a seat", " with a slot") if with_a_slot else ("", "")
    all_room, all_engine = _to_the_end(total, *where)
    return Words(
        f"**Fewer boxes**: with {room} {all_room}, on at most {volume:,} of {limit:,} places.",
        f"**A shorter longest prompt**: with {engine} tokens {all_engine}, batch x tkv at most "
        f"{volume:,} of {limit:,}.",
    )


def shorter_is_no_help(seats: int | None) -> Words:
    """No prompt is short enough; `seats` if it is these that somebody waits for."""
    if seats is not None:
        return Words(
            f"**Fewer boxes** do not help alone: there {_seats(seats)}, and somebody waits for "
            "one.",
            f"**Shorter prompts** do not help alone: max_num_seqs is {seats}, and somebody waits "
            "for a free slot.",
        )
    return Words(
        "**Fewer boxes** do not help alone: somebody still waits or sits out.",
        "**Shorter prompts** do not help alone: somebody still waits or pauses.",
    )


def fewer_tokens_free_no_seat(seats: int) -> Words:
    """Somebody waits for a slot."""
    return Words(
        f"**Shorter answers** do not help at once: there {_seats(seats)}; a seat is free sooner, "
        "but not now.",
        f"**Lower max_tokens** does not help at once: max_num_seqs is {seats}; a slot is free "
        "sooner, but not now.",
    )


def fewer_tokens(total: int, most: int, longest: int, volume: int, limit: int) -> Words:
    """With answers of at most `most` instead of `longest` tokens all decode together."""
    room, engine = _to_the_end(total)
    boxes = f"{most:,} {'box' if most == 1 else 'boxes'}"
    return Words(
        f"**Shorter answers**: with at most {boxes} instead of {longest:,} {room}, on at most "
        f"{volume:,} of {limit:,} places.",
        f"**Lower max_tokens**: at {most:,} instead of {longest:,} {engine}, batch x tkv at most "
        f"{volume:,} of {limit:,}.",
    )


def nobody_waits(most: int, longest: int, for_blocks: bool, decoding: int, left_out: int) -> Words:
    """With answers of at most `most` nobody waits, though not all decode in every step."""
    why_room, why_engine = "the table is large enough to the end", "the volume rule admits all"
    if for_blocks:
        why_room, why_engine = "there are shelves enough for all", "the blocks suffice for all"
    boxes = f"{most:,} {'box' if most == 1 else 'boxes'}"
    then = f"all {decoding}" if not left_out else f"{decoding}"
    others = ", later in turns"
    if left_out:
        others = ", the other in turns" if left_out == 1 else f", the other {left_out} in turns"
    return Words(
        f"**Shorter answers**: with at most {boxes} instead of {longest:,} nobody waits, since "
        f"{why_room}; {then} write together at first{others}.",
        f"**Lower max_tokens**: at {most:,} instead of {longest:,} nobody waits, since "
        f"{why_engine}; {then} decode together at first{others}.",
    )


def configuration(
    name: str, row: tuple[int, int, int], limit: int, decoding: int, now: int, together: bool
) -> Words:
    """Another of the model's configurations: cards, context, requests."""
    cards, context, requests = row
    on = "1 card" if cards == 1 else f"{cards} cards"
    end_room, end_engine = _to_the_end(decoding)
    if not together:
        end_room = f"{decoding} write together instead of {now}"
        end_engine = f"{decoding} decode together instead of {now}"
    return Words(
        f"**Other cards**: {name} on {on}, made for {requests} with {context:,}, has a table of "
        f"{limit:,} places; {end_room}.",
        f"**Another configuration**: {name} on {on}, {context:,} x {requests}, has a limit of "
        f"{limit:,}; {end_engine}.",
    )


def no_configuration(name: str, now: int) -> Words:
    """No configuration of the model does better."""
    return Words(
        f"**Other cards**: none of the rooms known for {name} lets more than {now} write together.",
        f"**Another configuration**: none the plugin knows for {name} lets more than {now} "
        "decode together.",
    )


def _to_the_end(total: int, seat: str = "", slot: str = "") -> tuple[str, str]:
    if total == 1:
        return (
            f"the only visitor{seat} writes to the end",
            f"the only request{slot} decodes to its end",
        )
    return (
        f"all {total}{seat} write together to the end of their answers",
        f"all {total}{slot} decode together to the end of their answers",
    )


def _seats(seats: int) -> str:
    return "is 1 seat" if seats == 1 else f"are {seats} seats"
