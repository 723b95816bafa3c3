"""The paper's setting, its figures beside ours, and why they may differ.

What it does: a load and a memory as far as the paper describes them (ShareGPT-like lengths,
OPT-13B with 800 KiB a token, 12 GB of KV memory), and the difference of a result from the
published figures, in percentage points.

What it leaves out: making them equal. The lengths' spread, step costs and seats were set once. The
arrivals were set to "all at once" after 2 and 5 requests a second had been tried as well, because
the memory is then always in demand; the baselines hardly move with the rate, the paged share went
from 95.9 % (2 a second) to 97.1 %.

Source: Kwon et al., SOSP 2023, figure 2 (20.4, 26.8, 38.2 and 96.3 %; 26.8 and 96.3 as
recalled), table 1 (12 GB, 15.7K slots), section 6.1; vLLM announcement, 20 June 2023 (60 to
80 %, under 4 %).
"""

from __future__ import annotations

from dataclasses import dataclass

from pagedviz.workload.generate import LoadSetup
from pagedviz.workload.results import Simulation, SystemResult
from pagedviz.workload.setup import SimulationSetup, System, slots_of

TOKEN_SHARE: dict[System, float] = {
    "max": 0.204,
    "pow2": 0.268,
    "oracle": 0.382,
    "paged": 0.963,
}
WASTE_BEFORE = (0.60, 0.80)  # announcement: existing systems
WASTE_PAGED = 0.04  # announcement: "under 4 %"

# All at once: figure 2 is about memory in demand, and the rate it was measured at is not
# published. (At 2 requests a second the paged memory is hardly ever short.)
PAPER_LOAD = LoadSetup("sharegpt", num_requests=2000, rate=None, seed=0)
PAPER_SETUP = SimulationSetup(
    memory_slots=slots_of(12 * 2**30, 800 * 1024),  # 15,728: table 1's 15.7K, so GB is GiB
    block_size=16,
    max_num_seqs=256,
    max_num_batched_tokens=2560,
    prefix_caching=False,
    max_model_len=2048,
)

REASONS = (
    "The paper does not publish the arrivals, nor the rate at which figure 2 was measured; here "
    "all requests come at once, so that memory is always in demand. At 2 requests a second the "
    "paged share is about 1 point lower, and its waste then 4.1 %, not under 4.",
    "Only the mean lengths are published; the log-normal shape and its spread are ours.",
    "How long a step takes is an assumption here; theirs is an A100 with its own kernels.",
    "Their time includes the beginning and the end of the run; ours is the time in which the "
    "first in line waited for memory, when there was any.",
    "Their baselines are their own implementation of Orca; how it counts rounding to powers of "
    "two by the buddy allocator is not described. Here that rounding is external fragmentation.",
    "vLLM of 2023 also allocated and swapped differently from today's block manager, which is "
    "what runs here; the last token of an answer gets no slot here.",
)


@dataclass(frozen=True)
class Difference:
    """One published figure beside ours, both as shares of KV memory from 0 to 1."""

    system: System
    published: float
    ours: float

    @property
    def points(self) -> float:
        """Ours minus published, in percentage points."""
        return 100 * (self.ours - self.published)


def token_share(result: SystemResult) -> float:
    """Share of KV memory that holds tokens, as figure 2 counts: memory that is in demand.

    While the first in line waits for memory, of all memory. If nobody ever waited, memory was
    never short, and the share is of what was taken.
    """
    if result.pressed_s > 0:
        return result.share("token", pressed=True)
    return result.share_of_taken("token")


def differences(simulation: Simulation) -> tuple[Difference, ...]:
    """Every system's share of memory that holds tokens, beside the published one.

    >>> from pagedviz.workload.generate import generate
    >>> from pagedviz.workload.simulate import simulate
    >>> for one in differences(simulate(generate(PAPER_LOAD), PAPER_SETUP)):
    ...     print(one.system, f"{one.published:.1%}", f"{one.ours:.1%}", f"{one.points:+.1f}")
    paged 96.3% 97.1% +0.8
    max 20.4% 19.3% -1.1
    pow2 26.8% 27.2% +0.4
    oracle 38.2% 35.4% -2.8
    """
    return tuple(
        Difference(system, TOKEN_SHARE[system], token_share(result))
        for system, result in simulation.systems.items()
    )


def in_published_range(simulation: Simulation) -> dict[System, bool]:
    """Whether each system's waste is where the announcement puts it: 60 to 80 %, under 4 %."""
    found = {}
    for system, result in simulation.systems.items():
        waste = 1 - token_share(result)
        low, high = (0.0, WASTE_PAGED) if system == "paged" else WASTE_BEFORE
        found[system] = low <= waste <= high
    return found
