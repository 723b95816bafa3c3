"""What comes of replaying one recording.

Leaves out: replaying (`replay`, `replay_spyre`) and adding up (`replay.Tally`).
"""

from dataclasses import dataclass

from pagedviz.conformance.compare import Difference


class UnknownFormError(ValueError):
    """A file that is well and good, but not of a form this release replays."""


class DamagedTraceError(ValueError):
    """A trace that lacks something its form promises."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The outcome for one trace."""

    steps: int  # steps, or cases, that agree
    difference: Difference | None  # the first that does not
    unit: str = "step"  # or "case"
