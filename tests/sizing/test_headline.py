"""The line on top, and that what it promises comes true."""

from dataclasses import replace

import pytest

from pagedviz.sizing import kv_geometry
from pagedviz.sizing.gpu_inputs import GpuInputs
from pagedviz.sizing.gpu_plan import gpu_plan
from pagedviz.sizing.headline import headline
from pagedviz.sizing.lengths import Lengths
from pagedviz.sizing.models import model
from pagedviz.sizing.spyre_inputs import SpyreInputs
from pagedviz.sizing.spyre_plan import spyre_plan
from pagedviz.sizing.units import GIB
from tests.sizing.shapes import plain


def inputs(key="llama-3.1-8b", memory=24 * GIB, **more):
    found = model(key)
    more.setdefault("lengths", Lengths(1500, 500, 400, 200))
    more.setdefault("max_model_len", 8192)
    return GpuInputs(found.geometry(), memory, found.weights, **more)


def test_the_line_has_number_range_limit_and_what_helps():
    plan = gpu_plan(inputs())
    line = headline(plan)
    assert (line.low, line.about, line.high) == plan.at_once
    assert line.low < line.about < line.high
    assert line.text.startswith(f"About {line.about} at once, between {line.low} and {line.high}.")
    assert "the memory left for the cache" in line.text
    assert line.raises[0].text in line.text


def test_what_would_help_is_what_it_gives():
    line = headline(gpu_plan(inputs()))
    given = {change.text: change.about for change in line.raises}
    fp8 = gpu_plan(replace(inputs(), dtype_bytes=1)).at_once[1]
    assert given["An FP8 cache (--kv-cache-dtype fp8)"] == fp8
    assert given["2 cards instead of 1"] == gpu_plan(replace(inputs(), cards=2)).at_once[1]
    assert [change.about for change in line.raises] == sorted(given.values(), reverse=True)


def test_a_limit_on_requests_comes_first():
    line = headline(gpu_plan(inputs(memory=80 * GIB, max_num_seqs=4)))
    assert line.limit == "max_num_seqs"
    assert line.about == line.low == line.high == 4
    assert line.raises[0].text.startswith("max_num_seqs ")
    assert len(line.raises) == 1  # nothing else helps


def test_a_server_that_does_not_start_says_so_and_what_to_do():
    line = headline(gpu_plan(inputs(utilization=0.5)))
    assert line.text.startswith("It does not start. Set gpu_memory_utilization to ")
    assert line.about == 0


def test_encoder_only():
    shape = kv_geometry(plain("bert", 12, 12, None, 768))
    line = headline(gpu_plan(GpuInputs(shape, GIB * 24, 0, Lengths(9, 9), max_model_len=512)))
    assert "encoder-only" in line.text


@pytest.mark.parametrize(
    ("lengths", "limit"),
    [(Lengths(100, 100), "requests"), (Lengths(20_000, 5_000), "product")],
)
def test_spyre_names_the_limit_that_binds(lengths, limit):
    found = model("granite-3.3-8b")
    plan = spyre_plan(SpyreInputs(found.geometry("spyre"), found.spyre_name, lengths))
    line = headline(plan)
    assert line.limit == limit
    for change in line.raises:
        assert change.about > line.about


def test_spyre_at_its_most_requests_says_that_only_another_server_helps():
    found = model("granite-3.3-8b")
    plan = spyre_plan(SpyreInputs(found.geometry("spyre"), found.spyre_name, Lengths(100, 100)))
    line = headline(plan)
    assert (line.about, line.raises) == (32, ())
    assert "a second one on 4 cards more would double it to 64" in line.text
