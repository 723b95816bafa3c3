"""The same visitors in a room of another size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.timeline.build import add_visitor, leave, new_run, preempt, write
from pagedviz.timeline.errors import RunError
from pagedviz.timeline.play import play
from pagedviz.timeline.presets import PRESETS
from pagedviz.timeline.rebuild import rebuilt
from pagedviz.timeline.run import Run


def visitors(run):
    return [(op["req"], op["tokens"]) for op in run.ops if op["op"] == "add_request"]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
@pytest.mark.parametrize("num_blocks", [3, 9, 30, 400])
def test_every_preset_plays_in_a_room_of_another_size(preset, num_blocks):
    run = rebuilt(preset.run, num_blocks=num_blocks, block_size=8, caching=True)
    assert visitors(run) == visitors(preset.run)
    assert play(run).pool.num_blocks == num_blocks


def test_same_sizes_give_the_very_same_run():
    run = PRESETS[0].run
    assert rebuilt(run, num_blocks=30, block_size=16, caching=True) is run


def test_a_run_built_by_hand_comes_out_as_if_built_there():
    def built(num_blocks):
        run = add_visitor(new_run(num_blocks, 16), 150)
        run = write(add_visitor(run, 40, share_with="A", share_tokens=16), None, 3)
        return preempt(write(leave(run, "A"), "B", 2), "B")

    again = rebuilt(built(30), num_blocks=60, block_size=16, caching=True)
    assert again.ops == built(60).ops


def test_in_a_small_room_who_does_not_fit_waits_and_all_others_go_on():
    run = add_visitor(add_visitor(add_visitor(new_run(30, 4), 8), 400), 8)
    small = play(rebuilt(run, num_blocks=6, block_size=4, caching=True))
    tables = small.state(small.last).tables
    assert {small.requests[r].letter for r in tables} == {"A", "C"}


def test_sizes_out_of_range_are_refused():
    with pytest.raises(RunError, match="num_blocks"):
        rebuilt(PRESETS[0].run, num_blocks=9000, block_size=16, caching=True)


@given(st.integers(2, 80), st.sampled_from([1, 2, 4, 16, 64]), st.booleans())
def test_whatever_the_room_nothing_is_owned_and_free_at_once(num_blocks, block_size, caching):
    run = rebuilt(PRESETS[2].run, num_blocks=num_blocks, block_size=block_size, caching=caching)
    timeline = play(run)
    state = timeline.state(timeline.last)
    owned = {b for table in state.tables.values() for b in table}
    assert owned.isdisjoint(state.queue)
    assert len(owned) + len(state.queue) == num_blocks - 1


def test_priorities_come_along():
    ops = [
        {"op": "add_request", "req": "a", "tokens": [1, 2], "priority": 3, "tick": 1},
        {"op": "admit", "req": "a", "tick": 1},
    ]
    run = rebuilt(
        Run("t", {"num_blocks": 5, "block_size": 4}, ops),
        num_blocks=9,
        block_size=4,
        caching=True,
    )
    assert run.ops[0] == {"op": "add_request", "req": "a", "tokens": (1, 2), "priority": 3}
