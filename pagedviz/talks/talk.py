"""A talk: views in an order, each with its title, what to say, and how often a clicker stays.

Leaves out: its file (`files.py`) and the bar that walks it (`pagedviz.ui.walk`).
"""

from dataclasses import dataclass, replace
from typing import Final

MAX_STOPS: Final = 60
MAX_TITLE: Final = 120
MAX_NOTE: Final = 2_000
MAX_PRESSES: Final = 200
MAX_MINUTES: Final = 480


class TalkError(ValueError):
    """A talk that cannot be; says where and what would work."""


@dataclass(frozen=True)
class Stop:
    """One view of a talk.

    Attributes:
        link: the view, relative ("/spyre?part=mix").
        title: what the bar says.
        note: what the speaker says; never on the projector.
        presses: how often a Page key moves on inside this view before it leads to the next.

    >>> Stop("/", " ")
    Traceback (most recent call last):
    pagedviz.talks.talk.TalkError: title: is empty; give the view a name
    """

    link: str
    title: str
    note: str = ""
    presses: int = 0

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise TalkError("title: is empty; give the view a name")
        _short("title", self.title, MAX_TITLE)
        _short("note", self.note, MAX_NOTE)
        _within("presses", self.presses, 0, MAX_PRESSES)


@dataclass(frozen=True)
class Talk:
    """Stops in their order. `minutes` 0: nobody said how long it takes.

    >>> Talk("three", "Three minutes", (Stop("/", "Start"),), minutes=3).stops[0].title
    'Start'
    """

    id: str
    title: str
    stops: tuple[Stop, ...]
    minutes: int = 0
    about: str = ""

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise TalkError("title: is empty; give the talk a name")
        _short("title", self.title, MAX_TITLE)
        _short("about", self.about, MAX_NOTE)
        _within("minutes", self.minutes, 0, MAX_MINUTES)
        if len(self.stops) > MAX_STOPS:
            raise TalkError(f"stops: {len(self.stops):,} are too many; at most {MAX_STOPS}")

    def with_stop(self, stop: Stop) -> "Talk":
        """The talk with one view more, at the end. TalkError if there is no room."""
        return replace(self, stops=(*self.stops, stop))

    def without(self, index: int) -> "Talk":
        """The talk without the view at `index` (from 0)."""
        return replace(self, stops=self.stops[:index] + self.stops[index + 1 :])

    def moved(self, index: int, by: int) -> "Talk":
        """The talk with the view at `index` moved; at the ends it stays.

        >>> talk = Talk("own", "x", tuple(Stop("/", name) for name in "abc"))
        >>> [stop.title for stop in talk.moved(2, -1).stops]
        ['a', 'c', 'b']
        """
        to = min(max(index + by, 0), len(self.stops) - 1)
        stops = list(self.stops)
        stops.insert(to, stops.pop(index))
        return replace(self, stops=tuple(stops))

    def put(self, index: int, stop: Stop) -> "Talk":
        """The talk with another view at `index`."""
        return replace(self, stops=(*self.stops[:index], stop, *self.stops[index + 1 :]))


def _short(field: str, text: str, most: int) -> None:
    if field == "title" and not text.isprintable():
        raise TalkError(
            "title: holds a line break or a character that cannot be shown; leave it out"
        )
    if len(text) > most:
        raise TalkError(f"{field}: has {len(text):,} characters; at most {most:,} fit")


def _within(field: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise TalkError(f"{field}: must be a whole number from {least} to {most}, not {number:,}")
