"""Numbers of a simulation as sentences and tables: the sentence on top, published beside ours.

Leaves out: drawing (`workload_shown.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from pagedviz.charts.workload_names import SYSTEMS
from pagedviz.charts.workload_series import served_at
from pagedviz.timeline.captions import Register
from pagedviz.ui.workload_run import Found
from pagedviz.workload import Simulation, StepCost, SystemResult
from pagedviz.workload.published import WASTE_BEFORE, WASTE_PAGED, differences

ABOUT = ("pow2", "paged")  # the two figures without a second source
NBSP, DASH = "\N{NO-BREAK SPACE}", "\N{EN DASH}"


def percent(share: float, digits: int = 0) -> str:
    r"""A share of 1 as people read it; what is nearly all is not called all.

    >>> percent(0.974), percent(0.9968), percent(0.204, 1)
    ('97\xa0%', '99.7\xa0%', '20.4\xa0%')
    """
    if not digits and 0.995 <= share < 1:
        digits = 1
    return f"{100 * share:,.{digits}f}{NBSP}%"


def seconds_per_unit(cost: StepCost) -> tuple[float, str]:
    """Of the clock: 1 and "seconds", or the length of a step and "steps".

    >>> seconds_per_unit(StepCost.in_steps(0.03)), seconds_per_unit(StepCost())
    ((0.03, 'steps'), (1.0, 'seconds'))
    """
    if cost.prefill_token_s == cost.decode_request_s == 0:
        return cost.base_s, "steps"
    return 1.0, "seconds"


def span(seconds: float, simulation: Simulation) -> str:
    """A time on the simulation's clock."""
    per_unit, unit = seconds_per_unit(simulation.setup.cost)
    value = seconds / per_unit
    if value == 0:
        return f"0{NBSP}{'steps' if unit == 'steps' else 's'}"
    if unit == "steps":
        return f"{value:,.0f}{NBSP}steps"
    if value >= 2 * 3600:
        return f"{value / 3600:,.1f}{NBSP}hours"
    digits = 0 if value >= 20 else 1 if value >= 1 else 3
    return f"{value:,.{digits}f}{NBSP}s"


def sentence(found: Found, words: Mapping[str, Any], register: Register) -> str:
    """The result in a sentence or two, in Markdown."""
    run = found.simulation
    paged, most = run.systems["paged"], run.systems["max"]
    if paged.num_finished and most.num_finished:
        said = str(words["full_sentence"])
    elif paged.num_finished:
        said = str(words["only_paged_sentence"])
    else:
        said = str(words["nobody_sentence"])
    said = said.format(
        paged=percent(paged.share_of_taken("token")),
        max=percent(most.share_of_taken("token")),
        longest=run.max_model_len,
        slots=run.setup.memory_slots,
    )
    if not (paged.num_finished and most.num_finished):
        pass
    elif all(one.pressed_s == 0 for one in run.systems.values()):
        said += words["calm_sentence"]
    elif _alike(paged, most):
        said += words["same_sentence"].format(x=span(served_at(most), run))
    else:
        said += words["more_sentence"].format(
            a=_few(paged.mean_running),
            b=_few(most.mean_running),
            x=span(served_at(paged), run),
            y=span(served_at(most), run),
        )
    refused = [
        words["refused_each"].format(n=one.num_refused, name=SYSTEMS[one.system].name(register))
        for one in run.systems.values()
        if one.num_refused
    ]
    if refused:
        said += words["refused_sentence"].format(names="; ".join(refused))
    return said


def about(found: Found, words: Mapping[str, Any], gib: str) -> str:
    """What was run, in a line; `gib` says how much memory that is, or nothing."""
    run = found.simulation
    requests = run.systems["paged"].requests
    return str(
        words["about"].format(
            count=len(requests),
            form=f"{run.name}: {found.form}",
            prompt=requests["prompt_tokens"].mean(),
            output=requests["output_tokens"].mean(),
            slots=run.setup.memory_slots,
            gib=gib,
            size=run.setup.block_size,
            longest=run.max_model_len,
        )
    )


