"""The words on the workload page in both registers, and refusals in them."""

import re
from functools import partial
from typing import Any

from pagedviz.timeline.captions import Register
from pagedviz.ui.workload_engine_words import ENGINE
from pagedviz.ui.workload_room_words import ROOM
from pagedviz.workload.errors import WorkloadError

# A refusal speaks of the field that cannot be; in the room, with the room's words.
_ROOM_SAID = (
    (r"block size(?: in tokens)?", "size of a shelf"),
    (r"\bblocks\b", "shelves"),
    (r"\bone block\b", "one shelf"),
    (r"\brequests\b", "visitors"),
    (r"\brequest\b", "visitor"),
    (r"\bslots\b", "places"),
    (r"\btokens\b", "boxes"),
)


def said(error: WorkloadError, register: Register) -> str:
    """A refusal with the label of its field, in one register.

    >>> said(WorkloadError("memory_slots", "must be at least the block size 16, not 4"), "room")
    'Memory, places: must be at least the size of a shelf 16, not 4.'
    """
    words = ROOM if register == "room" else ENGINE
    names = {
        "memory_slots": "slots",
        "max_num_batched_tokens": "budget",
        "max_model_len": "longest",
        "bytes_per_token": "kv_bytes",
        "base_s": "base_ms",
        "prefill_token_s": "prefill_us",
        "decode_request_s": "decode_us",
    }
    name = names.get(error.source, error.source)
    label = words.get(name)
    text = f"{error.problem.rstrip('.')}." + (f" {error.advice}" if error.advice else "")
    if register == "room":
        for pattern, word in _ROOM_SAID:
            text = re.sub(pattern, word, text)
    return f"{label}: {text}" if isinstance(label, str) and label else f"{error.source} {text}"


WORDS: dict[Register, dict[str, Any]] = {
    "room": ROOM | {"said": partial(said, register="room")},
    "engine": ENGINE | {"said": partial(said, register="engine")},
}
