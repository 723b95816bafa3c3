"""A run on Spyre as the page shows it: who came, each step, and everybody's turn in it.

Both a scenario (`play`) and a mix (`mix_play`) become this. What a step did is the engine's own
`StepResult`; here is added what only the whole run can tell: letters, hues, first times.

Leaves out: words (`words_room`, `words_engine`), and how it is sent (`wire`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pagedviz.engine.spyre.admission import Reason
from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.padding import padded_tkv
from pagedviz.engine.spyre.releases import SpyreRelease
from pagedviz.engine.spyre.requests import RequestCheck
from pagedviz.engine.spyre.step_result import StepResult, Waiting
from pagedviz.timeline.step import NO_HUE, NUM_HUES

# Rules that keep a request waiting for long; the others only say whose turn it is.
STANDING = (
    Reason.NO_BLOCKS,
    Reason.NO_SLOT,
    Reason.MAX_MODEL_LEN,
    Reason.VOLUME,
    Reason.PAUSED_FIRST,
)


@dataclass(frozen=True, slots=True)
class Visitor:
    """A request over the whole run. Sizes in tokens."""

    number: int  # in the order of the list
    request_id: str
    letter: str
    hue: int  # 0 to 6, or NO_HUE if it never came in and there are more requests than hues
    prompt: int
    max_tokens: int
    output: int  # what it really writes
    arrival: int  # engine step
    refused: RequestCheck | None = None  # at the door, with what would fit


@dataclass(frozen=True, slots=True)
class Moment:
    """One step. `result` is None before anything has happened."""

    index: int
    result: StepResult | None
    refused: tuple[int, ...] = ()  # visitors turned away at the door, by number
    one_more: int | None = None  # batch x tkv with the next who pauses or waits; None: nobody
    widened: bool = False  # the rectangle is wider than in the decode step before
    must_wait: tuple[Waiting, ...] = ()  # those that a lasting rule holds up from here on
    kinds: tuple[str, ...] = ()  # arrive chunk pause resume leave refuse full

    @property
    def is_start(self) -> bool:
        """Whether nothing is computed in it."""
        return self.result is None or not (self.result.prefill or self.result.rectangle)


@dataclass(frozen=True, slots=True)
class Played:
    """A whole run."""

    title: str
    limits: SpyreLimits
    release: SpyreRelease
    visitors: tuple[Visitor, ...]
    moments: tuple[Moment, ...]
    is_mix: bool = False

    def visitor(self, request_id: str) -> Visitor:
        """The visitor with this id."""
        return next(v for v in self.visitors if v.request_id == request_id)

    def turns(self) -> tuple[str, ...]:
        """Per visitor one character a step: space . p d - ~ (see `turn`)."""
        columns = [turns_of(moment.result) for moment in self.moments]
        return tuple(
            "".join(column.get(visitor.request_id, " ") for column in columns)
            for visitor in self.visitors
        )


def turns_of(result: StepResult | None) -> dict[str, str]:
    """What each request does in a step; those that are not there are left out.

    "." waits at the door, "p" has a chunk of its prompt computed, "d" decodes, "-" pauses,
    "~" is inside and does none of these.
    """
    if result is None:
        return {}
    found = {one.request_id: "." for one in result.waiting}
    for one in result.running:
        found[one.request_id] = "-" if one.status == "paused" else "~"
    mark = "p" if result.prefill is not None else "d"
    return found | dict.fromkeys(result.requests, mark)


def hues(names: Sequence[str], results: Iterable[StepResult]) -> dict[str, int]:
    """The hue of each request: its own if there are enough, in the order of the list.

    With more requests than hues, when one comes in, the lowest of those the fewest inside have.

    >>> hues(["A", "B", "C"], [])
    {'A': 0, 'B': 1, 'C': 2}
    """
    if len(names) <= NUM_HUES:
        return {name: hue for hue, name in enumerate(names)}
    found: dict[str, int] = {}
    inside: dict[str, int] = {}
    for result in results:
        for name in (*(one.request_id for one in result.running), *result.requests):
            if name not in found:
                held = list(inside.values())
                hue = min(range(NUM_HUES), key=lambda h: (held.count(h), h))
                found[name] = inside[name] = hue
        for left in result.finished:
            inside.pop(left.request_id, None)
    return found


def hue_of(name: str, found: dict[str, int]) -> int:
    """The hue of a request, or NO_HUE if it never came in."""
    return found.get(name, NO_HUE)


def moments(
    start: StepResult | None,
    results: Sequence[StepResult],
    prompts: dict[str, int],
    refused: Sequence[tuple[int, int]] = (),
) -> tuple[Moment, ...]:
    """The steps with their marks.

    prompts: tokens by request id. refused: (arrival, visitor) of those turned away, who are
    told of in the first step at or after their arrival.
    """
    open_refusals = sorted(refused)

    def turned_away(until: int | None) -> tuple[int, ...]:
        due = [one for one in open_refusals if until is None or one[0] <= until]
        del open_refusals[: len(due)]
        return tuple(number for _, number in due)

    seen: set[tuple[str, str]] = set()  # (what, request), for what is marked the first time only
    before = turned_away(0 if results else None)
    found = [Moment(0, start, before, kinds=("refuse",) if before else ())]
    width = 0
    for index, result in enumerate(results, 1):
        away = turned_away(None if index == len(results) else result.step)
        rectangle = result.rectangle
        widened = rectangle is not None and 0 < width < rectangle.width_blocks
        width = rectangle.width_blocks if rectangle is not None else width
        held_up = _held_up(result, seen)
        kinds = _kinds(result, seen, bool(away or held_up))
        more = one_more(result, prompts)
        found.append(Moment(index, result, away, more, widened, held_up, kinds))
    return tuple(found)


def one_more(result: StepResult, prompts: dict[str, int]) -> int | None:
    """Batch x tkv if the first who pauses, or else the first who waits, decoded as well."""
    if result.rectangle is None:
        return None
    stored = [row.tokens for row in result.rectangle.rows]
    paused = {one.request_id: one.stored for one in result.running if one.status == "paused"}
    if result.paused:
        joins = paused[result.paused[0]]
    elif result.waiting:
        joins = prompts[result.waiting[0].request_id]
    else:
        return None
    return (len(stored) + 1) * padded_tkv([*stored, joins + 1])


def _held_up(result: StepResult, seen: set[tuple[str, str]]) -> tuple[Waiting, ...]:
    """Who waits because of a lasting rule, once per request and rule."""
    waits = [*result.waiting, *([result.prefill_waits] if result.prefill_waits else [])]
    keys = [(one, ("refuse", f"{one.request_id}\0{one.reason}")) for one in waits]
    found = tuple(one for one, key in keys if one.reason in STANDING and key not in seen)
    seen.update(key for one, key in keys if one.reason in STANDING)
    return found


def _kinds(result: StepResult, seen: set[tuple[str, str]], refused: bool) -> tuple[str, ...]:
    """Marks, each where something is new; what goes on step after step has none."""

    def first(what: str, names: Iterable[str]) -> bool:
        new = {(what, name) for name in names} - seen
        seen.update(new)
        return bool(new)

    marks = {
        "arrive": bool(result.arrived),
        "chunk": result.prefill is not None and result.prefill.is_first,
        "pause": first("pause", result.newly_paused),
        "resume": first("resume", result.resumed),
        "leave": bool(result.finished),
        "refuse": refused,  # must wait, or is turned away: the caption says which
        "full": _is_full(result) and first("full", ("",)),
    }
    return tuple(kind for kind, there in marks.items() if there)


def _is_full(result: StepResult) -> bool:
    """Whether one more row of this length would pass the limit."""
    rectangle = result.rectangle
    if rectangle is None:
        return False
    return (len(rectangle.rows) + 1) * rectangle.tkv > result.volume_limit
