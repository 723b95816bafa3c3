"""The configurations the Spyre plugin knows: model, cards, context, requests.

Our own table of what its registry holds. A row without a product limit leaves that to the
plugin's arithmetic (`resolve`), and so does one without blocks.

Leaves out: how the plugin recognises a model. It compares the model's own configuration with a
pattern, so a model of the same shape under another name has the same rows: granite-4.2-8b,
for one, finds those of granite-4-8b-dense. Here a model goes by its name.

Source: sendnn-inference 2.6.3, config/model_configs.yaml (files dated 2026-10-01).
"""

from dataclasses import dataclass
from typing import NamedTuple

from pagedviz.engine.spyre.limits import BATCH_TKV_LIMIT, MAX_MODEL_LEN, MAX_NUM_SEQS

SOURCE = "sendnn-inference 2.6.3, config/model_configs.yaml, 2026-10-01"

ALL_PLATFORMS = ("x86_64", "ppc64le", "s390x")
NO_MAINFRAME = ("x86_64", "ppc64le")


@dataclass(frozen=True, slots=True)
class KnownConfig:
    """A row for a model that writes. Context in tokens, blocks with block 0."""

    model: str
    cards: int  # tensor parallel size
    context: int  # max_model_len
    requests: int  # max_num_seqs
    batch_tkv_limit: int | None = None  # tokens; None: the row names none
    num_blocks: int | None = None  # None: the row names none
    fp8: bool = False
    platforms: tuple[str, ...] = ALL_PLATFORMS


@dataclass(frozen=True, slots=True)
class KnownShape:
    """A row for an encoder-only model: texts of one length, padded to one batch size."""

    model: str
    prompt_len: int  # tokens
    batch_size: int
    cards: int = 1
    platforms: tuple[str, ...] = ALL_PLATFORMS


class _Row(NamedTuple):
    cards: int
    context: int
    requests: int
    batch_tkv_limit: int | None = None
    num_blocks: int | None = None


ONE_CARD_SHORT = _Row(1, 3_072, 16)
ONE_CARD_LONG = _Row(1, 8_192, 4)
ONE_CARD_WIDE = _Row(1, 4_096, 32)
TWO_CARDS = _Row(2, 8_192, 4)
FOUR_CARDS_SMALL = _Row(4, 16_384, 4, BATCH_TKV_LIMIT, 8_192)
FOUR_CARDS = _Row(4, MAX_MODEL_LEN, MAX_NUM_SEQS, BATCH_TKV_LIMIT, 8_192)
FOUR_CARDS_30B = _Row(4, MAX_MODEL_LEN, MAX_NUM_SEQS, BATCH_TKV_LIMIT, 2_080)

GRANITE_8B = (ONE_CARD_SHORT, ONE_CARD_LONG, TWO_CARDS, FOUR_CARDS)
GRANITE_8B_FP8 = (ONE_CARD_SHORT, FOUR_CARDS_SMALL, FOUR_CARDS)
MINISTRAL = (ONE_CARD_WIDE, FOUR_CARDS)


def _rows(
    model: str,
    rows: tuple[_Row, ...],
    fp8: bool = False,
    platforms: tuple[str, ...] = ALL_PLATFORMS,
) -> tuple[KnownConfig, ...]:
    return tuple(KnownConfig(model, *row, fp8, platforms) for row in rows)


KNOWN_CONFIGS: tuple[KnownConfig, ...] = (
    *_rows("ibm-granite/granite-3.3-8b-instruct", GRANITE_8B),
    *_rows("ibm-granite/granite-3.3-8b-instruct-FP8", GRANITE_8B_FP8, fp8=True),
    *_rows("meta-llama/Llama-3.1-8B-Instruct", (ONE_CARD_SHORT, FOUR_CARDS_SMALL, FOUR_CARDS)),
    *_rows("ibm-granite/granite-4-8b-dense-hybrid", GRANITE_8B),
    *_rows("ibm-granite/granite-4-8b-dense", GRANITE_8B),
    *_rows("ibm-granite/granite-4.1-8b-fp8", GRANITE_8B_FP8, fp8=True),
    *_rows("ibm-granite/granite-4.2-8b", GRANITE_8B),
    *_rows("ibm-granite/granite-4.2-8b-fp8", GRANITE_8B_FP8, fp8=True),
    *_rows("ibm-granite/granite-4.1-30b", (FOUR_CARDS_30B,)),
    *_rows("ibm-granite/swa-20b", (FOUR_CARDS,)),  # a prerelease, under a name of its own
    KnownConfig("ibm-granite/granite-vision-3.3-2b", 1, 8_192, 16),
    KnownConfig("ibm-granite/granite-vision-3.3-2b", 2, 16_384, 16, BATCH_TKV_LIMIT),
    *_rows("ibm-granite/granite-vision-3.3-2b", (FOUR_CARDS,)),
    *_rows(
        "mistralai/Mistral-Small-3.2-24B-Instruct-2506",
        (_Row(2, 8_192, 32), FOUR_CARDS),
        platforms=NO_MAINFRAME,
    ),
    *_rows("mistralai/Ministral-3-14B-Instruct-2512-BF16", MINISTRAL),
    *_rows("mistralai/Ministral-3-8B-Instruct-2512-BF16", MINISTRAL),
)

KNOWN_SHAPES: tuple[KnownShape, ...] = (
    KnownShape("ibm-granite/granite-embedding-30m-english", 512, 64),
    KnownShape("ibm-granite/granite-embedding-107m-multilingual", 512, 64),
    KnownShape("ibm-granite/granite-embedding-125m-english", 512, 64),
    KnownShape("ibm-granite/granite-embedding-278m-multilingual", 512, 64),
    KnownShape("intfloat/multilingual-e5-large", 512, 64, platforms=NO_MAINFRAME),
    KnownShape("intfloat/multilingual-e5-large-instruct", 512, 4, platforms=NO_MAINFRAME),
    KnownShape("BAAI/bge-reranker-v2-m3", 8_192, 1, platforms=NO_MAINFRAME),
    KnownShape("BAAI/bge-reranker-large", 512, 64, platforms=NO_MAINFRAME),
    KnownShape("sentence-transformers/all-roberta-large-v1", 128, 8, platforms=NO_MAINFRAME),
)


def configs_of(model: str) -> tuple[KnownConfig, ...]:
    """The rows of a model, in the table's order; none if it is not known.

    >>> [(row.cards, row.context, row.requests) for row in configs_of("ibm-granite/granite-4.2-8b")]
    [(1, 3072, 16), (1, 8192, 4), (2, 8192, 4), (4, 32768, 32)]
    """
    return tuple(row for row in KNOWN_CONFIGS if row.model == model)
