"""Questions about the batch of a decode step: how many take part, and what it comes to.

The wrong options are what people expect: all that are inside, tokens without the padding, the most
requests there may be, the whole context for each.

Leaves out: who pauses (`spyre_turns.py`), who is let in (`spyre_door.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from pagedviz.engine.spyre.step_result import StepResult
from pagedviz.timeline.presets import Words
from pagedviz.timeline.quiz.question import Option, Question, fair, meaning
from pagedviz.timeline.quiz.say import counted
from pagedviz.timeline.spyre.moments import Moment, Played


def together(played: Played, moment: Moment, worth: int) -> Question | None:
    """How many decode in one step."""
    result = moment.result
    assert result is not None
    assert result.rectangle is not None
    inside, right = len(result.requests) + len(result.paused), len(result.requests)
    limits, tkv = played.limits, result.rectangle.tkv
    product = f"{right} x {tkv:,} = {result.rectangle.volume:,}"
    if result.paused and moment.one_more:
        why = Words(
            f"{product} places of {limits.batch_tkv_limit:,}; with one more there would be "
            f"{moment.one_more:,}.",
            f"{product} of {limits.batch_tkv_limit:,}; one more would make {moment.one_more:,}.",
        )
    elif result.paused:
        return None
    else:
        why = Words(
            f"{product} places of {limits.batch_tkv_limit:,}: all of them fit.",
            f"{product} of {limits.batch_tkv_limit:,}: all of them fit.",
        )
    longest = max(_stored(result, name) for name in (*result.requests, *result.paused))
    people, waits = counted(inside, "visitor"), len(result.waiting)
    return fair(
        moment.index,
        "together",
        Words(
            f"{people.room.capitalize()} could write now; the longest row has {longest:,} boxes, "
            f"the table {limits.batch_tkv_limit:,} places. How many write together in this step?",
            f"{people.engine.capitalize()} could decode now; the longest holds {longest:,} tokens, "
            f"batch x tkv is at most {limits.batch_tkv_limit:,}. How many decode together?",
        ),
        Option(right, _people(right)),
        _other_batches(played, moment, result, inside, waits),
        why,
        least=1,
        covers=("figures",),
        worth=worth,
    )


def _stored(result: StepResult, name: str) -> int:
    """Tokens a request holds after the step."""
    for one in result.running:
        if one.request_id == name:
            return one.stored
    assert result.rectangle is not None  # it left with this step
    return next(row.tokens for row in result.rectangle.rows if row.request_id == name)


def _people(n: int) -> Words:
    return counted(n, "visitor")


def _other_batches(
    played: Played, moment: Moment, result: StepResult, inside: int, waits: int
) -> Iterator[Option]:
    """The numbers that other rules give."""
    assert result.rectangle is not None
    limits, tkv = played.limits, result.rectangle.tkv
    yield _batch(
        inside,
        "would be all that are inside, whatever the table holds",
        "would be all that run, whatever the product",
    )
    sizes = sorted(_stored(result, name) for name in (*result.requests, *result.paused))
    total, fits = 0, 0
    for size in sizes:
        total += size
        if total > limits.batch_tkv_limit:
            break
        fits += 1
    yield _batch(
        fits,
        "would count boxes only; empty places beside the longest row count as well",
        "would count tokens only; padding counts as well",
    )
    yield _batch(
        limits.max_num_seqs,
        "would be the most there may ever be",
        "would be max_num_seqs, the most there may ever be",
    )
    if waits:
        yield _batch(
            inside + waits,
            "would include those at the door",
            "would include those that wait",
        )
    if not result.paused:
        yield _batch(
            max(1, limits.batch_tkv_limit // tkv),
            "would find room on the table, but so many are not here",
            "would fit the product, but so many do not run",
        )
    elif len(result.requests) > 1:
        yield _batch(
            1,
            "would be one at a time; they write together as far as the table goes",
            "would be one at a time; they are batched as far as the product allows",
        )


def _batch(n: int, room: str, engine: str) -> Option:
    return meaning(n, _people(n), room, engine)


def volume(played: Played, moment: Moment, worth: int) -> Question | None:
    """What counts against the limit of the product."""
    result = moment.result
    assert result is not None
    assert result.rectangle is not None
    rectangle, limit = result.rectangle, played.limits.batch_tkv_limit
    k, tkv, right = len(rectangle.rows), rectangle.tkv, rectangle.volume
    people, longest = _people(k), max(row.tokens for row in rectangle.rows)
    if longest != tkv:
        return None  # the rows end apart from each other, which nobody can know from these numbers
    return fair(
        moment.index,
        "volume",
        Words(
            f"{people.room.capitalize()} write; the longest row has {longest:,} boxes, all "
            f"together {rectangle.tokens:,}. How many places does that cost at the table?",
            f"{people.engine.capitalize()} decode; the longest holds {longest:,} tokens, all "
            f"together {rectangle.tokens:,}. What is batch x tkv?",
        ),
        Option(right, Words(f"{right:,}", f"{right:,}")),
        [
            _size(
                rectangle.tokens,
                "counts boxes only; the empty places beside the longest row are paid for too",
                "counts tokens only; padding up to the longest is paid for too",
            ),
            _size(
                tkv,
                "is one row; each of them has one",
                "is tkv alone; each row of the batch has it",
            ),
            _size(limit, "is the most there may be", "is the limit, not what is used of it"),
            _size(
                k * played.limits.max_model_len,
                "would give each the longest row there may be",
                "would give each the whole context",
            ),
        ],
        Words(
            f"{k} rows, each as wide as the widest: {k} x {tkv:,} = {right:,}.",
            f"Every row is padded to the longest: {k} x {tkv:,} = {right:,}.",
        ),
        covers=("figures",),
        worth=worth,
    )


def _size(n: int, room: str, engine: str) -> Option:
    return Option(n, Words(f"{n:,}", f"{n:,}"), Words(f"{n:,} {room}.", f"{n:,} {engine}."))
