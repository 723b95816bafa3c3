"""Every page with the network cut, and under the content security policy of the server.

The pages are those of the app's own table, so a new one is in here by itself. Each is gone through
as a hand would: what folds is unfolded, forms are opened, parts chosen, the stage is played and its
keys pressed, charts pointed at, what can be saved is saved. Whatever asks another machine for
anything, in the browser or in the server, fails the test; so does what the policy refuses.
"""

import textwrap
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Error, Locator, Page, Request, Route, expect

from pagedviz.ui.headers import POLICY
from pagedviz.ui.shell import PAGES
from tests.browser.site import Server, start_server

pytestmark = pytest.mark.browser

KEYS = ("ArrowRight", "PageDown", "End", "Home", "e", "e", " ", " ", "f", "Escape", "?", "Escape")
MOST = 4  # of one kind on one page
QUICK = 1_000  # ms; what cannot be pressed by then lies below something else
REFUSED = """document.addEventListener("securitypolicyviolation", (event) =>
  console.error("refused by the policy:", event.violatedDirective, event.blockedURI))"""
# Put before everything the server imports: it tells whom the server itself tries to reach.
HOOK = """
    import sys

    def heard(event, args):
        if event in ("socket.connect", "socket.sendto"):
            host = args[1][0] if isinstance(args[1], tuple) else "127.0.0.1"
        elif event == "socket.getaddrinfo":
            host = args[0]
        else:
            return
        if isinstance(host, bytes):
            host = host.decode()
        if host not in (None, "", "localhost", "127.0.0.1", "::1", "0.0.0.0"):
            print("LEAVES THE MACHINE:", event, host, file=sys.stderr, flush=True)

    sys.addaudithook(heard)
"""


@pytest.fixture(scope="module")
def watched_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app in a process that tells of every address it tries to reach."""
    folder = tmp_path_factory.mktemp("hook")
    (folder / "sitecustomize.py").write_text(textwrap.dedent(HOOK))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        running = start_server()
    yield running
    running.stop()


def at_rest(page: Page) -> None:
    """As site.at_rest, also of a page that has broken its own policy."""
    ready = page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')
    expect(ready).to_be_attached(timeout=20_000)
    expect(page.locator('[data-testid="stSkeleton"], [data-stale="true"]')).to_have_count(
        0, timeout=20_000
    )


class Cut:
    """A window whose requests to anywhere else are stopped and counted."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.server = server
        self.faults: list[str] = []
        self.policy = POLICY
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        # A page handed on here has no address of its own, and may not ask this machine otherwise.
        with suppress(Error):  # older browsers do not ask, nor know the word
            context.grant_permissions(["local-network-access"])
        context.add_init_script(REFUSED)
        context.route("**/*", self._route)
        self.page = context.new_page()
        self.page.on("request", self._asked)
        self.page.on("websocket", lambda socket: self._look(socket.url))
        self.page.on("console", lambda said: self._said(said.text))
        self.page.on("pageerror", lambda error: self.faults.append(f"script error: {error}"))

    def open(self, path: str) -> Page:
        self.page.goto(self.server.url + path)
        at_rest(self.page)
        return self.page

    def _look(self, url: str) -> bool:
        address = urlsplit(url)
        inside = address.scheme in ("data", "blob") or address.hostname == "127.0.0.1"
        if not inside:
            self.faults.append(f"asks {url}")
        return inside

    def _asked(self, request: Request) -> None:
        self._look(request.url)

    def _said(self, text: str) -> None:
        if "refused by the policy" in text or "Content Security Policy" in text:
            self.faults.append(text)

    def _route(self, route: Route) -> None:
        if not self._look(route.request.url):
            route.abort()
        elif route.request.resource_type == "document":
            answer = route.fetch()
            headers = {**answer.headers, "content-security-policy": self.policy}
            route.fulfill(response=answer, headers=headers)
        else:
            route.continue_()


@pytest.fixture
def cut(browser: Browser, watched_server: Server) -> Iterator[Cut]:
    before = len(watched_server.said())
    window = Cut(browser, watched_server)
    yield window
    window.page.context.close()
    said = watched_server.said()[before:]
    window.faults += [line for line in said.splitlines() if "LEAVES THE MACHINE" in line]
    assert not window.faults, "\n".join(window.faults)


def each(page: Page, found: Locator, press: str = "click") -> int:
    """Press what is found, one after the other; how many there were to press."""
    pressed = 0
    for place in range(min(found.count(), MOST)):
        try:
            getattr(found.nth(place), press)(timeout=QUICK)
            at_rest(page)
            pressed += 1
        except Error:  # gone, or below what an earlier one has opened
            page.keyboard.press("Escape")
    return pressed


def go_through(page: Page) -> int:
    """All that can be opened, chosen, played and pointed at on one view of a page."""
    main = page.get_by_test_id("stMain")
    done = each(page, main.get_by_test_id("stExpander").locator("summary"))
    if page.locator(".stage .said").count():
        page.locator(".stage").first.focus()
        for key in KEYS:
            page.keyboard.press(key)
        done += 1
    for form in main.get_by_test_id("stPopover").get_by_role("button").all()[:MOST]:
        done += each(page, form)
        page.keyboard.press("Escape")
        at_rest(page)
    done += each(page, main.locator(".js-plotly-plot"), "hover")
    done += each(page, main.locator(".pv-term"))
    page.keyboard.press("Escape")
    for save in main.get_by_test_id("stDownloadButton").get_by_role("button").all()[:MOST]:
        if save.is_visible() and save.is_enabled():
            with page.expect_download():
                save.click()
            done += 1
    return done


@pytest.mark.parametrize("key", PAGES)
def test_page_asks_no_other_machine(key, cut):
    page = cut.open(f"/{PAGES[key].url_path}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    done = go_through(page)
    parts = page.get_by_test_id("stMain").get_by_test_id("stButtonGroup").get_by_role("radio")
    for place in range(parts.count()):
        done += each(page, parts.nth(place))
        done += go_through(page)
    assert done > 2  # it was gone through, and not only opened
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_frame_asks_no_other_machine(cut):
    page = cut.open("/allocator")
    page.keyboard.press("p")
    page.keyboard.press("p")
    page.locator(".st-key-trainer-open").get_by_role("button").click()
    expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
    at_rest(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="For a class or a talk")).to_have_count(0)
    page.get_by_role("button", name="Main menu").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    cut.open("/allocator?notes=1")


def test_what_would_leave_the_machine_is_seen(cut):
    leak = "fetch('http://192.0.2.1/'); new Image().src = 'http://192.0.2.2/x.png'; eval('1')"
    cut.page.add_init_script(f"addEventListener('load', () => {{ {leak} }})")
    page = cut.open("/talks")
    page.wait_for_timeout(500)
    told = "\n".join(cut.faults)
    cut.faults.clear()
    assert "connect-src http://192.0.2.1" in told  # by the policy, before it is asked for
    assert "img-src http://192.0.2.2" in told
    assert "script-src eval" in told


def test_what_the_policy_lets_pass_is_seen_too(cut):
    cut.policy = "default-src * 'unsafe-inline' 'wasm-unsafe-eval' blob: data:"
    cut.page.add_init_script("addEventListener('load', () => fetch('http://192.0.2.1/'))")
    cut.open("/talks").wait_for_timeout(500)
    told = "\n".join(cut.faults)
    cut.faults.clear()
    assert "asks http://192.0.2.1" in told
