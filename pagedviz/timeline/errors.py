"""The one error of this package: a run that cannot be read, built or played.

Leaves out: errors of the engine itself; `play` turns those into a RunError with the step.
"""


class RunError(ValueError):
    """What is wrong with a run, where, and what to do about it.

    `source` names the file (or "run"), `step` the step as the stage counts it (1 = first
    operation), `field` the key at fault; all three are also in the message.

    >>> print(RunError("must be a whole number", source="my.json", step=3, op="append",
    ...                field="tokens", advice="List token numbers such as [5, 9]."))
    my.json, step 3 (append), tokens: must be a whole number. List token numbers such as [5, 9].
    >>> print(RunError("is empty", source="my.json"))  # the name is the subject
    my.json is empty.
    """

    def __init__(
        self,
        problem: str,
        *,
        source: str = "",
        step: int | None = None,
        op: str = "",
        field: str = "",
        advice: str = "",
    ) -> None:
        where = [source] if source else []
        if step is not None:
            where.append(f"step {step} ({op})" if op else f"step {step}")
        if field:
            where.append(field)
        says = problem.split(" ", 1)[0] in ("is", "has", "holds")
        joint = " " if says and where == [source] else ": "
        prefix = ", ".join(where) + joint if where else ""
        tail = f". {advice}" if advice else ""
        super().__init__(f"{prefix}{problem.rstrip('.')}{tail or '.'}")
        self.problem, self.source, self.step, self.op = problem, source, step, op
        self.field, self.advice = field, advice

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments do not survive the default pickling of exceptions.
        return (_rebuild, (self.problem, self.source, self.step, self.op, self.field, self.advice))


def _rebuild(
    problem: str, source: str, step: int | None, op: str, field: str, advice: str
) -> RunError:
    return RunError(problem, source=source, step=step, op=op, field=field, advice=advice)
