"""What a viewer does on each page that only this viewer does, and how it shows: one act a page.

`mark` is a number that no other viewer uses at that moment, from 0 to 199. Each act turns it into a
value of one of the page's inputs, and then looks for that value in what came back: in the run on
the stage where the page has one, else in the words and numbers on the page.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from pagedviz.timeline.captions import Register
from pagedviz.ui.shell import PAGES
from tests.viewer import Viewer

REGISTERS: Final[tuple[Register, Register]] = ("room", "engine")
MARKS: Final = 200


@dataclass(frozen=True)
class Act:
    """One page's act.

    Attributes:
        link: what to open.
        change: sets the input to what belongs to the mark; the page is redrawn when it returns.
        shown: whether the page shows what belongs to the mark.
    """

    link: str
    change: Callable[[Viewer, int], Awaitable[None]]
    shown: Callable[[Viewer, int], bool]


def number(key: str, base: int, each: int = 1) -> Callable[[Viewer, int], Awaitable[None]]:
    """Types base + each * mark into a number field."""

    async def change(viewer: Viewer, mark: int) -> None:
        await viewer.set(key, double_value=float(base + each * mark))

    return change


async def speak(viewer: Viewer, mark: int) -> None:
    """The story has no input but the words, which are switched on the stage."""
    await viewer.set("stage", json_value=json.dumps({"register": REGISTERS[mark % 2]}))


async def say(viewer: Viewer, mark: int) -> None:
    """Types a prompt on the stage of the prefix page, and the same with a tail."""
    prompts = [{"text": _said(mark)}, {"text": _said(mark) + " And the last one?"}]
    edit = {"edit": {"prompts": prompts, "asked": str(mark)}}
    await viewer.set("stage", json_value=json.dumps(edit))


def _said(mark: int) -> str:
    return f"Visitor number {mark} asks: which shelf is mine, and who else is on it?"


def said_shown(viewer: Viewer, mark: int) -> bool:
    rows = [row["text"] for row in viewer.stage()["prompts"]["list"]]
    return rows == [_said(mark), _said(mark) + " And the last one?"]


async def write(viewer: Viewer, mark: int) -> None:
    await viewer.set("attention.text", string_value=f"visitor {mark} reads what was written")


async def find(viewer: Viewer, mark: int) -> None:
    await viewer.set("glossary.find", string_value=f"nobody knows {mark}")


async def name(viewer: Viewer, mark: int) -> None:
    await viewer.set("talks.title", string_value=f"Talk of viewer {mark}")


async def sit(viewer: Viewer, mark: int) -> None:
    await viewer.set("spyre.list", string_value=f"7 x {200 + mark} + 25")


def in_text(words: str, base: int = 0) -> Callable[[Viewer, int], bool]:
    """Looks for words with base + mark in them anywhere on the page."""
    return lambda viewer, mark: words.format(base + mark) in viewer.text().replace("\\", "")


ACTS: Final[Mapping[str, Act]] = MappingProxyType(
    {
        "start": Act(
            "/",
            speak,
            lambda viewer, mark: (
                f"<h1>{PAGES['start'].question(REGISTERS[mark % 2])}<" in viewer.text()
            ),
        ),
        "allocator": Act(
            "/allocator",
            number("allocator.shelves", 14),
            lambda viewer, mark: viewer.run()["num_blocks"] == 15 + mark,
        ),
        "reservation": Act(
            "/reservation",
            number("reservation.slots", 512, 16),
            lambda viewer, mark: viewer.params().get("slots") == str(512 + 16 * mark),
        ),
        "prefix": Act("/prefix", say, said_shown),
        "attention": Act(
            "/attention",
            write,
            lambda viewer, mark: f"visitor {mark} reads" in viewer.params().get("text", ""),
        ),
        "spyre": Act(
            "/spyre?part=mix",
            sit,
            lambda viewer, mark: viewer.params().get("list") == f"7x{200 + mark}+25",
        ),
        "sizing": Act("/sizing", number("sizing.prompt", 1001), in_text('"prompt": "{}"', 1001)),
        "workload": Act("/workload", number("workload.num_requests", 20), in_text('"n": "{}"', 20)),
        "talks": Act("/talks", name, in_text("Talk of viewer {}")),
        "glossary": Act("/glossary", find, in_text("nobody knows {}")),
    }
)
