"""Terms of IBM Spyre on Power 11: the card, its software, and the rules of the plugin."""

from typing import Final

from pagedviz.facts.term import Seen, Term

SPYRE_TERMS: Final = (
    Term(
        "IBM Spyre",
        "IBM's accelerator card for inference: PCIe, 5 nm, 75 W, FP8 and FP16, with continuous "
        "batching. On Power 11 it is the IBM Spyre Accelerator for Power.",
        "spyre",
        "ibm",
        room="the card with the writing table",
        also=("Spyre Accelerator", "Spyre"),
        see=("power-11", "plugin", "batch-x-context"),
        at=Seen("spyre"),
    ),
    Term(
        "Power 11",
        "IBM's server generation of 2025, on which AIX, IBM i and Linux run. Spyre cards serve "
        "models beside them.",
        "spyre",
        "ibm",
        also=("Power11",),
        see=("ibm-spyre", "enz0-drawer"),
        at=Seen("start", "scene=6"),
    ),
    Term(
        "ENZ0 drawer",
        "The PCIe4 expansion drawer that holds Spyre cards, according to IBM; not confirmed here "
        "by a second source.",
        "spyre",
        "ibm-releases",
        also=("ENZ0", "expansion drawer"),
        see=("power-11", "ibm-spyre"),
        at=Seen("glossary", "part=figures"),
    ),
    Term(
        "Stick",
        "The unit in which Spyre reads memory: 128 bytes, which is 64 numbers of FP16. It is why a "
        "block has 64 tokens there.",
        "spyre",
        "torch-spyre",
        also=("sticks",),
        see=("block", "fp16"),
        at=Seen("start", "scene=6"),
    ),
    Term(
        "Plugin",
        "vLLM can be taught new hardware by a plugin. Spyre's was called vllm-spyre in its "
        "releases 1.x and is sendnn-inference since 2.0, April 2026.",
        "spyre",
        "plugin",
        also=("vllm-spyre", "sendnn-inference", "Spyre plugin"),
        see=("vllm", "stack-releases"),
        at=Seen("spyre", "part=run"),
    ),
    Term(
        "Stack releases",
        "The Spyre Enablement Stack for Power is what IBM releases around the card: 1.0 in "
        "December 2025 (according to IBM), 1.1 in March 2026 with chunked prefill and prefix "
        "caching, now 1.3 (according to IBM).",
        "spyre",
        "ibm",
        also=("Spyre Enablement Stack", "Stack 1.0", "Stack 1.1", "Stack 1.3"),
        see=("plugin", "red-hat-ai-inference-server"),
        at=Seen("glossary", "part=timeline"),
    ),
    Term(
        "Red Hat AI Inference Server",
        "Red Hat's packaged vLLM in a container. It is one of the ways to run models on Spyre.",
        "spyre",
        "ibm",
        also=("RHAIIS",),
        see=("openshift-ai", "vllm", "stack-releases"),
        at=Seen("start", "scene=6"),
    ),
    Term(
        "OpenShift AI",
        "Red Hat's platform for models on Kubernetes, the other way to run them on Spyre. It "
        "serves with vLLM, too.",
        "spyre",
        "ibm",
        also=("Red Hat OpenShift AI",),
        see=("red-hat-ai-inference-server",),
        at=Seen("start", "scene=6"),
    ),
    Term(
        "Batch x context",
        "Spyre's limit for a decode step: requests times the longest padded context, 131,072 for "
        "8-billion models on 4 cards. It is the largest shape the compiler supports, not the "
        "card's memory.",
        "spyre",
        "ibm",
        room="the size of the writing table",
        also=("batch × context", "volume", "VLLM_DT_MAX_BATCH_TKV_LIMIT"),
        see=("tkv", "pausing", "context-length"),
        at=Seen("spyre", "part=limit"),
    ),
    Term(
        "tkv",
        "The padded length of a decode batch: all its requests are padded in front by whole blocks "
        "until they end in the same block. The longest counts for everyone in the step.",
        "spyre",
        "plugin",
        room="the longest row on the table",
        also=("max-tkv",),
        see=("batch-x-context", "padding"),
        at=Seen("spyre", "part=run"),
    ),
    Term(
        "Padding",
        "Filling up to a fixed shape. In prefill Spyre puts empty blocks in front of a prompt "
        "(left padding), so that it ends with a chunk; in decode, slots after the last token stay "
        "empty (right padding).",
        "spyre",
        "plugin",
        also=("left padding", "right padding", "padded"),
        see=("tkv", "chunk-reuse"),
        at=Seen("prefix", "preset=chunks-3000"),
    ),
    Term(
        "Pausing",
        "When the next decode step would pass the limit, some requests sit it out with their "
        "blocks kept, and take turns. In the plugin since 2.4.",
        "spyre",
        "plugin",
        room="sitting out",
        also=("pause", "paused", "pauses"),
        see=("batch-x-context", "preemption-by-recompute"),
        at=Seen("spyre", "part=mix"),
    ),
    Term(
        "Promise",
        "When the Spyre plugin takes a request, it sets aside blocks for its prompt and max_tokens "
        "in its bookkeeping; they are handed out one at a time. Nobody is preempted. Since 2.2.",
        "spyre",
        "plugin",
        room="shelves promised at the door",
        also=("promised",),
        see=("reservation", "preemption-by-recompute"),
        at=Seen("spyre", "part=run&scene=promised"),
    ),
    Term(
        "Chunk reuse",
        "Spyre computes a prompt in whole chunks and skips a chunk only if all of it is cached. A "
        "hit that ends inside a chunk saves nothing there.",
        "spyre",
        "plugin",
        room="whole cartloads that need not be worked out",
        also=("whole-chunk reuse",),
        see=("chunked-prefill", "hit", "padding"),
        at=Seen("prefix", "preset=chunks-3000"),
    ),
    Term(
        "Warm-up shape",
        "A pair of prompt length and batch size that is compiled when the server starts. "
        "Encoder-only models on Spyre run in such fixed shapes, and each batch is padded to one.",
        "spyre",
        "plugin",
        room="a table of fixed size, cut when the house opens",
        also=("warmup shape", "warm-up shapes", "warmup shapes"),
        see=("encoder-only-model", "padding", "static-batching"),
        at=Seen("spyre", "part=encoder"),
    ),
)
