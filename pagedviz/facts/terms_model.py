"""Terms of the model itself: what it reads, what it keeps, how attention reads it back."""

from typing import Final

from pagedviz.facts.term import Seen, Term

MODEL_TERMS: Final = (
    Term(
        "Token",
        "The piece of text a model reads and writes: a word, part of a word or a mark, as the "
        "model's tokenizer cuts it. Lengths and limits count tokens, not words.",
        "model",
        "paper",
        room="one box of notes",
        also=("tokens",),
        see=("prompt", "kv-cache", "context-length"),
        at=Seen("prefix"),
        quiet=True,
    ),
    Term(
        "KV cache",
        "The keys and values of all tokens a request has so far, kept in the accelerator's memory "
        "beside the model so that each new token need not compute them again. It grows with every "
        "token.",
        "model",
        "paper",
        room="all the boxes that are kept",
        also=("KV-cache", "key-value cache", "KV caches", "KV memory"),
        see=("key-and-value", "block", "pagedattention"),
        at=Seen("sizing"),
    ),
    Term(
        "Key and value",
        "Two lists of numbers that each layer computes from a token: the key is compared with "
        "later tokens' queries, the value is what they take from it. Together they are what the KV "
        "cache holds.",
        "model",
        "attention-paper",
        room="the card on a box, and its contents",
        also=("key", "value", "keys and values", "K and V"),
        see=("query", "attention", "kv-cache"),
        at=Seen("attention"),
        quiet=True,
    ),
    Term(
        "Query",
        "The list of numbers that a token compares with the keys of all tokens before it, to find "
        "out how much of each value to take.",
        "model",
        "attention-paper",
        room="the question that a reader carries",
        also=("queries",),
        see=("key-and-value", "query-head"),
        at=Seen("attention"),
        quiet=True,
    ),
    Term(
        "Layer",
        "One of the stages a model passes every token through, 40 in granite-3.3-8b. Each has its "
        "own keys and values, so KV bytes count all of them.",
        "model",
        "configs",
        also=("layers",),
        see=("hybrid-model", "kv-cache"),
        at=Seen("sizing"),
        quiet=True,
    ),
    Term(
        "Attention",
        "How a token takes account of those before it: its query is compared with each key, the "
        "scores become weights that add up to 1, and the values are added in these proportions.",
        "model",
        "attention-paper",
        room="reading the boxes back",
        see=("query", "key-and-value", "online-softmax", "pagedattention"),
        at=Seen("attention"),
        quiet=True,
    ),
    Term(
        "Head",
        "Attention is done several times side by side, each on its own slice of the numbers: one "
        "slice is a head.",
        "model",
        "attention-paper",
        room="a reader",
        also=("heads", "attention head"),
        see=("query-head", "kv-head", "head-size"),
        at=Seen("attention"),
        quiet=True,
    ),
    Term(
        "Query head",
        "A head on the asking side. Query heads do not count towards the KV cache; KV heads do.",
        "model",
        "gqa-paper",
        room="a reader",
        also=("query heads",),
        see=("kv-head", "grouped-query-attention"),
        at=Seen("attention", "heads=4&kv=2"),
    ),
    Term(
        "KV head",
        "A head on the keeping side: one key and one value for each token and layer. The KV cache "
        "grows in proportion to the number of KV heads.",
        "model",
        "gqa-paper",
        room="a card on a box",
        also=("KV heads", "key-value head"),
        see=("query-head", "grouped-query-attention", "head-size"),
        at=Seen("sizing"),
    ),
    Term(
        "Grouped-query attention",
        "Several query heads read the same KV head. granite-3.3-8b has 32 query heads and 8 KV "
        "heads, which makes its KV cache a quarter of what 32 would take.",
        "model",
        "gqa-paper",
        room="readers who share a card",
        also=("GQA",),
        see=("query-head", "kv-head", "mla"),
        at=Seen("attention", "heads=4&kv=2"),
    ),
    Term(
        "Head size",
        "How many numbers one head holds for one token, 128 in most models of today.",
        "model",
        "configs",
        also=("head_size", "head sizes"),
        see=("head", "kv-head"),
        at=Seen("sizing"),
    ),
    Term(
        "Context length",
        "How many tokens of prompt and answer a request has, or may have at most. It decides how "
        "much KV memory the request takes.",
        "model",
        "ibm",
        room="how many boxes a visitor may have",
        also=("context", "max_model_len"),
        see=("batch-x-context", "reservation"),
        at=Seen("spyre", "part=limit"),
    ),
    Term(
        "MLA",
        "Multi-head latent attention: instead of keys and values for each head, one compressed "
        "list of numbers a token and layer is kept, from which both are computed. DeepSeek models "
        "use it.",
        "model",
        "mla-paper",
        also=("multi-head latent attention",),
        see=("kv-cache", "grouped-query-attention"),
        at=Seen("sizing"),
    ),
    Term(
        "Sliding window",
        "A layer with a sliding window reads only the last so many tokens. Blocks that lie wholly "
        "before the window are given back.",
        "model",
        "vllm",
        see=("hybrid-model", "layer"),
        at=Seen("sizing"),
    ),
    Term(
        "Hybrid model",
        "A model whose layers are of several kinds: full attention, sliding windows, or layers "
        "with a state of fixed size, such as Mamba's. Only some of its memory grows with the "
        "context.",
        "model",
        "vllm",
        also=("hybrid models", "hybrids"),
        see=("sliding-window", "layer"),
        at=Seen("sizing"),
    ),
    Term(
        "Encoder-only model",
        "A model that reads a text once and writes none: embeddings and rerankers. Nothing grows "
        "and nothing can be found again, so it needs neither KV cache nor prefix cache.",
        "model",
        "plugin",
        room="readers who keep nothing",
        also=("encoder-only models", "encoder-only", "embedding model", "reranker"),
        see=("warm-up-shape", "kv-cache"),
        at=Seen("spyre", "part=encoder"),
    ),
    Term(
        "Online softmax",
        "Turning scores into weights without seeing all of them first: a running maximum and sum "
        "are carried along and corrected. It lets attention read block by block and still be "
        "exact.",
        "model",
        "softmax-paper",
        room="the things the hand carries along",
        see=("attention", "pagedattention"),
        at=Seen("attention"),
    ),
)
