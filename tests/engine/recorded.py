"""The recorded traces of vLLM, for the tests that replay them."""

from pagedviz.conformance.files import read_json
from pagedviz.paths import GOLDEN

TRACES = sorted(
    path for kind in ("allocator", "scheduler") for path in (GOLDEN / kind).glob("*.json.gz")
)


def load(name):
    """A trace by the beginning of its name, a copy of its own each time."""
    (path,) = GOLDEN.rglob(f"{name}*.json.gz")
    return read_json(path)
