"""What a viewer has set on the Spyre page, and what is played from it.

One part of the page is shown at a time, so that each fits a projector. All of it is immutable and
lives in that viewer's session; what follows from it is played once per server and kept. Leaves
out: the link (`spyre_link.py`) and every rule (`pagedviz.engine.spyre`, `timeline.spyre`).
"""

import secrets
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import streamlit as st

from pagedviz.engine.spyre.limits import SpyreLimits
from pagedviz.engine.spyre.releases import DEFAULT_RELEASE, RELEASES
from pagedviz.engine.spyre.requests import SpyreRequest
from pagedviz.engine.spyre.resolve import resolve
from pagedviz.stage.payload import Opening
from pagedviz.timeline.quiz.wire import spyre_quiz
from pagedviz.timeline.spyre import presets
from pagedviz.timeline.spyre.beside import beside
from pagedviz.timeline.spyre.mix import MIX_PRESETS, Mix, MixGroup
from pagedviz.timeline.spyre.mix_play import play_mix
from pagedviz.timeline.spyre.play import play
from pagedviz.timeline.spyre.scenario import Scenario
from pagedviz.timeline.spyre.wire import encode
from pagedviz.timeline.step import letter
from pagedviz.timeline.wire import pack
from pagedviz.ui.words import register

Part = Literal["limit", "mix", "run", "cards", "encoder", "differ"]
PARTS: tuple[Part, ...] = get_args(Part)
SHOP, PROBLEM = "spyre.desk", "spyre.problem"
OWN = "own"  # the scene of the viewer's own list
LIMIT_START = 95  # step of the trade-off: 6,144 tokens, between two of IBM's rows


@dataclass(frozen=True)
class Server:
    """A server's set-up, as a choice: model, cards, context, requests."""

    name: str  # of the model, as it is chosen
    model: str  # as the plugin's table has it
    cards: int
    context: int
    requests: int

    @property
    def key(self) -> str:
        """For the link: cards-context-requests."""
        return f"{self.cards}-{self.context}-{self.requests}"

    def limits(self, chunk_size: int) -> SpyreLimits:
        """What such a server comes up with."""
        return resolve(
            self.model, self.cards, self.context, self.requests, chunk_size=chunk_size
        ).limits


GRANITE = "ibm-granite/granite-3.3-8b-instruct"
GRANITE_NAME = "Granite 3.3 8B"
SERVERS = (
    Server(GRANITE_NAME, GRANITE, 4, 32_768, 32),
    Server("Mistral Small 24B", "mistralai/Mistral-Small-3.2-24B-Instruct-2506", 2, 8_192, 32),
    Server("Ministral 3 8B", "mistralai/Ministral-3-8B-Instruct-2512-BF16", 1, 4_096, 32),
    Server(GRANITE_NAME, GRANITE, 1, 3_072, 16),
    Server(GRANITE_NAME, GRANITE, 1, 8_192, 4),
)
SERVER_BY_KEY = {server.key: server for server in SERVERS}


@dataclass(frozen=True)
class Inputs:
    """All that is set. `mix` is the preset of the list, None for the viewer's own."""

    part: Part = "limit"
    mix: str | None = MIX_PRESETS[0].id
    groups: tuple[MixGroup, ...] = MIX_PRESETS[0].groups
    server: str = SERVERS[0].key
    release: str = DEFAULT_RELEASE
    scene: str = presets.DEFAULT.id
    other: bool = False  # the scene with its one thing changed
    beside: bool = False  # stock vLLM below it

    def limits(self) -> SpyreLimits:
        """Of the server chosen, with the release's own chunk size."""
        chunk = RELEASES[self.release].default_chunk_size
        return SERVER_BY_KEY[self.server].limits(chunk)

    def the_mix(self) -> Mix:
        """The list under the limits of the server. MixError if it cannot be."""
        return Mix(self.groups, self.limits(), self.release)

    def scenario(self) -> Scenario:
        """What is played in "the scheduler at work". ScenarioError if it cannot be."""
        preset = presets.spyre_preset(self.scene)
        if preset is not None:
            return preset.other() if self.other and preset.other else preset.make()
        pairs = [(g.prompt, g.answer) for g in self.groups for _ in range(g.count)]
        requests = tuple(
            SpyreRequest(letter(k), prompt, answer) for k, (prompt, answer) in enumerate(pairs)
        )
        return Scenario(self.limits(), requests, self.release)


@dataclass(frozen=True)
class Desk:
    """The inputs, and where the stage is to stand."""

    inputs: Inputs
    opening: Opening
    session: str = field(default_factory=lambda: secrets.token_hex(4))
    moves: int = 0

    @property
    def revision(self) -> str:
        """Names this state: inputs made for an older one count for nothing."""
        return f"{self.session}-{self.moves}"

    def changed(self, step: int | None = None, **changes: Any) -> "Desk":
        """Other inputs; the stage opens where something happens, or at `step`.

        Raises MixError or ScenarioError, both ValueErrors, if they cannot be played.
        """
        inputs = replace(self.inputs, **changes)
        check(inputs)
        new = replace(self, inputs=inputs, moves=self.moves + 1)
        at = first_step(inputs) if step is None else step
        return replace(new, opening=Opening(new.revision, at, None, None, register()))

    def anew(self) -> "Desk":
        """The same, with fresh inputs: they show what is, not what could not be done."""
        return replace(self, moves=self.moves + 1)


def desk() -> Desk:
    """This viewer's desk; the page puts it into the session on arrival."""
    found: Desk = st.session_state[SHOP]
    return found


def check(inputs: Inputs) -> None:
    """Raise the error of what the part would play, if it cannot be."""
    if inputs.part == "mix":
        inputs.the_mix()
    if inputs.part == "run":
        wires(inputs)


def first_step(inputs: Inputs) -> int:
    """The step a part opens at."""
    if inputs.part == "limit":
        return LIMIT_START
    if inputs.part in ("mix", "encoder"):
        return 1  # before it nobody is there
    preset = presets.spyre_preset(inputs.scene)
    last = wires(inputs)[0]["last"] if inputs.part == "run" else 0
    wanted = preset.opening if preset and not inputs.other else 1
    return min(wanted, last)


@st.cache_data(max_entries=48, show_spinner="Playing the run ...")
def _mix_wire(mix: Mix) -> dict[str, Any]:
    played = play_mix(mix)
    return encode(played) | {"quiz": spyre_quiz(played)}


@st.cache_data(max_entries=48, show_spinner="Playing the run ...")
def _scenario_wire(scenario: Scenario) -> dict[str, Any]:
    played = play(scenario)
    return encode(played) | {"quiz": spyre_quiz(played)}


@st.cache_data(max_entries=48, show_spinner="Playing the run ...")
def _beside_wire(scenario: Scenario) -> dict[str, Any]:
    return dict(beside(scenario))


@st.cache_data(max_entries=96, show_spinner=False)
def packed(wire: dict[str, Any]) -> str:
    """A run as the stage gets it."""
    return pack(wire)


def wires(inputs: Inputs) -> list[dict[str, Any]]:
    """The runs of the part "mix" or "run": one, or two with stock vLLM beside it."""
    if inputs.part == "mix":
        return [_mix_wire(inputs.the_mix())]
    scenario = inputs.scenario()
    found = [_scenario_wire(scenario)]
    return [*found, _beside_wire(scenario)] if inputs.beside else found
