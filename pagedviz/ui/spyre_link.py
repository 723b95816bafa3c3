"""The Spyre page's link: which part, and what is set in it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from pagedviz.engine.spyre.releases import RELEASES
from pagedviz.stage.payload import Opening
from pagedviz.timeline.spyre import presets
from pagedviz.timeline.spyre.encoder import encoder_scene
from pagedviz.timeline.spyre.mix import MIX_PRESETS, MixGroup, mix_preset
from pagedviz.timeline.spyre.mix_text import parse_mix
from pagedviz.timeline.spyre.tradeoff import trade_off
from pagedviz.ui import quiz
from pagedviz.ui.params import LINK_VERSION, Param, one_of, read_link, version, whole
from pagedviz.ui.plain_text import link_problems
from pagedviz.ui.shell import Arrival
from pagedviz.ui.spyre_say import reworded
from pagedviz.ui.spyre_state import (
    OWN,
    PARTS,
    PROBLEM,
    SERVER_BY_KEY,
    SHOP,
    Desk,
    Inputs,
    check,
    first_step,
    wires,
)
from pagedviz.ui.words import REGISTERS, register, set_register

READ, PROBLEMS = "spyre.link_read", "spyre.link_problems"
MAX_STEP = 9_999
DEFAULT = Inputs()
LIST_JOINT = ";"  # between the lines of a list


def _list(text: str) -> tuple[MixGroup, ...]:
    if len(text) > 1500:
        raise ValueError("is too long for a list")
    return parse_mix(text.replace(LIST_JOINT, "\n"))


TABLE = (
    Param("v", version),
    Param("part", one_of(PARTS)),
    Param("mix", one_of(tuple(preset.id for preset in MIX_PRESETS))),
    Param("list", _list),
    Param("server", one_of(tuple(SERVER_BY_KEY))),
    Param("release", one_of(tuple(RELEASES))),
    Param("scene", one_of((*(preset.id for preset in presets.PRESETS), OWN))),
    Param("other", one_of(("1",))),
    Param("beside", one_of(("1",))),
    Param("step", whole(0, MAX_STEP)),
    Param("words", one_of(REGISTERS)),
    quiz.PARAM,
)
NAMES = tuple(param.name for param in TABLE if param.name not in ("step", "words", "quiz"))


def arrive(arrival: Arrival) -> None:
    """Read the link the viewer came by, or go on with what they had."""
    if st.session_state.get(READ) == arrival.number:
        return
    st.session_state[READ] = arrival.number
    link = read_link(arrival.params, TABLE)
    set_register(str(link.values.get("words", "")))
    problems = list(link.problems)
    mine = {param.name for param in TABLE} - {"v", "words"}
    if mine & set(arrival.params) or SHOP not in st.session_state:
        st.session_state[SHOP] = _opened(link.values, problems)
    else:
        found: Desk = st.session_state[SHOP]
        st.session_state[SHOP] = replace(found, opening=replace(found.opening, register=register()))
    st.session_state[PROBLEMS] = problems
    st.session_state[PROBLEM] = ""  # what was typed then is gone


def _opened(values: Mapping[str, Any], problems: list[str]) -> Desk:
    names = ("part", "server", "release", "scene")
    inputs = replace(DEFAULT, **{name: values[name] for name in names if name in values})
    inputs = replace(inputs, other="other" in values, beside="beside" in values)
    if "list" in values:
        inputs = replace(inputs, mix=None, groups=values["list"])
    elif preset := mix_preset(str(values.get("mix", ""))):
        inputs = replace(inputs, mix=preset.id, groups=preset.groups)
    try:
        check(inputs)
    except ValueError as error:
        problems.append(str(error))
        inputs = replace(DEFAULT, part=inputs.part)
    step = values.get("step")
    last = last_step(inputs)
    if step is not None and last and step > last:
        problems.append(f"step: the last step here is {last:,}, not {step:,}")
        step = last
    at = first_step(inputs) if step is None else int(step)
    found = Desk(inputs, Opening("", at, None, None, register()))
    return replace(found, opening=replace(found.opening, token=f"{found.session}-0"))


def last_step(inputs: Inputs) -> int:
    """The last step of the part's stage, 0 if it has none."""
    if inputs.part == "limit":
        return int(str(trade_off()["last"]))
    if inputs.part == "encoder":
        return len(encoder_scene().batches)
    return int(wires(inputs)[0]["last"]) if inputs.part in ("mix", "run") else 0


def problems() -> None:
    """Say what could not be used of the link."""
    link_problems([reworded(each, register()) for each in st.session_state.get(PROBLEMS, ())])


def params(inputs: Inputs) -> dict[str, str]:
    """What the stage keeps in the URL so that the link shows the same."""
    values = {"v": str(LINK_VERSION), "part": inputs.part}
    if inputs.part in ("mix", "run"):
        if inputs.mix is None:
            values["list"] = LIST_JOINT.join(str(group).replace(" ", "") for group in inputs.groups)
        elif inputs.mix != DEFAULT.mix:
            values["mix"] = inputs.mix
        for name in ("server", "release"):
            if getattr(inputs, name) != getattr(DEFAULT, name):
                values[name] = getattr(inputs, name)
    if inputs.part == "run":
        values["scene"] = inputs.scene
        values |= {name: "1" for name in ("other", "beside") if getattr(inputs, name)}
    return values


def keep(inputs: Inputs) -> None:
    """Put the link of a part without a stage into the address bar.

    A stage does so itself. By a script, since `st.query_params` would leave a step in the
    browser's history. Parameters of others (`embed`, for one) stay.
    """
    values = params(inputs)
    if register() != "room":
        values["words"] = register()
    said = json.dumps([[*NAMES, "step", "words"], values]).replace("<", "\\u003c")
    st.html(
        f"<script>{{ const [known, values] = {said};\n"
        "const url = new URL(location.href);\n"
        "for (const name of known) url.searchParams.delete(name);\n"
        "for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);\n"
        "if (url.href !== location.href) history.replaceState(history.state, '', url); }</script>",
        unsafe_allow_javascript=True,
    )
