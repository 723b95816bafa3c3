"""Serve the app to a real browser, and watch what the browser does.

`Server` is one process of `streamlit run app.py` on this machine; `Watch` listens to a page for
what must not happen on any page: an error in the console, a request to anywhere else, an
error box from Streamlit. The fixtures over both are in ../conftest.py.
"""

import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import IO, Literal
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Error, Page, expect

from pagedviz.paths import ROOT

AT_REST = """() => {
  const app = document.querySelector('[data-testid="stApp"]');
  return app?.dataset.testScriptState === 'notRunning'
    && document.querySelector('.st-key-brand') !== null
    && document.querySelector('[data-testid="stSkeleton"]') === null
    && document.querySelector('[data-stale="true"]') === null;
}"""

GROUND = {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 21, 21)"}
# The document, and the shadow roots that stages are drawn in.
ROOTS = "[document, ...[...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(Boolean)]"
# Nothing fades or flies any more, on the page and inside the stage; what turns for ever may turn.
STILL = f"""() => {ROOTS}.flatMap(root => root.getAnimations())
  .every(one => one.playState !== 'running' || one.effect?.getComputedTiming().endTime === Infinity)
"""

# How much wider than its frame: the document, the page in it, each stage on it.
WIDER = f"""(stages) => [document.documentElement, document.querySelector('[data-testid=stMain]'),
  ...(stages ? {ROOTS}.flatMap(root => [...root.querySelectorAll('.stage')]) : [])]
  .map(e => e.scrollWidth - e.clientWidth)"""

# On a link straight to a page Streamlit looks for its base path below the page's own address
# first, and finds it one level up. These two, and no other, are part of its normal start.
BASE_PATH_PROBES = ("/_stcore/health", "/_stcore/host-config")


def wait_until(page: Page, true: str, timeout: float = 20_000) -> None:
    """Ask the page again and again whether this script is true.

    Playwright's own wait would have to turn text into a function inside the page, which the
    server's content security policy refuses.
    """
    deadline = time.monotonic() + timeout / 1000
    while not page.evaluate(true):
        assert time.monotonic() < deadline, f"never true of {page.url}: {true}"
        page.wait_for_timeout(30)


def at_rest(page: Page, timeout: float = 20_000) -> None:
    """Wait until the script of the page has run and Streamlit shows all of it."""
    wait_until(page, AT_REST, timeout)


def still(page: Page) -> None:
    """Wait until nothing moves: what fades in is pale until it is there."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 150)))")
    wait_until(page, STILL)


def change(page: Page, scheme: Literal["light", "dark"], size: tuple[int, int]) -> None:
    """The viewer's system turns light or dark, or the window is made narrow."""
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", GROUND[scheme])
    at_rest(page)
    still(page)


def sideways(page: Page, stages: bool = True) -> list[int]:
    """By how many pixels a page, or a stage on it, is too wide; nothing if all of it fits.

    stages: look at the stages too. In the presenter view a picture may use the margin beside one.
    """
    return [width for width in page.evaluate(WIDER, stages) if width > 0]


@dataclass
class Server:
    """A running app; `url` has no slash at the end."""

    url: str
    process: subprocess.Popen[bytes]
    log: IO[bytes]

    def stop(self) -> None:
        """End this process, and no other."""
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def said(self) -> str:
        """What the server has written so far."""
        self.log.seek(0)
        return self.log.read().decode(errors="replace")


def free_port() -> int:
    """A port on which nobody listens at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_server(script: str = "app.py", seconds: float = 60, port: int | None = None) -> Server:
    """Start the app and wait until it answers. The health check runs no page: it stays cold."""
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", script]
    command += ["--server.port", str(port), "--server.fileWatcherType", "none"]
    log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by Server.stop
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
    )
    server = Server(f"http://127.0.0.1:{port}", process, log)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(server.url + "/_stcore/health", timeout=5):
                return server
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    said = server.said()
    server.stop()
    raise RuntimeError(f"the app did not start:\n{said}")


@dataclass
class Watch:
    """What went wrong on one page of one server, as sentences."""

    page: Page
    server: Server
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._said_before = len(self.server.said())
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(f"script error: {error}"))
        self.page.on("request", lambda request: self._address(request.url))
        self.page.on("websocket", lambda socket: self._address(socket.url))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type != "error":
            return
        address = urlsplit(message.location.get("url", ""))
        is_probe = address.path.endswith(BASE_PATH_PROBES) and not address.path.startswith(
            BASE_PATH_PROBES
        )
        if not (is_probe and "status of 404" in message.text):
            self.faults.append(f"console: {message.text} ({address.geturl()})")

    def _address(self, url: str) -> None:
        address = urlsplit(url)
        inside = address.scheme in ("data", "blob") or address.hostname == "127.0.0.1"
        if not inside:
            self.faults.append(f"request to outside: {url}")

    def close(self) -> list[str]:
        """Close the page and tell what was wrong on it, up to now."""
        if not self.page.is_closed():
            try:
                boxes = self.page.locator('[data-testid="stException"]').all_inner_texts()
                self.faults += [f"error box: {text}" for text in boxes]
            except Error as problem:  # the page itself is gone
                self.faults.append(str(problem))
            self.page.context.close()
        said = self.server.said()[self._said_before :]
        if "Traceback" in said:
            self.faults.append(f"the server reported:\n{said[said.index('Traceback') :]}")
        return self.faults
