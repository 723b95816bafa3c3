"""Holds a run to the language of `ops.py`: its configuration, then one operation after the other.

What is wrong is said with the step, the field and what to do; nothing is mended silently, and
only defaults are filled in.

Leaves out: what the engine thinks of an operation; `play.py` asks it.
"""

from __future__ import annotations

from collections.abc import Mapping

from pagedviz.timeline.errors import RunError
from pagedviz.timeline.frozen import Frozen
from pagedviz.timeline.ops import (
    CONFIG,
    FIELDS,
    MAX_CHARACTERS,
    MAX_REQUESTS,
    MAX_STEPS,
    MAX_TOKENS,
    TICK,
)
from pagedviz.timeline.value_checks import show


def check_config(config: object, source: str = "run") -> Frozen:
    """The configuration with its defaults filled in.

    >>> check_config({"num_blocks": 30, "block_size": 16})["max_model_len"]
    8192
    """
    if not isinstance(config, Mapping):
        raise RunError(
            f"must be an object, not {show(config)}",
            source=source,
            field="config",
            advice="Give at least num_blocks and block_size.",
        )
    for key in config:
        if key not in CONFIG:
            raise RunError(
                f"has an unknown key {show(key)}",
                source=source,
                field="config",
                advice=f"Known keys: {', '.join(CONFIG)}.",
            )
    out: dict[str, object] = {}
    for key, (check, default) in CONFIG.items():
        value = config.get(key, default)
        if value is None and key not in config:
            raise RunError(
                "is missing",
                source=source,
                field=f"config.{key}",
                advice="Give at least num_blocks and block_size.",
            )
        if wrong := check(value):
            advice = (
                "Block 0 is never given out, so a pool needs at least 2 blocks."
                if key == "num_blocks" and isinstance(value, int) and value < 2
                else ""
            )
            raise RunError(wrong, source=source, field=f"config.{key}", advice=advice)
        out[key] = float(value) if isinstance(value, int) and key == "watermark" else value
    return Frozen(out)


class OpChecker:
    """Checks operations one after the other; remembers who has arrived and the totals."""

    def __init__(self, source: str = "run") -> None:
        self.source, self.step, self.tokens, self.arrivals = source, 0, 0, 0
        self.inside: set[str] = set()
        self.characters = 0  # of the long lists, in a file

    def check(self, op: object) -> Frozen:
        """The operation, frozen; RunError if it is not one."""
        self.step += 1
        if self.step > MAX_STEPS:
            raise RunError(
                f"has more than {MAX_STEPS:,} steps", source=self.source, advice="Make it shorter."
            )
        if not isinstance(op, Mapping):
            raise self._error(f"must be an object, not {show(op)}")
        name = op.get("op")
        if not isinstance(name, str) or name not in FIELDS:
            raise self._error(
                f"unknown operation {show(name)}",
                field="op",
                advice=f"Known operations: {', '.join(FIELDS)}.",
            )
        required, optional = FIELDS[name]
        for key in op:
            if key not in ("op", "tick") and key not in required and key not in optional:
                allowed = [*required, *optional]
                raise self._error(
                    f"unknown key {show(key)}",
                    name,
                    advice=f"{name} knows {', '.join(allowed) or 'no keys'}.",
                )
        for key, check in {**required, **optional, "tick": TICK}.items():
            if op.get(key) is None and (key not in op or key not in required):
                if key in required:
                    raise self._error("is missing", name, key)
            elif wrong := check(op[key]):
                raise self._error(wrong, name, key)
        self._follow(name, op)
        if isinstance(op, Frozen):
            return op
        # As in the engine's own language, null is what a key is that is not there.
        return Frozen({key: value for key, value in op.items() if value is not None})

    def _follow(self, name: str, op: Mapping[str, object]) -> None:
        """What only the operations before this one can tell: who is known, how many."""
        if "req" in op:
            req = str(op["req"])
            if name == "add_request":
                if req in self.inside:
                    raise self._error(
                        f"request {req!r} is already there",
                        name,
                        "req",
                        advice="Give each request its own name.",
                    )
                self.inside.add(req)
                self.arrivals += 1
                if self.arrivals > MAX_REQUESTS:
                    raise self._error(f"more than {MAX_REQUESTS:,} requests", name)
            elif req not in self.inside:
                raise self._error(
                    f"unknown request {req!r}",
                    name,
                    "req",
                    advice="A request must be added first, and not have left.",
                )
            if name == "free":
                self.inside.discard(req)
        self._keep_small(name, op)
        tokens = op.get("tokens")
        if isinstance(tokens, (list, tuple)):
            self.tokens += len(tokens)
            if self.tokens > MAX_TOKENS:
                raise self._error(
                    f"the run has more than {MAX_TOKENS:,} tokens in all",
                    name,
                    "tokens",
                    advice="Use fewer or shorter requests.",
                )

    def _keep_small(self, name: str, op: Mapping[str, object]) -> None:
        """Only what can be saved and opened again is a run."""
        for key in ("tokens", "block_ids"):
            numbers = op.get(key)
            if isinstance(numbers, (list, tuple)) and numbers:
                self.characters += len(numbers) * (len(str(max(numbers))) + 1)
                if self.characters > MAX_CHARACTERS:
                    raise self._error(
                        f"the run's numbers take more than {MAX_CHARACTERS:,} characters in a file",
                        name,
                        key,
                        advice="Use fewer or smaller numbers.",
                    )

    def _error(self, problem: str, op: str = "", field: str = "", advice: str = "") -> RunError:
        return RunError(
            problem, source=self.source, step=self.step, op=op, field=field, advice=advice
        )
