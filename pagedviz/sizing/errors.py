"""What sizing says when a config cannot be read or a plan cannot be made.

`ConfigError` is the engine's own, so that one `except` serves a page. An architecture that is
not known has a class of its own, because the page can then offer to type the shape in.
"""

from collections.abc import Mapping

from pagedviz.engine.errors import ConfigError

__all__ = ["ConfigError", "UnknownArchitectureError"]


class UnknownArchitectureError(ConfigError):
    """An architecture whose cache nobody here knows how to count.

    `found` holds the sizes that could be read, under the names that `manual_geometry` takes, so
    that nothing needs to be typed twice.

    >>> UnknownArchitectureError("unknown", {"layers": 48}).found
    {'layers': 48}
    """

    def __init__(self, message: str, found: Mapping[str, int] | None = None) -> None:
        super().__init__(message)
        self.found = dict(found or {})

    def __reduce__(self) -> tuple[object, ...]:
        # the default pickling of exceptions would lose `found`
        return (UnknownArchitectureError, (str(self), self.found))
