"""The buddy allocator: aligned runs that never overlap, joined again when they come back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagedviz.engine.buddy import MAX_SLOTS, BuddyAllocator, power_of_two
from pagedviz.engine.errors import ConfigError, OperationError


def ranges(memory):
    runs = [*memory.free_runs(), *memory.taken.items()]
    return sorted(runs)


def check(memory):
    end = 0
    for start, length in ranges(memory):
        assert start == end  # no overlap, no gap
        assert length == power_of_two(length)
        assert start % length == 0
        end += length
    assert end == memory.num_slots
    free = memory.free_runs()
    assert memory.num_free_slots == sum(length for _, length in free)
    assert memory.longest_free_run == max((length for _, length in free), default=0)
    for start, length in free:  # two free halves of one cut would have been joined
        assert (start ^ length, length) not in free


@given(
    st.integers(1, 300),
    st.lists(st.tuples(st.booleans(), st.integers(1, 80), st.integers(0, 1000)), max_size=60),
)
def test_runs_never_overlap_and_buddies_are_joined(num_slots, steps):
    memory = BuddyAllocator(num_slots)
    empty = memory.free_runs()
    for take, n, which in steps:
        if take:
            could, longest = memory.can_allocate(n), memory.longest_free_run
            start = memory.allocate(n)
            assert (start is not None) == could == (longest >= power_of_two(n))
            if start is not None:
                assert memory.taken[start] == power_of_two(n)
        elif memory.taken:
            start = sorted(memory.taken)[which % len(memory.taken)]
            length = memory.taken[start]
            assert memory.free(start) == length
        check(memory)
    for start in list(memory.taken):
        memory.free(start)
    assert memory.free_runs() == empty


def test_by_hand():
    memory = BuddyAllocator(32)
    assert [memory.allocate(n) for n in (8, 3, 4, 16)] == [0, 8, 12, 16]
    assert memory.allocate(1) is None
    memory.free(0)
    memory.free(12)
    # 12 slots are free, and 9 in one piece are not to be had
    assert memory.free_runs() == [(0, 8), (12, 4)]
    assert memory.allocate(9) is None
    assert memory.allocate(2) == 12  # out of the smallest that fits, not the lowest
    memory.free(12)
    memory.free(8)
    assert memory.free_runs() == [(0, 16)]


def test_a_memory_that_is_no_power_of_two_is_used_to_its_end():
    memory = BuddyAllocator(500)
    assert memory.free_runs() == [(0, 256), (256, 128), (384, 64), (448, 32), (480, 16), (496, 4)]
    assert [memory.allocate(n) for n in (200, 128, 64, 32, 16, 4)] == [0, 256, 384, 448, 480, 496]
    assert memory.num_free_slots == 0
    for start in (496, 0, 384, 480, 448, 256):
        memory.free(start)
    assert memory.free_runs()[0] == (0, 256)


def test_the_lower_half_goes_first():
    memory = BuddyAllocator(8)
    assert [memory.allocate(1) for _ in range(8)] == list(range(8))


@pytest.mark.parametrize("bad", [0, -1, True, 1.5, MAX_SLOTS + 1, 10**5000], ids=lambda bad: "")
def test_impossible_sizes(bad):
    with pytest.raises(ConfigError, match="num_slots"):
        BuddyAllocator(bad)


def test_mistakes_change_nothing():
    memory = BuddyAllocator(8)
    memory.allocate(3)
    before = ranges(memory)
    with pytest.raises(OperationError, match="no run starts at slot 1"):
        memory.free(1)
    with pytest.raises(OperationError, match="at least 1, not 0"):
        memory.allocate(0)
    assert ranges(memory) == before
    memory.free(0)
    with pytest.raises(OperationError, match="no run starts at slot 0"):
        memory.free(0)
