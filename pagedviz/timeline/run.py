"""A run: a title, a pool and the operations on it. Data only; `play` makes the steps.

Presets, a user's clicks, a driven schedule and a recorded trace are all this one form, and
all are read and written as JSON in the format of the recorded traces. What a file holds
beside the operations (results, events, states) is for checking by
`python -m pagedviz.conformance`; playing works it out anew.

Leaves out: from bytes to JSON (`run_text.py`), short links (`link.py`), changing a run
(`build.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from pagedviz.engine.cache_session import CacheSession
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.frozen import thaw
from pagedviz.timeline.op_checker import OpChecker, check_config
from pagedviz.timeline.ops import FORMAT, MAX_STEPS, OURS
from pagedviz.timeline.run_text import parse
from pagedviz.timeline.value_checks import HALF, whole_characters

MAX_TITLE = 120
# Up to this many block states a saved file also holds the state after every step.
FULL_STATES = 200_000
# A longer file holds the operations only: results and events are for checking.
FULL_CHARACTERS = 4_000_000


@dataclass(frozen=True)
class Run:
    """A checked run. `config` has all defaults filled in, `ops` are read-only mappings.

    >>> run = Run("two", {"num_blocks": 4, "block_size": 16},
    ...           [{"op": "add_request", "req": "A", "tokens": [1, 2, 3]},
    ...            {"op": "admit", "req": "A"}])
    >>> run.num_blocks, len(run.ops), run.ops[0]["tokens"]
    (4, 2, (1, 2, 3))
    """

    title: str
    config: Mapping[str, object]
    ops: tuple[Mapping[str, object], ...]

    def __init__(
        self,
        title: str,
        config: Mapping[str, object],
        ops: Iterable[Mapping[str, object]],
        *,
        source: str = "run",
    ) -> None:
        checker = OpChecker(source)
        object.__setattr__(self, "title", check_title(title, source))
        object.__setattr__(self, "config", check_config(config, source))
        object.__setattr__(self, "ops", tuple(checker.check(op) for op in ops))

    @property
    def num_blocks(self) -> int:
        """Blocks of the pool, the null block included."""
        return cast(int, self.config["num_blocks"])

    @property
    def block_size(self) -> int:
        """Tokens per block."""
        return cast(int, self.config["block_size"])

    @property
    def caching(self) -> bool:
        """Whether prefix caching is on."""
        return bool(self.config["enable_caching"])

    def extended(self, ops: Iterable[Mapping[str, object]], title: str | None = None) -> Run:
        """The same run with more operations at its end."""
        return Run(title or self.title, self.config, (*self.ops, *ops))

    @classmethod
    def from_json(cls, data: bytes | str | Mapping[str, object], name: str = "run") -> Run:
        """Read a run file; `name` (the file's) goes into error messages.

        Reads UTF-8, with or without a byte order mark, plain or gzipped. Raises RunError.
        """
        trace = data if isinstance(data, Mapping) else parse(data, name)
        check_format(trace, name)
        for key in ("config", "steps"):
            if key not in trace:
                raise RunError(
                    "is missing",
                    source=name,
                    field=key,
                    advice="A run file has a format, a config and steps.",
                )
        steps = trace["steps"]
        if not isinstance(steps, (list, tuple)):
            raise RunError("must be a list", source=name, field="steps")
        if len(steps) > MAX_STEPS:
            raise RunError(
                f"has {len(steps):,} steps; the limit is {MAX_STEPS:,}",
                source=name,
                field="steps",
                advice="Make the run shorter.",
            )
        title = trace.get("title") or trace.get("name") or re.sub(r"\.json(\.gz)?$", "", name)
        return cls(
            cast(str, title),
            cast(Mapping[str, object], trace["config"]),
            [_operation(s, i, name) for i, s in enumerate(steps, 1)],
            source=name,
        )

    def to_json(self) -> str:
        """The run as a trace file; with results and events, and with states, if it is small.

        Raises RunError if the engine refuses an operation as wrong.
        """
        session = CacheSession(dict(self.config))
        with_states = self.num_blocks * len(self.ops) <= FULL_STATES
        trace: dict[str, object] = {
            "format": FORMAT,
            "name": self.title,
            "source": "pagedviz",
            "config": thaw(self.config),
        }
        if with_states:
            trace["initial_state"] = session.state()
        steps: list[dict[str, object]] = []
        for number, op in enumerate(self.ops, 1):
            # The engine's language knows no `tick`: it stands beside the operation.
            step: dict[str, object] = {k: op[k] for k in OURS if k in op}
            step["op"] = {k: thaw(v) for k, v in op.items() if k not in OURS}
            step["result"] = apply(session, op, number)
            step["events"] = session.take_events()
            if with_states:
                step["state"] = session.state()
            steps.append(step)
        trace["steps"] = steps
        text = _dump(trace)
        if len(text) > FULL_CHARACTERS:
            for step in steps:
                step.pop("result")
                step.pop("events")
            text = _dump(trace)
        return text


def _dump(trace: Mapping[str, object]) -> str:
    return json.dumps(trace, separators=(",", ":"), allow_nan=False, ensure_ascii=False)


def check_title(title: object, source: str) -> str:
    """The title, without space around it and not too long."""
    if not isinstance(title, str) or not title.strip():
        raise RunError("must be a text that is not empty", source=source, field="name")
    if not whole_characters(title):
        raise RunError(HALF, source=source, field="name")
    return title.strip()[:MAX_TITLE]


def apply(session: CacheSession, op: Mapping[str, object], number: int) -> dict[str, object]:
    """Carry out one operation; an impossible one becomes a RunError with its step number."""
    name = str(op["op"])
    args = {k: thaw(v) for k, v in op.items() if k != "op" and k not in OURS}
    try:
        return cast("dict[str, object]", getattr(session, name)(**args) or {})
    except ValueError as error:
        raise RunError(str(error), source="run", step=number, op=name) from error


def check_format(trace: Mapping[str, object], name: str) -> None:
    """Raise RunError unless `format` is the one this release reads."""
    form = trace.get("format")
    if form == FORMAT:
        return
    family, _, number = str(form).rpartition("/")
    if form is None:
        problem, advice = "is missing", f'A run file says "format": "{FORMAT}".'
    elif family == FORMAT.rpartition("/")[0] and number.isdigit():
        problem = f"{form!r} was made by a newer release; this one reads {FORMAT!r}"
        advice = "Update pagedviz to open it."
    elif family == "kv-sched-trace":
        problem, advice = "is a scheduler trace, which is checked and not played", ""
    else:
        problem = f"{str(form)[:40]!r} is not a run"
        advice = f'A run file says "format": "{FORMAT}".'
    raise RunError(problem, source=name, field="format", advice=advice)


def _operation(step: object, number: int, name: str) -> Mapping[str, object]:
    if not isinstance(step, Mapping) or not isinstance(step.get("op"), (Mapping, str)):
        raise RunError(
            "has no operation",
            source=name,
            step=number,
            field="op",
            advice='A step looks like {"op": {"op": "free", "req": "A"}}.',
        )
    if isinstance(step["op"], str):  # a bare operation, as in `Run.ops`
        return step
    beside = {k: step[k] for k in OURS if k in step}
    return {**step["op"], **beside}
