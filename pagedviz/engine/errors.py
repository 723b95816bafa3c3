"""What the engine says when it is asked for something that cannot be.

Three kinds, each a `ValueError`: a pool or scheduler that could not be built
(`ConfigError`), an operation that makes no sense in the present state (`OperationError`)
and arrays that attention cannot be computed over (`AttentionError`). None of them changes
anything: checks come before the first write.
A pool that is merely full is not an error. `allocate_slots` answers None, as in vLLM.
"""


class EngineError(ValueError):
    """Base of everything the engine refuses to do."""


class ConfigError(EngineError):
    """A size, fraction or policy the engine cannot be built with."""


class OperationError(EngineError):
    """An operation that does not fit the present state; the state is unchanged."""


class AttentionError(EngineError):
    """Arrays, block tables or options that do not fit together; nothing was written."""


def check_text(name: str, value: object, error: type[EngineError]) -> str:
    """Return `value` if it is text with something in it, else raise `error`."""
    if not isinstance(value, str) or not value:
        raise error(f"{name} must be text, not {shown(value)}")
    return value


def check_bool(name: str, value: object, error: type[EngineError]) -> bool:
    """Return `value` if it is True or False, else raise `error`."""
    if not isinstance(value, bool):
        raise error(f"{name} must be True or False, not {shown(value)}")
    return value


def check_int(name: str, value: object, minimum: int, error: type[EngineError]) -> int:
    """Return `value` if it is a whole number of at least `minimum`, else raise `error`.

    >>> check_int("num_blocks", 8, 1, ConfigError)
    8
    >>> check_int("num_blocks", 0, 1, ConfigError)
    Traceback (most recent call last):
    ...
    pagedviz.engine.errors.ConfigError: num_blocks must be a whole number of at least 1, not 0
    """
    # exactly int: True, which counts as an int in Python, is a slip and not a size
    if type(value) is not int or value < minimum:
        raise error(f"{name} must be a whole number of at least {minimum}, not {shown(value)}")
    return value


def check_fraction(name: str, value: object, error: type[EngineError]) -> float:
    """Return `value` if it lies between 0 and 1, else raise `error`."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0.0 <= value <= 1.0:
        raise error(f"{name} must lie between 0 and 1, not {shown(value)}")
    return value


def shown(value: object) -> str:
    """`value` as a message shows it: on one line, and not for pages.

    >>> shown("4"), shown(10**5000)
    ("'4'", 'a number of thousands of digits')
    """
    try:
        text = repr(value)
    except ValueError:  # Python spells out whole numbers up to some thousand digits
        return "a number of thousands of digits"
    return text if len(text) <= 80 else f"{text[:77]}..."
