"""What the tests of the reservation page ask of it."""

import re
from html import unescape

from streamlit.testing.v1 import AppTest

from pagedviz.paths import ROOT
from pagedviz.timeline.reservation.presets import reservation_preset
from pagedviz.timeline.reservation.setup import ReservationSetup
from pagedviz.ui.reservation_state import SHOP, played
from pagedviz.ui.words import REGISTERS

DEFAULT = ReservationSetup()
STEPPED = reservation_preset("block-sizes")


def opened(**link: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.switch_page("pages/reservation.py")
    for name, value in link.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def key(page: AppTest, name: str) -> str:
    """Levers are made anew with every other setup, and in other words."""
    words = page.query_params.get("words", ["room"])
    words = words if isinstance(words, str) else words[0]
    register = words if words in REGISTERS else "room"
    return f"reservation.{name}.{page.session_state[SHOP].revision}.{register}"


def setup_of(page: AppTest) -> ReservationSetup:
    return page.session_state[SHOP].setup


def wire_of(page: AppTest) -> dict:
    return played(setup_of(page))[0]


def put(page: AppTest, name: str, value: object) -> AppTest:
    page.number_input(key=key(page, name)).set_value(value).run()
    assert not page.exception
    return page


def with_visitors(page: AppTest) -> AppTest:
    """Open the form of who comes."""
    page.session_state["reservation.people.open"] = True
    return page.run()


def said(page: AppTest) -> str:
    return " ".join(box.value for box in page.warning).replace("\\", "")


def html(page: AppTest) -> str:
    return unescape(" ".join(block.proto.body for block in page.get("html")))


def totals_of(page: AppTest) -> list[list[str]]:
    """The cells of the table of totals, head first."""
    table = re.search(r'<table class="pv-totals">(.*?)</table>', html(page)).group(1)
    return [
        re.findall(r"<t[hd](?: [^>]*)?>(.*?)</t[hd]>", row) for row in table.split("</tr>")[:-1]
    ]


def text(page: AppTest) -> str:
    """What stands there, without the marks of terms that can be looked up."""
    return re.sub(r"<[^>]+>", "", html(page))
