"""A serving engine's memory manager, with the names vLLM uses. No UI, no numpy needed.

Reading order, simplest first: `free_block_queue`, `block_pool`, `request`, `block_hash`,
`kv_cache_manager`, `cache_session`, `request_queue`, `scheduler`.
"""
