"""What a viewer has on the workload page: what is set, a file's requests, the last result.

All of it is immutable and lives in that viewer's session; a change makes a new desk, and one that
fails leaves the old one as it was.

Leaves out: widgets (`workload_controls.py`, `workload_file.py`), running (`workload_work.py`).
"""

from __future__ import annotations

import secrets
from collections.abc import Hashable
from dataclasses import dataclass, field, replace

import streamlit as st

from pagedviz.ui.workload_inputs import FILE, Inputs
from pagedviz.ui.workload_run import Found, RunTask, part_of
from pagedviz.workload import LoadSetup, SimulationSetup, Trace

SHOP, PROBLEM = "workload.desk", "workload.problem"
Key = tuple[Hashable, ...]


@dataclass(frozen=True)
class Pending:
    """A file that is not (yet) the load: unreadable, of no known form, or with rows left out.

    `said` is why; `columns`: the names it has, if the user may say which is which; `trace`: what
    could be read, to go on with if the user wants to.
    """

    name: str
    data: bytes
    said: str = ""
    columns: tuple[str, ...] = ()
    trace: Trace | None = None


@dataclass(frozen=True)
class Desk:
    """Everything of one viewer; `found_key` says what `found` is the result of."""

    inputs: Inputs
    trace: Trace | None = None
    trace_data: bytes = b""
    trace_id: str = ""
    pending: Pending | None = None
    uploading: bool = False  # the form for a file is open, whatever the load is
    found: Found | None = None
    found_key: Key = ()
    session: str = field(default_factory=lambda: secrets.token_hex(4))
    moves: int = 0

    @property
    def revision(self) -> str:
        """Names this state: inputs made for an older one count for nothing."""
        return f"{self.session}-{self.moves}"

    @property
    def is_file(self) -> bool:
        """Whether the load comes from a file."""
        return self.inputs.kind == FILE and self.trace is not None

    @property
    def key(self) -> Key:
        """Names what is set, as far as a result hangs on it."""
        inputs = self.inputs
        setup = inputs.simulation_setup()
        if self.is_file:
            return (self.trace_id, inputs.first, inputs.count, setup)
        return (inputs.load_setup(), setup)

    @property
    def task(self) -> RunTask:
        """What would have to be run."""
        setup: SimulationSetup = self.inputs.simulation_setup()
        return RunTask(self.load, setup)

    @property
    def load(self) -> LoadSetup | Trace:
        """The load that is set."""
        if self.is_file and self.trace is not None:
            return part_of(self.trace, self.inputs.first, self.inputs.count)
        return self.inputs.load_setup()

    def changed(self, inputs: Inputs) -> Desk:
        """Other inputs."""
        return replace(self, inputs=inputs, moves=self.moves + 1)

    def anew(self) -> Desk:
        """The same, with fresh inputs: they show what is, not what could not be done."""
        return replace(self, moves=self.moves + 1)

    def loaded(self, trace: Trace, data: bytes) -> Desk:
        """A file's requests become the load, all of them."""
        return replace(
            self,
            inputs=replace(self.inputs, kind=FILE, first=1, count=0),
            trace=trace,
            trace_data=data,
            trace_id=secrets.token_hex(8),
            pending=None,
            uploading=True,
            moves=self.moves + 1,
        )


def desk() -> Desk:
    """This viewer's desk; the page puts it into the session on arrival."""
    found: Desk = st.session_state[SHOP]
    return found


def put(new: Desk) -> None:
    """Keep a new desk."""
    st.session_state[SHOP] = new
