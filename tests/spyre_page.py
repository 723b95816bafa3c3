"""What the tests of the Spyre page ask of it."""

import re
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.paths import ROOT
from pagedviz.timeline.spyre.mix import MIX_PRESETS
from pagedviz.ui.spyre_state import SHOP, Inputs, wires

BOTH = pytest.mark.parametrize("words", ["room", "engine"])
LONG = MIX_PRESETS[0].groups
ONE_CARD = "1-3072-16"
MISTRAL = "2-8192-32"
PAUSING_OFF = "sendnn_2_6_3_pausing_off"


def opened(**link: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.switch_page("pages/spyre.py")
    for name, value in link.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def key(page: AppTest, name: str) -> str:
    """Levers are made anew with every other state."""
    return f"spyre.{name}.{page.session_state[SHOP].revision}"


def inputs_of(page: AppTest) -> Inputs:
    return page.session_state[SHOP].inputs


def step_of_stage(page: AppTest) -> int:
    return page.session_state[SHOP].opening.step


def listed(page: AppTest, text: str) -> AppTest:
    page.text_area(key=key(page, "list")).set_value(text).run()
    assert not page.exception
    return page


def put(page: AppTest, name: str, value: str) -> AppTest:
    page.selectbox(key=key(page, name)).select(value).run()
    assert not page.exception
    return page


def said(page: AppTest) -> str:
    return " ".join(box.value for box in page.warning)


def html(page: AppTest) -> str:
    return " ".join(block.proto.body for block in page.get("html"))


def markdown(page: AppTest) -> str:
    return " ".join(block.value for block in page.markdown)


def chart(page: AppTest) -> str:
    """What a screen reader says of the chart of the part "limit"."""
    (found,) = page.get("plotly_chart")
    return str(found.proto.alt)


def first_decode(page: AppTest) -> dict:
    return next(step for step in wires(inputs_of(page))[0]["steps"] if step.get("rows"))


def text(page: AppTest) -> str:
    """What stands there, without the marks of terms that can be looked up."""
    return unescape(re.sub(r"<[^>]+>", "", html(page)))
