"""The stage's scripts and style as two strings, since an inline component takes strings only.

Several ES modules become one text without a build step: `assets/stage/loader.js` carries their
sources and turns them into modules in the browser. Leaves out: minifying (a few dozen
kilobytes, sent once per page view).
"""

import json
from functools import cache
from pathlib import Path

from pagedviz.paths import ASSETS

STAGE = ASSETS / "stage"
MARKER = "/*MODULES*/ {}"
STYLES = (
    "stage.css",
    "panels.css",
    "attention.css",
    "spyre.css",
    "reservation.css",
    "story.css",
    "quiz.css",
    "take.css",
    "present.css",  # after the panels: it wins over their own sizes
    "forced.css",  # last: it wins over their colours
)


@cache
def script(folder: Path = STAGE) -> str:
    """All modules of `folder` behind the loader; its default export is that of `main.js`.

    The loader's own text and the styles of exported pages are among them: a stage that is saved as
    a file is put together in the browser, from these.

    Raises:
        FileNotFoundError: if the assets are not there (an incomplete checkout).
    """
    modules = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted((*folder.rglob("*.js"), *folder.glob("take/*.css")))
    }
    loader = (folder / "loader.js").read_text("utf-8")
    return loader.replace(MARKER, json.dumps(modules))


@cache
def style(folder: Path = STAGE) -> str:
    """The style sheets, one after the other."""
    return "\n".join((folder / name).read_text("utf-8") for name in STYLES)
