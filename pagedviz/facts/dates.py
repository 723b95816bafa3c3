"""What happened when: the dates the app tells, each with its source.

An event that only its publisher tells is not confirmed: show it as "according to" its source.
Leaves out: how the dates are drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from pagedviz.facts.checks import FactError, check_text
from pagedviz.facts.sources import SOURCES

Line = Literal["vllm", "spyre"]


@dataclass(frozen=True, slots=True)
class Event:
    """One date.

    Attributes:
        when: as it is written.
        month: (year, month), where it stands on the line; None: no date, as of now.
        line: whose event it is.
        what: in one or two sentences, said alike in both registers: names, figures and dates.
        source: id of SOURCES.
        according_to: who alone tells it; empty if a second source confirms it.
    """

    when: str
    month: tuple[int, int] | None
    line: Line
    what: str
    source: str
    according_to: str = ""

    def __post_init__(self) -> None:
        check_text("when", self.when)
        check_text("what", self.what)
        if self.source not in SOURCES:
            raise FactError(f'source: "{self.source}" is not in SOURCES')
        if self.month is not None and not 1 <= self.month[1] <= 12:
            raise FactError(f"month: must be from 1 to 12, not {self.month[1]}")

    @property
    def confirmed(self) -> bool:
        """Whether a second source confirms it.

        >>> [event.confirmed for event in EVENTS]
        [True, True, True, False, True, True, False]
        """
        return not self.according_to


def months_since_first(event: Event) -> int | None:
    """Months between the first event and this one; None for "now".

    >>> [months_since_first(event) for event in EVENTS]
    [0, 3, 26, 30, 33, 34, None]
    """
    first = EVENTS[0].month
    if event.month is None or first is None:
        return None
    return 12 * (event.month[0] - first[0]) + event.month[1] - first[1]


EVENTS: Final = (
    Event(
        "20 June 2023",
        (2023, 6),
        "vllm",
        "The vLLM project publishes PagedAttention with its serving engine: waste under 4 %, up to "
        "24x the throughput of Hugging Face Transformers.",
        "announcement",
    ),
    Event(
        "12 September 2023",
        (2023, 9),
        "vllm",
        "Woosuk Kwon and 8 co-authors post “Efficient Memory Management for Large Language Model "
        "Serving with PagedAttention” (SOSP 2023): 2 to 4x FasterTransformer and Orca at the same "
        "latency.",
        "paper",
    ),
    Event(
        "August 2025",
        (2025, 8),
        "spyre",
        "The limit on batch x context enters the Spyre plugin: 131,072 for granite-3.3-8b on 4 "
        "cards.",
        "change-363",
    ),
    Event(
        "December 2025",
        (2025, 12),
        "spyre",
        "Spyre Enablement Stack for Power 1.0 on Red Hat AI Inference Server 3.3 EA1: vLLM and "
        "Spyre together on Power 11.",
        "ibm-releases",
        according_to="IBM",
    ),
    Event(
        "March 2026",
        (2026, 3),
        "spyre",
        "Stack 1.1 on Red Hat AI Inference Server 3.4 EA1: chunked prefill with chunks of 1,024, "
        "and prefix caching.",
        "ibm",
    ),
    Event(
        "April 2026",
        (2026, 4),
        "spyre",
        "Plugin 2.0, renamed sendnn-inference: prefix caching on by default, chunks of 512.",
        "plugin",
    ),
    Event(
        "Current in IBM's documentation",
        None,
        "spyre",
        "Stack 1.3 on Red Hat AI Inference Server 3.6 EA1.",
        "ibm-releases",
        according_to="IBM",
    ),
)
