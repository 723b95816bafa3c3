"""Loads made up with a seed: lengths of a published mean, or prompts that share their beginnings.

What it does: six kinds. "sharegpt", "alpaca" and "own" are lengths only, so nothing can be said
about prefix hits. "chat" (all prompts begin with one system prompt), "documents" (long prompts,
short answers, nothing shared) and "agents" (each turn repeats the conversation so far, answers
included) say which text is the same, so that prefix hits are real. Arrivals are a Poisson
process, or all at once.

What it leaves out: waiting for an answer. A trace has fixed times: an agent's next turn comes
some time after the one before, whether or not that one is answered.

Source of the means: Kwon et al., SOSP 2023, section 6.1 (ShareGPT 161 and 338 tokens, Alpaca 19
and 58). The spreads are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pagedviz.workload.content import Segment
from pagedviz.workload.errors import WorkloadError, shown
from pagedviz.workload.lengths import Lengths
from pagedviz.workload.trace import Trace, no_rejections

Kind = Literal["sharegpt", "alpaca", "chat", "documents", "agents", "own"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MAX_GENERATED = 200_000

# kind -> prompt (what is not shared), answer
LENGTHS: dict[Kind, tuple[Lengths, Lengths]] = {
    "sharegpt": (Lengths(161, 1.2, 1024), Lengths(338, 0.9, 1024)),
    "alpaca": (Lengths(19, 0.5, 256), Lengths(58, 0.9, 512)),
    "chat": (Lengths(120, 1.0, 1024), Lengths(250, 0.9, 1024)),
    "documents": (Lengths(6000, 0.6, 16_000), Lengths(120, 0.7, 512)),
    "agents": (Lengths(300, 0.9, 2048), Lengths(150, 0.8, 1024)),
    "own": (Lengths(200, 1.0, 2048), Lengths(200, 1.0, 2048)),
}
_SAID: dict[Kind, str] = {
    "sharegpt": "Published means of ShareGPT: 161 and 338 tokens.",
    "alpaca": "Published means of Alpaca: 19 and 58 tokens.",
    "chat": "Every prompt begins with the same system prompt.",
    "documents": "Long prompts, short answers; no two documents begin alike.",
    "agents": "Each turn's prompt is the conversation so far, answers included, and more.",
    "own": "Means, spreads and ceilings as set.",
}


@dataclass(frozen=True)
class LoadSetup:
    """A load to make up. The same setup gives the same load.

    `rate` is requests per second (Poisson); None: all at once. `prompt` and `output` replace the
    kind's own lengths (`LENGTHS`). `shared_tokens`: the system prompt of "chat" and "agents".
    `turns` and `turn_s`: how often an agent comes, and the mean seconds between its turns.
    """

    kind: Kind = "sharegpt"
    num_requests: int = 1000
    rate: float | None = 2.0
    seed: int = 0
    prompt: Lengths | None = None
    output: Lengths | None = None
    shared_tokens: int = 500
    turns: int = 6
    turn_s: float = 15.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise WorkloadError(
                "kind", f"must be one of {', '.join(KINDS)}, not {shown(self.kind)}"
            )
        for name, low, high in (
            ("num_requests", 1, MAX_GENERATED),
            ("seed", 0, 2**32 - 1),
            ("shared_tokens", 0, 100_000),
            ("turns", 1, 100),
        ):
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                raise WorkloadError(
                    name, f"must be a whole number from {low:,} to {high:,}, not {shown(value)}"
                )
        for name, low_s, high_s in (("rate", 0.001, 10_000), ("turn_s", 0, 86_400)):
            value = getattr(self, name)
            if name == "rate" and value is None:
                continue
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not low_s <= value <= high_s:
                raise WorkloadError(
                    name, f"must be from {low_s:g} to {high_s:,}, not {shown(value)}"
                )
        for name in ("prompt", "output"):
            if not isinstance(getattr(self, name), Lengths | None):
                raise WorkloadError(name, f"must be Lengths, not {shown(getattr(self, name))}")


def generate(setup: LoadSetup) -> Trace:
    """The load.

    >>> trace = generate(LoadSetup("chat", num_requests=3, shared_tokens=100))
    >>> [segments[0] for segments in trace.requests["segments"]]
    [(0, 100), (0, 100), (0, 100)]
    >>> generate(LoadSetup("alpaca")).knows_prefixes
    False
    """
    rng = np.random.default_rng(setup.seed)
    if setup.kind == "agents":
        requests = _agents(setup, rng)
    else:
        requests = _single_turns(setup, rng)
    requests.index = pd.RangeIndex(1, len(requests) + 1, name="row")
    prompt, output = _lengths(setup)
    notes = [
        _SAID[setup.kind],
        f"Lengths are log-normal: prompt mean {prompt.mean:g}, spread {prompt.spread:g}, ceiling "
        f"{prompt.ceiling:,}; answer mean {output.mean:g}, spread {output.spread:g}, ceiling "
        f"{output.ceiling:,}. Shape and spread are an assumption.",
        "All requests come at once."
        if setup.rate is None
        else f"Poisson arrivals, {setup.rate:g} requests a second.",
    ]
    return Trace(
        f"{setup.kind}, seed {setup.seed}", "made up", requests, no_rejections(), (*notes,)
    )


def _lengths(setup: LoadSetup) -> tuple[Lengths, Lengths]:
    prompt, output = LENGTHS[setup.kind]
    return setup.prompt or prompt, setup.output or output


def _arrivals(rng: np.random.Generator, count: int, rate: float | None) -> NDArray[np.float64]:
    """Times in seconds, the first at 0."""
    if rate is None:
        return np.zeros(count)
    gaps = rng.exponential(1 / rate, count)
    gaps[0] = 0.0
    return np.cumsum(gaps)


def _single_turns(setup: LoadSetup, rng: np.random.Generator) -> pd.DataFrame:
    count = setup.num_requests
    prompt, output = (lengths.draw(rng, count) for lengths in _lengths(setup))
    arrival = _arrivals(rng, count, setup.rate)
    segments: list[tuple[Segment, ...]] | None = None
    if setup.kind in ("chat", "documents"):
        own = prompt.tolist()
        segments = [((at + 1, length),) for at, length in enumerate(own)]
        if setup.kind == "chat" and setup.shared_tokens:
            segments = [((0, setup.shared_tokens), *one) for one in segments]
            prompt = prompt + setup.shared_tokens
    table = pd.DataFrame({"arrival_s": arrival, "prompt_tokens": prompt, "output_tokens": output})
    if segments is not None:
        table["segments"] = pd.Series(segments, dtype=object)
    return table


def _agents(setup: LoadSetup, rng: np.random.Generator) -> pd.DataFrame:
    """Conversations of `turns` turns; the last one is cut off at the number of requests."""
    count, turns = setup.num_requests, setup.turns
    sessions = -(count // -turns)
    prompt, output = (lengths.draw(rng, sessions * turns) for lengths in _lengths(setup))
    starts = _arrivals(rng, sessions, None if setup.rate is None else setup.rate / turns)
    pauses = rng.exponential(1.0, (sessions, turns)) * setup.turn_s
    pauses[:, 0] = 0.0
    arrival = (starts[:, None] + np.cumsum(pauses, axis=1)).ravel()
    rows = []
    for session in range(sessions):
        said: list[Segment] = [(0, setup.shared_tokens)] if setup.shared_tokens else []
        for at in range(session * turns, min((session + 1) * turns, count)):
            question, answer = 2 * at + 1, 2 * at + 2
            said.append((question, int(prompt[at])))
            total = sum(length for _, length in said)
            rows.append((arrival[at], total, int(output[at]), tuple(said), answer))
            said.append((answer, int(output[at])))
    names = ["arrival_s", "prompt_tokens", "output_tokens", "segments", "answer_id"]
    table = pd.DataFrame(rows, columns=names)
    return table.sort_values("arrival_s", kind="stable", ignore_index=True)
