"""Fixtures over the running app and a real browser.

    def test_something(open_page):
        page = open_page("/allocator?step=3", width=390, height=844, touch=True)

A page that came from `open_page` is watched: the test fails if the console shows an error, if
anything is asked of another machine, or if the app raised an exception.
"""

from collections.abc import Callable, Iterator
from typing import Literal, Protocol

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.browser.site import Server, Watch, at_rest, start_server
from tests.setup_browser import find_browser

collect_ignore_glob = ["bench/*"]  # run by `make bench`, and by hand

# No test is about how long something took: a busy machine is no reason to fail.
settings.register_profile("pagedviz", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pagedviz")
expect.set_options(timeout=15_000)  # so long only where the machine is busy, or all is lost

BROWSER_ARGS = (
    "--no-sandbox",  # Chromium does not start as root otherwise, and CI is root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A request to outside is recorded and fails the test; it is not sent all the same.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser test that fails is tried again, twice: a busy machine can lose a click."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=2))


class OpenPage(Protocol):
    """Opens a page of the app in a window of its own and waits until it is at rest."""

    def __call__(
        self,
        path: str,
        width: int = 1440,
        height: int = 900,
        scheme: Literal["light", "dark"] = "light",
        touch: bool = False,
        server: Server | None = None,
    ) -> Page: ...


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One warm app for all tests that do not need their own."""
    running = start_server()
    yield running
    running.stop()


@pytest.fixture
def cold_server() -> Iterator[Callable[[], Server]]:
    """Starts apps that nobody has asked for a page yet."""
    started: list[Server] = []

    def start() -> Server:
        started.append(start_server())
        return started[-1]

    yield start
    for running in started:
        running.stop()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser_path() -> str:
    """The browser's program; without one the tests fail and say how to get it."""
    return str(find_browser())


@pytest.fixture(scope="session")
def browser(browser_path: str, playwright: Playwright) -> Iterator[Browser]:
    chromium = playwright.chromium.launch(
        executable_path=browser_path, headless=True, args=list(BROWSER_ARGS)
    )
    yield chromium
    chromium.close()


@pytest.fixture
def open_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    watches: list[Watch] = []

    def open_one(
        path: str,
        width: int = 1440,
        height: int = 900,
        scheme: Literal["light", "dark"] = "light",
        touch: bool = False,
        server: Server | None = None,
    ) -> Page:
        site: Server = server or request.getfixturevalue("server")
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            has_touch=touch,
            is_mobile=touch,
        )
        page = context.new_page()
        watches.append(Watch(page, site))
        page.goto(site.url + path)
        at_rest(page)
        return page

    yield open_one
    faults = [fault for watch in watches for fault in watch.close()]
    assert not faults, "\n".join(faults)


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The start page in an ordinary window."""
    return open_page("/")
