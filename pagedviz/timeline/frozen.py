"""A read-only mapping for operations, so that runs can be shared between viewers.

`types.MappingProxyType` would do, but it can be neither pickled nor hashed, and caches ask
for both. Leaves out: freezing of anything but what JSON holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_PLAIN = frozenset({int, str, bool, float})


class Frozen(Mapping[str, object]):
    """Immutable, hashable JSON object; lists inside become tuples, objects become Frozen.

    >>> op = Frozen({"op": "append", "req": "A", "tokens": [1, 2]})
    >>> op["tokens"], op == {"op": "append", "req": "A", "tokens": [1, 2]}
    ((1, 2), True)
    """

    __slots__ = ("_data", "_hash")

    def __init__(self, data: Mapping[str, object]) -> None:
        self._data = {k: freeze(v) for k, v in data.items()}
        self._hash: int | None = None

    def __getitem__(self, key: str) -> object:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._data.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Mapping):
            # freeze: [1, 2] in a plain dict is (1, 2) here
            return self._data == {k: freeze(v) for k, v in other.items()}
        return NotImplemented

    def __repr__(self) -> str:
        return f"Frozen({self._data!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return (Frozen, (self._data,))


def freeze(value: object) -> object:
    """Lists to tuples, mappings to Frozen, the rest as it is."""
    if value is None or type(value) in _PLAIN:  # by far the most, and quickly told
        return value
    if isinstance(value, (list, tuple)):
        # Token lists are the longest; they hold plain ints and need no second look.
        if value and type(value[0]) is int:
            return tuple(value)
        return tuple(freeze(v) for v in value)
    if isinstance(value, Mapping):
        return value if isinstance(value, Frozen) else Frozen(value)
    return value


def thaw(value: object) -> object:
    """The way back: plain dicts and lists, as `json.dumps` wants them."""
    if isinstance(value, Mapping):
        return {k: thaw(v) for k, v in value.items()}
    if isinstance(value, tuple):
        if value and type(value[0]) is int:
            return list(value)
        return [thaw(v) for v in value]
    return value


def ints(value: object) -> tuple[int, ...]:
    """A list of numbers as it stands in a result; empty if there is none.

    >>> ints([3, 1]), ints(None)
    ((3, 1), ())
    """
    return tuple(value) if isinstance(value, (list, tuple)) else ()
