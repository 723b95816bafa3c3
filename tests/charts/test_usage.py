"""The usage chart shows the meters, all of them, and nothing else."""

import subprocess
import sys

import pytest

from pagedviz.charts.usage import LAYERS, turning_points, usage_figure
from pagedviz.timeline.play import play
from pagedviz.timeline.presets import DEFAULT, PRESETS, preset
from pagedviz.timeline.run import Run
from pagedviz.timeline.state import Counts


@pytest.mark.parametrize("one", PRESETS, ids=lambda p: p.id)
def test_the_layers_add_up_to_the_pool(one):
    timeline = play(one.run)
    figure = usage_figure(timeline)
    assert [t.name for t in figure.data] == [layer.room for layer in LAYERS]
    for values in zip(*(t.y for t in figure.data), strict=True):
        assert sum(values) == pytest.approx(timeline.pool.usable)


def test_every_step_can_be_read_off():
    timeline = play(preset("afternoon").run)
    figure = usage_figure(timeline)
    steps = list(figure.data[0].x)
    for step in timeline.steps:
        # Pointing finds the nearest drawn step; it shows the meter of this one.
        nearest = min(steps, key=lambda x: abs(x - step.index))
        at = steps.index(nearest)
        assert figure.data[0].y[at] == step.counts.shared
        assert figure.data[3].y[at] == step.counts.kept
        assert figure.data[4].y[at] == step.counts.empty
        assert figure.data[2].y[at] == pytest.approx(
            step.counts.unfilled / timeline.pool.block_size
        )


def test_quiet_stretches_are_drawn_by_their_ends():
    a, b = Counts(0, 0, 0, 3, 0, 0), Counts(1, 0, 0, 2, 0, 4)
    assert turning_points([a] * 100 + [b] * 100) == [0, 99, 100, 199]
    assert turning_points([a]) == [0]


def test_words_of_either_register():
    timeline = play(DEFAULT.run)
    room, engine = usage_figure(timeline, "room"), usage_figure(timeline, "engine")
    assert room.layout.yaxis.title.text == "shelves"
    assert engine.layout.yaxis.title.text == "blocks"
    texts = {
        register: " ".join(t for trace in figure.data for t in trace.customdata)
        for register, figure in (("room", room), ("engine", engine))
    }
    assert "block" not in texts["room"]
    assert "shel" not in texts["engine"]
    assert "shared: 1 shelf, 16 boxes, 3%" in room.data[0].customdata


def test_not_by_colour_alone():
    patterns = [t.fillpattern.shape for t in usage_figure(play(DEFAULT.run)).data]
    assert patterns == ["x", "", ".", "/", ""]


def test_the_same_bytes_with_and_without_streamlit():
    code = (
        "import sys; {}\n"
        "from pagedviz.charts.usage import usage_figure\n"
        "from pagedviz.timeline.play import play\n"
        "from pagedviz.timeline.presets import DEFAULT\n"
        "print(usage_figure(play(DEFAULT.run)).to_json())"
    )
    plain, streamlit = (
        subprocess.run(
            [sys.executable, "-c", code.format(first)], check=True, capture_output=True, text=True
        ).stdout
        for first in ("", "import streamlit")
    )
    assert plain == streamlit
    assert plain.strip() == usage_figure(play(DEFAULT.run)).to_json()


def test_an_empty_run_has_a_chart_too():
    figure = usage_figure(play(Run("empty", {"num_blocks": 2, "block_size": 4}, [])))
    assert list(figure.data[4].y) == [1]
