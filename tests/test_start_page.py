"""The start page without a browser: its link, and the links that lead on."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from pagedviz.paths import ROOT
from pagedviz.timeline.story.tale import places, step_of
from pagedviz.ui.shell import PAGES
from pagedviz.ui.story_link import OPENING, nearest
from pagedviz.ui.story_links import story_links


def opened(**params: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in params.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def test_starts_at_the_first_beat_without_a_word_of_warning():
    page = opened()
    assert page.session_state[OPENING].step == 0
    assert not page.warning


def test_link_to_a_scene_and_beat():
    page = opened(scene="3", beat="6", words="engine")
    opening = page.session_state[OPENING]
    assert (opening.step, opening.register) == (step_of(3, 6), "engine")
    assert not page.warning


def test_old_links_name_a_step():
    assert opened(step="7").session_state[OPENING].step == 7


@pytest.mark.parametrize(
    ("params", "step", "says"),
    [
        ({"scene": "9"}, step_of(7), "scene 7 is shown"),
        ({"scene": "0"}, step_of(1), "scene 1 is shown"),
        ({"scene": "2", "beat": "40"}, step_of(2, 6), "beat 6 is shown"),
        ({"step": "999"}, len(places()) - 1, "is shown"),
        ({"scene": "three"}, 0, "scene: must be a whole number"),
        ({"beat": "-1"}, 0, "beat: must be a whole number"),
        ({"words": "latin"}, 0, "words: must be one of room, engine"),
        ({"v": "2"}, 0, "newer release"),
    ],
)
def test_link_that_leads_nowhere_is_said_and_the_nearest_shown(params, step, says):
    page = opened(**params)
    assert page.session_state[OPENING].step == step
    assert says in page.warning[0].value


def test_scene_wins_over_an_old_step():
    assert nearest({"scene": 2, "step": 0}) == (step_of(2), ())


def test_every_scene_but_the_last_leads_deeper():
    for place, link in zip(places(), story_links()["links"], strict=True):
        assert (link is None) == (place.scene == 7), place


def test_last_beat_has_a_door_to_every_page():
    doors = [door["title"] for door in story_links()["doors"]]
    assert doors == [page.title for page in PAGES.values() if page.key != "start"]


LINKS = sorted({link["href"] for link in story_links()["links"] if link})


@pytest.mark.parametrize("href", LINKS)
def test_link_is_one_that_its_page_understands(href):
    parts = urlsplit(href)
    key = next(page.key for page in PAGES.values() if page.url_path == parts.path)
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    page.switch_page(PAGES[key].file)
    for name, value in parse_qsl(parts.query):
        page.query_params[name] = value
    page.run()
    assert not page.exception
    assert not [box.value for box in page.warning if "link" in box.value]
    query = dict(parse_qsl(parts.query))
    if "step" in query and key in ("allocator", "prefix"):
        state = page.session_state[f"{key}.workshop" if key == "allocator" else _shop(key)]
        assert state.opening.step == int(query["step"])


def _shop(key: str) -> str:
    from pagedviz.ui import prefix_state

    assert key == "prefix"
    return prefix_state.SHOP
