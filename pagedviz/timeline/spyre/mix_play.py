"""The next decode steps of a mix, and what they cost.

Whoever the server would not have taken waits, with the reason (`mix_seat`). Step by step those
inside take turns as the plugin chooses. A request that has written its answer leaves; if
somebody waits, the play ends there, since a prompt would be computed next.

Leaves out: the prompts, which are all done when it begins; arrivals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pagedviz.engine.spyre.decode_set import DecodeSet, Turn, choose_decode_set
from pagedviz.engine.spyre.padding import decode_rectangle, padded_tkv
from pagedviz.engine.spyre.releases import SpyreRelease, get_release
from pagedviz.engine.spyre.step_result import BlockCount, Finished, Running, StepResult, Waiting
from pagedviz.timeline.spyre.mix import Mix
from pagedviz.timeline.spyre.mix_seat import Inside, named, seat
from pagedviz.timeline.spyre.moments import Played, Visitor, hue_of, hues, moments
from pagedviz.timeline.step import letter

STEPS = 12  # decode steps that are shown


@dataclass(frozen=True, slots=True)
class MixSummary:
    """The first decode step of a mix. Sizes in tokens."""

    requests: int
    decoding: int
    paused: int
    waiting: int
    tkv: int  # the longest padded row, which counts for all
    paid: int  # requests x tkv
    carries: int  # of it, tokens that are somebody's
    one_more: int | None  # what it would be with one more of those that pause or wait
    limit: int

    @property
    def padding(self) -> int:
        """Paid for, and empty."""
        return self.paid - self.carries

    @property
    def padding_share(self) -> float:
        """Of what is paid for, from 0 to 1."""
        return self.padding / self.paid


def play_mix(mix: Mix, title: str = "", steps: int = STEPS) -> Played:
    """Play up to `steps` decode steps; step 0 shows the mix as it is given.

    >>> from pagedviz.timeline.spyre.mix import MixGroup
    >>> played = play_mix(Mix((MixGroup(1, 30_000, 25), MixGroup(31, 200, 25))))
    >>> [len(moment.result.requests) for moment in played.moments[:5]]
    [0, 4, 31, 4, 31]
    """
    release = get_release(mix.release)
    inside, waits = seat(mix, release)
    start, results = _run(mix, release, inside, waits, steps)
    found = hues([name for name, _, _ in named(mix)], [start, *results])
    visitors = tuple(
        Visitor(
            number, name, letter(number), hue_of(name, found), prompt, answer, answer, arrival=0
        )
        for number, (name, prompt, answer) in enumerate(named(mix))
    )
    prompts = {visitor.request_id: visitor.prompt for visitor in visitors}
    return Played(
        title, mix.limits, release, visitors, moments(start, results, prompts), is_mix=True
    )


def summary(mix: Mix) -> MixSummary:
    """The first decode step in numbers.

    >>> from pagedviz.timeline.spyre.mix import MixGroup
    >>> found = summary(Mix((MixGroup(1, 30_000, 25), MixGroup(31, 200, 25))))
    >>> found.decoding, found.paused, found.tkv, found.paid, found.carries, found.one_more
    (4, 28, 30001, 120004, 30604, 150005)
    >>> round(found.padding_share, 3)
    0.745
    """
    return summary_of(play_mix(mix, steps=1))


def summary_of(played: Played) -> MixSummary:
    """The same of a mix that has been played."""
    moment = played.moments[1]
    result = moment.result
    assert result is not None
    assert result.rectangle is not None
    return MixSummary(
        len(played.visitors),
        len(result.requests),
        len(result.paused),
        len(result.waiting),
        result.rectangle.tkv,
        result.rectangle.volume,
        result.rectangle.tokens,
        moment.one_more,
        result.volume_limit,
    )


def _run(
    mix: Mix, release: SpyreRelease, inside: list[Inside], waits: list[Waiting], steps: int
) -> tuple[StepResult, list[StepResult]]:
    limits = mix.limits
    now = {one.name: one for one in inside}
    running, paused = [one.name for one in inside], list[str]()
    sat_out = dict.fromkeys(now, 0)
    waiting = tuple(waits)

    def result(step: int, finished: Sequence[Finished] = (), **what: object) -> StepResult:
        here = [*((name, "decoding") for name in running), *((name, "paused") for name in paused)]
        shown = tuple(_running(now[name], status, release) for name, status in here)
        held = sum(one.held_blocks for one in shown)
        promised = sum(one.promised_blocks for one in shown)
        base = StepResult(
            step=step,
            arrived=(),
            prefill=None,
            rectangle=None,
            newly_paused=(),
            resumed=(),
            paused=tuple(paused),
            prefill_waits=None,
            waiting=waiting,
            running=shown,
            finished=tuple(finished),
            new_blocks=(),
            blocks=BlockCount(held, promised, limits.usable_blocks - held),
            volume_limit=limits.batch_tkv_limit,
        )
        return replace(base, **what)  # type: ignore[arg-type]

    start = result(0)
    results: list[StepResult] = []
    for step in range(1, steps + 1):
        if not now:
            break
        chosen = _choose(
            release,
            [Turn(n, now[n].stored, now[n].written, sat_out[n]) for n in running],
            [Turn(n, now[n].stored, now[n].written, sat_out[n]) for n in paused],
            limits.batch_tkv_limit,
        )
        sat_out |= chosen.sat_out
        rectangle = decode_rectangle((name, now[name].stored) for name in chosen.decoding)
        for name in chosen.decoding:
            now[name] = replace(now[name], stored=now[name].stored + 1)
        done = [name for name in chosen.decoding if now[name].generated >= now[name].answer]
        finished = [
            Finished(
                name,
                now[name].generated,
                now[name].answer,
                now[name].promised - now[name].held if release.promises_blocks else 0,
            )
            for name in done
        ]
        running = [name for name in chosen.decoding if name not in done]
        paused = list(chosen.paused)
        for name in done:
            del now[name]
        results.append(
            result(
                step,
                finished,
                rectangle=rectangle,
                newly_paused=chosen.newly_paused,
                resumed=chosen.resumed,
            )
        )
        if done and waiting:
            break
    return start, results


def _choose(
    release: SpyreRelease, running: list[Turn], paused: list[Turn], limit: int
) -> DecodeSet:
    if release.chooses_decode_set:
        return choose_decode_set(running, paused, limit)
    tkv = padded_tkv(turn.stored + 1 for turn in running)
    return DecodeSet(tuple(turn.request_id for turn in running), (), (), (), tkv, {})


def _running(one: Inside, status: str, release: SpyreRelease) -> Running:
    return Running(
        one.name,
        "paused" if status == "paused" else "decoding",
        one.prompt,
        one.stored,
        one.generated,
        one.answer,
        one.held,
        one.promised - one.held if release.promises_blocks else 0,
    )
