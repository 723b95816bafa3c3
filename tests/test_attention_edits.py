"""What comes from the attention page's stage: its callback, over a bench as the page has it."""

import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.timeline.attention.setup import AttentionSetup
from pagedviz.ui.attention_state import SHOP
from tests.attention_page import DEFAULT, said, setup_of


def edits_app() -> None:
    import streamlit as st

    from pagedviz.timeline.attention.setup import AttentionSetup
    from pagedviz.ui import attention_controls as controls
    from pagedviz.ui.attention_state import SHOP, opened

    if SHOP not in st.session_state:
        st.session_state[SHOP] = opened(AttentionSetup(), 7, None, 1, 2)
    edit = st.session_state.get("given")
    if isinstance(edit, dict) and edit.get("of") == "now":
        edit = {**edit, "of": st.session_state[SHOP].revision}
    st.session_state["stage"] = {"edit": edit}
    controls.take_edit()
    controls.problem()


def edit(given: object, page: AppTest | None = None) -> AppTest:
    page = page or AppTest.from_function(edits_app)
    page.session_state["given"] = given
    page.run()
    assert not page.exception
    return page


def test_moving_and_trials_and_pointing_change_the_setup_and_keep_the_place():
    page = edit({"of": "now", "moves": 1})
    before = page.session_state[SHOP]
    assert before.setup == AttentionSetup(moves=1)
    edit({"of": "now", "trial": "foreign"}, page)
    foreign = setup_of(page)
    assert (foreign.moves, foreign.past) == (1, False)
    assert foreign.reads[2] >= foreign.lines
    edit({"of": "now", "trial": "past"}, page)
    assert setup_of(page) == AttentionSetup(moves=1, past=True)
    block = page.session_state[SHOP].reading.table[0]
    edit({"of": "now", "point": [3, block]}, page)
    assert setup_of(page) == AttentionSetup(moves=1, reads=(0, 1, 2, 0, 4))
    edit({"of": "now", "moves": 2}, page)
    assert setup_of(page) == AttentionSetup(moves=2, reads=(0, 1, 2, 0, 4))
    edit({"of": "now", "trial": "intact"}, page)
    after = page.session_state[SHOP]
    assert after.setup == AttentionSetup(moves=2)
    assert (after.opening, after.view) == (before.opening, before.view)
    assert (after.opening.step, after.view) == (7, (1, 2))
    assert after.revision != before.revision


def test_an_edit_of_a_state_that_is_gone_counts_for_nothing():
    page = edit({"of": "now", "trial": "past"})
    stale = page.session_state[SHOP].revision
    edit({"of": stale, "moves": 1}, page)
    now = page.session_state[SHOP]
    for old in (stale, "", None, 3):
        edit({"of": old, "moves": 1}, page)
    assert page.session_state[SHOP] is now


JUNK = [
    None,
    "x",
    {"of": "now"},
    {"of": "now", "trial": "poem"},
    {"of": "now", "trial": ["past"]},
    {"of": "now", "trial": None},
    {"of": "now", "point": [1]},
    {"of": "now", "point": [1, "2"]},
    {"of": "now", "point": [1.5, 2]},
    {"of": "now", "point": {"line": 1}},
]


@pytest.mark.parametrize("junk", JUNK, ids=str)
def test_junk_from_the_stage_changes_nothing(junk):
    page = edit(junk)
    assert setup_of(page) == DEFAULT
    assert not page.warning


@pytest.mark.parametrize("where", [[0, 0], [0, 16], [5, 3], [-1, 3], [0, 10**20]])
def test_pointing_at_what_is_not_there_is_said(where):
    page = edit({"of": "now", "point": where})
    assert setup_of(page) == DEFAULT
    assert "A's slip has lines" in said(page) or "A line can point at shelf 1 to 15" in said(page)
    edit({"of": "now", "moves": 1}, page)
    assert not page.warning


def test_a_trial_that_cannot_be_is_not_made():
    page = AppTest.from_function(edits_app)
    page.run()
    bench = page.session_state[SHOP]
    page.session_state[SHOP] = bench.changed(AttentionSetup(tokens=4))
    edit({"of": "now", "trial": "swap_full"}, page)
    assert setup_of(page) == AttentionSetup(tokens=4)


def test_moves_start_again_after_the_last():
    page = AppTest.from_function(edits_app)
    page.run()
    page.session_state[SHOP] = page.session_state[SHOP].changed(AttentionSetup(moves=9999))
    edit({"of": "now", "moves": 1}, page)
    assert setup_of(page).moves == 1
