"""Every published figure the app shows: what it says, who published it, where it is used.

What is computed here is not in this table; it comes with its formula on its page. `state` tells
how sure we are: confirmed, as recalled ("about"), or told by one source alone ("according to").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from pagedviz.facts.checks import FactError, check_text
from pagedviz.facts.sources import SOURCES

State = Literal["confirmed", "recalled", "according"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A published figure.

    Attributes:
        figure: as published, with its unit.
        what: what it is a figure of, in one sentence.
        sources: ids of SOURCES.
        used: keys of the pages that show it.
        state: how sure we are of it.
    """

    figure: str
    what: str
    sources: tuple[str, ...]
    used: tuple[str, ...]
    state: State = "confirmed"

    def __post_init__(self) -> None:
        check_text("figure", self.figure)
        check_text("what", self.what)
        if not self.used or not self.sources:
            raise FactError(f"figure {self.figure}: needs a source and a page that shows it")
        for source in self.sources:
            if source not in SOURCES:
                raise FactError(f'figure {self.figure}: source "{source}" is not in SOURCES')


_MEMORY: Final = (
    Figure(
        "60 to 80 %",
        "KV memory that systems before PagedAttention wasted.",
        ("announcement",),
        ("start", "reservation", "workload"),
    ),
    Figure(
        "under 4 %",
        "KV memory that PagedAttention wastes: the unfilled tail of each request's last block.",
        ("announcement",),
        ("start", "reservation", "workload"),
    ),
    Figure(
        "20.4 %",
        "Share of KV memory that holds tokens, Orca with the longest possible length reserved.",
        ("paper",),
        ("start", "reservation", "workload"),
    ),
    Figure(
        "about 26.8 %",
        "The same, with the next power of two reserved.",
        ("paper",),
        ("start", "reservation", "workload"),
        "recalled",
    ),
    Figure(
        "38.2 %",
        "The same, with lengths known beforehand.",
        ("paper",),
        ("start", "reservation", "workload"),
    ),
    Figure(
        "about 96.3 %",
        "The same, vLLM.",
        ("paper",),
        ("start", "reservation", "workload"),
        "recalled",
    ),
    Figure(
        "1.7 GB",
        "KV cache of one sequence of LLaMA-13B at most: 819,200 bytes a token, 2,048 tokens, "
        "1.678 GB or 1.5625 GiB.",
        ("announcement",),
        ("start",),
    ),
    Figure(
        "161 and 338 tokens",
        "Mean prompt and answer of ShareGPT in the paper's workload.",
        ("paper",),
        ("start", "reservation", "workload"),
    ),
    Figure(
        "19 and 58 tokens",
        "Mean prompt and answer of Alpaca in the paper's workload.",
        ("paper",),
        ("workload",),
    ),
    Figure(
        "16 tokens",
        "vLLM's default block; some attention backends ask for another size, the CPU's for 128.",
        ("vllm",),
        ("start", "prefix", "reservation", "sizing"),
    ),
    Figure(
        "6.1 to 9.8 % and 37.6 to 55.2 %",
        "Memory saved by copy-on-write with OPT-13B on Alpaca: parallel samples, and beams.",
        ("paper",),
        ("glossary",),
    ),
    Figure(
        "16.2 to 30.5 % and 44.3 to 66.3 %",
        "The same on ShareGPT.",
        ("paper",),
        ("glossary",),
    ),
)
_SPEED: Final = (
    Figure(
        "up to 24x",
        "Throughput of vLLM against Hugging Face Transformers, 2023.",
        ("announcement",),
        ("start",),
    ),
    Figure(
        "2 to 4x",
        "Throughput of vLLM against FasterTransformer and Orca at the same latency, 2023.",
        ("paper",),
        ("start",),
    ),
    Figure(
        "20 to 26 %",
        "How much slower the paged attention kernel was than FasterTransformer's, 2023 (section "
        "7 of the paper).",
        ("paper",),
        ("start", "attention"),
    ),
)
_SPYRE: Final = (
    Figure(
        "64 tokens",
        "A block on IBM Spyre: a stick of 128 bytes is 64 numbers of FP16.",
        ("plugin", "torch-spyre"),
        ("start", "prefix", "spyre"),
    ),
    Figure(
        "32 requests",
        "The most requests a container serves at once.",
        ("ibm", "plugin"),
        ("start", "spyre"),
    ),
    Figure(
        "32,768 tokens",
        "The longest context of a container.",
        ("ibm", "plugin"),
        ("start", "spyre"),
    ),
    Figure(
        "131,072 tokens",
        "Batch times context never passes it: 8-billion models on 4 cards.",
        ("ibm", "plugin"),
        ("start", "spyre", "sizing"),
    ),
    Figure(
        "32 x 4,096, 16 x 8,192, 4 x 32,768",
        "IBM's example rows, each 131,072.",
        ("ibm",),
        ("start", "spyre"),
    ),
    Figure(
        "3,072 x 16 and 8,192 x 4",
        "Requests on one card in the plugin's table, granite-3.3-8b: 49,152 and 32,768 tokens.",
        ("plugin",),
        ("start", "spyre"),
    ),
    Figure(
        "4,096 x 32",
        "Requests on one card in a later table of IBM's, second-hand.",
        ("ibm-use",),
        ("spyre",),
        "according",
    ),
    Figure(
        "1,024 and 512 tokens",
        "A chunk of prefill: up to Stack 1.1 and plugin 1.x, and since plugin 2.0.",
        ("ibm", "plugin"),
        ("start", "prefix", "spyre"),
    ),
    Figure(
        "5 nm, 75 W",
        "The card: process and power; it computes in FP8 and FP16.",
        ("ibm", "torch-spyre"),
        ("start",),
    ),
    Figure("128 GB", "Memory of a card.", ("torch-spyre",), ("spyre", "sizing")),
    Figure(
        "ENZ0",
        "The PCIe4 expansion drawer the card sits in.",
        ("ibm-releases",),
        ("start",),
        "according",
    ),
)

FIGURES: Final[tuple[tuple[str, tuple[Figure, ...]], ...]] = (
    ("Memory", _MEMORY),
    ("Speed", _SPEED),
    ("IBM Spyre", _SPYRE),
)
