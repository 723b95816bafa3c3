"""Every page runs without an exception, and knows when its viewer has arrived."""

import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.paths import ROOT
from pagedviz.ui.shell import PAGES, Arrival


def app(key: str = "start") -> AppTest:
    """The app as a viewer opens it, at one page."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    return at if key == "start" else at.switch_page(PAGES[key].file)


def arrival(at: AppTest) -> Arrival:
    return at.session_state["shell.arrival"]


@pytest.mark.parametrize("key", PAGES)
def test_page_runs(key):
    at = app(key).run()
    assert not at.exception
    assert arrival(at).page.key == key


def test_menu_lists_exactly_the_pages_that_exist():
    files = {"app.py"} | {f"pages/{path.name}" for path in (ROOT / "pages").glob("*.py")}
    assert {page.file for page in PAGES.values()} == files


def test_arrival_is_counted_once_per_visit_and_keeps_the_link():
    at = app("allocator")
    at.query_params["link"] = "as it was"
    first = arrival(at.run())
    assert (first.number, first.first) == (1, True)
    assert first.params["link"] == "as it was"

    at.query_params["link"] = "changed since"
    again = arrival(at.run())
    assert again == first  # a rerun is no arrival

    elsewhere = arrival(at.switch_page("app.py").run())
    assert (elsewhere.page.key, elsewhere.number) == ("start", 2)
    back = arrival(at.switch_page(PAGES["allocator"].file).run())
    assert (back.page.key, back.number) == ("allocator", 3)
