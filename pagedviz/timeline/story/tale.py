"""The seven scenes as one run of beats, and the way from a scene and beat to a step and back.

Leaves out: what a scene says (one module for each).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from pagedviz.timeline.story.aisles import old_way
from pagedviz.timeline.story.beat import Beat, Scene
from pagedviz.timeline.story.filling import filling
from pagedviz.timeline.story.growth import growth
from pagedviz.timeline.story.outcome import outcome
from pagedviz.timeline.story.sharing import sharing
from pagedviz.timeline.story.shelves import shelves
from pagedviz.timeline.story.spyre import on_spyre


class Place(NamedTuple):
    """A beat by its scene, both counted from 1 as in a link."""

    scene: int
    beat: int


@cache
def scenes() -> tuple[Scene, ...]:
    """All scenes, made once: they are the same for every viewer.

    >>> [scene.short.room for scene in scenes()][:2]
    ['Memory grows', 'The room runs out']
    """
    return (growth(), old_way(), shelves(), filling(), sharing(), on_spyre(), outcome())


@cache
def places() -> tuple[Place, ...]:
    """The place of each step, in order.

    >>> places()[0], places()[6]
    (Place(scene=1, beat=1), Place(scene=2, beat=1))
    """
    return tuple(
        Place(number, beat)
        for number, scene in enumerate(scenes(), 1)
        for beat in range(1, len(scene.beats) + 1)
    )


def beats() -> tuple[Beat, ...]:
    """All beats in order; beat i is step i."""
    return tuple(beat for scene in scenes() for beat in scene.beats)


def step_of(scene: int, beat: int = 1) -> int:
    """The step that shows this beat.

    Raises ValueError with what there is, if there is no such scene or beat.

    >>> step_of(2)
    6
    >>> step_of(2, 9)
    Traceback (most recent call last):
    ...
    ValueError: scene 2 has the beats 1 to 6, not 9
    """
    if not 1 <= scene <= len(scenes()):
        raise ValueError(f"the scenes are 1 to {len(scenes())}, not {scene}")
    last = len(scenes()[scene - 1].beats)
    if not 1 <= beat <= last:
        raise ValueError(f"scene {scene} has the beats 1 to {last}, not {beat}")
    return places().index(Place(scene, beat))
