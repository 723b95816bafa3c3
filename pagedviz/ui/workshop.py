"""What a viewer has on the allocator page: the run shown, what came before it, and where to stand.

All of it is immutable and lives in that viewer's session: a change makes a new workshop, and a
change that fails leaves the old one as it was. Leaves out: widgets (`builder.py`) and rules of
building (`pagedviz.timeline.build`).
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import plotly.graph_objects as go

from pagedviz.charts.usage import usage_figure
from pagedviz.stage.payload import Opening
from pagedviz.timeline.captions import Register
from pagedviz.timeline.link import to_link
from pagedviz.timeline.play import Timeline, play
from pagedviz.timeline.presets import PRESETS, Preset
from pagedviz.timeline.quiz.wire import pool_quiz
from pagedviz.timeline.rebuild import rebuilt
from pagedviz.timeline.run import Run
from pagedviz.timeline.wire import encode, pack

UNDO_MOST = 100


@dataclass(frozen=True)
class Played:
    """A run with everything that is drawn from it, each made when first asked for."""

    run: Run
    timeline: Timeline

    @cached_property
    def packed(self) -> str:
        """The run as the stage gets it."""
        return pack(encode(self.timeline) | {"quiz": pool_quiz(self.timeline)})

    @cached_property
    def link(self) -> str | None:
        """The run as text for a URL, None if it is too long for one."""
        return to_link(self.run)

    @cached_property
    def figures(self) -> dict[Register, go.Figure]:
        """Use over the steps, in each register: built once per run."""
        return {
            "room": usage_figure(self.timeline, "room"),
            "engine": usage_figure(self.timeline, "engine"),
        }


def played(run: Run) -> Played:
    """Play a run. Raises RunError if it cannot be."""
    return Played(run, play(run))


BY_ID = {preset.id: preset for preset in PRESETS}


@lru_cache(maxsize=len(PRESETS))
def _played_preset(key: str) -> Played:
    """The preset with this id, played once for all viewers: it never changes."""
    return played(BY_ID[key].run)


@dataclass(frozen=True)
class Shown:
    """A run and, if it is one of ours unchanged, the preset it is. Light: undo keeps many."""

    run: Run
    preset: Preset | None = None
    origin: "Shown | None" = None  # the run as it was before its room was changed

    @property
    def opening(self) -> int:
        """The step to show when this comes back: a preset's own, else the last."""
        return self.preset.opening if self.preset else len(self.run.ops)

    def play(self) -> Played:
        """Played; a preset only once. Raises RunError."""
        return _played_preset(self.preset.id) if self.preset else played(self.run)


def shown_preset(key: str) -> Shown:
    """The preset with this id."""
    return Shown(BY_ID[key].run, BY_ID[key])


@dataclass(frozen=True)
class Workshop:
    """The run shown and played, those before it (undo) and after it (redo), and the opening."""

    shown: Shown
    played: Played
    opening: Opening
    past: tuple[Shown, ...] = ()
    future: tuple[Shown, ...] = ()
    session: str = field(default_factory=lambda: secrets.token_hex(4))
    moves: int = 0
    version: int = 0  # of the run: inputs made for an older one are not those on the page

    @property
    def run(self) -> Run:
        """The run on the stage."""
        return self.shown.run

    @property
    def timeline(self) -> Timeline:
        """Its steps."""
        return self.played.timeline

    def opened(self, shown: Shown, step: int, until: int | None = None) -> "Workshop":
        """Another run in place of this one, played to `until`; undo brings this one back."""
        return self._move(shown, step, until, self._remembered(), ())

    def resized(self, *, num_blocks: int, block_size: int, caching: bool) -> "Workshop":
        """The same visitors in another room; the viewer stays at their step. RunError.

        Always made from the run as it was first: back to its sizes is back to that run.
        """
        origin = self.shown.origin or self.shown
        run = rebuilt(origin.run, num_blocks=num_blocks, block_size=block_size, caching=caching)
        shown = origin if run is origin.run else Shown(run, None, origin)
        return self._stay(shown, self._remembered(), ())

    def changed(self, change: Callable[[Run], Run]) -> "Workshop":
        """The run after a viewer's action, which the stage then plays. Raises RunError."""
        shown = Shown(change(self.run))
        return self._move(shown, self.timeline.last, len(shown.run.ops), self._remembered(), ())

    def undone(self) -> "Workshop":
        """One action back."""
        if not self.past:
            return self
        shown, past, future = self.past[-1], self.past[:-1], (self.shown, *self.future)
        if _same_visitors(shown, self.shown):
            return self._stay(shown, past, future)
        appended = _goes_on(shown.run, self.run)
        step = len(shown.run.ops) if appended else shown.opening
        return self._move(shown, step, None, past, future)

    def redone(self) -> "Workshop":
        """One action forward again, played."""
        if not self.future:
            return self
        shown, past, future = self.future[0], self._remembered(), self.future[1:]
        if _same_visitors(shown, self.shown):
            return self._stay(shown, past, future)
        if not _goes_on(self.run, shown.run):
            return self._move(shown, shown.opening, None, past, future)
        return self._move(shown, self.timeline.last, len(shown.run.ops), past, future)

    def _move(
        self,
        shown: Shown,
        step: int,
        until: int | None,
        past: tuple[Shown, ...],
        future: tuple[Shown, ...],
    ) -> "Workshop":
        """Another run, and the stage is to go to `step` of it and play on to `until`."""
        moves = self.moves + 1
        opening = Opening(f"{self.session}-{moves}", step, until, None, self.opening.register)
        return replace(
            self,
            shown=shown,
            played=shown.play(),
            opening=opening,
            past=past,
            future=future,
            moves=moves,
            version=self.version + 1,
        )

    def _stay(self, shown: Shown, past: tuple[Shown, ...], future: tuple[Shown, ...]) -> "Workshop":
        """Another run, but no other wish where to stand: the viewer stays at their step."""
        step = min(self.opening.step, len(shown.run.ops))
        opening = replace(self.opening, step=step, until=None)
        return replace(
            self,
            shown=shown,
            played=shown.play(),
            opening=opening,
            past=past,
            future=future,
            version=self.version + 1,
        )

    def anew(self) -> "Workshop":
        """The same, with fresh inputs: they show the run again, not what could not be done."""
        return replace(self, version=self.version + 1)

    def _remembered(self) -> tuple[Shown, ...]:
        return (*self.past, self.shown)[-UNDO_MOST:]


def _goes_on(run: Run, longer: Run) -> bool:
    """Whether the second is the first with more operations at its end."""
    return run.config == longer.config and longer.ops[: len(run.ops)] == run.ops


def _same_visitors(one: Shown, other: Shown) -> bool:
    """Whether only the room differs: the viewer stays at their step."""
    return (one.origin or one) is (other.origin or other)


def start(shown: Shown, *, register: str = "room") -> Workshop:
    """A workshop with this run on the stage, opened where it is worth looking. RunError."""
    session = secrets.token_hex(4)
    opening = Opening(f"{session}-0", shown.opening, None, None, register)
    return Workshop(shown, shown.play(), opening, session=session)
