"""The stairs: every corner, and nothing between them, is what the rules say."""

import bisect
import subprocess
import sys

import pytest

from pagedviz.charts.stairs import stairs_figure
from pagedviz.charts.strips import spyre_strip, vllm_strip


def height(trace, x):
    return trace.y[bisect.bisect_right(trace.x, x) - 1]


@pytest.mark.parametrize("prompt", [1, 15, 64, 65, 1000, 1024, 1025, 2600, 3000])
def test_stairs_are_the_rules_at_every_length(prompt):
    vllm, k1024, k512, k192 = stairs_figure(prompt, "engine", 192).data
    for shared in range(prompt + 1):
        assert height(vllm, shared) == vllm_strip(prompt, shared).reused
        for trace, chunk in ((k1024, 1024), (k512, 512), (k192, 192)):
            assert height(trace, shared) == spyre_strip(prompt, shared, chunk).reused


def test_only_corners_are_sent():
    for trace in stairs_figure(32_768).data:
        rises = [b > a for a, b in zip(trace.y, trace.y[1:], strict=False)]
        assert all(rises[:-1])
        assert (trace.x[0], trace.x[-1]) == (0, 32_768)


def test_lines_are_told_apart_by_more_than_colour():
    looks = {(t.line.dash, t.line.color) for t in stairs_figure(3000, chunk=2048).data}
    assert len(looks) == 4
    assert len({t.line.dash for t in stairs_figure(3000, chunk=2048).data[1:]}) == 3


def test_a_chosen_chunk_that_is_there_already_is_not_drawn_twice():
    assert len(stairs_figure(3000, chunk=512).data) == 3


def test_words_of_either_register():
    room, engine = stairs_figure(3000, "room"), stairs_figure(3000, "engine")
    assert (room.layout.yaxis.title.text, engine.layout.yaxis.title.text) == (
        "boxes saved",
        "tokens reused",
    )
    assert room.data[0].name == "vLLM, shelves of 16"


def test_a_length_can_be_marked():
    assert stairs_figure(3000, shared=2500).layout.shapes[0].x0 == 2500
    assert stairs_figure(3000, shared=9999).layout.shapes[0].x0 == 3000


def test_a_chunk_of_500_is_refused():
    with pytest.raises(ValueError, match="try 448 or 512"):
        stairs_figure(3000, chunk=500)


def test_the_same_bytes_with_and_without_streamlit():
    code = (
        "import sys; {}\n"
        "from pagedviz.charts.stairs import stairs_figure\n"
        "print(stairs_figure(3000).to_json())"
    )
    plain, streamlit = (
        subprocess.run(
            [sys.executable, "-c", code.format(first)], check=True, capture_output=True, text=True
        ).stdout
        for first in ("", "import streamlit")
    )
    assert plain == streamlit
