"""From the story to the pages that go deeper, opened in the state the beat shows.

The room of scenes 3 and 4 is a run that the allocator page opens at the same step, the prompts
of scene 5 are prompts of the prefix page, the question of scene 1 is read on the attention page.

Leaves out: pages that are not in the menu; a beat without a page has no link.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final
from urllib.parse import urlencode

from pagedviz.engine.spyre.trade_off import PUBLISHED_ROWS
from pagedviz.timeline.link import to_link
from pagedviz.timeline.spyre.tradeoff import step_of as limit_step
from pagedviz.timeline.story import sharing
from pagedviz.timeline.story.figures import (
    BLOCK_SIZE,
    CHAT_ANSWER,
    CHAT_PROMPT,
    LONGEST,
    STORED,
)
from pagedviz.timeline.story.growth import QUESTION
from pagedviz.timeline.story.room_run import room_run, step_at
from pagedviz.timeline.story.tale import Place, places
from pagedviz.ui.params import LINK_VERSION
from pagedviz.ui.prefix_link import to_text
from pagedviz.ui.prefix_state import Setup, Typed
from pagedviz.ui.shell import PAGES

ROOM_MOMENTS: Final[Mapping[Place, str]] = {
    **{
        Place(3, k): moment
        for k, moment in enumerate(("empty", "empty", "A", "BC", "left", "D"), 1)
    },
    **{Place(4, k): moment for k, moment in enumerate(("D", "full", "next", "next", "next"), 1)},
}
SHARING_STEPS: Final = (
    sharing.EMPTY,
    sharing.A_IN,
    sharing.A_IN,
    *(sharing.B_IN,) * 3,
    sharing.A_LEFT,
    sharing.B_LEFT,
)
CHUNK_BEATS, LIMIT_BEATS = range(4, 8), range(8, 12)  # of scene 6
TEXTS: Final = {
    "allocator": ("This room on the allocator page", "This run on the allocator page"),
    "reservation": ("Aisles beside shelves", "Reservation beside blocks"),
    "prefix": ("These prompts, to change", "These prompts, to change"),
    "attention": ("How the notes are read", "How attention reads it"),
    "spyre": ("All limits of the card", "All limits of the card"),
    "sizing": ("The same for other models", "The same for other models"),
    "chunks": ("Cartloads of other sizes", "Chunks of other sizes"),
    "encoder": ("How those are served", "How those are served"),
}


def _query(place: Place) -> tuple[str, str, dict[str, object]] | None:
    """Page, text and parameters for a beat; None if there is nothing deeper."""
    if place.scene == 1:
        if place.beat == 5 and "sizing" in PAGES:
            return "sizing", "sizing", {"v": LINK_VERSION, "model": "llama-2-13b"}
        return "attention", "attention", {"v": LINK_VERSION, "text": QUESTION}
    if place.scene == 2:
        setup = {
            "slots": LONGEST * len(STORED),
            "longest": LONGEST,
            "policy": "max",
            "size": BLOCK_SIZE,
            "visitors": len(STORED) + 1,
            "mix": "own",
            "prompt": CHAT_PROMPT,
            "output": CHAT_ANSWER,
        }
        return "reservation", "reservation", {"v": LINK_VERSION, **setup}
    if place in ROOM_MOMENTS:
        return (
            "allocator",
            "allocator",
            {
                "v": LINK_VERSION,
                "run": to_link(room_run().run) or "",
                "step": step_at(ROOM_MOMENTS[place]),
            },
        )
    if place.scene == 5:
        typed = tuple(Typed(text, leaves=leaves) for text, leaves in sharing.TEXTS)
        setup_5 = Setup(typed, BLOCK_SIZE, sharing.BLOCKS + 1)
        step = SHARING_STEPS[place.beat - 1]
        prompts = to_text(setup_5) or ""
        return "prefix", "prefix", {"v": LINK_VERSION, "prompts": prompts, "step": step}
    return _spyre(place) if place.scene == 6 else None


def _spyre(place: Place) -> tuple[str, str, dict[str, object]]:
    version: dict[str, object] = {"v": LINK_VERSION}
    if place.beat in CHUNK_BEATS:
        return "prefix", "chunks", {**version, "preset": "chunks-3000"}
    if place.beat > LIMIT_BEATS[-1]:
        return "spyre", "encoder", {**version, "part": "encoder"}
    row = PUBLISHED_ROWS[max(place.beat - LIMIT_BEATS[1], 0)]
    return "spyre", "spyre", {**version, "part": "limit", "step": limit_step(row.context)}


def _link(place: Place) -> dict[str, Any] | None:
    found = _query(place)
    if found is None or found[0] not in PAGES:
        return None
    page, text, query = found
    address = PAGES[page].url_path
    return {"href": f"{address}?{urlencode(query)}" if query else address, "text": TEXTS[text]}


@cache
def story_links() -> dict[str, Any]:
    """For each beat its link or None, and the doors of the last one: href, title, question.

    >>> found = story_links()
    >>> len(found["links"]) == len(places()), found["doors"][0]["href"]
    (True, 'allocator')
    """
    doors = [
        {"href": page.url_path, "title": page.title, "question": [page.room, page.engine]}
        for page in PAGES.values()
        if page.key != "start"
    ]
    return {"links": [_link(place) for place in places()], "doors": doors}
