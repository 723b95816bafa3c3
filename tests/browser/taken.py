"""Taking a stage away, as a viewer does: the menu, what is saved, the saved page offline."""

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, Download, Page, expect

from pagedviz.timeline.link import to_link
from pagedviz.timeline.run import Run
from tests.browser.stage import Stage

# Where a default visit to each stage leads, and a key that changes its sentence.
STAGES = {
    "start": ("/?scene=3&beat=4", "ArrowRight"),
    "allocator": ("/allocator", "ArrowRight"),
    "reservation": ("/reservation", "ArrowRight"),
    "prefix": ("/prefix", "ArrowLeft"),
    "attention": ("/attention", "ArrowRight"),
    "spyre-limit": ("/spyre?part=limit", "ArrowRight"),
    "spyre-mix": ("/spyre?part=mix", "ArrowRight"),
    "spyre-run": ("/spyre?part=run", "ArrowRight"),
    "spyre-encoder": ("/spyre?part=encoder", "ArrowRight"),
}


def run_of(name: str, num_blocks: int = 9) -> str:
    """The allocator's address with a run whose one request has this name."""
    return run_of_all([name], num_blocks)


def run_of_all(names: Sequence[str], num_blocks: int) -> str:
    """The same with a request for each name, one after the other."""
    ops: list[dict[str, Any]] = []
    for name in names:
        ops.append({"op": "add_request", "req": name, "tokens": list(range(100, 120))})
        ops.append({"op": "admit", "req": name})
    config = {"num_blocks": num_blocks, "block_size": 16}
    return f"/allocator?run={to_link(Run(names[0], config, ops))}"


def choose(page: Page, name: str) -> None:
    """Open the menu and click a choice in it."""
    page.locator(".key.take").click()
    page.locator(f"[data-take={name}]").click()


def taken(page: Page, name: str) -> Download:
    """What is saved on a choice; the menu is closed after it."""
    with page.expect_download() as saved:
        choose(page, name)
    expect(page.locator(".takemenu [role=status]")).to_contain_text(saved.value.suggested_filename)
    page.keyboard.press("Escape")
    expect(page.locator(".takemenu")).to_be_hidden()
    return saved.value


def text(page: Page, name: str) -> str:
    """The text of what is saved."""
    return Path(taken(page, name).path()).read_text("utf-8-sig")


def table(page: Page) -> list[dict[str, str]]:
    """The rows of the table that is saved."""
    return list(csv.DictReader(io.StringIO(text(page, "csv"))))


@contextmanager
def offline(
    browser: Browser,
    file: Path,
    scheme: Literal["light", "dark"] = "light",
    **more: Any,
) -> Iterator[Page]:
    """A saved page opened from the disk, no network; fails if it asks for one, or stumbles."""
    context = browser.new_context(
        offline=True, color_scheme=scheme, viewport={"width": 1440, "height": 900}, **more
    )
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda m: m.type in ("error", "warning") and faults.append(m.text))
    page.on("websocket", lambda socket: faults.append(socket.url))

    def asked(url: str) -> None:
        if not url.startswith((file.as_uri(), "blob:", "data:")):
            faults.append(f"asks for {url}")

    page.on("request", lambda request: asked(request.url))
    page.goto(file.as_uri())
    yield page
    context.close()
    assert not faults, "\n".join(faults)


def saved_page(page: Page, folder: Path) -> Path:
    """The stage of a page as a file in `folder`."""
    download = taken(page, "file")
    file = folder / download.suggested_filename
    download.save_as(file)
    return file


def sentence(page: Page) -> str:
    """What the stage says at this step."""
    return Stage(page).caption.first.inner_text()
