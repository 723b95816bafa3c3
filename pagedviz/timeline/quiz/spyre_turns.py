"""The question who sits out a decode step.

The wrong options are the one with the longest row, the first and the last of the list: the choice
looks at who sat out longest and who has written least, then at the room there is.

Leaves out: how many take part (`spyre_batch.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from pagedviz.engine.spyre.step_result import Running
from pagedviz.timeline.presets import Words
from pagedviz.timeline.quiz.question import Option, Question, fair
from pagedviz.timeline.quiz.say import counted
from pagedviz.timeline.spyre.moments import Moment, Played


def pauses(played: Played, moment: Moment, worth: int) -> Question | None:
    """Who sits this step out, where it is one that decoded before."""
    result = moment.result
    before = played.moments[moment.index - 1].result
    assert result is not None
    if before is None or not result.rectangle:
        return None
    right = result.newly_paused[0]
    candidates = [one for one in before.running if one.request_id in (*result.requests, right)]
    if len(candidates) < 2:
        return None
    name = {one.request_id: played.visitor(one.request_id).letter for one in before.running}
    who, limit = name[right], played.limits.batch_tkv_limit
    mine = next(one for one in candidates if one.request_id == right)
    return fair(
        moment.index,
        "pause",
        Words(
            f"Those inside do not all fit on {limit:,} places. Who sits out in this step, having "
            "written in the one before?",
            f"Those that run do not all fit into {limit:,}. Who pauses in this step, having run in "
            "the one before?",
        ),
        _person(who, "", ""),
        _others(played, candidates),
        Words(
            f"Whoever sat out longest comes first, then who has written least: {who}, with "
            f"{counted(mine.generated, 'box').room} written, found no place.",
            f"Longest paused comes first, then least generated: {who}, with "
            f"{counted(mine.generated, 'box').engine} generated, no longer fitted.",
        ),
        least=1,
        also_right=tuple(name.get(each, "") for each in result.paused),
        covers=("figures",),
        worth=worth,
    )


def _others(played: Played, candidates: list[Running]) -> Iterator[Option]:
    people = [played.visitor(one.request_id) for one in candidates]
    longest = played.visitor(max(candidates, key=lambda one: one.stored).request_id)
    first = min(people, key=lambda one: one.number)
    last = max(people, key=lambda one: one.number)
    no = "and that does not count"
    rows = [
        (longest, "has the longest row, " + no, "holds the most tokens, " + no),
        (last, "is last in the list, " + no, "is last in the list, " + no),
        (first, "is first in the list, " + no, "is first in the list, " + no),
        *((one, "has its turn in this step", "has its turn in this step") for one in people),
    ]
    for one, room, engine in rows:
        yield _person(one.letter, f"{one.letter} {room}.", f"{one.letter} {engine}.")


def _person(letter: str, room: str, engine: str) -> Option:
    return Option(letter, Words(f"visitor {letter}", f"request {letter}"), Words(room, engine))
