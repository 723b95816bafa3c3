"""The section "Run it at real size" without a browser: words, form, refusals, a run, cancelling."""

import time

import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.engine.real_size import RealSizeSpec
from pagedviz.engine.real_size_result import RealSizeResult
from pagedviz.ui.real_size import JOB, LAST, Last, real_size_queue
from pagedviz.ui.real_size_shown import sentence, table
from pagedviz.ui.real_size_words import ENGINE, ROOM

SPEC = RealSizeSpec(32, 8, 128, context=2048, num_seqs=8)
FOUND = RealSizeResult(
    SPEC, (0.012, 0.013, 0.014), (0.01, 0.01, 0.02), 2**27, 4096, 6e-8, 3e-8, 2e-8, True
)


def script():
    import streamlit as st

    from pagedviz.ui.real_size import real_size_section

    real_size_section(st.session_state.get("register", "room"))


def opened(register="engine", **state):
    page = AppTest.from_function(script, default_timeout=60)
    page.session_state["register"] = register
    for key, value in state.items():
        page.session_state[key] = value
    page.run()
    assert not page.exception
    return page


def small(page):
    page.selectbox(key="real_size.shape").select("own").run()
    for name, value in (("num_heads", 4), ("num_kv_heads", 2), ("head_size", 16)):
        page.number_input(key=f"real_size.{name}").set_value(value)
    page.number_input(key="real_size.context").set_value(200)
    return page.run()


def texts(page):
    return "\n".join(element.value for element in page.markdown)


@pytest.fixture(autouse=True)
def _nothing_goes_on():
    yield
    real_size_queue().close()


def test_both_registers_have_the_same_words():
    assert ROOM.keys() == ENGINE.keys()


def test_registers_are_not_mixed():
    for key, text in ROOM.items():
        for word in (" block", "token", "request", "sequence"):
            assert word not in text.lower(), key
    for key, text in ENGINE.items():
        for word in ("shelf", "shelves", "visitor", " box", "slip"):
            assert word not in text.lower(), key


@pytest.mark.parametrize("register", ["room", "engine"])
def test_what_it_needs_is_said_before_it_runs(register):
    page = opened(register)
    assert page.header[0].value == "Run it at real size"
    assert "MiB** of this server's memory" in texts(page)
    assert not page.warning
    assert not page.button(key="real_size.run").disabled
    assert ("blocks" in texts(page)) == (register == "engine")


def test_heads_that_do_not_fit_together_are_refused_in_words():
    page = opened()
    page.selectbox(key="real_size.shape").select("own").run()
    page.number_input(key="real_size.num_kv_heads").set_value(5).run()
    assert page.warning[0].value == (
        "Query heads must be a multiple of the KV heads (5), not 32: 30 or 35 would do."
    )
    assert page.button(key="real_size.run").disabled
    page.number_input(key="real_size.head_size").set_value(0).run()
    assert "Head size must be a whole number from 1" in page.warning[0].value


def test_an_empty_field_is_asked_for(monkeypatch):
    monkeypatch.setattr("pagedviz.ui.real_size._number", lambda *given, **more: None)
    page = opened()
    assert page.warning[0].value == "A number is missing. Fill in every field."
    assert page.button(key="real_size.run").disabled


def test_too_large_names_what_fits(monkeypatch):
    monkeypatch.setattr("pagedviz.engine.real_size_memory.available_memory", lambda: 2**30)
    page = opened("room")
    page.number_input(key="real_size.num_seqs").set_value(64).run()
    said = page.warning[0].value
    assert "at most 512 MiB may be used, half of the 1 GiB that is free now" in said
    assert "boxes per visitor it fits, or with 1" in said
    assert page.button(key="real_size.run").disabled


def test_nothing_at_all_fits(monkeypatch):
    monkeypatch.setattr("pagedviz.engine.real_size_memory.available_memory", lambda: 2**20)
    assert "Not even one token fits" in opened().warning[0].value


def test_from_the_button_to_the_sentence():
    page = small(opened())
    page.button(key="real_size.run").click().run()
    for _ in range(600):
        if LAST in page.session_state:
            break
        time.sleep(0.05)
        page.run()
    page.run()
    assert not page.exception
    assert JOB not in page.session_state
    found = page.session_state[LAST].result
    assert found.spec.context == 200
    assert sentence(found, "engine") in texts(page)
    assert "measured" in "".join(metric.label for metric in page.metric)
    assert "20 to 26 %" in [metric.value for metric in page.metric]


def test_cancel_ends_the_run_and_brings_the_button_back():
    page = opened()
    page.button(key="real_size.run").click().run()
    assert page.button(key="real_size.run").disabled
    ticket = page.session_state[JOB].ticket
    page.button(key="real_size.cancel").click().run()
    assert not page.exception
    assert JOB not in page.session_state
    assert real_size_queue().pid(ticket) is None
    page.run()
    assert not page.button(key="real_size.run").disabled


def test_somebody_elses_run_is_told():
    other = real_size_queue().ask(RealSizeSpec(32, 8, 128, 2048, 8, repetitions=50))
    page = opened("room")
    page.button(key="real_size.run").click().run()
    shown = page.get("progress")[0].proto.text
    assert shown == ROOM["waiting_one"]
    real_size_queue().cancel(other)


@pytest.mark.parametrize("register", ["room", "engine"])
@pytest.mark.parametrize(
    "failure", ["too large", "memory", "killed", "crashed", "too long", "left", "full"]
)
def test_every_failure_has_a_sentence(failure, register):
    page = opened(register, **{LAST: Last("", None, failure)})
    assert len(page.warning) == 1
    assert "{" not in page.warning[0].value


@pytest.mark.parametrize("register", ["room", "engine"])
def test_a_result_is_shown_with_all_its_figures(register):
    page = opened(register, **{LAST: Last("Granite 3.3 8B", FOUND, "")})
    assert [metric.value for metric in page.metric] == ["+30 %", "6.0\xa0·\xa010⁻⁸", "20 to 26 %"]
    assert "SOSP 2023, section 7" in page.caption[0].value
    assert "another world" in page.caption[0].value


def test_sentence_and_table():
    assert sentence(FOUND, "engine").replace("\xa0", " ") == (
        "Paged took 1.30 times as long as dense over contiguous memory: 13.0 ms against "
        "10.0 ms, 3 repetitions, 0.70 to 1.30."
    )
    rows = table(FOUND, "engine").replace("\xa0", " ").splitlines()
    assert rows[2] == "| median | 13.0 ms | 10.0 ms |"
    assert rows[5:7] == ["| K and V read | 128 MiB | 128 MiB |", rows[6]]
    assert rows[6] == "| block tables read | 4 KiB | 0 bytes |"
