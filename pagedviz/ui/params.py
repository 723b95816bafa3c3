"""The one table that ties a page's inputs to its link, and reads a link with care.

A link is other people's text: what is wrong with it is said, parameter by parameter, and the rest
of it still counts. Parameters that are not in the table (Streamlit's own `embed`, for one) are
left alone. Leaves out: writing the link, which the stage does when playback rests.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

LINK_VERSION = 1


@dataclass(frozen=True)
class Param:
    """One parameter of a link.

    Attributes:
        name: as it stands in the URL.
        read: text -> value; raises ValueError with the reason, without the name.
    """

    name: str
    read: Callable[[str], object]


@dataclass(frozen=True)
class Link:
    """What a link said: the values that could be read, and a sentence for each that could not."""

    values: Mapping[str, object]
    problems: tuple[str, ...] = ()


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number from `least` to `most`.

    >>> whole(0, 9)("7")
    7
    >>> whole(0, 9)("12")
    Traceback (most recent call last):
    ValueError: must be a whole number from 0 to 9, not "12"
    """

    def read(text: str) -> int:
        digits = text.strip()
        short = digits.isascii() and digits.isdigit() and len(digits) <= len(str(most))
        if not short or not least <= int(digits) <= most:
            raise ValueError(
                f'must be a whole number from {least:,} to {most:,}, not "{text[:40]}"'
            )
        return int(digits)

    return read


def one_of(choices: Sequence[str]) -> Callable[[str], str]:
    """Reads one of a few words.

    >>> one_of(["room", "engine"])("engine")
    'engine'
    """

    def read(text: str) -> str:
        if text not in choices:
            raise ValueError(f'must be one of {", ".join(choices)}, not "{text[:40]}"')
        return text

    return read


def version(text: str) -> int:
    """Reads the version of a link; one from a later release is refused with the reason."""
    if not text.isascii() or not text.isdigit():
        raise ValueError(f'must be a whole number, not "{text[:40]}"')
    if len(text) > 9 or int(text) > LINK_VERSION:
        raise ValueError(
            f"{text[:9]} was made by a newer release of pagedviz; this one reads {LINK_VERSION}"
        )
    return int(text)


def read_link(params: Mapping[str, str], table: Sequence[Param]) -> Link:
    """Read what the link says of the parameters in `table`.

    >>> table = [Param("step", whole(0, 9)), Param("words", one_of(["room", "engine"]))]
    >>> link = read_link({"step": "x", "words": "engine", "embed": "true"}, table)
    >>> link.values, link.problems
    ({'words': 'engine'}, ('step: must be a whole number from 0 to 9, not "x"',))
    """
    values: dict[str, object] = {}
    problems: list[str] = []
    for param in table:
        if param.name not in params:
            continue
        try:
            values[param.name] = param.read(params[param.name])
        except ValueError as error:
            problems.append(f"{param.name}: {error}")
    return Link(values, tuple(problems))
