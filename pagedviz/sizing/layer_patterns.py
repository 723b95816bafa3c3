"""Patterns of layers that many architectures share: every n-th, by number, by flag.

Each function makes a rule, which gives one kind per layer.

Leaves out: which architecture has which pattern (`layer_kinds`).
"""

from __future__ import annotations

from collections.abc import Callable

from pagedviz.engine.errors import shown
from pagedviz.sizing.errors import ConfigError
from pagedviz.sizing.fields import Fields
from pagedviz.sizing.layer_words import Kinds, LayerKind

Rule = Callable[[Fields, int], Kinds]


def every(field: str, usual: int, other: LayerKind = "sliding") -> Rule:
    """Every n-th layer keeps everything, the last of each n; the rest are `other`."""

    def rule(fields: Fields, layers: int) -> Kinds:
        pattern = fields.config.get(field)
        if isinstance(pattern, str):  # "LLLG", as EXAONE 4 writes it
            if not pattern or set(pattern.upper()) - {"L", "G"}:
                raise ConfigError(
                    f"{fields.where}{field} must be letters L and G, not {shown(pattern)}"
                )
            turns = [pattern[i % len(pattern)].upper() == "G" for i in range(layers)]
            return ["full" if turn else other for turn in turns]
        said = fields.config.get("_" + field) if pattern is None else pattern
        if said is None:
            said = usual
            fields.notes.append(
                f"One layer in {usual} keeps everything: the class default of "
                f"{fields.model_type}, {field} is not in the config."
            )
        if type(said) is not int or said < 1:
            raise ConfigError(
                f"{fields.where}{field} must be a whole number of at least 1, not {shown(said)}"
            )
        return ["full" if (i + 1) % said == 0 else other for i in range(layers)]

    return rule


def first_of(field: str, usual: int) -> Rule:
    """The first layer of each n keeps everything, the rest a window."""

    def rule(fields: Fields, layers: int) -> Kinds:
        step = fields.config.get(field, usual)
        if type(step) is not int or step < 1:
            raise ConfigError(
                f"{fields.where}{field} must be a whole number of at least 1, not {shown(step)}"
            )
        return ["full" if i % step == 0 else "sliding" for i in range(layers)]

    return rule


def numbered(field: str, inside: LayerKind, outside: LayerKind) -> Rule:
    """A list of layer numbers."""

    def rule(fields: Fields, layers: int) -> Kinds:
        found = fields.config.get(field)
        if not isinstance(found, list) or any(type(one) is not int for one in found):
            raise ConfigError(
                f"{fields.where}{field} is missing or no list of layer numbers: it says which "
                "layers attend"
            )
        return [inside if i in set(found) else outside for i in range(layers)]

    return rule


def flags(field: str, one: LayerKind, zero: LayerKind) -> Rule:
    """A list with 0 or 1 per layer."""

    def rule(fields: Fields, layers: int) -> Kinds:
        if (flags := fields.numbers(field, layers)) is None:
            raise ConfigError(f"{fields.where}{field} is missing: it says which layers attend")
        return [one if flag else zero for flag in flags]

    return rule


def all_of(kind: LayerKind) -> Rule:
    """Every layer alike."""
    return lambda fields, layers: [kind] * layers
