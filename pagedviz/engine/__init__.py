"""What a serving engine does, with the names vLLM uses. No screen; numpy and the standard library.

Reading order, simplest first. Memory: `free_block_queue`, `block_pool`, `request`, `block_hash`,
`kv_cache_manager`, `cache_session`, `request_queue`, `scheduler`. What it replaced: `buddy`,
`reservation`, `reservation_scheduler`. Attention over blocks: `attention_softmax`,
`attention_scores`, `attention_dense`, `attention_steps`, `attention_kernel`, `attention`. IBM
Spyre: the package `spyre`.
"""
