"""Links to the Spyre page: all that is set comes back, what is damaged is named."""

import json

import pytest

from pagedviz.engine.spyre.releases import DEFAULT_RELEASE
from pagedviz.timeline.spyre.mix import MIX_PRESETS, MixGroup
from pagedviz.ui.spyre_link import params
from pagedviz.ui.spyre_state import OWN, PARTS, Inputs, wires
from tests.spyre_page import MISTRAL, PAUSING_OFF, inputs_of, opened, said, step_of_stage

LINKS = [
    Inputs(),
    Inputs("mix", "chat", MIX_PRESETS[1].groups, MISTRAL, PAUSING_OFF),
    Inputs("mix", None, (MixGroup(2, 600, 20), MixGroup(1, 100, 10)), MISTRAL),
    Inputs("run", scene="volume", other=True, beside=True),
    Inputs("run", None, (MixGroup(3, 100, 9),), scene=OWN, beside=True),
    *(Inputs(part) for part in ("cards", "encoder", "differ")),
]


@pytest.mark.parametrize("wanted", LINKS, ids=lambda wanted: "-".join(params(wanted).values()))
def test_links_bring_everything_back(wanted):
    page = opened(**params(wanted), step="1")
    assert not page.warning
    assert inputs_of(page) == wanted
    assert step_of_stage(page) == 1


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ({"part": "limits"}, "part: must be one of limit, mix"),
        ({"part": "mix", "mix": "chats"}, "mix: must be one of one-long"),
        ({"part": "mix", "list": "1x2;zwei"}, "list: line 1"),
        ({"part": "mix", "list": "1x200+25;zwei"}, "list: line 2 ('zwei')"),
        ({"part": "mix", "list": "1x200+25;" * 200}, "list: is too long"),
        ({"part": "mix", "list": "70x200+25"}, "70 visitors are more than the 64"),
        ({"part": "mix", "server": "9-9-9"}, "server: must be one of 4-32768-32"),
        ({"part": "mix", "release": "2.6.3"}, "release: must be one of"),
        ({"part": "run", "scene": "five"}, "scene: must be one of four"),
        ({"part": "run", "scene": "volume", "other": "yes"}, 'other: must be one of 1, not "yes"'),
        ({"part": "run", "beside": "2"}, 'beside: must be one of 1, not "2"'),
        ({"v": "9"}, "newer release"),
        ({"step": "-1"}, "step: must be a whole number"),
        ({"words": "latin"}, "words: must be one of"),
    ],
)
def test_a_damaged_link_names_what_is_wrong_and_the_rest_counts(link, named):
    page = opened(**link)
    assert named in said(page).replace("\\", "")
    wanted = link.get("part", "limit")
    assert inputs_of(page).part == (wanted if wanted in PARTS else "limit")
    assert inputs_of(page).release == DEFAULT_RELEASE


@pytest.mark.parametrize(
    ("part", "last"), [("limit", 514), ("mix", 12), ("run", 39)], ids=["limit", "mix", "run"]
)
def test_a_step_too_large_is_said_and_the_last_is_shown(part, last):
    if part == "run":
        last = wires(Inputs("run"))[0]["last"]
    page = opened(part=part, step="9999")
    assert f"step: the last step here is {last:,}, not 9,999" in said(page)
    assert step_of_stage(page) == last
    assert not opened(part=part, step=str(last)).warning


def test_link_of_an_own_list_keeps_its_lines():
    assert params(LINKS[2])["list"] == "2x600+20;1x100+10"
    assert json.dumps(params(Inputs())) == '{"v": "1", "part": "limit"}'
