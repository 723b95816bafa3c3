"""What the story is made of: scenes, and in each the beats that a viewer walks through.

A beat is one sentence in each register and one change in the picture. Words that light up what
they name in the picture are marked: `lit("shelf", "small shelves")`. What the picture shows is
data for a drawing script; each label in it comes in both registers too.

Leaves out: drawing, and links to other pages (`pagedviz.ui.story_links`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pagedviz.timeline.presets import Words

_MARK = re.compile(r"⟦([a-z][\w]*)\|([^⟦⟧|]+)⟧", re.ASCII)


def lit(key: str, text: str) -> str:
    """Text that lights up everything in the picture that carries `key`.

    >>> lit("vA", "A")
    '⟦vA|A⟧'
    """
    found = f"⟦{key}|{text}⟧"
    if not _MARK.fullmatch(found):
        raise ValueError(f"key must be a letter and word characters, text not empty: {found!r}")
    return found


def plain(text: str) -> str:
    """A sentence without its marks.

    >>> plain("Then " + lit("vA", "A") + " leaves.")
    'Then A leaves.'
    """
    return _MARK.sub(r"\2", text)


def keys(text: str) -> tuple[str, ...]:
    """The keys of all marks of a sentence, in order.

    >>> keys(lit("vA", "A") + " and " + lit("vB", "B"))
    ('vA', 'vB')
    """
    return tuple(key for key, _ in _MARK.findall(text))


def both(text: str) -> Words:
    """The same words in both registers: only for what belongs to neither."""
    return Words(text, text)


NOTHING = Words("", "")


@dataclass(frozen=True)
class Beat:
    """One beat. ValueError if a register has nothing to say.

    Attributes:
        name: two or three words for the scene's list of beats.
        says: the sentence, with marks.
        calc: the calculation with its values, or nothing.
        source: who says so, and what a term means.
        line: the same in the engine's own calls; shown with the engine's words only.
        shows: what the picture needs to know, as JSON types.
        labels: words in the picture, by the name under which it asks for them.
    """

    name: Words
    says: Words
    calc: Words = NOTHING
    source: Words = NOTHING
    line: str = ""
    shows: Mapping[str, object] = field(default_factory=dict)
    labels: Mapping[str, Words] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for field_name in ("name", "says"):
            words: Words = getattr(self, field_name)
            if not (words.room.strip() and words.engine.strip()):
                raise ValueError(f"beat {self.name!r}: {field_name} is empty in a register")


@dataclass(frozen=True)
class Scene:
    """One question of the story, and the picture that all of its beats share.

    Attributes:
        title: what the scene is about.
        short: the same for the bar of scenes.
        picture: which drawing script.
        beats: at least one.
        shows: what stays the same in the picture throughout the scene.
        labels: words in the picture, those that stay the same.
    """

    title: Words
    short: Words
    picture: str
    beats: tuple[Beat, ...]
    shows: Mapping[str, object] = field(default_factory=dict)
    labels: Mapping[str, Words] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.beats:
            raise ValueError(f"scene {self.title.engine!r} has no beats")
