"""Terms of serving: how requests are taken in, computed together and, if need be, sent back."""

from typing import Final

from pagedviz.facts.term import Seen, Term

SERVING_TERMS: Final = (
    Term(
        "Prompt",
        "The text a request comes with. All of it is computed before the first token of the "
        "answer.",
        "serving",
        "paper",
        room="the boxes a visitor brings",
        also=("prompts",),
        see=("prefill", "token"),
        at=Seen("prefix"),
        quiet=True,
    ),
    Term(
        "Request",
        "One prompt and its answer, from the moment it arrives until its last token. vLLM calls it "
        "a request, the paper a sequence.",
        "serving",
        "vllm",
        room="a visitor",
        also=("requests", "sequence"),
        see=("prompt", "scheduler", "block-table"),
        at=Seen("allocator"),
        quiet=True,
    ),
    Term(
        "Prefill",
        "Computing the keys and values of a prompt, many tokens at once. It ends with the first "
        "token of the answer.",
        "serving",
        "paper",
        room="putting the brought boxes away",
        see=("decode", "chunked-prefill", "prompt"),
        at=Seen("allocator"),
    ),
    Term(
        "Decode",
        "Writing the answer, one token a step. Each step reads the keys and values of all tokens "
        "before it.",
        "serving",
        "paper",
        room="writing one box more",
        also=("decoding", "decodes"),
        see=("prefill", "latency"),
        at=Seen("attention"),
    ),
    Term(
        "Chunked prefill",
        "A long prompt is computed in several steps of a fixed size, so that the requests that are "
        "decoding need not wait for all of it.",
        "serving",
        "vllm",
        room="putting boxes away by the cartload",
        also=("chunk", "chunks"),
        see=("prefill", "token-budget", "chunk-reuse"),
        at=Seen("spyre", "part=run&scene=chunks"),
    ),
    Term(
        "Continuous batching",
        "The batch is made up anew before every step: a request joins as soon as there is memory "
        "for it and leaves with its last token, without waiting for the others.",
        "serving",
        "orca-paper",
        room="visitors come and go as they please",
        see=("scheduler", "orca", "throughput"),
        at=Seen("reservation"),
    ),
    Term(
        "Scheduler",
        "The part of an engine that decides before every step which requests are computed, with "
        "how many tokens, and who has to wait.",
        "serving",
        "vllm",
        room="who stands at the door and lets in",
        see=("continuous-batching", "token-budget", "preemption-by-recompute"),
        at=Seen("reservation"),
    ),
    Term(
        "Token budget",
        "How many tokens one step may compute, prompts and answers together "
        "(max_num_batched_tokens).",
        "serving",
        "vllm",
        room="how many boxes can be put away in one step",
        also=("max_num_batched_tokens",),
        see=("scheduler", "chunked-prefill"),
        at=Seen("reservation"),
    ),
    Term(
        "Preemption by recompute",
        "When no block is free, the request that came in last gives back all of its blocks and "
        "goes to the front of the waiting queue. It keeps its tokens and computes their keys and "
        "values again.",
        "serving",
        "vllm",
        room="being sent back to the door",
        also=("preemption", "preempted", "recompute"),
        see=("scheduler", "free-queue", "promise"),
        at=Seen("allocator", "preset=preemption"),
    ),
    Term(
        "Throughput",
        "How much is done in a given time: requests or tokens a second, all users together.",
        "serving",
        "paper",
        see=("latency", "continuous-batching"),
        at=Seen("workload"),
    ),
    Term(
        "Latency",
        "How long one user waits: until the first token, from one token to the next, or until the "
        "answer is complete. More throughput often costs latency.",
        "serving",
        "paper",
        see=("throughput", "decode"),
        at=Seen("workload"),
    ),
    Term(
        "Batch",
        "The requests that are computed together in one step.",
        "serving",
        "paper",
        room="who sits at the table together",
        also=("batches",),
        see=("continuous-batching", "batch-x-context"),
        at=Seen("spyre", "part=run"),
        quiet=True,
    ),
    Term(
        "Tensor parallel",
        "One model spread over several cards, each with its share of every layer and of the KV "
        "heads. Every card then holds all blocks, but only its part of each.",
        "serving",
        "plugin",
        also=("tensor parallelism", "TP"),
        see=("kv-head", "batch-x-context"),
        at=Seen("sizing"),
    ),
    Term(
        "Static batching",
        "A batch is put together once and stays until its last request is done. Spyre serves "
        "encoder-only models this way.",
        "serving",
        "plugin",
        see=("continuous-batching", "warm-up-shape", "encoder-only-model"),
        at=Seen("spyre", "part=encoder"),
    ),
)
