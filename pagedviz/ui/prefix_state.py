"""What a viewer has on the prefix page: prompts as typed, levers, and what follows from them.

A prompt that cannot be used (empty, only white space) says so beside itself; the others stay. All
of it is immutable and lives in that viewer's session. Leaves out: the link (`prefix_link.py`), and
every rule (`pagedviz.tokens`, `pagedviz.timeline.prompts`, `sharing`).
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from pagedviz.engine.kv_cache_manager import cdiv
from pagedviz.stage.payload import Opening
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.play import Timeline, play
from pagedviz.timeline.prefix_compare import compare
from pagedviz.timeline.prefix_preset import PrefixPreset, cut_prompt
from pagedviz.timeline.prefix_presets import PREFIX_PRESETS
from pagedviz.timeline.prompts import Prompt, prompts_run
from pagedviz.timeline.quiz.wire import prefix_quiz
from pagedviz.timeline.sharing import PromptView, encode_prompts, explain
from pagedviz.timeline.step import letter
from pagedviz.timeline.wire import encode, pack
from pagedviz.tokens import TextError, Tokenizer, check_text, default_tokenizer
from pagedviz.ui.words import register

MOST_PROMPTS = 6
SHOP, TOKENIZER = "prefix.desk", "prefix.tokenizer"
BY_ID = {preset.id: preset for preset in PREFIX_PRESETS}


@dataclass(frozen=True)
class Typed:
    """One prompt as the viewer wrote it."""

    text: str
    salt: str = ""
    adapter: str = ""
    leaves: int | None = None  # after so many others had their turn; None = stays
    answer: str = ""  # what it writes, going on from the text


@dataclass(frozen=True)
class Setup:
    """All inputs of the page."""

    prompts: tuple[Typed, ...]
    block_size: int = 4
    num_blocks: int = 24
    caching: bool = True
    chunk: int = 512  # tokens; Spyre's
    preset: str | None = None


@dataclass(frozen=True)
class Played:
    """What follows from a setup."""

    setup: Setup
    timeline: Timeline
    views: tuple[PromptView, ...]
    packed: str
    rows: list[dict[str, Any]]  # as the stage's prompts panel gets them
    labels: dict[int, str]  # hash class -> first digits of the hash


@dataclass(frozen=True)
class Desk:
    """The setup on the stage, what follows from it, and where the stage is to stand."""

    played: Played
    opening: Opening
    session: str = field(default_factory=lambda: secrets.token_hex(4))
    moves: int = 0

    def changed(self, setup: Setup, *, step: int | None = None) -> "Desk":
        """The desk with another setup; the stage goes to `step`, else to the end."""
        played = played_setup(setup)
        moves = self.moves + 1
        at = played.timeline.last if step is None else min(step, played.timeline.last)
        opening = Opening(f"{self.session}-{moves}", at, None, None, register())
        return replace(self, played=played, opening=opening, moves=moves)

    def anew(self) -> "Desk":
        """The same, with fresh levers: they show the setup again, not what could not be done."""
        return replace(self, moves=self.moves + 1)


@st.cache_resource(show_spinner=False)
def _default() -> Tokenizer:
    return default_tokenizer()


def tokenizer() -> Tokenizer:
    """This viewer's tokenizer: the one of a file they opened, else the default."""
    own: Tokenizer | None = st.session_state.get(TOKENIZER)
    return own or _default()


def desk() -> Desk:
    """This viewer's desk; the page puts it into the session on arrival."""
    found: Desk = st.session_state[SHOP]
    return found


def revision() -> str:
    """Names the setup on the stage, so that an edit made on an older one can be told."""
    return desk().opening.token


def setup_of(preset: PrefixPreset) -> Setup:
    """A preset as inputs."""
    prompts = tuple(
        Typed(*fields)
        for fields in zip(
            preset.texts,
            preset.salts,
            preset.adapters,
            preset.leaves,
            preset.answers,
            strict=True,
        )
    )
    sizes = (preset.block_size, preset.num_blocks, preset.caching, preset.chunk)
    return Setup(prompts, *sizes, preset.id)


