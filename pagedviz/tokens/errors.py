"""The two errors of this package: a text that cannot be cut, and a tokenizer that cannot cut.

Both are `ValueError` and come before anything is changed.
"""


class TextError(ValueError):
    """A text that cannot become a prompt; the message is for the place beside the text."""


class TokenizerError(ValueError):
    """A tokenizer that cannot be loaded or cannot cut a text.

    `source` names the file, `problem` what is wrong with it, `advice` what to do.

    >>> print(TokenizerError("is empty", source="mine.json", advice="Save it again."))
    mine.json is empty. Save it again.
    """

    def __init__(self, problem: str, *, source: str, advice: str = "") -> None:
        super().__init__(f"{source} {problem.rstrip('.')}." + (f" {advice}" if advice else ""))
        self.problem, self.source, self.advice = problem, source, advice

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments do not survive the default pickling of exceptions.
        return (_rebuild, (self.problem, self.source, self.advice))


def _rebuild(problem: str, source: str, advice: str) -> TokenizerError:
    return TokenizerError(problem, source=source, advice=advice)