def published_table(
    simulation: Simulation, words: Mapping[str, Any], register: Register
) -> pd.DataFrame:
    """Published figures beside ours, and by how much ours differ."""
    rows = []
    for one in differences(simulation):
        served = simulation.systems[one.system].num_finished > 0
        low, high = (0.0, WASTE_PAGED) if one.system == "paged" else WASTE_BEFORE
        waste = 1 - one.ours
        off = waste - high if waste > high else low - waste if waste < low else 0.0
        about = "about " if one.system in ABOUT else ""
        published = "under 4 %" if one.system == "paged" else "60 to 80 %"
        outside = f", {100 * off:.1f} points {'more' if waste > high else 'less'}" if off else ""
        rows.append(
            [
                SYSTEMS[one.system].name(register),
                f"{about}{percent(one.published, 1)}",
                percent(one.ours, 1) if served else words["nobody"],
                f"{one.points:+.1f} points".replace("-", "\N{MINUS SIGN}") if served else DASH,
                published.replace(" %", f"{NBSP}%"),
                percent(waste, 1) + outside if served else DASH,
            ]
        )
    table = pd.DataFrame(rows)
    # the name of a column may come twice here, which a table keeps apart by a space
    head = list(words["table_published"])
    head[5] += NBSP
    table.columns = pd.Index(head)
    return table.set_index(head[0])


def results_table(found: Found, words: Mapping[str, Any], register: Register) -> pd.DataFrame:
    """A row per measure, a column per system."""
    run = found.simulation
    names = words["columns"]
    columns = {}
    for one in run.systems.values():
        waits = one.requests["waiting_s"].dropna()
        mean, p95 = (float(waits.mean()), float(waits.quantile(0.95))) if len(waits) else (0.0, 0.0)
        columns[SYSTEMS[one.system].name(register)] = {
            names["share"]: percent(one.share("token"), 1),
            names["pressed"]: percent(one.share("token", pressed=True), 1)
            if one.pressed_s
            else DASH,
            names["empty"]: percent(1 - one.share_of_taken("token"), 1)
            if one.num_finished
            else DASH,
            names["running"]: f"{one.mean_running:,.1f}; {one.max_running:,}",
            names["waiting"]: f"{one.max_waiting:,}",
            names["wait"]: f"{span(mean, run)}; {span(p95, run)}",
            names["end"]: span(served_at(one), run) if one.num_finished else DASH,
            names["finished"]: f"{one.num_finished:,}",
            names["refused"]: f"{one.num_refused:,}",
            names["preempted"]: f"{one.preemptions:,}; {one.recomputed_tokens:,}",
            names["hits"]: _hits(one, run, words),
        }
    return pd.DataFrame(columns).rename_axis(words["measure"])


def _hits(one: SystemResult, run: Simulation, words: Mapping[str, Any]) -> str:
    if one.system != "paged" or not run.setup.prefix_caching:
        return str(words["no_cache"])
    return str(words["unknown"]) if one.hit_rate is None else percent(one.hit_rate, 1)


def hits_sentence(found: Found, words: Mapping[str, Any]) -> str:
    """What the prefix cache found, or why that cannot be known."""
    run = found.simulation
    paged = run.systems["paged"]
    if not run.setup.prefix_caching:
        said = words["hits_off"]
    elif paged.hit_rate is None or paged.hit_tokens is None:
        said = words["hits_unknown"]
    else:
        said = words["hits"].format(
            rate=percent(paged.hit_rate, 1), hit=paged.hit_tokens, all=paged.queried_tokens
        )
    if found.endless is not None and found.endless.ids:
        size = found.block_tokens
        said += words["endless"].format(rate=percent(found.endless.token_hit_rate, 1), size=size)
    return str(said)


def arrivals(simulation: Simulation, register: Register) -> str:
    """How the load came, as part of a sentence."""
    requests = simulation.systems["paged"].requests
    length = float(requests["arrival_s"].max() - requests["arrival_s"].min())
    who = "visitors" if register == "room" else "requests"
    if length == 0:
        return f"all {who} come at once, so that memory is in demand from the start"
    rate = len(requests) / length
    rate_said = f"{rate:,.2g}" if rate < 10 else f"{rate:,.0f}"
    return f"{rate_said} {who} a second come, over {length:,.0f} seconds"


def _alike(one: SystemResult, other: SystemResult) -> bool:
    """Whether two systems serve all at the same time, for a reader of whole numbers."""
    ends = sorted((served_at(one), served_at(other)))
    served = one.num_finished == other.num_finished > 0
    return served and ends[1] - ends[0] < 0.01 * ends[1]


def _few(count: float) -> str:
    return f"{count:,.0f}" if count >= 20 else f"{count:,.1f}"
