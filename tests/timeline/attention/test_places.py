"""The room: every content in one block, and in each slot what its owner wrote there."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagedviz.timeline.attention.places import make_room
from pagedviz.timeline.attention.setup import AttentionSetup
from pagedviz.timeline.attention.toy_model import made_up_ids, project
from tests.timeline.attention.setups import setups


def model(setup, ids):
    return project(
        ids,
        heads=setup.heads,
        kv_heads=setup.kv_heads,
        head_size=setup.head_size,
        seed=setup.seed,
    )


@settings(max_examples=80, deadline=None)
@given(setups())
def test_each_content_lies_in_one_block_and_none_in_the_null_block(setup):
    room = make_room(setup)
    assert sorted(room.home) == list(range(1, room.num_blocks))
    assert len(room.contents) == len(room.home)
    assert not room.key_cache[0].any()
    assert not room.value_cache[0].any()
    assert room.key_cache.shape == room.value_cache.shape
    assert room.key_cache.shape[1:] == (setup.block_size, setup.kv_heads, setup.head_size)


@settings(max_examples=80, deadline=None)
@given(setups())
def test_tables_are_in_order_and_full_but_for_the_last(setup):
    room = make_room(setup)
    for owner in "ABC":
        mine = [content for content in room.contents if content.owner == owner]
        assert [content.logical for content in mine] == list(range(len(mine)))
        assert all(content.fill == setup.block_size for content in mine[:-1])
        assert 1 <= mine[-1].fill <= setup.block_size
        for content in mine:
            start = content.logical * setup.block_size
            written = [(owner, start + k) for k in range(content.fill)]
            slots = [(slot.owner, slot.position) for slot in content.slots]
            assert slots[: content.fill] == written
            assert all(slot.owner == "" for slot in content.slots[content.fill :])
    own = [number for number, content in enumerate(room.contents) if content.owner == "A"]
    assert own == list(range(setup.lines))
    assert sum(room.contents[number].fill for number in own) == setup.tokens
    free = [content for content in room.contents if content.owner == ""]
    assert free
    assert all((content.logical, content.fill) == (-1, 0) for content in free)
    assert room.stale >= setup.lines


@settings(max_examples=40, deadline=None)
@given(setups())
def test_caches_hold_what_their_owners_projected(setup):
    room = make_room(setup)
    inside = {"A": model(setup, made_up_ids(setup.tokens, setup.seed, 0))}
    assert np.array_equal(room.projected.query, inside["A"].query)
    for owner in "BC":  # which of all the requests so far they are is for the room to know
        count = sum(content.fill for content in room.contents if content.owner == owner)
        first = next(n for n, content in enumerate(room.contents) if content.owner == owner)
        found = room.key_cache[room.home[first], 0]
        all_ids = [made_up_ids(count, setup.seed, number) for number in range(1, 80)]
        [ids] = [ids for ids in all_ids if np.array_equal(model(setup, ids[:1]).key[0], found)]
        inside[owner] = model(setup, ids)
    for number, content in enumerate(room.contents):
        for offset, slot in enumerate(content.slots):
            key = room.key_cache[room.home[number], offset]
            value = room.value_cache[room.home[number], offset]
            if slot.owner:
                assert np.array_equal(key, inside[slot.owner].key[slot.position])
                assert np.array_equal(value, inside[slot.owner].value[slot.position])
            else:  # not wiped: what somebody left behind is still there
                assert key.any()
                assert value.any()


@settings(max_examples=60, deadline=None)
@given(setups(), st.integers(1, 9999))
def test_moving_permutes_the_blocks_and_all_they_hold(setup, moves):
    room = make_room(setup)
    places = room.places(moves, setup.seed)
    assert sorted(places) == list(range(1, room.num_blocks))
    assert room.places(0, setup.seed) == room.home
    for before, after in zip((room.key_cache, room.value_cache), room.moved(places), strict=True):
        assert not after[0].any()
        for content, block in enumerate(places):
            assert np.array_equal(after[block], before[room.home[content]])


def test_moving_again_finds_other_places_and_leaves_the_room_alone():
    setup = AttentionSetup()
    room = make_room(setup)
    kept = room.key_cache.copy()
    seen = {room.places(moves, setup.seed) for moves in range(20)}
    assert len(seen) == 20
    for places in seen:
        room.moved(places)
    assert np.array_equal(room.key_cache, kept)


@pytest.mark.parametrize("seed", [0, 54, 91])
def test_the_blocks_lie_scattered_and_another_seed_scatters_them_anew(seed):
    room = make_room(AttentionSetup(seed=seed))
    table = room.home[:5]
    assert list(table) != sorted(table)
    assert table != make_room(AttentionSetup(seed=seed + 1)).home[:5]
    assert make_room(AttentionSetup(seed=seed)).home == room.home


def test_what_is_broken_or_how_it_is_kept_does_not_change_the_room():
    setup = AttentionSetup()
    room = make_room(setup)
    changed = replace(setup, reads=(0, 2, 1, 3, 4), past=True, moves=7, numbers="fp8")
    other = make_room(changed)
    assert (other.home, other.contents, other.stale) == (room.home, room.contents, room.stale)
    assert np.array_equal(other.key_cache, room.key_cache)
