"""What the tests of the attention page ask of it."""

from streamlit.testing.v1 import AppTest

from pagedviz.paths import ROOT
from pagedviz.timeline.attention.setup import AttentionSetup
from pagedviz.ui.attention_state import SHOP

DEFAULT = AttentionSetup()


def opened(**link: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.switch_page("pages/attention.py")
    for name, value in link.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def key(page: AppTest, name: str) -> str:
    """Levers are made anew with every other setup, and in other words."""
    engine = "words" in page.session_state and page.session_state["words"] == "engine"
    words = "engine" if engine else "room"
    return f"attention.{name}.{page.session_state[SHOP].revision}.{words}"


def setup_of(page: AppTest) -> AttentionSetup:
    return page.session_state[SHOP].setup


def put(page: AppTest, name: str, value: object) -> AppTest:
    page.number_input(key=key(page, name)).set_value(value).run()
    assert not page.exception
    return page


def said(page: AppTest) -> str:
    return " ".join(box.value for box in page.warning)
