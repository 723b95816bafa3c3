"""vLLM, what it is compared with, the systems before it, and units of memory and numbers."""

from typing import Final

from pagedviz.facts.term import Seen, Term

BEFORE_TERMS: Final = (
    Term(
        "vLLM",
        "An open-source engine that serves language models, begun at UC Berkeley in 2023. Its "
        "memory manager is PagedAttention.",
        "before",
        "announcement",
        see=("pagedattention", "plugin", "red-hat-ai-inference-server"),
        at=Seen("start"),
    ),
    Term(
        "PagedAttention",
        "The KV-cache memory manager inside vLLM: memory in fixed blocks, given out when needed "
        "and found through a block table, instead of one worst-case reservation. The attention "
        "kernel reads blocks wherever they lie.",
        "before",
        "announcement",
        room="shelves instead of aisles",
        also=("paged attention",),
        see=("block", "block-table", "reservation", "paged-memory"),
        at=Seen("start"),
    ),
    Term(
        "Paged memory",
        "How operating systems have given out memory for decades, IBM i among them: programs see "
        "one unbroken range, and a table maps its pages to wherever there is space.",
        "before",
        "paper",
        also=("paging", "virtual memory"),
        see=("pagedattention", "block-table"),
        at=Seen("start", "scene=3"),
    ),
    Term(
        "Reservation",
        "Setting one unbroken run of memory aside for a request when it arrives, as long as it "
        "might get. What it never fills is lost until it ends.",
        "before",
        "paper",
        room="an aisle for every visitor",
        also=("reservations", "reserved"),
        see=("internal-fragmentation", "external-fragmentation", "pagedattention"),
        at=Seen("reservation"),
    ),
    Term(
        "Buddy allocator",
        "Gives out runs of memory in powers of two; a run is halved until it fits, and joined with "
        "its other half when both are free. The paper assumes it for the systems it compares with.",
        "before",
        "knuth",
        also=("buddy system",),
        see=("reservation", "external-fragmentation"),
        at=Seen("reservation"),
    ),
    Term(
        "Orca",
        "A serving system of 2022 that introduced continuous batching. The PagedAttention paper "
        "built its own version to compare with, since Orca was not public, with 3 ways to "
        "reserve.",
        "before",
        "orca-paper",
        see=("continuous-batching", "reservation", "fastertransformer"),
        at=Seen("workload"),
    ),
    Term(
        "FasterTransformer",
        "NVIDIA's engine for fast inference with transformer models, one of the systems the "
        "PagedAttention paper measures itself against.",
        "before",
        "paper",
        see=("orca", "throughput"),
        at=Seen("start", "scene=7"),
    ),
    Term(
        "Hugging Face Transformers",
        "The most used library to load and run open models. It is made for trying out more than "
        "for serving many users; the announcement's 24x is against it.",
        "before",
        "announcement",
        see=("throughput", "vllm"),
        at=Seen("start", "scene=7"),
    ),
    Term(
        "ShareGPT",
        "Chats that users have shared, a common workload in benchmarks. In the paper a prompt has "
        "161 tokens on average and an answer 338.",
        "before",
        "paper",
        see=("alpaca", "prompt"),
        at=Seen("workload"),
    ),
    Term(
        "Alpaca",
        "Short instructions with short answers, made to train the Alpaca model. In the paper a "
        "prompt has 19 tokens on average and an answer 58.",
        "before",
        "paper",
        see=("sharegpt",),
        at=Seen("workload", "load=alpaca"),
    ),
    Term(
        "Swapping",
        "Moving a request's blocks to the CPU's memory when there is no space, and back later. The "
        "paper describes it; vLLM 0.33 has only recompute.",
        "before",
        "paper",
        see=("preemption-by-recompute",),
        at=Seen("glossary", "part=differ"),
    ),
    Term(
        "FP16",
        "A number in 16 bits, 2 bytes: the usual precision of a KV cache. bfloat16 takes as much.",
        "units",
        "torch-spyre",
        also=("float16", "fp16", "bfloat16"),
        see=("fp8", "stick"),
        at=Seen("attention", "numbers=float16"),
    ),
    Term(
        "FP8",
        "A number in 8 bits, 1 byte, which halves the KV cache against FP16 and rounds more "
        "coarsely.",
        "units",
        "fp8-paper",
        also=("float8", "fp8"),
        see=("e4m3", "fp16"),
        at=Seen("attention", "numbers=fp8"),
    ),
    Term(
        "E4M3",
        "The form of FP8 used for KV caches: 1 bit for the sign, 4 for the exponent, 3 for the "
        "digits. Its largest number is 448.",
        "units",
        "fp8-paper",
        see=("fp8",),
        at=Seen("attention", "numbers=fp8"),
    ),
    Term(
        "GB and GiB",
        "1 GB is 10^9 bytes, 1 GiB is 2^30, 7.4 % more. Makers of memory often write GB and mean "
        "either: 1.678 GB are 1.5625 GiB.",
        "units",
        "units",
        also=("GB", "GiB", "KiB", "MiB"),
        see=("kv-cache",),
        at=Seen("sizing"),
        quiet=True,
    ),
)
