"""The comparison as the stage's scripts get it: everything looked up, nothing left to compute.

Leaves out: how it is drawn. Visitors are numbers into `visitors`; L is the old side (left), R
the paged one (right). A list of two is [room words, engine words] where it is text, and
[left, right] where it is numbers.
"""

from __future__ import annotations

from typing import Any

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.timeline.captions import REGISTERS
from pagedviz.timeline.reservation.play import ReservationRun
from pagedviz.timeline.reservation.step import OldSide, PagedSide, Step, Waiting
from pagedviz.timeline.reservation.totals import SideTotals, totals
from pagedviz.timeline.reservation.words import OLD_KINDS, PAGED_KINDS, Definition, reasons, words

VERSION = 1


def encode(run: ReservationRun) -> dict[str, Any]:
    """The run in wire format 1, kind "reservation".

    Per side of a step: runs ([visitor, start, reserved, written, will use, run]) or blocks
    ([visitor, [[block, fill], ..]]); waits ([visitor, steps waited], first in line first); why
    (of the first in line); m (slots by kind, as in `kinds`); e (empty, given out, percent empty);
    new (came in); out (left just now); gone (all who have left). R also: fresh (blocks handed
    out just now); kept; back (sent back just now). Lists that are empty are absent.

    >>> from pagedviz.timeline.reservation.play import play
    >>> from pagedviz.timeline.reservation.setup import ReservationSetup
    >>> wire = encode(play(ReservationSetup()))
    >>> wire["aisles"], wire["shelves"], wire["steps"][1]["L"]["m"]
    ({'row': 128, 'rows': 4}, {'row': 8, 'rows': 4}, [25, 17, 86, 0, 384])
    """
    setup, sides = run.setup, totals(run)
    per_row = max(setup.row // setup.block_size, 1)
    return {
        "v": VERSION,
        "kind": "reservation",
        "title": "",
        "last": run.last,
        "opening": run.opening,
        "slots": setup.slots,
        "block_size": setup.block_size,
        "num_blocks": setup.num_blocks,
        "max_model_len": setup.max_model_len,
        "policy": setup.policy,
        "aisles": {"row": setup.row, "rows": cdiv(setup.slots, setup.row)},
        "shelves": {"row": per_row, "rows": cdiv(setup.num_blocks, per_row)},
        "visitors": [
            {
                "letter": v.letter,
                "hue": v.hue,
                "prompt": v.prompt,
                "output": v.output,
                "arrive": v.arrive,
                "in": [side.stays[v.number].admitted for side in sides],
                "out": [side.stays[v.number].left for side in sides],
                "waited": [side.stays[v.number].waited for side in sides],
            }
            for v in run.visitors
        ],
        "kinds": {"L": _kinds(OLD_KINDS), "R": _kinds(PAGED_KINDS)},
        "home": list(run.home),
        "inside": {
            "L": [len(step.old.runs) for step in run.steps],
            "R": [len(step.paged.tables) for step in run.steps],
        },
        "totals": {"L": _totals(sides[0]), "R": _totals(sides[1])},
        "steps": [_step(run, step) for step in run.steps],
    }


def _kinds(definitions: tuple[Definition, ...]) -> list[dict[str, Any]]:
    return [{"kind": d.kind, "name": list(d.name), "line": list(d.line)} for d in definitions]


def _totals(side: SideTotals) -> dict[str, Any]:
    return {
        "shares": [round(share, 4) for share in side.shares.values()],
        "empty": round(side.empty, 4),
        "home": side.home,
        "most": side.most,
        "mean_wait": round(side.mean_wait, 1),
        "longest_wait": side.longest_wait,
        "preemptions": side.preemptions,
    }


def _step(run: ReservationRun, step: Step) -> dict[str, Any]:
    found: dict[str, Any] = {
        "tick": step.tick,
        "L": _old(step.old, step.tick),
        "R": _paged(step.paged, step.tick),
        "c": [words(run, step, register) for register in REGISTERS],
    }
    for side, why in zip("LR", reasons(run, step), strict=True):
        if why is not None:
            found[side]["why"] = list(why)
    if step.kinds:
        found["kinds"] = list(step.kinds)
    if step.arrived:
        found["arrive"] = list(step.arrived)
    if step.turned_away:
        found["away"] = [[t.visitor, t.old, t.paged] for t in step.turned_away]
    return found


def _old(side: OldSide, tick: int) -> dict[str, Any]:
    runs = [
        [visitor, at.start, at.reserved, at.written, at.will_use, at.run]
        for visitor, at in side.runs
    ]
    return _common(side, tick, side.counts.reserved) | {"runs": runs}


def _paged(side: PagedSide, tick: int) -> dict[str, Any]:
    blocks = [[t.visitor, t.blocks] for t in side.tables]  # pairs become lists in JSON
    found = _common(side, tick, side.counts.allocated) | {"blocks": blocks}
    lists = {"fresh": side.new_blocks, "kept": side.kept_blocks, "back": side.preempted}
    return found | {key: list(values) for key, values in lists.items() if values}


def _common(side: OldSide | PagedSide, tick: int, given: int) -> dict[str, Any]:
    empty = given - side.counts.token
    found: dict[str, Any] = {
        "m": list(side.counts),
        "e": [empty, given, round(100 * empty / given) if given else 0],
    }
    lists: dict[str, list[Any]] = {
        "waits": [_wait(wait, tick) for wait in side.waits],
        "new": list(side.came),
        "out": list(side.left),
        "gone": list(side.gone),
    }
    return found | {key: values for key, values in lists.items() if values}


def _wait(wait: Waiting, tick: int) -> list[int]:
    return [wait.visitor, tick - wait.since]
