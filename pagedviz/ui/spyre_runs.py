"""Two parts of the Spyre page that play: the reader's own mix, and the scheduler at work."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from pagedviz.engine.spyre.releases import RELEASES
from pagedviz.stage.component import stage
from pagedviz.stage.payload import payload
from pagedviz.timeline.spyre import presets
from pagedviz.timeline.spyre.advice import advice
from pagedviz.ui import spyre_controls as controls
from pagedviz.ui import spyre_link as link
from pagedviz.ui.layers import layer
from pagedviz.ui.quiz import ahead, quiz_wish
from pagedviz.ui.spyre_state import SERVER_BY_KEY, Inputs, desk, packed, wires
from pagedviz.ui.take import take
from pagedviz.ui.words import register, remember_register

MIX_LAYOUT = (
    ("caption",),
    ("quiz",),
    ("batch", "figures"),
    ("turns",),
    ("door",),
    ("transport",),
)
RUN_LAYOUT = MIX_LAYOUT
BESIDE_LAYOUT = (*RUN_LAYOUT[:4], ("beside:1",), ("turns:1",), *RUN_LAYOUT[4:])


def mix_part(words: Mapping[str, Any]) -> None:
    """The longest one counts for all: who decodes, who pauses, what is padding."""
    inputs = desk().inputs
    with layer("plugin", _source(inputs), register(), "mix", RELEASES[inputs.release].version):
        controls.mix_row(words, register())
        controls.problem()
        runs = wires(inputs)
        _stage(inputs, runs, MIX_LAYOUT)
        found = advice(inputs.the_mix(), SERVER_BY_KEY[inputs.server].model)
        if found:
            with ahead():
                st.header(words["advice"])
                st.markdown("\n".join(f"- {getattr(each, register())}" for each in found))


def run_part(words: Mapping[str, Any]) -> None:
    """Requests arrive, wait, are prefilled chunk by chunk, decode together, pause, leave."""
    inputs = desk().inputs
    preset = presets.spyre_preset(inputs.scene)
    with layer("plugin", _source(inputs), register(), "run", RELEASES[inputs.release].version):
        controls.scene_row(words, register())
        controls.problem()
        if preset is not None:
            with ahead("lead"):
                st.markdown(getattr(preset.lead, register()))
        runs = wires(inputs)
        _stage(inputs, runs, BESIDE_LAYOUT if inputs.beside else RUN_LAYOUT)
        with ahead():
            if preset is not None and preset.note is not None:
                st.markdown(getattr(preset.note, register()))
            with st.expander(words["steps"]):
                rows = step_rows(runs[0], register() == "engine")
                st.dataframe(pd.DataFrame(rows), hide_index=True)


def step_rows(wire: Mapping[str, Any], engine: bool) -> list[dict[str, Any]]:
    """Every step as a row: what happened, the product, the blocks."""
    rows = []
    for number, step in enumerate(wire["steps"]):
        blocks = step.get("m", (None, None, None))
        rows.append(
            {
                "step": number,
                "what": step["c"][engine].replace("**", ""),
                "at the table" if not engine else "batch": len(step.get("rows", ())),
                "widest row" if not engine else "tkv": step.get("tkv"),
                "together" if not engine else "batch x tkv": step.get("vol"),
                "in use" if not engine else "held": blocks[0],
                "promised" if not engine else "reserved": blocks[1],
                "free": blocks[2],
            }
        )
    return rows


def _stage(inputs: Inputs, runs: list[dict[str, Any]], layout: tuple[tuple[str, ...], ...]) -> None:
    opening = desk().opening
    at = min(opening.step, len(runs[0]["steps"]) - 1)
    stage(
        payload(
            [packed(run) for run in runs],
            opening,
            layout=layout,
            url=link.params(inputs),
            known=link.NAMES,
            plain=plain_run(runs[0], at),
            panels={**quiz_wish(), **take("spyre", RELEASES[inputs.release].name)},
        ),
        key="stage",
        on_register=remember_register,
    )


def plain_run(wire: Mapping[str, Any], at: int) -> dict[str, Any]:
    """The opening step for a browser that cannot draw it."""
    step = wire["steps"][at]
    names = [request["letter"] for request in wire["requests"]]
    rows = [[names[r], stored + 1, stored, held] for r, stored, _, held, _ in step.get("run", ())]
    return {
        "step": at,
        "last": wire["last"],
        "words": step["c"],
        "rows": rows,
        "queue": [],
        "more": 0,
    }


def _source(inputs: Inputs) -> str:
    release = RELEASES[inputs.release]
    return f"{release.name}, files of {release.date}: computed here by its rules."