def played_setup(setup: Setup) -> Played:
    """Cut the texts, run them through the block manager, explain. RunError if not possible."""
    prompts: list[Prompt | None] = []
    notices: list[str] = []
    for typed in setup.prompts:
        prompt, notice = _cut(typed)
        prompts.append(prompt)
        notices.append(notice)
    usable = [prompt for prompt in prompts if prompt is not None]
    run = prompts_run(
        usable,
        num_blocks=setup.num_blocks,
        block_size=setup.block_size,
        caching=setup.caching,
    )
    timeline = play(run)
    views = explain(usable, run, timeline)
    compared = compare(usable, setup.chunk, setup.caching)
    encoded = iter(
        {**row, "compare": both} for row, both in zip(encode_prompts(views), compared, strict=True)
    )
    spare = iter(range(len(usable), len(prompts)))  # letters that nobody in the run has
    rows = []
    for typed, prompt, notice in zip(setup.prompts, prompts, notices, strict=True):
        if prompt is None:
            rows.append(_row(typed, _unused(letter(next(spare)), setup), [notice, notice]))
        else:
            rows.append(_row(typed, next(encoded), _too_long(prompt, setup) or [notice, notice]))
    packed = pack(encode(timeline) | {"quiz": prefix_quiz(timeline, views)})
    return Played(setup, timeline, views, packed, rows, _labels(timeline, views))


def _cut(typed: Typed) -> tuple[Prompt | None, str]:
    """The prompt as tokens, and what is to be said about it; None if it cannot be used."""
    try:
        checked = check_text(typed.text)
        notices = list(checked.notices)
        answer = ""
        if typed.answer:
            checked_answer = check_text(typed.answer)
            answer = checked_answer.text
            notices += checked_answer.notices
        prompt = cut_prompt(
            tokenizer(), checked.text, typed.salt, typed.adapter, typed.leaves, answer
        )
        return prompt, " ".join(notices)
    except (TextError, RunError) as error:
        return None, str(error)


def _labels(timeline: Timeline, views: Sequence[PromptView]) -> dict[int, str]:
    """What to write on the plates of the room, so that they say the same as the prompts do."""
    labels = {}
    for view in views:
        if view.admission is None:
            continue
        state = timeline.state(view.admission)
        for block, shelf in zip(view.blocks, state.tables[view.number], strict=False):
            if block.short_hash is not None and state.hashes[shelf] >= 0:
                labels[state.hashes[shelf]] = block.short_hash
    return labels


def _too_long(prompt: Prompt, setup: Setup) -> list[str]:
    """In both registers, that the pool could never hold the prompt; empty if it could."""
    need, have = cdiv(prompt.num_tokens, setup.block_size), setup.num_blocks - 1
    if need <= have:
        return []
    return [
        f"Needs {need:,} shelves, the room has {have:,}: can never come in.",
        f"Needs {need:,} blocks, the pool has {have:,}: can never be admitted.",
    ]


def _unused(name: str, setup: Setup) -> dict[str, Any]:
    """What the stage gets of a prompt that cannot be used."""
    nothing: dict[str, Any] = {"r": None, "letter": name, "pieces": [], "bs": setup.block_size}
    nothing |= {"hashes": [], "hits": 0, "diff": None, "why": ["", ""], "kind": "", "in": None}
    return nothing | {"compare": []}


def _row(typed: Typed, encoded: dict[str, Any], problem: list[str]) -> dict[str, Any]:
    """A row of the prompts panel: what became of a prompt, and what was typed."""
    return encoded | {
        "text": typed.text,
        "salt": typed.salt,
        "adapter": typed.adapter,
        "leaves": typed.leaves,
        "answer": typed.answer,
        "problem": problem,
    }


def edited(value: Any) -> tuple[Typed, ...]:
    """What came from the stage as prompts; anything that is none is left out.

    >>> edited([{"text": "Hello", "leaves": 1}, 7, {"text": 3}])
    (Typed(text='Hello', salt='', adapter='', leaves=1, answer=''),)
    """
    if not isinstance(value, list):
        return ()
    found = []
    for item in value[:MOST_PROMPTS]:
        if not isinstance(item, dict) or not isinstance(item.get("text"), str):
            continue
        leaves = item.get("leaves")
        whole = isinstance(leaves, int) and not isinstance(leaves, bool) and leaves >= 0
        salt, adapter = (str(item.get(name) or "")[:40] for name in ("salt", "adapter"))
        answer = item.get("answer") if isinstance(item.get("answer"), str) else ""
        found.append(Typed(item["text"], salt, adapter, leaves if whole else None, str(answer)))
    return tuple(found)
