"""The story as the browser gets it: wire format 1, kind "story".

Top level: v, kind, title, last, requests (letters and hues of the visitors), scenes, steps. Of a
scene: title, short, picture, first (step), beats (how many), shows, labels. Of a step: s (scene),
name, c (caption, with marks ⟦key|words⟧), calc, source, line, shows, labels. Every text is a
pair: room, engine; `line` belongs to the engine alone. Absent keys are empty.

Leaves out: geometry, which the drawing scripts work out from the width they have.
"""

from __future__ import annotations

from collections.abc import Mapping

from pagedviz.timeline.presets import Words
from pagedviz.timeline.story.beat import Beat, Scene
from pagedviz.timeline.story.tale import places, scenes

VERSION = 1
LETTERS = "ABCDE"


def encode() -> dict[str, object]:
    """The whole story.

    >>> wire = encode()
    >>> wire["kind"], len(wire["scenes"]), wire["steps"][0]["c"][0][:7]
    ('story', 7, 'Someone')
    """
    first = [i for i, place in enumerate(places()) if place.beat == 1]
    return {
        "v": VERSION,
        "kind": "story",
        "title": "",
        "last": len(places()) - 1,
        "requests": [{"letter": letter, "hue": hue} for hue, letter in enumerate(LETTERS)],
        "scenes": [_scene(scene, at) for scene, at in zip(scenes(), first, strict=True)],
        "steps": [
            _step(beat, number) for number, scene in enumerate(scenes()) for beat in scene.beats
        ],
    }


def _pair(words: Words) -> list[str]:
    return [words.room, words.engine]


def _labels(labels: Mapping[str, Words]) -> dict[str, list[str]]:
    return {name: _pair(words) for name, words in labels.items()}


def _scene(scene: Scene, first: int) -> dict[str, object]:
    return {
        "title": _pair(scene.title),
        "short": _pair(scene.short),
        "picture": scene.picture,
        "first": first,
        "beats": len(scene.beats),
        "shows": dict(scene.shows),
        "labels": _labels(scene.labels),
    }


def _step(beat: Beat, scene: int) -> dict[str, object]:
    found: dict[str, object] = {"s": scene, "name": _pair(beat.name), "c": _pair(beat.says)}
    for name, words in (("calc", beat.calc), ("source", beat.source)):
        if any(_pair(words)):
            found[name] = _pair(words)
    if beat.line:
        found["line"] = beat.line
    if beat.labels:
        found["labels"] = _labels(beat.labels)
    return found | {"shows": dict(beat.shows)}
