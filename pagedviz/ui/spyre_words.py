"""The words on the Spyre page around its stages, in both registers."""

from typing import Any

from pagedviz.timeline.captions import Register

PUBLISHED = (
    "IBM product documentation, Spyre Enablement Stack 1.1, March 2026. "
    "The figures belong to 8-billion-class models on four cards."
)
ROOM: dict[str, Any] = {
    "lead": "The writing table has so much room and no more: the wider one row, the fewer rows. Move either and see which limit binds.",
    "parts": {
        "limit": "How many fit",
        "mix": "Your own mix",
        "run": "Door and table at work",
        "cards": "Cards and models",
        "encoder": "Embedding models",
        "differ": "Published and actual",
    },
    "chart": "The same limit, doubling by doubling",
    "preset": "Start from",
    "own": "Your own list",
    "list": "Who sits at the table",
    "list_help": "How many × boxes so far + boxes still to write, one line for each kind: 31 x 200 + 25. Columns pasted from a sheet work too.",
    "server": "The house",
    "server_help": "What the house was set up for: model, cards, visitors at most, boxes each at most.",
    "release": "Release",
    "advice": "What would help",
    "scene": "Scene",
    "beside": "Beside it, the same visitors on stock vLLM",
    "kept": "Keep finished boxes",
    "steps": "Every step as a table",
    "encoder_lead": "A model that only sorts letters (embeddings, rerankers) writes nothing, so nothing grows and nothing is kept for later. Tables of a few fixed sizes are cut when the house opens.",
}
ENGINE: dict[str, Any] = {
    "lead": "Batch × context may not pass 131,072 tokens: a longer context leaves fewer requests. Move either and see which ceiling binds.",
    "parts": {
        "limit": "Batch × context",
        "mix": "Your own mix",
        "run": "The scheduler at work",
        "cards": "Cards and models",
        "encoder": "Encoder-only models",
        "differ": "Published and actual",
    },
    "chart": "Batch against context, log scales",
    "preset": "Start from",
    "own": "Your own list",
    "list": "Requests",
    "list_help": "count × prompt tokens + max_tokens, one line per kind: 31 x 200 + 25. Columns pasted from a sheet work too.",
    "server": "Configuration",
    "server_help": "Model, cards (tensor parallel), max_num_seqs and max_model_len, from the plugin's table of known configurations.",
    "release": "Release",
    "advice": "What would help",
    "scene": "Preset",
    "beside": "Beside it, the same requests on stock vLLM",
    "kept": "Prefix caching",
    "steps": "Every step as a table",
    "encoder_lead": "Encoder-only models (embeddings, rerankers) generate nothing: no KV growth, no prefix cache, no decode. Batches are padded to warm-up shapes compiled at start.",
}
WORDS: dict[Register, dict[str, Any]] = {"room": ROOM, "engine": ENGINE}
