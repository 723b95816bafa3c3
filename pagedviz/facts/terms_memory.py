"""Terms of the block manager: blocks, tables, the free queue, and sharing by the prefix cache."""

from typing import Final

from pagedviz.facts.term import Seen, Term

MEMORY_TERMS: Final = (
    Term(
        "Block",
        "A fixed piece of KV memory with slots for the keys and values of so many tokens: 16 by "
        "default in vLLM, 64 on IBM Spyre. It is given out whole.",
        "memory",
        "vllm",
        room="a shelf",
        also=("blocks", "KV block", "KV blocks"),
        see=("block-table", "slot", "block-pool"),
        at=Seen("allocator"),
    ),
    Term(
        "Block table",
        "The list kept for each request: which physical block holds its first tokens, which its "
        "next ones, and so on. Blocks in it may lie anywhere.",
        "memory",
        "paper",
        room="a visitor's slip",
        also=("block tables",),
        see=("logical-block", "physical-block", "block"),
        at=Seen("allocator", "preset=one-visitor"),
    ),
    Term(
        "Logical block",
        "A block as the request sees it: its tokens 1 to 16 are logical block 0, the next 16 are "
        "logical block 1. The block table says where each really lies.",
        "memory",
        "paper",
        room="a line of the slip",
        also=("logical blocks",),
        see=("physical-block", "block-table"),
        at=Seen("allocator", "preset=one-visitor"),
    ),
    Term(
        "Physical block",
        "A block as the memory sees it, known by its number in the block pool.",
        "memory",
        "paper",
        room="a shelf with its number",
        also=("physical blocks",),
        see=("logical-block", "block-pool"),
        at=Seen("allocator"),
    ),
    Term(
        "Slot",
        "The place for one token's keys and values inside a block.",
        "memory",
        "vllm",
        room="a place on a shelf",
        also=("slots",),
        see=("block", "internal-fragmentation"),
        at=Seen("allocator"),
        quiet=True,
    ),
    Term(
        "Block pool",
        "All blocks of one server, made once when it starts. Requests take from it and give back.",
        "memory",
        "vllm",
        room="the storage room",
        see=("free-queue", "null-block", "block"),
        at=Seen("allocator"),
    ),
    Term(
        "Null block",
        "Block 0, set aside when the pool is made and never given to a request: it stands in where "
        "a block table must point at something. A pool of 25 blocks has 24 that can be used.",
        "memory",
        "vllm",
        room="the shelf that is never given out",
        also=("block 0",),
        see=("block-pool", "sliding-window"),
        at=Seen("allocator"),
    ),
    Term(
        "Free queue",
        "The order in which free blocks are given out, from the head. Freed blocks without a hash "
        "return to the head, those with one to the tail, so that cached ones stay longest.",
        "memory",
        "vllm",
        room="the row of free shelves",
        also=("free list",),
        see=("eviction", "prefix-cache", "block-pool"),
        at=Seen("allocator", "preset=kept"),
    ),
    Term(
        "Reference count",
        "How many requests have a block in their block tables. At 0 the block is free.",
        "memory",
        "vllm",
        room="how many visitors have the shelf on their slips",
        also=("ref_cnt", "reference counts"),
        see=("free-queue", "prefix-cache"),
        at=Seen("allocator", "preset=same-opening"),
    ),
    Term(
        "Prefix cache",
        "Full blocks stay findable by their hash, also after their request has ended, until they "
        "are needed for something else. A prompt that begins the same takes them over instead of "
        "computing them.",
        "memory",
        "vllm",
        room="boxes that stay for the next visitor",
        also=("prefix caching", "prefix caches"),
        see=("hash-chain", "hit", "eviction", "cache-salt"),
        at=Seen("prefix"),
    ),
    Term(
        "Hash chain",
        "A full block's hash is made from its tokens and the hash of the block before it. Equal "
        "hashes therefore mean that everything up to there is equal, from the first token on.",
        "memory",
        "vllm",
        room="labels, each made from the one before",
        also=("block hash", "chained hash", "chained hashes"),
        see=("prefix-cache", "hit", "cache-salt"),
        at=Seen("prefix", "preset=first-letter"),
    ),
    Term(
        "Hit",
        "A block of a new prompt that is found in the prefix cache. Looking stops at the first "
        "miss, and the last token of a prompt is always computed.",
        "memory",
        "vllm",
        room="a shelf that is found again",
        also=("hits", "cache hit", "prefix hit"),
        see=("prefix-cache", "hash-chain", "chunk-reuse"),
        at=Seen("prefix", "preset=twice"),
        quiet=True,
    ),
    Term(
        "Eviction",
        "A cached block is taken for new tokens: its hash is dropped and it can no longer be hit. "
        "The one that has been free longest goes first.",
        "memory",
        "vllm",
        room="old boxes are cleared off a shelf",
        also=("evicted", "evictions", "evict"),
        see=("free-queue", "prefix-cache"),
        at=Seen("allocator", "preset=kept"),
    ),
    Term(
        "Cache salt",
        "A word that goes into the hash of a prompt's first block. Only requests with the same "
        "salt share, so that tenants cannot find out each other's prompts.",
        "memory",
        "vllm",
        room="a secret word",
        also=("cache_salt", "salt"),
        see=("hash-chain", "prefix-cache"),
        at=Seen("prefix", "preset=tenants"),
    ),
    Term(
        "Copy-on-write",
        "Sharing a block until one of its users writes to it, who then gets a copy. The paper of "
        "2023 had it for parallel samples; vLLM 0.33 shares full blocks only, which nobody writes "
        "to.",
        "memory",
        "paper",
        also=("copy on write", "CoW"),
        see=("prefix-cache", "block"),
        at=Seen("prefix"),
    ),
    Term(
        "Internal fragmentation",
        "Memory inside a piece that was given out and holds nothing. With PagedAttention only the "
        "unfilled tail of a request's last block.",
        "memory",
        "paper",
        room="empty places on the last shelf",
        see=("external-fragmentation", "reservation", "slot"),
        at=Seen("reservation"),
    ),
    Term(
        "External fragmentation",
        "Free memory in pieces too small for the next reservation, though together they would be "
        "enough. It cannot occur where every piece has the same size.",
        "memory",
        "paper",
        room="gaps between aisles",
        see=("internal-fragmentation", "buddy-allocator", "reservation"),
        at=Seen("reservation", "preset=known-lengths"),
    ),
)
