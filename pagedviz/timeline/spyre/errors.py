"""The errors of this package: a mix or a scenario that cannot be.

Leaves out: errors of the engine (`ConfigError`, `OperationError`), which say their own piece.
"""


class MixError(ValueError):
    """A typed or pasted mix that cannot be read or cannot run. `line` is its line, from 1.

    >>> error = MixError("has no answer length; write it as 200 + 25", line=3)
    >>> print(error, error.line)
    line 3 has no answer length; write it as 200 + 25 3
    """

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem if line is None else f"line {line} {problem}")
        self.problem, self.line = problem, line

    def __reduce__(self) -> tuple[object, ...]:
        return MixError, (self.problem, self.line)


class ScenarioError(ValueError):
    """A scenario that cannot run: which field or request, the limit, and what would work."""
