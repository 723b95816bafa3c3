"""A plan's inputs for tests: Llama 3.1 8B on a card of 80 GiB, unless a test says otherwise."""

from pagedviz.sizing import kv_geometry
from pagedviz.sizing.gpu_inputs import GpuInputs
from pagedviz.sizing.lengths import Lengths
from pagedviz.sizing.units import GIB
from tests.sizing.shapes import plain

LLAMA_8B = plain("llama", 32, 32, 8, 4096)


def inputs(config=LLAMA_8B, memory=80 * GIB, weights=16_060_522_496, **more):
    more.setdefault("lengths", Lengths(500, 300))
    more.setdefault("max_model_len", 8192)
    return GpuInputs(kv_geometry(config), memory, weights, **more)
