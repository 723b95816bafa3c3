"""The words on the glossary page around its tables; the same in both registers but for the lead."""

from typing import Any, Final

from pagedviz.timeline.captions import Register

PARTS: Final = {
    "terms": "Terms",
    "timeline": "Timeline",
    "figures": "Figures and sources",
    "differ": "Published and actual",
}
GROUPS: Final = {
    "model": "The model",
    "memory": "Memory",
    "serving": "Serving",
    "before": "vLLM and before",
    "spyre": "IBM Spyre",
    "units": "Numbers and units",
}
STATES: Final = {
    "confirmed": "as published",
    "recalled": "as recalled: about",
    "according": "according to",
}
LEAD: Final[dict[Register, str]] = {
    "room": "The field's own words, what stands for them in the storage room, and where each date and figure comes from.",
    "engine": "The terms in a sentence or two each, the dates, and the source of every published figure.",
}
TEXT: Final[dict[str, Any]] = {
    "find": "Find a word",
    "find_hint": "for example: shelf, null block, padding",
    "groups": "Subject",
    "nothing": "No term holds “{find}”. ",
    "near": "The nearest one is {name}.",
    "none_near": "Nothing is spelled like it, either; below are all terms.",
    "others": "Other subjects have {n:,}.",
    "count": "{n:,} of {all:,} terms",
    "timeline": "From the announcement to the documentation of today. A filled mark is confirmed by a second source; an empty one is told by its publisher alone.",
    "figures": "What others have published and this app repeats. What the app computes is not in here: it stands on its page with its formula.",
    "sources": "Sources",
    "sources_lead": "What each of them supports. A link opens only when you follow it; the app itself asks for none of them.",
    "vllm": "vLLM and PagedAttention",
    "spyre": "IBM Spyre",
}
