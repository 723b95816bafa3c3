"""Each preset shows what its words say."""

import re
from dataclasses import replace

import pytest

from pagedviz.timeline.reservation.play import play
from pagedviz.timeline.reservation.presets import RESERVATION_PRESETS, reservation_preset
from pagedviz.timeline.reservation.totals import totals
from pagedviz.timeline.reservation.words import OLD_KINDS, PAGED_KINDS
from tests.timeline.registers import ENGINE_ONLY, NUMBER_WORDS, ROOM_ONLY


def played(key, **changed):
    return play(replace(reservation_preset(key).setup, **changed))


def test_mixed_more_are_inside_and_all_are_home_sooner():
    run = played("mixed")
    old, paged = totals(run)
    assert old.most == 4 < 2 * old.most < paged.most
    assert run.home[1] < 0.75 * run.home[0]
    lengths = [v.prompt + v.output for v in run.visitors]
    assert sum(n < 128 for n in lengths) > 9


def test_three_boxes_most_of_the_aisle_stays_empty():
    run = played("three-boxes")
    assert sum(v.prompt == 3 for v in run.visitors) > 20
    old, paged = totals(run)
    assert old.shares["never"] + old.shares["later"] > 2 * old.shares["token"]
    assert paged.empty < 0.2 < 0.6 < old.empty
    for v in run.visitors:
        if v.prompt == 3:
            assert v.will_use < 16


def test_a_truckload_makes_the_old_way_fine():
    run = played("truckload")
    old, paged = totals(run)
    assert min(v.prompt + v.output for v in run.visitors) > 0.95 * 128
    assert old.shares["never"] < 0.05  # what is promised is used
    assert run.home[1] >= 0.97 * run.home[0]
    assert abs(old.mean_wait - paged.mean_wait) < 2


def test_one_giant_makes_everybody_wait():
    run = played("giant")
    old, paged = totals(run)
    assert [v.number for v in run.visitors if v.prompt + v.output == 256] == [1]
    assert max(v.prompt + v.output for v in run.visitors if v.number != 1) < 32
    for step in run.steps:
        assert all(r.at.reserved == 256 for r in step.old.runs)
    assert old.mean_wait > 20
    assert paged.mean_wait == 0


def test_block_sizes_larger_wastes_more_until_a_shelf_is_an_aisle():
    preset = reservation_preset("block-sizes")
    sides = {size: totals(played("block-sizes", block_size=size)) for size in preset.sizes}
    empty = [paged.empty for _, paged in sides.values()]
    assert empty == sorted(empty)
    assert empty[0] == 0
    old, paged = sides[128]
    assert (old.empty, old.home, old.mean_wait) == (paged.empty, paged.home, paged.mean_wait)
    assert preset.setup.block_size == preset.setup.max_model_len == 128


def test_known_lengths_waste_no_promise_but_leave_gaps():
    run = played("known-lengths")
    old, _ = totals(run)
    assert old.shares["never"] == 0
    assert old.shares["external"] > 0.1
    assert old.shares["later"] > 0
    assert any(s.old.shortage is not None and s.old.shortage.fragmented for s in run.steps)


def test_chats_are_all_allowed():
    run = played("chats")
    assert not any(step.turned_away for step in run.steps)
    lengths = sorted(v.prompt + v.output for v in run.visitors)
    assert lengths[-1] > 2 * lengths[len(lengths) // 2] * 0.9


@pytest.mark.parametrize("preset", RESERVATION_PRESETS, ids=lambda p: p.id)
def test_words_of_presets_keep_their_register(preset):
    for words in (preset.title, preset.lead):
        assert not re.search(ENGINE_ONLY, words.room), words.room
        assert not re.search(ROOM_ONLY, words.engine, re.IGNORECASE), words.engine
        assert not re.search(NUMBER_WORDS, words.room + words.engine)
    for text in preset.lead:
        assert len(text) <= 210, text


@pytest.mark.parametrize("definition", [*OLD_KINDS, *PAGED_KINDS], ids=lambda d: d.kind)
def test_definitions_keep_their_register(definition):
    for words in (definition.name, definition.line):
        assert not re.search(ENGINE_ONLY, words.room), words.room
        assert not re.search(ROOM_ONLY, words.engine, re.IGNORECASE), words.engine


def test_an_unknown_preset_names_the_known():
    with pytest.raises(KeyError, match="no preset 'x'; there are mixed, three-boxes"):
        reservation_preset("x")
