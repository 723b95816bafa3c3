"""Sentences of the planner in the words of the storage room; in the engine's register as they are.

The planner speaks of tokens, blocks and requests, in sentences put together from numbers. In the
room the same sentences speak of boxes, shelves and visitors.

Leaves out: the words around them (`sizing_words.py`).
"""

from __future__ import annotations

import re
from typing import Final

from pagedviz.timeline.captions import Register

# In this order: longer phrases first.
_ROOM: Final = (
    (
        r"gpu_memory_utilization is a share of the card's total memory",
        "The share counts the whole card",
    ),
    (
        r"an encoder-only model is sized by its batch",
        "a model that only reads is sized by its tables",
    ),
    (r"No cache to size", "No shelves to size"),
    (r"weights included", "the model included"),
    (r"weights \(bytes\)", "the model itself (bytes)"),
    (r"The weights take", "The model itself takes"),
    (r"the pool and the weights take", "the shelves and the model itself take"),
    (r"The pool and the weights take", "The shelves and the model itself take"),
    (r"\b[Tt]he weights are\b", "the model itself is"),
    (r"\b([Tt]he )?weights\b", "the model itself"),
    (r"room for activations and graphs", "room to work in"),
    (r"An FP8 cache \(--kv-cache-dtype fp8\)", "Boxes half as heavy (FP8)"),
    (r"unless --kv-cache-dtype asks for less", "unless asked for less"),
    (r"gpu_memory_utilization", "the share of the card in use"),
    (r"the number of requests \(max_num_seqs ([\d,]+)\)", r"the number of visitors, \1"),
    (r"max_num_seqs \(([\d,]+) requests\)", r"the \1 visitors let in at once"),
    (r"max_num_seqs lets ([\d,]+) in", r"the door lets \1 in"),
    (r"Set max_num_seqs to", "Let in as many as"),
    (r"max_num_seqs ([\d,]+)(?=$| would give)", r"a door that lets in \1"),
    (r"^prompt and answer$", "brought and written"),
    (r"^answer$", "what is written"),
    (r"^max_num_seqs$", "visitors let in at once"),
    (r"max_num_seqs", "visitors let in at once:"),
    (r"[Ss]et max_model_len to", "Set the longest visit to"),
    (r"max_model_len", "the longest visit"),
    (r" \(tensor parallel size [\d,]+\)", ""),
    (r"cards \(tensor parallel size\)", "cards"),
    (
        r"the product of requests and longest request \(([\d,]+) tokens\)",
        r"visitors × longest row, \1 places",
    ),
    (r"the blocks promised at admission", "the shelves promised at the door"),
    (r"the memory left for the cache", "the memory left for shelves"),
    (r"nothing is left for the cache", "nothing is left for shelves"),
    (r"Available KV cache memory", "Memory for shelves"),
    (r"beside the null block", "beside the one nobody gets"),
    (r"KV cache", "shelves"),
    (r"KV blocks", "shelves"),
    (r"KV memory", "memory for shelves"),
    (r"the hybrid cache manager off", "the manager of mixed layers off"),
    (r"hybrid cache manager", "manager of mixed layers"),
    (r"\b(keeps no|its) cache\b", r"\1 boxes"),
    (r"keeps no boxes", "keeps nothing"),
    (r"the null block", "the shelf that nobody gets"),
    (r"\bpool\b", "stock of shelves"),
    (r"the cache", "the shelves"),
    (r"bytes per value", "bytes of a number"),
    (r"attention heads", "heads"),
    (r"KV heads", "heads kept"),
    (r"KV head\b", "head kept"),
    (r" and K and V\b", ""),
    (r"2 \(K and V\)", "2"),
    (r"K and V of every head", "all that a head would keep"),
    (r"block_size", "shelf size"),
    (r"block size", "shelf size"),
    (r"bytes per token", "bytes a box"),
    (r"per sequence", "per visitor"),
    (r"sequence", "visitor"),
    (r"admitted", "let in"),
    (r"Refused at the door: prompt", "Refused at the door: what is brought"),
    (r"\bprompt\b", "what is brought"),
    (r"max_tokens", "boxes to write"),
    (r"of answer", "to write"),
    (r"Answers half as long", "Half as much to write"),
    (r"Prompts half as long", "Half as much to bring"),
    (r"No known configuration and no shorter request", "No line of the table and no shorter visit"),
    (r"on one server: a second one on", "in one room: a second room on"),
    (r"\brequests\b", "visitors"),
    (r"\bRequests\b", "Visitors"),
    (r"\brequest\b", "visitor"),
    (r"\btokens\b", "boxes"),
    (r"\btoken\b", "box"),
    (r"\bblocks\b", "shelves"),
    (r"\bblock\b", "shelf"),
    (r"prefix caching", "kept boxes"),
    (r"The plugin", "The software"),
    (r"the plugin", "the software"),
    (r"\bThe row\b", "The line"),
    (r"\bno row\b", "no line"),
    (r"\brow for\b", "line for"),
)


def told(text: str, register: Register) -> str:
    """A sentence of the planner in the register.

    >>> told("About 280 at once. The limit is max_num_seqs (256 requests).", "room")
    'About 280 at once. The limit is the 256 visitors let in at once.'
    >>> told("Set max_model_len to 8,192 or less.", "engine")
    'Set max_model_len to 8,192 or less.'
    """
    if register == "engine":
        return text
    capital = text[:1].isupper() and not text[:2].isupper()  # a sentence, and not "KV heads"
    for pattern, words in _ROOM:
        text = re.sub(pattern, words, text)
    text = re.sub(r"(?<=\d) x (?=\d)", " × ", text)
    # a phrase put first in its sentence begins with a capital
    text = re.sub(r"(?<=\. )(?!vLLM)[a-z]", lambda found: found[0].upper(), text)
    return text[0].upper() + text[1:] if capital else text


def signs(text: str) -> str:
    """A formula with the sign of multiplication.

    >>> signs("2 (K and V) x 40 layers")
    '2 (K and V) × 40 layers'
    """
    return text.replace(" x ", " × ")
