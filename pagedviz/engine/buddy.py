"""A buddy allocator: where a contiguous run of slots lies.

What it does: hands out runs whose length is a power of two and whose start is a multiple of
that length. The smallest free run that is long enough is halved until it fits, the half at the
lower address first. A run that comes back is joined with its buddy, the other half of the same
cut, as often as that is free too.

What it leaves out: moving runs to close gaps. A KV cache that a kernel reads by address cannot
be moved while requests run, which is why gaps stay.

Source: Kwon et al., SOSP 2023, sections 3.1 and 6.1 ("We assume Orca uses the buddy allocation
algorithm to determine the memory address to store KV cache"); Knuth, The Art of Computer
Programming, vol. 1, 2.5.
"""

from bisect import bisect_left, insort

from pagedviz.engine.errors import ConfigError, OperationError, check_int, shown

MAX_SLOTS = 2**26  # some fifty times what a large accelerator holds


def power_of_two(n: int) -> int:
    """The smallest power of two that is at least `n`.

    >>> [power_of_two(n) for n in (1, 2, 3, 25, 32, 33)]
    [1, 2, 4, 32, 32, 64]
    """
    return 1 << (n - 1).bit_length()


class BuddyAllocator:
    """`num_slots` slots with the addresses 0, 1, 2, ...

    A memory that is no power of two is a row of ever smaller ones, largest first: 500 slots
    are runs of 256, 128, 64, 32, 16 and 4, and no run is longer than 256.

    >>> memory = BuddyAllocator(16)
    >>> memory.allocate(3), memory.allocate(5), memory.free_runs()  # 3 takes 4, 5 takes 8
    (0, 8, [(4, 4)])
    >>> memory.free(0), memory.free_runs()
    (4, [(0, 8)])
    """

    def __init__(self, num_slots: int) -> None:
        self.num_slots = check_int("num_slots", num_slots, 1, ConfigError)
        if num_slots > MAX_SLOTS:
            raise ConfigError(f"num_slots must be at most {MAX_SLOTS}, not {shown(num_slots)}")
        self.num_free_slots = num_slots
        self.longest_run = 1 << (num_slots.bit_length() - 1)  # when nothing is taken
        self.taken: dict[int, int] = {}  # start -> length
        # length -> starts of the free runs of that length, lowest first
        self._free: dict[int, list[int]] = {}
        start, length = 0, self.longest_run
        while length:
            self._free[length] = []
            if num_slots & length:
                self._free[length].append(start)
                start += length
            length >>= 1

    # ---- asking

    def can_allocate(self, n: int) -> bool:
        """Whether a run for `n` slots is free."""
        return self._smallest_that_fits(power_of_two(n)) is not None

    @property
    def longest_free_run(self) -> int:
        """Length of the longest free run; 0 if no slot is free."""
        return next((length for length, starts in self._free.items() if starts), 0)

    def free_runs(self) -> list[tuple[int, int]]:
        """(start, length) of every free run, by address."""
        return sorted((start, length) for length, starts in self._free.items() for start in starts)

    # ---- doing

    def allocate(self, n: int) -> int | None:
        """Take a run for `n` slots and say where it starts; None if no free run is long enough."""
        check_int("the run", n, 1, OperationError)
        wanted = power_of_two(n)
        length = self._smallest_that_fits(wanted)
        if length is None:
            return None
        start = self._free[length].pop(0)
        while length > wanted:
            length >>= 1
            insort(self._free[length], start + length)  # the upper half stays free
        self.taken[start] = length
        self.num_free_slots -= length
        return start

    def free(self, start: int) -> int:
        """Give back the run at `start`, join it with its buddies; how long it was."""
        if start not in self.taken:
            raise OperationError(f"no run starts at slot {shown(start)}")
        length = freed = self.taken.pop(start)
        self.num_free_slots += length
        # A buddy's address differs in exactly the bit of the length. Beyond the end of a
        # memory that is no power of two there is no buddy, so nothing is joined there.
        while self._remove(length, start ^ length):
            start &= ~length
            length <<= 1
        insort(self._free[length], start)
        return freed

    def _smallest_that_fits(self, wanted: int) -> int | None:
        length = wanted
        while length <= self.longest_run:
            if self._free[length]:
                return length
            length <<= 1
        return None

    def _remove(self, length: int, start: int) -> bool:
        """Take this run out of the free ones, if it is among them."""
        starts = self._free[length]
        at = bisect_left(starts, start)
        if at == len(starts) or starts[at] != start:
            return False
        del starts[at]
        return True
