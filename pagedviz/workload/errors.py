"""The errors of this package: each is a ValueError, and comes before anything is changed.

Leaves out: rows that cannot be used. They are no error; `Trace.rejected` names them.
"""


class WorkloadError(ValueError):
    """Base of what this package refuses, and the error of a setting that cannot be.

    >>> print(WorkloadError("block_size", "must be from 1 to 256, not 300", "Take 256."))
    block_size must be from 1 to 256, not 300. Take 256.
    """

    def __init__(self, source: str, problem: str, advice: str = "") -> None:
        super().__init__(source, problem, advice)
        self.source, self.problem, self.advice = source, problem, advice

    def __str__(self) -> str:
        tail = f" {self.advice}" if self.advice else ""
        return f"{self.source} {self.problem.rstrip('.')}.{tail}"


class TraceError(WorkloadError):
    """A file that cannot be read as a trace: its name, what is wrong, what to do.

    `columns` are the names the file has, where the user may say which of them is which.
    """

    def __init__(
        self, source: str, problem: str, advice: str = "", columns: tuple[str, ...] = ()
    ) -> None:
        super().__init__(source, problem, advice)
        self.args = (source, problem, advice, columns)  # what pickling calls this with
        self.columns = columns


class SimulationCancelledError(WorkloadError):
    """The one who watches said stop; there is no result."""

    def __init__(self, finished: int, total: int) -> None:
        super().__init__("The simulation", f"was stopped after {finished:,} of {total:,} requests")
        self.args = (finished, total)
        self.finished, self.total = finished, total


def shown(value: object, limit: int = 40) -> str:
    """`value` as a message shows it: in quotes if it is text, on one line, not for pages.

    >>> shown("x" * 100), shown(10**5000)
    ("'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...", 'a number of thousands of digits')
    """
    try:
        text = repr(value)
    except ValueError:  # Python spells out whole numbers up to some thousand digits
        return "a number of thousands of digits"
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
