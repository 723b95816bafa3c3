"""What a stage needs to be taken away: whose picture it is and by whose rules it was computed.

The file, the drawing and the table are made in the browser (`assets/stage/take`), from what the
stage was sent; this adds the words that only the page knows. Leaves out: what stands in the box
"What this is, and is not" and the line of agreement, which the browser reads off the page.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from pagedviz.engine.spyre.releases import RELEASES
from pagedviz.ui.shell import PAGES

VLLM: Final = "vLLM 0.33.0"
PLUGIN: Final = RELEASES["sendnn_2_6_3_default_pausing"]
# page -> who computed what is on its stage
COMPUTED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "start": "Computed by pagedviz' own block manager and models of memory",
        "allocator": "Computed by pagedviz' own block manager",
        "reservation": "Computed by pagedviz' own block manager and a model of what it replaced",
        "prefix": "Computed by pagedviz' own block manager, tokenizer and chunk rule",
        "attention": "Computed by pagedviz' own paged attention kernel over its block manager",
        "spyre": "Computed by pagedviz' own scheduler",
    }
)
BOTH: Final = f"{VLLM} and {PLUGIN.name}"
RULES: Final[Mapping[str, str]] = MappingProxyType(
    {"start": BOTH, "allocator": VLLM, "reservation": VLLM, "prefix": BOTH, "attention": VLLM}
)
# scene -> the beat whose picture tells it best, counted from 1: the one on the handout
TELLING: Final = (4, 6, 6, 5, 4, 8, 1)


def take(page: str, rules: str | None = None) -> dict[str, Any]:
    """For `payload(panels=...)`: title, question in both registers, and where it is from.

    `rules` names the release where a page has several.

    >>> take("allocator")["take"]["by"]
    ["Computed by pagedviz' own block manager, by the rules of vLLM 0.33.0."]
    >>> take("spyre", "vllm-spyre 1.10.0")["take"]["rules"]
    'By the rules of vllm-spyre 1.10.0'
    """
    shown = PAGES[page]
    followed = rules or RULES.get(page, PLUGIN.name)
    return {
        "take": {
            "title": shown.title,
            "ask": [shown.room, shown.engine],
            "rules": f"By the rules of {followed}",
            "by": [f"{COMPUTED[page]}, by the rules of {followed}."],
        }
    }
