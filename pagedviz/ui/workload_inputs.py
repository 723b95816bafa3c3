"""All that is set on the workload page: the load to make up, memory, limits, clock.

One flat, frozen thing, so that a link can hold it field by field. It is checked at the door by
building what the simulation is given from it.

Leaves out: a file's requests (`workload_state.py`), and the link (`workload_link.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from pagedviz.timeline.kv_models import KV_MODELS, KVModel
from pagedviz.workload.errors import WorkloadError, shown
from pagedviz.workload.generate import KINDS, LENGTHS, Kind, LoadSetup
from pagedviz.workload.lengths import Lengths
from pagedviz.workload.published import PAPER_LOAD, PAPER_SETUP
from pagedviz.workload.setup import MAX_SLOTS, SimulationSetup, StepCost, slots_of

FILE: Final = "file"
OWN: Final = "own"
# The paper's model first: 800 KiB a token, as it says in section 3.
MODELS: Final = (KVModel("opt-13b", "OPT 13B", 40, 40, 128, 2), *KV_MODELS)
MODEL_BY_ID: Final = {model.id: model for model in MODELS}
MEMORY: Final = ("bytes", "tokens")
CLOCKS: Final = ("seconds", "steps")
MAX_GIB: Final = 4096


@dataclass(frozen=True)
class Inputs:
    """Everything that is set. WorkloadError names the field that cannot be.

    `kind` is one of the made-up loads, or "file". `rate` 0: all requests at once. The six
    lengths: None takes the kind's own. `first` and `count`: which of the file's requests, in the
    order of its rows; count 0: to the end. `longest` 0: the longest of the load, rounded up.
    """

    kind: str = "sharegpt"
    num_requests: int = 200
    rate: float = 0.0
    seed: int = 0
    prompt_mean: float | None = None
    prompt_spread: float | None = None
    prompt_ceiling: int | None = None
    output_mean: float | None = None
    output_spread: float | None = None
    output_ceiling: int | None = None
    shared_tokens: int = 500
    turns: int = 6
    turn_s: float = 15.0
    first: int = 1
    count: int = 0
    memory: str = "bytes"
    gib: float = 12.0
    model: str = "opt-13b"
    kv_bytes: int = 819_200
    slots: int = 15_728
    block_size: int = 16
    max_num_seqs: int = 256
    budget: int = 2560
    longest: int = 0
    caching: bool = True
    clock: str = "seconds"
    base_ms: float = 20.0
    prefill_us: float = 170.0
    decode_us: float = 50.0
    step_ms: float = 30.0

    def __post_init__(self) -> None:
        for name, allowed in (
            ("kind", (*KINDS, FILE)),
            ("memory", MEMORY),
            ("model", (*MODEL_BY_ID, OWN)),
            ("clock", CLOCKS),
        ):
            if getattr(self, name) not in allowed:
                raise WorkloadError(name, f"must be one of {', '.join(allowed)}")
        for name, low in (("first", 1), ("count", 0)):
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= 10_000_000:
                raise WorkloadError(
                    name, f"must be a whole number from {low} to 10,000,000, not {shown(value)}"
                )
        self.load_setup()
        self.simulation_setup()

    @property
    def bytes_per_token(self) -> int:
        """Bytes of KV cache of one token."""
        model = MODEL_BY_ID.get(self.model)
        return model.bytes_per_token if model else self.kv_bytes

    @property
    def memory_slots(self) -> int:
        """The memory in tokens.

        >>> Inputs().memory_slots  # the paper's table 1: 15.7K
        15728
        """
        if self.memory == "tokens":
            return self.slots
        if not 0 < self.gib <= MAX_GIB:  # NaN too
            raise WorkloadError(
                "gib", f"must be above 0 and at most {MAX_GIB:,} GiB, not {self.gib:g}"
            )
        slots = slots_of(max(1, int(self.gib * 2**30)), self.bytes_per_token)
        least = self.block_size if type(self.block_size) is int else 1
        if not least <= slots <= MAX_SLOTS:
            nearest = least if slots < least else MAX_SLOTS
            gib = nearest * self.bytes_per_token / 2**30
            to_take = math.ceil(gib * 1e4) / 1e4 if slots < least else math.floor(gib)
            raise WorkloadError(
                "gib",
                f"{self.gib:g} GiB hold {slots:,} tokens; from {least:,} (one block) to "
                f"{MAX_SLOTS:,} are simulated",
                f"Take {to_take:g} GiB.",
            )
        return slots

    def lengths(self, part: str) -> Lengths:
        """Lengths of "prompt" or "output": what is set, else the kind's own."""
        kind: Kind = next((kind for kind in KINDS if kind == self.kind), "own")
        base = LENGTHS[kind][0 if part == "prompt" else 1]
        given = {
            name: value
            for name in ("mean", "spread", "ceiling")
            if (value := getattr(self, f"{part}_{name}")) is not None
        }
        try:
            return replace(base, **given)
        except WorkloadError as error:
            raise WorkloadError(f"{part}_{error.source}", error.problem, error.advice) from error

    def load_setup(self) -> LoadSetup:
        """The load to make up; for a file, one that is not used."""
        return LoadSetup(
            kind=next((kind for kind in KINDS if kind == self.kind), "own"),
            num_requests=self.num_requests,
            rate=self.rate if self.rate != 0 else None,
            seed=self.seed,
            prompt=self.lengths("prompt"),
            output=self.lengths("output"),
            shared_tokens=self.shared_tokens,
            turns=self.turns,
            turn_s=self.turn_s,
        )

    def simulation_setup(self) -> SimulationSetup:
        """Memory, limits and step costs."""
        return SimulationSetup(
            memory_slots=self.memory_slots,
            block_size=self.block_size,
            max_num_seqs=self.max_num_seqs,
            max_num_batched_tokens=self.budget,
            prefix_caching=self.caching,
            max_model_len=self.longest or None,
            cost=self.cost(),
        )

    def cost(self) -> StepCost:
        """Seconds of a step, by the clock that is set."""
        if self.clock == "steps":
            return StepCost.in_steps(self.step_ms / 1e3)
        return StepCost(self.base_ms / 1e3, self.prefill_us / 1e6, self.decode_us / 1e6)


PAPER: Final = Inputs(
    num_requests=PAPER_LOAD.num_requests,
    seed=PAPER_LOAD.seed,
    slots=PAPER_SETUP.memory_slots,
    block_size=PAPER_SETUP.block_size,
    max_num_seqs=PAPER_SETUP.max_num_seqs,
    budget=PAPER_SETUP.max_num_batched_tokens,
    longest=PAPER_SETUP.max_model_len or 0,
    caching=PAPER_SETUP.prefix_caching,
)
"""The paper's setting, as far as the paper describes it."""
