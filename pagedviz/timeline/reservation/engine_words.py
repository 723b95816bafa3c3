"""A step of the comparison in the engine's words: contiguous reservation and paged blocks.

First what happened, then where both stand.

Leaves out: the storage room's words (`room_words.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pagedviz.timeline.attention.figures import counted
from pagedviz.timeline.reservation.play import ReservationRun
from pagedviz.timeline.reservation.step import Step

LONGEST = 220  # characters that fit three lines of the engine's smaller type


def engine(run: ReservationRun, step: Step) -> str:
    """What happened, and where both sides stand; `**bold**` marks emphasis."""
    setup = run.setup
    if step.tick == 0:
        return (
            f"{setup.slots:,} KV slots on each side. contiguous: policy {setup.policy}, "
            f"max_model_len {setup.max_model_len:,}. paged: "
            f"{counted(setup.num_blocks, 'block', 'blocks')} of {setup.block_size}. "
            f"{counted(len(run.visitors), 'request', 'requests')} to come."
        )
    stand = _stand(step)
    said = ""
    for event in _events(run, step):
        longer = f"{said}; {event}" if said else event
        if len(f"{longer}. {stand}".replace("*", "")) <= LONGEST:
            said = longer
    return f"{said}. {stand}" if said else stand


def _events(run: ReservationRun, step: Step) -> Iterator[str]:
    for turned in step.turned_away:
        where = "both refuse" if turned.old and turned.paged else "contiguous refuses"
        yield f"{where} {run.visitors[turned.visitor].letter}: {turned.old or turned.paged}"
    if step.paged.preempted:
        yield f"paged preempts **{_names(run, step.paged.preempted)}**"
    if step.arrived:
        yield f"**{_names(run, step.arrived)}** queued"
    if step.old.came:
        yield f"contiguous admits **{_names(run, step.old.came)}**"
    if step.paged.came:
        yield f"paged admits **{_names(run, step.paged.came)}**"
    for name, side in (("contiguous", step.old), ("paged", step.paged)):
        if side.left:
            yield f"{name} frees {_names(run, side.left)}"
    yield from filter(None, (why_old(run, step), why_paged(run, step)))


def why_old(run: ReservationRun, step: Step) -> str:
    """What the first in line of the contiguous side waits for; "" if nobody waits."""
    if not step.old.waits:
        return ""
    head, short = run.visitors[step.old.waits[0].visitor].letter, step.old.shortage
    if short is None:
        return f"{head} waits for the next step ({step.old.waits[0].why})"
    longest = f", longest run {short.longest:,}" if short.fragmented else ""
    return f"{head} needs a run of {short.run:,}, {short.free:,} free{longest}"


def why_paged(run: ReservationRun, step: Step) -> str:
    """What the first in line of the paged side waits for; "" if nobody waits."""
    if not step.paged.waits:
        return ""
    head, demand = run.visitors[step.paged.waits[0].visitor].letter, step.paged.demand
    if step.paged.waits[0].why == "preempted":
        return f"{head} waits: no admission in a step that preempts"
    if demand is None:
        return f"{head} waits for the next step ({step.paged.waits[0].why})"
    return f"{head} needs {counted(demand.need, 'block', 'blocks')}, {demand.free:,} free"


def _stand(step: Step) -> str:
    old, paged = step.old, step.paged
    return (
        f"contiguous: {len(old.runs)} running, {len(old.waits)} waiting, "
        f"**{old.counts.token:,}/{old.counts.reserved:,}** reserved slots hold KV. "
        f"paged: {len(paged.tables)} running, {len(paged.waits)} waiting, "
        f"**{paged.counts.token:,}/{paged.counts.allocated:,}**."
    )


def _names(run: ReservationRun, visitors: Iterable[int]) -> str:
    names = [run.visitors[v].letter for v in visitors]
    return ", ".join(names if len(names) <= 4 else [*names[:3], f".. {len(names) - 3} more"])
