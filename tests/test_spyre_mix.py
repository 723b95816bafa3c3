"""The own mix on the Spyre page: typed, pasted, mended; server, release and advice."""

import pytest

from pagedviz.engine.spyre.releases import RELEASES
from pagedviz.timeline.spyre.mix import MIX_PRESETS, MixGroup
from pagedviz.ui.spyre_state import OWN, SERVERS
from pagedviz.ui.spyre_words import ENGINE, ROOM
from tests.spyre_page import (
    LONG,
    MISTRAL,
    ONE_CARD,
    PAUSING_OFF,
    first_decode,
    html,
    inputs_of,
    key,
    listed,
    markdown,
    opened,
    put,
    said,
)


@pytest.mark.parametrize(
    "text",
    [
        "2 x 9,000 + 100\n200 + 25",
        "2\t9000\t100\n1\t200\t25\n",
        "requests;prompt;answer\n2;9.000;100\n1;200;25",
    ],
    ids=["typed", "pasted from a sheet", "with a header"],
)
def test_own_list_is_typed_or_pasted(text):
    page = listed(opened(part="mix"), text)
    assert not page.warning
    assert inputs_of(page).groups == (MixGroup(2, 9_000, 100), MixGroup(1, 200, 25))
    assert inputs_of(page).mix is None
    assert page.text_area(key=key(page, "list")).value == "2 x 9000 + 100\n1 x 200 + 25"
    preset = page.selectbox(key=key(page, "mix"))
    assert (preset.value, preset.options[0]) == (OWN, ROOM["own"])
    assert len(first_decode(page)["rows"]) == 3
    put(page, "mix", "chat")
    assert inputs_of(page).groups == MIX_PRESETS[1].groups
    assert ROOM["own"] not in page.selectbox(key=key(page, "mix")).options


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 x 30000 + 25\nhello", "line 2 ('hello')"),
        ("1 x 30000 + 25\n\n3 x -5 + 25", "line 3"),
        ("200", "has no answer length"),
        ("0 x 200 + 25", "must be from 1 to 10,000,000, not 0; try 1"),
        ("", "zero requests"),
        ("1 x 32,760 + 25", "With this answer a prompt of at most 32,704 fits"),
        ("66 x 200 + 25", "66 requests are more than the 64 that can be shown; leave out 2"),
        ("<img src=x> x **1** + [2](y)", "is no row of requests"),
    ],
)
def test_junk_names_its_line_and_what_was_there_and_what_was_typed_both_stay(text, why):
    page = put(opened(part="mix", words="engine"), "release", PAUSING_OFF)
    before = inputs_of(page)
    decoding = first_decode(page)
    listed(page, text)
    assert why in (told := said(page).replace("\\", ""))
    assert told.startswith("The list was not taken: ")
    assert told.endswith("; the picture still shows the one before.")
    assert inputs_of(page) == before
    assert first_decode(page) == decoding
    assert page.text_area(key=key(page, "list")).value == text
    listed(page, "2 x 300 + 25")  # mended
    assert not page.warning
    assert inputs_of(page).groups == (MixGroup(2, 300, 25),)


def test_a_problem_is_gone_after_a_visit_elsewhere():
    page = listed(opened(part="mix"), "junk")
    assert "line 1" in said(page)
    page.switch_page("pages/reservation.py").run()
    page.switch_page("pages/spyre.py").run()
    assert inputs_of(page).part == "mix"
    assert not page.warning
    assert page.text_area(key=key(page, "list")).value == "\n".join(map(str, LONG))


def test_server_and_release_decide():
    page = opened(part="mix", list="16x2000+25")
    assert len(first_decode(page)["rows"]) == 16
    put(page, "server", ONE_CARD)
    step = first_decode(page)  # 49,152 in 2,001 or more: all 16 again
    assert len(step["rows"]) == 16
    assert inputs_of(page).limits().max_num_seqs == 16
    put(page, "server", "1-8192-4")
    step = first_decode(page)
    assert (len(step["rows"]), len(step["wait"])) == (4, 12)
    assert "no free slot, max_num_seqs is 4" in step["wait"][0]
    put(page, "server", ONE_CARD)
    listed(page, "2 x 2500 + 25\n1 x 3000 + 25\n")
    put(page, "server", MISTRAL)
    listed(page, "2 x 8000 + 25")
    put(page, "server", ONE_CARD)  # a context of 3,072
    assert "Nothing was changed: line 1 (2 x 8000 + 25): 8,000 boxes" in said(page)
    assert inputs_of(page).server == MISTRAL
    assert page.selectbox(key=key(page, "server")).value == MISTRAL
    listed(page, "2 x 2500 + 25")
    put(page, "server", ONE_CARD)
    for release in reversed(RELEASES):  # the first of them is the one that is set
        put(page, "release", release)
        assert not page.warning
        assert RELEASES[release].name in html(page)
        assert inputs_of(page).limits().chunk_size == RELEASES[release].default_chunk_size


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.key)
def test_advice_is_about_the_model_of_the_server(server):
    page = opened(part="mix", server=server.key, list="1x2500+25;3x100+25")
    assert not page.warning
    page = listed(page, f"1 x {server.context - 512} + 25\n3 x 100 + 25")
    named = [
        one.model.split("/")[1] for one in SERVERS if one.model.split("/")[1] in markdown(page)
    ]
    assert set(named) <= {server.model.split("/")[1]}


def test_what_would_help_is_said_and_that_nothing_must():
    page = opened(part="mix", words="engine")
    assert ENGINE["advice"] in [head.value for head in page.header]
    assert "with 4,072 instead of 30,000 tokens all 32 decode together to the end" in markdown(page)
    listed(page, "3 x 300 + 25")
    assert "**Nothing to mend**: all 3 decode together to the end of their answers" in markdown(
        page
    )
