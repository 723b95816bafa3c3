"""Every source used in the app: who, when, what it supports.

`address` is a citation, shown as a link that opens only when somebody follows it; the app itself
asks for none of them. Leaves out: what each of them says, which is in the other tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from pagedviz.facts.checks import FactError, check_id, check_text


@dataclass(frozen=True, slots=True)
class Source:
    """A publication, or software in one release.

    Attributes:
        id: as other tables name it.
        name: short, as it stands beside a figure: "vLLM announcement".
        title: the full title, with its publisher or authors.
        date: of publication, or of the files read.
        supports: what rests on it in this app.
        address: where it can be read; empty if it has none of its own.
        second_hand: we have not seen it ourselves: what rests on it is "according to".
    """

    id: str
    name: str
    title: str
    date: str
    supports: str
    address: str = ""
    second_hand: bool = False

    def __post_init__(self) -> None:
        check_id("id", self.id)
        for field in ("name", "title", "date", "supports"):
            check_text(field, getattr(self, field))
        if self.address and not self.address.startswith("https://"):
            raise FactError(f'address: must begin with https://, not "{self.address}"')

    @property
    def cited(self) -> str:
        """Name and date as they stand under a figure.

        >>> SOURCES["announcement"].cited
        'vLLM announcement, 20 June 2023'
        """
        return f"{self.name}, {self.date}"


_ALL: Final = (
    Source(
        "announcement",
        "vLLM announcement",
        "vLLM project: vLLM: Easy, Fast, and Cheap LLM Serving with PagedAttention",
        "20 June 2023",
        "What PagedAttention is; 60 to 80 % and under 4 % waste; 1.7 GB a sequence; up to 24x.",
        "https://blog.vllm.ai/2023/06/20/vllm.html",
    ),
    Source(
        "paper",
        "Kwon et al., SOSP 2023",
        "Woosuk Kwon and 8 co-authors: Efficient Memory Management for Large Language Model "
        "Serving with PagedAttention",
        "12 September 2023",
        "The three ways of reservation, shares of memory in use, 2 to 4x, the slower kernel, "
        "copy-on-write, mean lengths of ShareGPT and Alpaca.",
        "https://arxiv.org/abs/2309.06180",
    ),
    Source(
        "vllm",
        "vLLM source code",
        "vLLM project: release 0.33.0, the Python files of its wheel",
        "release 0.33.0",
        "Every rule of blocks, hashes, the free queue, admission and preemption that runs here.",
        "https://github.com/vllm-project/vllm",
    ),
    Source(
        "design-page",
        "vLLM's design page on prefix caching",
        "vLLM project: docs/design/prefix_caching.md, as shipped with release 0.33.0",
        "release 0.33.0",
        "The worked example whose queue differs from the one the code of that release leaves.",
        "https://docs.vllm.ai/en/latest/design/prefix_caching.html",
    ),
    Source(
        "ibm",
        "IBM product documentation",
        "IBM: Spyre Accelerator for Power, product documentation, Spyre Enablement Stack 1.1",
        "March 2026",
        "The card, the software it needs, the ceilings of 32 and 32,768, the product of 131,072, "
        "3 example rows, chunked prefill and prefix caching on Spyre.",
        "https://www.ibm.com/docs/en/ibm-spyre-for-power",
    ),
    Source(
        "ibm-use",
        "IBM's table of supported use",
        "IBM: supported use cases, as quoted in a draft of the project-ai-services repository",
        "22 September 2026",
        "One card running 4,096 x 32.",
        second_hand=True,
    ),
    Source(
        "ibm-releases",
        "IBM, releases of the Spyre Enablement Stack",
        "IBM: Spyre Enablement Stack for Power 1.0 and 1.3, ENZ0 expansion drawer",
        "as told, no page of its own seen",
        "Stack 1.0 in December 2025, Stack 1.3, and the drawer's code ENZ0.",
        second_hand=True,
    ),
    Source(
        "plugin",
        "sendnn-inference 2.6.3",
        "IBM: sendnn-inference 2.6.3, the vLLM plugin for Spyre, source code",
        "files of 1 October 2026",
        "Blocks of 64, admission, promises, pausing, chunk reuse, pooling, the table of "
        "configurations.",
        "https://github.com/vllm-project/vllm-spyre",
    ),
    Source(
        "plugin-1",
        "vllm-spyre 1.10.0",
        "IBM: vllm-spyre 1.10.0, the same plugin before it was renamed, source code",
        "files of 26 March 2026",
        "The rules before pausing: strict order, prefix caching off by default, chunks of 1,024.",
        "https://github.com/vllm-project/vllm-spyre",
    ),
    Source(
        "change-363",
        "the plugin's change #363",
        "vllm-spyre: change #363, the limit of batch x context",
        "August 2025",
        "The limit of 131,072 is one of the compiler, for granite-3.3-8b on 4 cards.",
        "https://github.com/vllm-project/vllm-spyre/pull/363",
    ),
    Source(
        "torch-spyre",
        "torch-spyre documentation",
        "torch-spyre project: the Spyre accelerator",
        "2026",
        "5 nm, 75 W, 128 GB of memory on a card, sticks of 128 bytes.",
        "https://torch-spyre.readthedocs.io",
    ),
    Source(
        "configs",
        "the models' config.json",
        "The configurations that models are published with, and transformers 5.24 for what they "
        "leave open",
        "as of transformers 5.24",
        "Layers, KV heads and head size of every model on the sizing page.",
    ),
    Source(
        "attention-paper",
        "Vaswani et al.",
        "Ashish Vaswani and 7 co-authors: Attention Is All You Need",
        "June 2017",
        "Attention, query, key and value.",
        "https://arxiv.org/abs/1706.03762",
    ),
    Source(
        "gqa-paper",
        "Ainslie et al.",
        "Joshua Ainslie and 5 co-authors: GQA: Training Generalized Multi-Query Transformer "
        "Models from Multi-Head Checkpoints",
        "May 2023",
        "Grouped-query attention.",
        "https://arxiv.org/abs/2305.13245",
    ),
    Source(
        "softmax-paper",
        "Milakov and Gimelshein",
        "Maxim Milakov and Natalia Gimelshein: Online normalizer calculation for softmax",
        "May 2018",
        "The online softmax of the attention page.",
        "https://arxiv.org/abs/1805.02867",
    ),
    Source(
        "orca-paper",
        "Yu et al., OSDI 2022",
        "Gyeong-In Yu and 4 co-authors: Orca: A Distributed Serving System for "
        "Transformer-Based Generative Models",
        "July 2022",
        "Continuous batching, there called iteration-level scheduling.",
    ),
    Source(
        "mla-paper",
        "DeepSeek-V2",
        "DeepSeek-AI: DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts "
        "Language Model",
        "May 2024",
        "Multi-head latent attention.",
        "https://arxiv.org/abs/2405.04434",
    ),
    Source(
        "fp8-paper",
        "Micikevicius et al.",
        "Paulius Micikevicius and 14 co-authors: FP8 Formats for Deep Learning",
        "September 2022",
        "FP8 in its form E4M3.",
        "https://arxiv.org/abs/2209.05433",
    ),
    Source(
        "knuth",
        "Knuth, volume 1",
        "Donald E. Knuth: The Art of Computer Programming, volume 1, section 2.5",
        "3rd edition, 1997",
        "The buddy system, first-fit placing and the two kinds of fragmentation.",
    ),
    Source(
        "units",
        "IEC 80000-13",
        "International Electrotechnical Commission: Quantities and units, part 13",
        "2008",
        "GB is 10^9 bytes, GiB is 2^30.",
    ),
)

SOURCES: Final[Mapping[str, Source]] = MappingProxyType({source.id: source for source in _ALL})
