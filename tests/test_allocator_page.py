"""The allocator page without a browser: every form in both registers, links, undo, limits."""

import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.paths import ROOT
from pagedviz.timeline.presets import DEFAULT
from pagedviz.ui.allocator_state import POPOVERS, SHOP
from pagedviz.ui.builder_words import ENGINE, ROOM, WORDS
from tests.chart_tables import opened_table

# a word from each form, as it is when the room is empty again at the end of the default run
SHOWN = {
    "arrive": "arrive_do",
    "write": "nobody_inside",
    "leave": "nobody_here",
    "drive": "drive_do",
    "file": "link",
}


def opened(**params: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.switch_page("pages/allocator.py")
    for name, value in params.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def open_form(page: AppTest, name: str) -> AppTest:
    page.session_state[f"allocator.{name}.open"] = True
    page.run()
    assert not page.exception
    return page


def key(page: AppTest, name: str) -> str:
    """Inputs that show the run are made anew with every other run."""
    return f"allocator.{name}.{page.session_state[SHOP].version}"


def ops(page: AppTest) -> list[str]:
    return [str(op["op"]) for op in page.session_state[SHOP].run.ops]


def test_both_registers_have_the_same_words():
    assert ROOM.keys() == ENGINE.keys()
    differ = [key for key in ROOM if ROOM[key] != ENGINE[key]]
    assert len(differ) > 30  # what is the same in both is neutral: undo, seed


@pytest.mark.parametrize("words", ["room", "engine"])
@pytest.mark.parametrize("name", POPOVERS)
def test_every_form_opens(words, name):
    page = open_form(opened(words=words), name)
    inputs = (page.number_input, page.segmented_control, page.button)
    shown = [widget.label for kind in inputs for widget in kind]
    shown += [text.value for text in page.markdown]
    assert WORDS[words][SHOWN[name]] in shown


def test_actions_append_and_undo_takes_them_back():
    page = opened()
    page.button(key="allocator.empty").click().run()
    assert ops(page) == []
    open_form(page, "arrive").button(key="allocator.arrive.do").click().run()
    assert ops(page) == ["add_request", "admit"]
    assert page.session_state["allocator.arrive.open"] is False  # out of the picture's way
    open_form(page, "write").button(key="allocator.write.do").click().run()
    assert ops(page)[2:] == ["append", "allocate"]
    opening = page.session_state[SHOP].opening
    assert (opening.step, opening.until) == (2, 4)  # the stage plays what is new
    open_form(page, "leave").button(key="allocator.preempt.do").click().run()
    assert ops(page)[4:] == ["preempt"]
    open_form(page, "leave").button(key="allocator.leave.do").click().run()
    assert ops(page)[5:] == ["free"]
    page.button(key="allocator.clear").click().run()
    assert ops(page)[6:] == ["reset_prefix_cache"]
    for left in (6, 5, 4, 2, 0):
        page.button(key="allocator.undo").click().run()
        assert len(ops(page)) == left
    page.button(key="allocator.redo").click().run()
    assert len(ops(page)) == 2
    page.button(key="allocator.undo").click().run()
    page.button(key="allocator.undo").click().run()
    assert page.session_state[SHOP].run == DEFAULT.run
    assert page.button(key="allocator.undo").disabled
    assert not page.exception


def test_a_newcomer_can_begin_like_another():
    page = opened()
    page.button(key="allocator.empty").click().run()
    open_form(page, "arrive").button(key="allocator.arrive.do").click().run()
    open_form(page, "arrive")
    page.selectbox(key="allocator.like").select("A").run()
    page.number_input(key="allocator.like_many").set_value(99).run()
    page.button(key="allocator.arrive.do").click().run()
    assert "at most 40 in common, not 99" in page.warning[0].value
    assert len(ops(page)) == 2
    page.number_input(key="allocator.like_many").set_value(32).run()
    page.button(key="allocator.arrive.do").click().run()
    assert len(page.session_state[SHOP].timeline.steps[-1].effects.hit) == 2
    assert not page.warning


def test_text_without_words_is_refused_and_text_with_words_comes_in():
    page = opened()
    open_form(page, "arrive").segmented_control(key="allocator.by").select("text").run()
    page.text_area(key="allocator.text").set_value("   ").run()
    page.button(key="allocator.arrive.do").click().run()
    assert "no words" in page.warning[0].value
    assert page.session_state[SHOP].run == DEFAULT.run
    page.text_area(key="allocator.text").set_value("three short words").run()
    page.button(key="allocator.arrive.do").click().run()
    assert len(page.session_state[SHOP].run.ops[-2]["tokens"]) == 3


def test_room_is_sized_and_presets_are_chosen():
    page = opened(preset="kept")
    assert page.selectbox(key=key(page, "preset")).value == "kept"
    page.number_input(key=key(page, "shelves")).set_value(64).run()
    assert page.session_state[SHOP].run.num_blocks == 65
    assert page.selectbox(key=key(page, "preset")).value == "own"
    page.toggle(key=key(page, "keep")).set_value(False).run()
    assert not page.session_state[SHOP].run.caching
    page.selectbox(key=key(page, "size")).select(64).run()
    assert page.session_state[SHOP].run.block_size == 64
    page.selectbox(key=key(page, "preset")).select(DEFAULT.id).run()
    assert page.session_state[SHOP].run == DEFAULT.run
    assert not page.exception


def test_driven_run_can_be_undone_and_a_run_beyond_the_limit_is_refused():
    page = open_form(opened(), "drive")
    page.button(key="allocator.drive.do").click().run()
    driven = page.session_state[SHOP].run
    assert driven != DEFAULT.run
    open_form(page, "drive")
    page.number_input(key="allocator.drive.visitors").set_value(60)
    page.number_input(key="allocator.drive.answer_min").set_value(100)
    page.number_input(key="allocator.drive.answer_max").set_value(120)
    page.button(key="allocator.drive.do").click().run()
    assert "2,000" in page.warning[0].value
    assert page.session_state[SHOP].run == driven


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"step": "x"}, "step: must be a whole number"),
        ({"step": "57"}, "step: this run ends at step 56"),
        ({"pin": "0"}, "pin: must be a whole number from 1"),
        ({"v": "2"}, "newer release"),
        ({"run": "9.abc"}, "run: "),
    ],
)
def test_bad_links(params, said):
    page = opened(**params)
    assert said in page.warning[0].value
    assert page.session_state[SHOP].run == DEFAULT.run


def test_table_of_all_steps():
    table = opened_table(opened(), "allocator.chart")
    assert len(table) == len(DEFAULT.run.ops) + 1
