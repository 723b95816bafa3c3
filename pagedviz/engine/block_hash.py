"""What a block's content is known as: a hash chained over everything before it.

What it does: the key of block i is H(key of block i-1, tokens of block i, extra keys).
Two blocks have the same key only if all tokens up to and including them are the same, so
a whole prefix is compared by comparing one hash. Extra keys keep apart what looks the
same but is not: another LoRA adapter, another image behind the same placeholders, another
tenant's salt. Only full blocks have a key.

What it leaves out: the other algorithms vLLM offers (sha256_cbor, xxhash), prompt
embeddings, and equal *values*. vLLM hashes a pickle, we hash a plain byte string, so the
same blocks share a key on both sides, under another number.

Source: vLLM 0.33.0, v1/core/kv_cache_utils.py (hash_block_tokens,
generate_block_hash_extra_keys, get_request_block_hasher).
"""

import json
from array import array
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from pagedviz.engine.request import Request

# Stands for "nothing before" in the first block's key. A fixed seed, as vLLM has for
# cryptographic hashes: equal prompts get equal keys in every process.
NONE_HASH = sha256(b"vllm-none-hash").digest()

# ("lora", name, path), ("mm", identifier, offset in block), ("cache_salt", salt)
ExtraKeys = tuple[tuple[Any, ...], ...] | None


def hash_block_tokens(
    parent_block_hash: bytes | None, token_ids: Sequence[int], extra_keys: ExtraKeys = None
) -> bytes:
    """Hash one full block: 32 bytes of SHA-256.

    `parent_block_hash` is the hash of the block before, None for the first block.

    >>> first = hash_block_tokens(None, [1, 2, 3, 4])
    >>> first == hash_block_tokens(None, [1, 2, 3, 4])
    True
    >>> hash_block_tokens(first, [1, 2, 3, 4]) == first
    False
    >>> hash_block_tokens(None, [1, 2, 3, 4], (("cache_salt", "tenant 7"),)) == first
    False
    """
    # Parent (32 bytes), number of tokens (8), tokens (8 each), then the rest: no two
    # different blocks spell the same bytes.
    digest = sha256(parent_block_hash or NONE_HASH)
    digest.update(len(token_ids).to_bytes(8))
    digest.update(array("Q", token_ids))
    if extra_keys is not None:
        digest.update(json.dumps(extra_keys).encode())
    return digest.digest()


def generate_block_hash_extra_keys(request: Request, start: int, end: int) -> ExtraKeys:
    """The extra keys of the block that holds tokens `start` to `end` (exclusive).

    >>> from pagedviz.engine.request import MultiModalFeature
    >>> photo = MultiModalFeature("photo", offset=2, length=4)
    >>> request = Request("A", range(12), cache_salt="s", mm_features=[photo])
    >>> generate_block_hash_extra_keys(request, 0, 4)
    (('mm', 'photo', 2), ('cache_salt', 's'))
    >>> generate_block_hash_extra_keys(request, 4, 8)
    (('mm', 'photo', -2),)
    >>> generate_block_hash_extra_keys(request, 8, 12) is None
    True
    """
    keys: list[tuple[Any, ...]] = []
    if request.lora is not None:
        keys.append(("lora", request.lora.name, request.lora.path))
    features = request.mm_features
    if features and features[-1].end <= start:
        features = ()  # past the last item nobody looks, though an earlier one may reach further
    for feature in features:
        if start < feature.end and feature.offset < end:
            # the distance to the block tells two positions of one image apart
            keys.append(("mm", feature.identifier, feature.offset - start))
            if feature.end > end:
                break  # it fills the block to its end: the next item lies further on
    if start == 0 and request.cache_salt:
        # every later key hangs on the first, so once is enough
        keys.append(("cache_salt", request.cache_salt))
    return tuple(keys) or None


def event_extra_keys(extra_keys: ExtraKeys) -> tuple[Any, ...] | None:
    """Extra keys in the form events publish: without the tag, adapters by name only.

    >>> event_extra_keys((("lora", "A", "/adapters/a"), ("mm", "photo", -2)))
    ('A', ('photo', -2))
    """
    if extra_keys is None:
        return None
    return tuple(key[1:] if key[0] == "mm" else key[1] for key in extra_keys)


def get_request_block_hasher(block_size: int) -> Callable[[Request], list[bytes]]:
    """A function that hashes the blocks of a request that are full and not yet hashed.

    >>> request = Request("A", range(10), block_hasher=get_request_block_hasher(4))
    >>> len(request.block_hashes)
    2
    >>> request.append_output_token_ids([10, 11])
    >>> len(request.block_hashes)
    3
    """

    def hash_new_full_blocks(request: Request) -> list[bytes]:
        tokens = request.all_token_ids
        first = len(request.block_hashes) * block_size
        if len(tokens) - first < block_size:
            return []  # the usual case while a request writes token by token
        parent = request.block_hashes[-1] if request.block_hashes else None
        plain = request.lora is None and not request.mm_features and not request.cache_salt
        hashes = []
        for start in range(first, len(tokens) - block_size + 1, block_size):
            end = start + block_size
            extra = None if plain else generate_block_hash_extra_keys(request, start, end)
            parent = hash_block_tokens(parent, tokens[start:end], extra)
            hashes.append(parent)
        return hashes

    return hash_new_full_blocks
