"""Recorded traces and random runs for the tests of the timeline."""

import gzip
import json

import pytest

from pagedviz.paths import GOLDEN
from pagedviz.timeline.play import play
from pagedviz.timeline.run import Run

FILES = sorted((GOLDEN / "allocator").glob("*.json*"))
_cache: dict[str, tuple] = {}


def load(path):
    """(trace as recorded, its timeline), read and played once."""
    if path.name not in _cache:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        _cache[path.name] = json.loads(data), play(Run.from_json(data, path.name))
    return _cache[path.name]


@pytest.fixture(params=FILES, ids=lambda path: path.name.split(".")[0])
def golden(request):
    """Each recorded trace in turn, with its timeline."""
    return load(request.param)


@pytest.fixture
def trace():
    """A recorded trace by the beginning of its name."""
    return lambda name: load(next(p for p in FILES if p.name.startswith(name)))
