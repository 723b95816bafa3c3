"""Questions about requests: is one let in, and who has to go when a block is missing.

The wrong options are what people expect of a queue at a door: that half of what is asked for is
given, that somebody makes room, that who came first goes first, that the largest goes.

Leaves out: the blocks themselves (`pool_blocks.py`, `pool_counts.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from pagedviz.timeline.presets import Words
from pagedviz.timeline.quiz.question import Option, Question, fair
from pagedviz.timeline.quiz.say import counted, is_are
from pagedviz.timeline.quiz.scene import Scene


def let_in(scene: Scene, worth: int) -> Question | None:
    """What happens to a request that asks to be admitted."""
    step, who = scene.step, scene.who
    assert step.view_before is not None
    no, free = step.effects.refusal, step.before.free
    if (step.op or {}).get("num_lookahead_tokens") or (step.op or {}).get("num_new_tokens"):
        return None
    if step.refused and no is None:
        return None  # not a matter of room
    boxes, size = counted(step.view_before.num_tokens, "box"), counted(scene.size, "box")
    shelves, inside = counted(free, "shelf"), len(scene.before.tables)
    kept = step.before.kept
    keeping = Words("", "")
    if kept:
        some = "" if free == 1 else " all" if kept == free else f" {kept:,} of them"
        keeping = Words(f",{some} with kept boxes", f",{some} cached")
    right, why = _outcome(scene)
    return fair(
        step.index,
        "admit",
        Words(
            f"**Visitor {who}** with {boxes.room} asks to come in. {shelves.room.capitalize()} of "
            f"{size.room} {is_are(free)} free{keeping.room}. What happens?",
            f"**Request {who}** with {boxes.engine} asks for admission. "
            f"{shelves.engine.capitalize()} of {size.engine} {is_are(free)} free{keeping.engine}. "
            "What happens?",
        ),
        right,
        _other_outcomes(scene, right, free, inside),
        why,
        worth=worth,
    )


def _outcome(scene: Scene) -> tuple[Option, Words]:
    step, who = scene.step, scene.who
    no, usable = step.effects.refusal, step.pool.usable
    if no is None:
        new, hit = len(step.effects.new), len(step.effects.kept_hits)
        takes = counted(new + hit, "shelf")
        return _in(who), Words(
            f"{who} takes {takes.room} out of the queue, and {step.before.free:,} "
            f"{is_are(step.before.free)} free.",
            f"{who} takes {takes.engine} out of the free queue, which has {step.before.free:,}.",
        )
    if no.never:
        return _never(who), Words(
            f"{who} needs {no.never:,} shelves, and the whole room has {usable:,}.",
            f"{who} needs {no.never:,} blocks, and the whole pool has {usable:,}.",
        )
    needs = counted(no.need, "shelf")
    spare = Words("", "")
    if no.watermark:
        spare = Words(
            f", {no.watermark:,} more must stay in reserve,",
            f", with a watermark of {no.watermark:,} more,",
        )
    found = Words("", "")
    if no.kept_hits:
        found = Words(f", {no.kept_hits:,} of them kept,", f", {no.kept_hits:,} of them hits,")
    left = f"{no.free:,} {is_are(no.free)}" if no.free else "none is"
    return _waits(who), Words(
        f"{who} needs {needs.room}{found.room}{spare.room} and {left} free: it is all or nothing.",
        f"{who} needs {needs.engine}{found.engine}{spare.engine} and {left} free: allocation "
        "is all or nothing.",
    )


def _in(who: str) -> Option:
    return Option(
        "in",
        Words(f"{who} comes in", f"{who} is admitted"),
        Words("For that too few shelves are free.", "For that too few blocks are free."),
    )


def _waits(who: str) -> Option:
    return Option(
        "wait",
        Words(f"{who} waits until enough are free", f"{who} waits until enough are free"),
    )


def _never(who: str) -> Option:
    return Option(
        "never",
        Words(f"{who} can never come in", f"{who} can never be admitted"),
        Words("The whole room has enough shelves for it.", "The whole pool has enough for it."),
    )


def _other_outcomes(scene: Scene, right: Option, free: int, inside: int) -> Iterator[Option]:
    who, refused = scene.who, right.value != "in"
    if refused and free:
        some = counted(free, "shelf")
        yield Option(
            "part",
            Words(
                f"{who} comes in with {some.room} for now", f"{who} is admitted with {some.engine}"
            ),
            Words(
                "A part is never given: that would be a visitor with no place to go on.",
                "A part is never allocated: allocate_slots returns all blocks or None.",
            ),
        )
    if inside:
        yield Option(
            "room",
            Words("someone inside is sent back for it", "a running request is preempted for it"),
            Words(
                "Somebody is sent back only for those inside, never for who stands at the door.",
                "A running request is preempted for another running one, never for one that waits.",
            ),
        )
    if refused:
        yield _in(who)
    if right.value == "never":
        say = _waits(who)
        yield Option(
            say.value,
            say.text,
            Words(
                "There will never be enough, not even in an empty room.",
                "There will never be enough, not even in an empty pool.",
            ),
        )
    elif not refused:
        kept = scene.step.before.kept
        means = Words("There is enough free.", "There is enough free.")
        if kept:
            means = Words(
                "Shelves with kept boxes are free as well: they count.",
                "Cached blocks that nobody holds are free as well: they count.",
            )
        yield Option("wait", _waits(who).text, means)
    if right.value != "never":
        yield _never(who)


def victim(scene: Scene, worth: int) -> Question | None:
    """Who is preempted when a running request finds no block."""
    step, e, right = scene.step, scene.step.effects, scene.who
    running = list(scene.running())
    if not e.room_for or not e.victim_why or len(running) < 2:
        return None
    letters = [scene.letter(number) for number in running]
    tables = scene.before.tables
    most = max(running, key=lambda number: len(tables.get(number, ())))
    why = {
        "last": Words(
            f"{right} came in last, and whoever came last goes first.",
            f"{right} was admitted last, and the last of the running list goes first.",
        ),
        "priority": Words(
            f"{right} is the least urgent of those inside.",
            f"{right} has the lowest priority of the running requests.",
        ),
    }[e.victim_why]
    earlier = {
        "last": Words(f"came in before {right}", f"was admitted before {right}"),
        "priority": Words(
            f"is more urgent than {right}, or was here before",
            f"has a higher priority than {right}, or arrived before",
        ),
    }[e.victim_why]
    wrong = [
        _person(
            letters[0],
            f"{letters[0]} {earlier.room}.",
            f"{letters[0]} {earlier.engine}.",
        ),
        _person(
            e.room_for,
            f"{e.room_for} asks, and asking is no reason to go.",
            f"{e.room_for} asks, and asking is no reason to be preempted.",
        ),
        _person(
            scene.letter(most),
            f"{scene.letter(most)} has the most shelves, and that does not count.",
            f"{scene.letter(most)} holds the most blocks, and that does not count.",
        ),
        *(
            _person(
                each,
                f"{each} {earlier.room}.",
                f"{each} {earlier.engine}.",
            )
            for each in letters
        ),
    ]
    return fair(
        step.index,
        "preempt",
        Words(
            f"**Visitor {e.room_for}** needs a shelf and none is free. Who is sent back to the "
            "door?",
            f"**Request {e.room_for}** needs a block and none is free. Who is preempted?",
        ),
        _person(right, "", ""),
        wrong,
        why,
        least=1,
        worth=worth,
    )


def _person(letter: str, room: str, engine: str) -> Option:
    return Option(letter, Words(f"visitor {letter}", f"request {letter}"), Words(room, engine))
