"""Files on the workload page: good ones, bad ones, rows to decide on, columns to choose."""

import pytest

from pagedviz.ui import workload_file, workload_work
from pagedviz.ui.workload_work import work_queue
from tests.workload_page import (
    desk,
    lever,
    script,
    texts,
    upload,
    wait,
    with_file_form,
)

GOOD = b"TIMESTAMP,ContextTokens,GeneratedTokens\n" + b"".join(
    f"2023-11-16 18:17:{second:02}.0000000,{100 + second},{20 + second}\n".encode()
    for second in range(10)
)
SOME_BAD = GOOD + b"2023-11-16 18:18:00.0000000,many,8\n2023-11-16 18:18:01.0000000,5,-3\n"
OWN = b"when,in,out\n0,100,20\n1500,50,30\n"


@pytest.fixture(autouse=True)
def _nothing_goes_on():
    yield
    work_queue().close()


def test_a_good_file_becomes_the_load():
    page = upload(with_file_form(), GOOD, "mine.csv")
    assert "Read as **Azure LLM inference trace**: mine.csv. Rows: 10; with an answer: 10" in texts(
        page
    )
    assert desk(page).found.simulation.name == "mine.csv"
    assert "A file cannot be in a link" in texts(page)
    assert '"load": "file"' in script(page)
    assert '"file": "mine.csv"' in script(page)


def test_rows_left_out_are_named_and_the_user_decides():
    page = with_file_form()
    before = desk(page).found
    upload(page, SOME_BAD, "some.csv")
    assert "2 of its 12 rows cannot be used. Without them, 10 of 12" in page.warning[0].value
    assert "What was there before stays" in page.warning[0].value
    table = page.table[0].value
    assert table.index.tolist() == ["11", "12"]
    assert table["column"].tolist() == ["ContextTokens", "GeneratedTokens"]
    assert table["what is wrong"].tolist() == ["'many' is not a number", "'-3' is negative"]
    assert desk(page).found is before or desk(page).found.simulation.name.startswith("sharegpt")
    page.button(key="workload.go_on").click().run()
    assert desk(page).found.simulation.name == "some.csv"
    assert len(desk(page).found.simulation.systems["paged"].requests) == 10


def test_leaving_such_a_file_keeps_what_was_there():
    page = upload(with_file_form(), GOOD, "mine.csv")
    upload(page, SOME_BAD, "some.csv")
    assert "The file loaded before stays" in page.warning[0].value
    page.button(key="workload.drop").click().run()
    assert not page.warning
    assert desk(page).trace.name == "mine.csv"
    assert desk(page).is_file


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty: it has 0 bytes"),
        (b"PK\x03\x04 and more", "is a ZIP archive"),
        (b"<!doctype html><html></html>", "is an HTML page"),
        (b"[" * 50_000, "nested too deeply"),
        (b'{"a": ', "ends early"),
    ],
)
def test_a_bad_file_changes_nothing_twice(data, said):
    page = upload(with_file_form(), GOOD, "mine.csv")
    for _ in range(2):
        upload(page, data, "bad.csv")
        assert said in page.warning[0].value
        assert desk(page).trace.name == "mine.csv"
        assert desk(page).found.simulation.name == "mine.csv"


def test_columns_of_an_unknown_form_are_chosen():
    page = upload(with_file_form(), OWN, "own.csv")
    assert 'it has "when", "in", "out"' in page.warning[0].value
    page.button(key="workload.read_so").click().run()  # nothing chosen yet
    assert "needs a column for prompt" in page.warning[0].value
    for name, column in (("prompt_tokens", "in"), ("output_tokens", "out"), ("arrival_s", "when")):
        page.selectbox(key=f"workload.column.{name}").select(column)
    page.selectbox(key="workload.column.arrival_unit").select("ms")
    page.button(key="workload.read_so").click().run()
    assert not page.exception
    assert not page.warning
    assert desk(page).trace.requests["arrival_s"].tolist() == [0, 1.5]
    assert "columns named by the user" in texts(page)


def test_columns_can_be_chosen_for_a_known_form_too():
    page = upload(with_file_form(), GOOD, "mine.csv")
    page.button(key="workload.recolumn").click().run()
    assert page.selectbox(key="workload.column.prompt_tokens").options[1:] == [
        "TIMESTAMP",
        "ContextTokens",
        "GeneratedTokens",
    ]
    page.selectbox(key="workload.column.prompt_tokens").select("GeneratedTokens")
    page.selectbox(key="workload.column.output_tokens").select("ContextTokens")
    page.button(key="workload.read_so").click().run()
    assert desk(page).trace.requests["prompt_tokens"].tolist() == list(range(20, 30))


def test_a_part_of_a_file():
    page = upload(with_file_form(), GOOD, "mine.csv")
    lever("number_input", page, "first").set_value(3).run()
    lever("number_input", page, "count").set_value(4).run()
    assert desk(page).found.simulation.systems["paged"].requests.index.tolist() == [3, 4, 5, 6]
    lever("number_input", page, "first").set_value(99).run()  # beyond the end
    assert not page.exception
    assert "has no request with an answer" in page.warning[0].value


def test_a_large_file_is_read_in_a_process_of_its_own(monkeypatch):
    monkeypatch.setattr(workload_file, "AT_ONCE_BYTES", 100)
    page = upload(with_file_form(), GOOD, "mine.csv")
    wait(page)
    assert desk(page).trace.name == "mine.csv"
    assert desk(page).found.simulation.name == "mine.csv"
    upload(page, b"x" * 200, "bad.csv")
    wait(page)
    assert page.warning
    assert desk(page).trace.name == "mine.csv"


def test_names_and_cells_of_a_file_are_shown_as_they_are():
    evil = b"arrival_s,prompt_tokens,output_tokens\n0,10,5\n1,![x](http://a/b.png),5\n"
    page = upload(with_file_form(), evil, "[click](http://a) <b>.csv")
    assert "\\[click\\](http:\u2060//a) \\<b\\>.csv" in page.warning[0].value
    assert "!\\[x\\](http:\u2060//a/b.png)" in page.table[0].value["what is wrong"].iloc[0]
    page.button(key="workload.go_on").click().run()
    assert "</script>" not in script(page).removesuffix("</script>")


def test_a_generator_takes_over_again_and_the_file_is_kept():
    page = upload(with_file_form(), GOOD, "mine.csv")
    lever("selectbox", page, "load").select("alpaca").run()
    assert desk(page).found.simulation.name == "alpaca, seed 0"
    assert not page.get("file_uploader")
    lever("selectbox", page, "load").select("file").run()
    assert desk(page).found.simulation.name == "mine.csv"


def test_more_requests_than_are_simulated_are_to_be_taken_in_parts(monkeypatch):
    monkeypatch.setattr(workload_work, "MAX_REQUESTS", 1_200)
    rows = b"prompt_tokens,output_tokens\n" + b"5,5\n" * 1_500
    page = upload(with_file_form(), rows, "many.csv")
    assert "1,500 requests are too many: at most 1,200" in page.warning[0].value
    assert "workload.run" not in [button.key for button in page.button]
    lever("number_input", page, "count").set_value(900).run()
    assert not page.warning
    assert len(desk(page).found.simulation.systems["paged"].requests) == 900
