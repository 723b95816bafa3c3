"""Questions about prompts: how many tokens of one are found in the prefix cache.

The wrong options are what other rules would find: every equal token, the whole prompt, all but
the last token, the block that is begun, what is the same further on.

Leaves out: everything that any run of the block manager has (`pool.py`), asked here as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pagedviz.timeline.play import Timeline
from pagedviz.timeline.presets import Words
from pagedviz.timeline.quiz import pool
from pagedviz.timeline.quiz.choose import Spot, choose
from pagedviz.timeline.quiz.question import Option, Question, fair, meaning
from pagedviz.timeline.quiz.say import counted
from pagedviz.timeline.sharing_view import PromptView
from pagedviz.timeline.sharing_words import reason_words

BESIDE = ("admit", "evict", "count", "return")  # other kinds that belong to the page's subject


def questions(timeline: Timeline, views: Sequence[PromptView]) -> tuple[Question, ...]:
    """Those that are asked of these prompts; `views` as `sharing.explain` gives them.

    >>> from pagedviz.timeline.play import play
    >>> from pagedviz.timeline.prompts import Prompt, prompts_run
    >>> from pagedviz.timeline.sharing import explain
    >>> a, b = (Prompt(tuple(range(n)), ("x",) * n) for n in (10, 13))
    >>> run = prompts_run([a, b], num_blocks=12, block_size=4)
    >>> timeline = play(run)
    >>> asked = questions(timeline, explain([a, b], run, timeline))[-1]
    >>> asked.right, [option.text.engine for option in asked.options]
    (8, ['no token', '8 tokens', '10 tokens', '12 tokens'])
    """
    by_step = {view.admission: view for view in views if view.admission is not None}
    first = min(by_step, default=0)
    reuse = [
        Spot(step, "reuse", 1 + 2 * (view.hits > 0 or view.same_beginning > 0))
        for step, view in by_step.items()
        if step > first and view.reason.kind != "caching_off"
    ]
    others = [spot for spot in pool.spots(timeline) if spot.kind in BESIDE]

    def make(spot: Spot) -> Question | None:
        if spot.kind == "reuse":
            return reused(by_step[spot.step], spot)
        return pool.make(timeline, spot)

    asked = choose(reuse, make, timeline.last, of_a_kind=len(reuse))
    return choose(others, make, timeline.last, asked)


def reused(view: PromptView, spot: Spot) -> Question | None:
    """How many tokens of this prompt are found when it comes in."""
    right, tokens = view.hit_tokens, view.prompt.num_tokens
    say, all_of_it, size = _tokens(right), counted(tokens, "box"), counted(view.block_size, "box")
    return fair(
        spot.step,
        "reuse",
        Words(
            f"**Visitor {view.letter}** comes in with {all_of_it.room}; a shelf holds {size.room}. "
            "How many of them are found, and need not be worked out?",
            f"**Request {view.letter}** is admitted with {all_of_it.engine}; block_size is "
            f"{view.block_size:,}. How many of them are reused from the prefix cache?",
        ),
        Option(right, say),
        _other_finds(view),
        Words(reason_words(view, "room"), reason_words(view, "engine")),
        covers=("labels",),
        worth=spot.worth,
    )


def _tokens(n: int) -> Words:
    return counted(n, "box")


def _other_finds(view: PromptView) -> Iterator[Option]:
    """What other rules would find."""
    size, tokens, same, full = (
        view.block_size,
        view.prompt.num_tokens,
        view.same_beginning,
        view.full_blocks * view.block_size,
    )
    if same == tokens:
        yield _everything(tokens)
    elif view.reason.kind == "evicted":
        yield _find(
            same,
            "would count what has been thrown out by now",
            "would count what has been evicted by now",
        )
    else:
        yield _find(
            same,
            "would count every box that is the same; only whole shelves are found",
            "would count every equal token; only full blocks are found",
        )
    if view.reason.kind in ("salt_differs", "adapter_differs"):
        yield _find(
            full,
            "would look at the boxes alone; the label is made of more than that",
            "would look at the tokens alone; more than that goes into the hash",
        )
    if same == tokens:
        yield _find(
            tokens - 1,
            "would work out the last box alone; its whole shelf is worked out",
            "would compute the last token alone; its whole block is computed",
        )
    if same % size:
        begun = min(tokens, (same // size + 1) * size)
        if view.reason.kind == "other_not_full":
            yield _find(
                begun,
                "would count a shelf that never became full; only a full one has a label",
                "would count a block that was never full; only a full one has a hash",
            )
        else:
            yield _find(
                begun,
                "would count the shelf on which they part; its label is another",
                "would count the block in which they differ; its hash is another",
            )
    if (also := view.reason.also) is not None:
        yield _find(
            view.hit_tokens + also.length,
            "would count what is the same further on; its labels differ all the same",
            "would count what is equal further on; its hashes are chained and differ",
        )
    yield _find(
        0,
        "would mean that they have nothing in common from the first box on",
        "would mean that they have no full block in common",
    )
    yield _find(
        full,
        "would count all full shelves, whatever stands on them",
        "would count all full blocks, whatever they hold",
    )
    yield _everything(tokens)
    yield _find(
        tokens - 1,
        "would be everything but the last box",
        "would be everything but the last token",
    )


def _everything(tokens: int) -> Option:
    return _find(
        tokens,
        "would be everything, and one box at least is always worked out",
        "would be the whole prompt, and one token at least is always computed",
    )


def _find(n: int, room: str, engine: str) -> Option:
    return meaning(n, _tokens(n), room, engine)
