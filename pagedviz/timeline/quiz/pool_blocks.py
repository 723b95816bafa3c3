"""Questions about single blocks: which one is handed out next, and what is evicted first.

The wrong options are what people expect of memory: the lowest free number, the one that came back
last (a stack), the neighbour of one's own, the most recently used.

Leaves out: how many blocks (`pool_counts.py`), admission and preemption (`pool_people.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from pagedviz.timeline.presets import Words
from pagedviz.timeline.quiz.question import Option, Question, fair
from pagedviz.timeline.quiz.say import counted, named
from pagedviz.timeline.quiz.scene import Scene


def next_block(scene: Scene, worth: int) -> Question | None:
    """Which block comes off the queue first."""
    new, who = scene.step.effects.new, scene.who
    found = set(scene.step.effects.hit)
    queue = [block for block in scene.before.queue if block not in found]
    if not new or queue[0] != new[0]:
        return None  # beyond the largest length only a part of what was asked for is placed
    which = Words("Which one is it?", "Which one is it?")
    if len(new) > 1:
        which = Words("Which one comes first?", "Which one comes first?")
    several, first = counted(len(new), "new"), named(new[0])
    return fair(
        scene.step.index,
        "next",
        Words(
            f"**Visitor {who}** is about to get {several.room}. {which.room}",
            f"**Request {who}** is about to get {several.engine}. {which.engine}",
        ),
        Option(new[0], first),
        _other_blocks(scene, queue),
        Words(
            f"Whoever needs a shelf gets the one at the front of the queue, and that is shelf "
            f"{new[0]}.",
            f"popleft takes the head of the free queue, and that is block {new[0]}.",
        ),
        covers=("queue",),
        worth=worth,
    )


def _other_blocks(scene: Scene, queue: list[int]) -> Iterator[Option]:
    """The blocks that other rules would hand out."""
    lowest, last = min(queue), scene.freed_last()
    yield Option(
        lowest,
        named(lowest),
        Words(
            f"Shelf {lowest} would mean that the lowest free number goes first; numbers only name "
            "the shelves.",
            f"Block {lowest} would mean that the lowest free id goes first; ids have no order.",
        ),
    )
    if last is not None and last in queue:
        yield Option(
            last,
            named(last),
            Words(
                f"Shelf {last} would mean that what came back last always goes out first.",
                f"Block {last} would mean a stack, last freed and first out; it is a queue.",
            ),
        )
    if scene.own and scene.own[-1] + 1 in queue:
        beside = scene.own[-1] + 1
        yield Option(
            beside,
            named(beside),
            Words(
                f"Shelf {beside} would keep {scene.who}'s shelves side by side; any free shelf "
                "will do, the list knows where it is.",
                f"Block {beside} would keep {scene.who}'s blocks contiguous; the block table makes "
                "that unnecessary.",
            ),
        )
    yield Option(
        queue[-1],
        named(queue[-1]),
        Words(
            f"Shelf {queue[-1]} stands at the end of the queue and is handed out last.",
            f"Block {queue[-1]} is the tail of the free queue and goes out last.",
        ),
    )
    if len(queue) > 1:
        yield Option(
            queue[1],
            named(queue[1]),
            Words(
                f"Shelf {queue[1]} is the second in the queue and comes after that.",
                f"Block {queue[1]} is the second in the free queue and comes after that.",
            ),
        )


def evicted(scene: Scene, worth: int) -> Question | None:
    """What is thrown out of the prefix cache first."""
    evict, hits, who = scene.step.effects.evict, set(scene.step.effects.hit), scene.who
    kept = [block for block in scene.kept if block not in hits]
    if not evict or len(kept) < 2:
        return None
    block, several = evict[0][0], counted(len(scene.step.effects.new), "shelf")
    return fair(
        scene.step.index,
        "evict",
        Words(
            f"**Visitor {who}** gets {several.room}. What is thrown out first for that?",
            f"**Request {who}** gets {several.engine}. What is evicted first for that?",
        ),
        Option(block, _content(block)),
        _other_contents(kept),
        Words(
            f"Shelf {block} is the first in the queue that still keeps something, and whoever gets "
            "the shelf throws that out.",
            f"Block {block} is the first in the free queue that still has a hash, and popping it "
            "evicts it.",
        ),
        covers=("queue",),
        worth=worth,
    )


def _other_contents(kept: list[int]) -> Iterator[Option]:
    """What other rules would throw out; `kept` in the order of the queue."""
    last, lowest, second = kept[-1], min(kept), kept[1]
    yield Option(
        last,
        _content(last),
        Words(
            f"Shelf {last} was kept last, and what was kept longest goes first.",
            f"Block {last} was freed last, and the least recently used goes first.",
        ),
    )
    yield Option(
        lowest,
        _content(lowest),
        Words(
            f"Shelf {lowest} has the lowest number, and numbers do not count.",
            f"Block {lowest} has the lowest id, and ids do not count.",
        ),
    )
    yield Option(
        "nothing",
        Words("nothing: what is kept stays", "nothing: what is cached stays"),
        Words(
            "What is kept stands on free shelves, and goes when the shelf is needed.",
            "Cached blocks that nobody holds are free, and are taken like any other.",
        ),
    )
    yield Option(
        second,
        _content(second),
        Words(f"Shelf {second} comes after that.", f"Block {second} comes after that."),
    )


def _content(block: int) -> Words:
    return Words(f"what shelf {block} keeps", f"the hash of block {block}")
