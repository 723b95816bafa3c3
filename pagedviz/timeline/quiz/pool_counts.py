"""Questions about numbers of blocks: how many an admission takes, whether a token takes one, and
how many come back.

The wrong options are other sums: without rounding up, without the blocks that are shared, one
ahead, a block for every token, all of a table though others hold some of it.

Leaves out: which blocks (`pool_blocks.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from pagedviz.timeline.presets import Words
from pagedviz.timeline.quiz.question import Option, Question, fair
from pagedviz.timeline.quiz.say import counted, is_are
from pagedviz.timeline.quiz.scene import Scene


def how_many(scene: Scene, worth: int) -> Question | None:
    """How many new blocks an admission takes."""
    step, size, who = scene.step, scene.size, scene.who
    assert step.view is not None
    if step.view.in_hand or (step.op or {}).get("num_lookahead_tokens"):
        return None
    tokens, hits, right = step.view.num_tokens, len(step.effects.hit), len(step.effects.new)
    if -(-tokens // size) - hits != right:
        return None  # longer than a request may be: the rest has no place
    boxes, holds, there = counted(tokens, "box"), counted(size, "box"), _found(hits * size)
    return fair(
        step.index,
        "count",
        Words(
            f"**Visitor {who}** comes in with {boxes.room}; a shelf holds {holds.room}."
            f"{there.room} How many new shelves does that take?",
            f"**Request {who}** is admitted with {boxes.engine}; block_size is {size:,}."
            f"{there.engine} How many new blocks does that take?",
        ),
        Option(right, counted(right, "new")),
        _other_counts(tokens, size, hits, right),
        _sum(tokens, size, hits, right),
        worth=worth + bool(hits),
    )


def _found(n: int) -> Words:
    if not n:
        return Words("", "")
    if n == 1:
        return Words(" The first one is there already.", " The first one is a hit.")
    return Words(
        f" The first {n:,} stand on shelves already.", f" The first {n:,} are found in the cache."
    )


def _sum(tokens: int, size: int, hits: int, right: int) -> Words:
    whole, rest = -(-tokens // size), tokens % size
    last = f", {rest:,} of them on the last" if rest and whole > 1 else ""
    room = f"{counted(tokens, 'box').room} take {counted(whole, 'shelf').room}{last}"
    engine = f"{counted(tokens, 'box').engine} take {counted(whole, 'shelf').engine}{last}"
    if tokens == 1:
        room, engine = room.replace("take", "takes"), engine.replace("take", "takes")
    if not hits:
        return Words(f"{room}.", f"{engine}.")
    new = counted(right, "new")
    return Words(
        f"{room}; {hits:,} {is_are(hits)} there already, which leaves {new.room}.",
        f"{engine}; {hits:,} {is_are(hits)} found by hash, which leaves {new.engine}.",
    )


def _other_counts(tokens: int, size: int, hits: int, right: int) -> Iterator[Option]:
    """The numbers that other sums give."""
    whole, rest = -(-tokens // size), tokens % size
    if hits:
        yield _number(
            whole,
            "new",
            "would store a second time what stands there already",
            "would store a second time what the prefix cache has",
        )
    if rest and whole - 1 - hits >= 0:
        left = counted(rest, "box")
        yield _number(
            whole - 1 - hits,
            "new",
            f"would leave {left.room} without a place; a shelf that is begun counts",
            f"would leave {left.engine} without a slot; a partial block counts",
        )
    yield _number(
        right + 1,
        "new",
        "would take one ahead; the next comes when a box finds the last shelf full",
        "would allocate one ahead; the next comes when a token finds the last block full",
    )
    yield _number(tokens, "new", "would be a shelf for each box", "would be a block for each token")


def _number(n: int, noun: str, room: str, engine: str) -> Option:
    say = counted(n, noun)
    return Option(
        n,
        say,
        Words(
            f"{say.room[:1].upper()}{say.room[1:]} {room}.",
            f"{say.engine[:1].upper()}{say.engine[1:]} {engine}.",
        ),
    )


def grows(scene: Scene, worth: int) -> Question | None:
    """Whether one more token takes another block."""
    step, size, who = scene.step, scene.size, scene.who
    assert step.view_before is not None
    left = step.table_before * size - step.view_before.num_computed_tokens
    if step.num_tokens_of_op != 1 or (step.op or {}).get("num_lookahead_tokens"):
        return None
    if not 0 <= left < size or len(step.effects.new) != (left == 0):
        return None
    filled = f"{size - left:,} of {size:,}"
    no = Option(
        "no",
        Words("no, there is a place left", "no, there is a slot left"),
        Words(
            "There is no place left: the last shelf is full.",
            "There is no slot left: the last block is full.",
        ),
    )
    yes = Option(
        "yes",
        Words("yes, one more shelf", "yes, one more block"),
        Words(
            "That would take a shelf before the last one is full.",
            "That would allocate a block before the last one is full.",
        ),
    )
    if left:
        why = Words(
            f"The last shelf has {filled} boxes, so this one goes there.",
            f"The last block has {filled} slots filled, so this token goes there.",
        )
    else:
        full = counted(size, "box")
        why = Words(
            f"The last shelf is full with {full.room}, so this one finds no place there.",
            f"The last block is full with {full.engine}, so this one finds no slot there.",
        )
    return fair(
        step.index,
        "grow",
        Words(
            f"**Visitor {who}** puts down one more box. Does that take another shelf?",
            f"**Request {who}** stores one more token. Does that take another block?",
        ),
        no if left else yes,
        [yes if left else no],
        why,
        least=1,
        worth=worth,
    )


def returns(scene: Scene, worth: int) -> Question | None:
    """How many blocks a leaver gives back."""
    step, e, who = scene.step, scene.step.effects, scene.who
    held, back, stay = step.table_before, len(e.freed_front) + len(e.freed_back), len(e.stay)
    if held < 2:
        return None
    say, shelves = counted(back, "shelf"), counted(held, "shelf")
    others = Words(": nobody else uses one of them", ": no other request holds one of them")
    if stay:
        others = Words(
            f"; {stay:,} {'stay' if stay > 1 else 'stays'}, because others use "
            f"{'them' if stay > 1 else 'it'}",
            f"; {stay:,} {'stay' if stay > 1 else 'stays'} with a ref_cnt above 0",
        )
    verb = "go" if back > 1 else "goes"
    return fair(
        step.index,
        "return",
        Words(
            f"**Visitor {who}** leaves, with {shelves.room} on the list. How many of them go back "
            "to the queue?",
            f"**Request {who}** is freed, with {shelves.engine} in its table. How many of them go "
            "back to the free queue?",
        ),
        Option(back, say),
        _other_returns(held, len(e.freed_front), stay),
        Words(
            f"{say.room[:1].upper()}{say.room[1:]} {verb} back{others.room}.",
            f"{say.engine[:1].upper()}{say.engine[1:]} {verb} back{others.engine}.",
        ),
        worth=worth + 2 * bool(stay),
    )


def _other_returns(held: int, unhashed: int, stay: int) -> Iterator[Option]:
    """The numbers that other rules give."""
    yield _number(
        held,
        "shelf",
        "would take shelves from others who still use them",
        "would free blocks that others still hold",
    )
    yield _number(
        unhashed,
        "shelf",
        "would leave out those that keep their boxes, and these are free as well",
        "would leave out the hashed ones, and these are free as well",
    )
    yield _number(
        stay or held,
        "shelf",
        "would be those that stay, because others use them",
        "would be those that stay, because others hold them",
    )
    yield _number(
        held - 1,
        "shelf",
        "would hold one back, and nobody holds one back",
        "would hold one back, and nothing is held back",
    )
